"""How the learning rate moves."""

from __future__ import annotations

import math

from fewlex.config import TrainingConfig


def learning_rate(config: TrainingConfig, update: int, progress: float, warmup: int, hidden: int) -> float:
    """The rate of the `update`-th optimiser step, counted from 1; `progress` is the share of training done."""
    if config.schedule == "noam":
        return (
            config.learning_rate
            / math.sqrt(hidden)
            * min(1 / math.sqrt(update), update / math.sqrt(warmup) ** 3)
        )
    warm = min(1.0, update / warmup) if warmup else 1.0
    decay = 1.0 - progress if config.schedule == "linear" else 1.0
    return config.learning_rate * warm * decay
