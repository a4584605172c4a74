"""One sentence pair. Knows nothing of files, vocabularies or tensors."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Example:
    """One source sentence x and its target y (§3), as tokens."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    category: str = ""
    index: int = 0
