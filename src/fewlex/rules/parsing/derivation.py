"""How the rules translate one sentence: a tree of rules and words, and the target that it yields."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fewlex.rules.book import Word
from fewlex.rules.rule import Rule

FIRST_OF_NEW_FILLERS = 3
"""Derivations of this grade or a higher one combine rules and words in a new way (`grades.py`)."""


@dataclass(frozen=True)
class Node:
    """A rule or a word over the source words `start` … `end - 1`; a rule has one child for each of its holes."""

    of: Rule | Word
    start: int
    end: int
    children: tuple[Node, ...] = ()

    @property
    def kind(self) -> str:
        """What fills the hole above: the name of a rule or of a class of words."""
        return self.of.name if isinstance(self.of, Rule) else self.of.kind

    def __iter__(self) -> Iterator[Node]:
        """The node and all nodes below it, depth first."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))


@dataclass(frozen=True)
class Derivation:
    """The best reading of a sentence. `positions[i]` is the number of the source word that `tokens[i]` comes from."""

    source: tuple[str, ...]
    root: Node
    tokens: tuple[str, ...]
    positions: tuple[int | None, ...]
    """None where a token is brought by a rule and not by a word."""
    score: float
    """Log probability of the tree, up to a constant."""
    margin: float
    """How much higher the score is than that of the best reading with another target; infinite if there is none."""
    grade: int
    """How daring the derivation is: 0 if everything in it was seen in training. See `calibration.py`."""
    confidence: float
    """The precision of derivations of this grade on held-out training templates."""
    is_sure: bool
    """True where the confidence is high enough for the rules to speak."""

    @property
    def is_familiar(self) -> bool:
        """True if all fillers were seen in their holes in training."""
        return self.grade < FIRST_OF_NEW_FILLERS
