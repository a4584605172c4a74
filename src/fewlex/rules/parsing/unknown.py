"""Words that a book does not have, translated in the manner of the words that it has.

If *Tokyo* ↦ `'Tokyo'` and *Oslo* ↦ `'Oslo'` are words of one class, *Zurich* may be one of them, and is `'Zurich'`.
Most often words of such a class are kept as they are.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from typing import NamedTuple

from fewlex.rules.book import SAME, SILENT, Word

MIN_WORDS = 6
"""A class of at least so many words, most of which are translated in one manner, takes unknown words, too."""

CASES: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "small": str.lower,
    "large": str.upper,
    "capital": str.capitalize,
}
"""How a word is written in its translation. The first one that fits counts."""


class Manner(NamedTuple):
    """How words of a class become their translations: written in a case, with something before and after."""

    before: str
    case: str
    after: str

    def translate(self, source: tuple[str, ...]) -> tuple[str, ...]:
        text = CASES[self.case](" ".join(source))
        return tuple(f"{self.before}{text}{self.after}".split(" "))


def manners_of(words: Iterable[Word]) -> dict[str, Manner]:
    """For each class that takes unknown words, how it translates them."""
    size: Counter[str] = Counter()
    found: dict[str, Counter[Manner]] = defaultdict(Counter)
    for word in words:
        if word.kind not in (SILENT, SAME):
            size[word.kind] += 1
            if manner := _manner(word):
                found[word.kind][manner] += 1
    best = {kind: manners.most_common(1)[0] for kind, manners in found.items() if size[kind] >= MIN_WORDS}
    return {kind: manner for kind, (manner, n) in best.items() if n > size[kind] / 2}


def _manner(word: Word) -> Manner | None:
    """The manner of one word; None if its translation does not contain it."""
    target = " ".join(word.target)
    for case, write in CASES.items():
        before, written, after = target.partition(write(word.term))
        if written:
            return Manner(before, case, after)
    return None
