"""A running average of the weights: steadier than the last weights, for the price of one pass over them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn

FORGETTING = 10
"""Early on the average reaches back over about one in this many of the updates so far."""


class AveragedWeights:
    """An exponential average; while it is young it forgets faster, so that the random start leaves no trace."""

    def __init__(self, model: nn.Module, decay: float) -> None:
        self.decay = decay
        self.parameters: list[Tensor] = list(model.parameters())
        self.weights: dict[str, Tensor] = {
            name: parameter.detach().clone() for name, parameter in model.named_parameters()
        }

    def add(self, update: int) -> None:
        """Take in the weights after the `update`-th optimiser step, counted from 1."""
        newest = max(1 - self.decay, FORGETTING / (update + FORGETTING - 1))
        with torch.no_grad():
            torch._foreach_lerp_(list(self.weights.values()), self.parameters, newest)

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """The model works with the average inside the block, and with its own weights again after it."""
        self.exchange()
        try:
            yield
        finally:
            self.exchange()

    @torch.no_grad()
    def exchange(self) -> None:
        """Swap the model's weights and the average, in place: fused LSTM weights must stay where they are."""
        averages = list(self.weights.values())
        own = [parameter.clone() for parameter in self.parameters]
        torch._foreach_copy_(self.parameters, averages)
        torch._foreach_copy_(averages, own)
