"""How much of the training is done, when it validates and ends, and how the learning rate changes."""

from __future__ import annotations

import math

from fewlex.config import TrainingConfig
from fewlex.training.checkpoint import Position


def share_done(config: TrainingConfig, at: Position, updates_per_epoch: int) -> float:
    """How much of the training is done, from 0 to 1, by the limit that will be reached first: epochs, updates or
    time."""
    epochs = at.epoch + at.updates_in_epoch / updates_per_epoch
    by_epochs = epochs / config.epochs if config.epochs else 0.0
    by_updates = at.update / config.updates if config.updates else 0.0
    # The run ends with a validation, which must fit into the time too.
    time_for_updates = config.seconds - at.validation_seconds
    by_time = at.seconds / max(time_for_updates, 1e-9) if config.seconds else 0.0
    return min(1.0, max(by_epochs, by_updates, by_time))


def stopped_by(config: TrainingConfig, at: Position) -> str:
    """The reason why training ends here: "patience", "epochs", "updates" or "time". Empty while training goes on."""
    if at.stopped:
        return "patience"
    if 0 < config.epochs <= at.epoch:
        return "epochs"
    if 0 < config.updates <= at.update:
        return "updates"
    return "time" if _is_time_up(config, at, validations=1) else ""


def is_validation_due(config: TrainingConfig, at: Position) -> bool:
    """Validate after every epoch or every `validate_every` updates, and always at the end.

    Do not validate if only one more validation fits into the time, because the end needs it.
    """
    if stopped_by(config, at):
        return True
    if _is_time_up(config, at, validations=2):
        return False
    every = config.validate_every
    return at.update % every == 0 if every else at.updates_in_epoch == 0


def _is_time_up(config: TrainingConfig, at: Position, validations: int) -> bool:
    """True if this many more validations, each as long as the last one, would use up the time."""
    return 0 < config.seconds <= at.seconds + validations * at.validation_seconds


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
