"""One line of a lexicon: a source word, a target word, how strongly they belong together, and who says so."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TypeAlias

from fewlex.data.vocabulary import SPECIALS
from fewlex.errors import LexiconError

PERSON = "person"
GLOSSARY = "glossary"

_RESERVED = frozenset(SPECIALS)
_UNFIT_FOR_A_LINE = re.compile("[\0\t\n\r\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Entry:
    """How strongly one source word means one target word, and who says so: the name of a learner, or `person`.

    The weight is a score on a log scale, such as a count or a PMI. It may be any finite number; within a row, larger is
    better. Between equal weights, the Dice coefficient that the pair has in the training data decides.
    """

    weight: float
    origin: str = PERSON
    dice: float = 0.0
    like: str = ""
    """A known source word that a taught word behaves like: in typed fast mapping, it gets the class of that word."""

    def __post_init__(self) -> None:
        if not (math.isfinite(self.weight) and math.isfinite(self.dice)):
            raise LexiconError(
                f"the weight {self.weight} or the Dice coefficient {self.dice} is not finite. Give plain numbers."
            )


Line: TypeAlias = tuple[str, str, Entry]
"""A source word, a target word and their entry."""


def checked_line(source: str, target: str, entry: Entry) -> Line:
    """The same line, if its words can be stored and found again. A word with a space inside is a term."""
    _check("source", source)
    _check("target", target)
    _check("origin", entry.origin)
    if entry.like:
        _check("word after `like`", entry.like)
    return source, target, entry


def _check(part: str, word: str) -> None:
    if word.isalnum():
        return  # nearly all words are letters and digits alone, in which nothing can be wrong
    if not word or word[0] == " " or word[-1] == " ":
        raise LexiconError(f"the {part} {word!r} is empty or padded with spaces. Write the bare word.")
    if not _RESERVED.isdisjoint(word.split(" ")):
        raise LexiconError(f"the {part} {word!r} is one of fewlex's own symbols. Write another word.")
    if _UNFIT_FOR_A_LINE.search(word):
        raise LexiconError(
            f"the {part} {word!r} holds a tab, a line break, NUL or half of a character. Remove it."
        )
