"""One sentence pair. Knows nothing of files, vocabularies or tensors."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Example:
    """One source sentence x and its target y (§3), as tokens. A text in place of tokens is split on white space."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    category: str = ""
    index: int = 0

    def __post_init__(self) -> None:
        for side in ("source", "target"):
            given: object = getattr(self, side)
            if isinstance(given, str):
                object.__setattr__(self, side, tuple(given.split()))

    @classmethod
    def of(cls, source: str, target: str, category: str = "") -> Example:
        """An example from two texts, which are split on white space."""
        return cls(tuple(source.split()), tuple(target.split()), category)
