"""What the training loop tells whoever watches it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Validation:
    loss: float
    accuracy: float


@dataclass(frozen=True)
class Progress:
    """News from the loop, after each update."""

    epoch: int
    update: int
    share: float
    """Of the whole training, 0 to 1."""
    loss: float
    """Per target token, since the last validation."""
    learning_rate: float
    tokens_per_second: float
    seconds: float
    is_milestone: bool = False
    """Whether it was time to validate, after this update."""
    validation: Validation | None = None
    """At a milestone, where there is something to validate on."""

    @property
    def seconds_left(self) -> float:
        """If training goes on at the speed it had so far, and is not stopped early."""
        return self.seconds / self.share - self.seconds if self.share else float("inf")


Observer = Callable[[Progress], None]
Validate = Callable[[], Validation | None]
