"""What the training loop reports to those who watch it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Validation:
    loss: float
    accuracy: float


@dataclass(frozen=True)
class Progress:
    """How training goes, reported after each update."""

    epoch: int
    update: int
    share: float
    """How much of the training is done, from 0 to 1."""
    loss: float
    """The mean loss of a target token since the last validation."""
    learning_rate: float
    tokens_per_second: float
    seconds: float
    is_milestone: bool = False
    """True if the model was validated after this update."""
    validation: Validation | None = None
    """The figures of a milestone; None if there are no validation examples."""

    @property
    def seconds_left(self) -> float:
        """How long training will still take if it keeps its speed and does not stop early."""
        return self.seconds / self.share - self.seconds if self.share else float("inf")


Observer = Callable[[Progress], None]
Validate = Callable[[], Validation | None]
