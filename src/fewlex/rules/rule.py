"""One rule with holes: `_ fep ↦ #0 #0 #0` repeats three times whatever stands before *fep*.

A side of a rule is a tuple in which a `str` is a token and an `int` is the number of a hole. The holes of the source
are numbered from left to right, each occurs once. The target may use a hole several times, in any order, or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from fewlex.errors import RuleError

LEARNED, PERSON = "learned", "person"
ARROW = "↦"

Symbol: TypeAlias = str | int
"""A token, or the number of a hole."""

Fillers: TypeAlias = Mapping[str, int]
"""What has filled a hole, and how often: the name of a word class (`C1`) or of a rule (`R3`) → count."""

_NEEDS_BACKSLASH = re.compile(r"_|#\d+|↦|\\.*")


@dataclass(frozen=True)
class Rule:
    """How a stretch of the source that looks like `source` is translated."""

    name: str
    source: tuple[Symbol, ...]
    target: tuple[Symbol, ...]
    fillers: tuple[Fillers, ...]
    """For each hole what has filled it. A hole with no fillers takes everything that some other hole takes."""
    count: int = 0
    """The number of training pairs whose derivation uses the rule."""
    origin: str = LEARNED
    example: tuple[str, ...] = ()
    """The words of a short training sentence whose derivation uses the rule."""

    def __post_init__(self) -> None:
        holes = [symbol for symbol in self.source if isinstance(symbol, int)]
        if not self.source or not self.target:
            raise RuleError(
                f"the rule {str(self)!r} has an empty side. Write something on both sides of {ARROW}."
            )
        if holes != list(range(len(holes))):
            raise RuleError(f"the source holes of {str(self)!r} are numbered {holes}. Number them 0, 1, 2, …")
        unknown = [symbol for symbol in self.target if isinstance(symbol, int) and symbol not in holes]
        if unknown:
            raise RuleError(
                f"the target of {str(self)!r} uses #{unknown[0]}, but the source has {len(holes)} holes, "
                "which are numbered from #0. Use one of these."
            )
        if self.source == self.target == (0,):
            raise RuleError(
                f"the rule {str(self)!r} says nothing: it could be applied for ever. Leave it out."
            )
        if len(self.fillers) != len(holes):
            raise RuleError(
                f"the rule {str(self)!r} has {len(holes)} holes and fillers for {len(self.fillers)}. "
                "Give fillers for each hole."
            )

    @property
    def skeleton(self) -> tuple[tuple[Symbol, ...], tuple[Symbol, ...]]:
        """What the rule does, apart from what may fill its holes; two rules of one skeleton are one rule."""
        return self.source, self.target

    @property
    def words(self) -> tuple[str, ...]:
        """The source words that the rule itself brings."""
        return tuple(symbol for symbol in self.source if isinstance(symbol, str))

    @property
    def n_holes(self) -> int:
        return len(self.fillers)

    def __str__(self) -> str:
        """`_ kiki _ ↦ #1 #0`; a token that looks like a hole or an arrow is written with a backslash before it."""
        source = ["_" if isinstance(symbol, int) else as_token(symbol) for symbol in self.source]
        target = [f"#{symbol}" if isinstance(symbol, int) else as_token(symbol) for symbol in self.target]
        return " ".join([*source, ARROW, *target])


def as_token(token: str) -> str:
    """A token as it is written in the text form of a rule."""
    return "\\" + token if _NEEDS_BACKSLASH.fullmatch(token) else token
