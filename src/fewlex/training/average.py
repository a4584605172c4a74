"""A running average of the weights. It is steadier than the last weights and costs one pass over them in each
update."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn

FORGETTING = 10
"""At first, the average covers about one in this many of the updates that were made so far."""


class AveragedWeights:
    """An exponential average. It forgets faster at first, so that nothing of the random initial weights stays in it."""

    def __init__(self, model: nn.Module, decay: float) -> None:
        self.decay = decay
        self.parameters: list[Tensor] = list(model.parameters())
        self.weights: dict[str, Tensor] = {
            name: parameter.detach().clone() for name, parameter in model.named_parameters()
        }

    def add(self, update: int) -> None:
        """Add the weights after the `update`-th optimiser step, counted from 1."""
        newest = max(1 - self.decay, FORGETTING / (update + FORGETTING - 1))
        with torch.no_grad():
            torch._foreach_lerp_(list(self.weights.values()), self.parameters, newest)

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Inside the block, the model has the average as its weights. After the block it has its own weights again."""
        self.exchange()
        try:
            yield
        finally:
            self.exchange()

    @torch.no_grad()
    def exchange(self) -> None:
        """Swap the weights of the model and the average. This happens in place, because fused LSTM weights must not
        move."""
        averages = list(self.weights.values())
        own = [parameter.clone() for parameter in self.parameters]
        torch._foreach_copy_(self.parameters, averages)
        torch._foreach_copy_(averages, own)
