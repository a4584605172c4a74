"""What a chart is made of: words, complete parts of a sentence, and rules that have begun."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from fewlex.rules.book import Word
from fewlex.rules.parsing.weights import Hole
from fewlex.rules.rule import Rule


class Lexeme(NamedTuple):
    """A word and how much it likes holes."""

    word: Word
    likes: Mapping[Hole, float]
    is_unknown: bool = False
    """True for a word that the book does not have, and that is kept as it is."""


class Item(NamedTuple):
    """A rule or a word over a stretch of the sentence; `fills` has an item for each hole of the rule."""

    score: float
    kind: str
    start: int
    end: int
    of: Rule | Lexeme
    fills: tuple[Item, ...]
    rival: Item | None
    """The second best item of the same kind over the same stretch."""


class Active(NamedTuple):
    """A rule that has begun at `start` and waits for what fills the hole at its dot."""

    score: float
    rule: Rule
    start: int
    dot: int
    prices: Mapping[str, float]
    """Log prices of what may fill the hole at the dot."""
    fills: tuple[Item, ...]


Waiting = dict[tuple[int, str, int], Active]
"""The rules that wait at one position, by where they begin, their name and their dot."""
