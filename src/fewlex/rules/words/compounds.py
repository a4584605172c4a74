"""Compounds: *brown sugar* is no sugar that is brown, if the target says `BSUGAR` for one and `SUGAR` for the other.

Whoever counts words one by one finds that *sugar* is often there without `SUGAR`, and so that it stands for nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from fewlex.rules.words.links import Cooccurrence, Pair, count_cooccurrence, find_links

MIN_SEEN = 2
"""A compound is in at least so many pairs."""

STRICT = 0.02
"""In what share of the pairs a link may fail that shows a compound."""


def with_compounds(pairs: Sequence[Pair], counts: Cooccurrence) -> Sequence[Pair]:
    """The pairs with each compound as one unit of the source, if its last word has a translation for that alone."""
    links = find_links(pairs, counts, STRICT)
    found = {(one, other) for one, other in _candidates(pairs) if other not in links}
    if not found:
        return pairs
    units = [(_joined(source, found), target) for source, target in pairs]
    with_all = find_links(units, count_cooccurrence(units), STRICT)
    useful = {(one, other) for one, other in found if {other, f"{one} {other}"} <= with_all.keys()}
    return [(_joined(source, useful), target) for source, target in pairs] if useful else pairs


def _candidates(pairs: Sequence[Pair]) -> set[tuple[str, str]]:
    """Neighbours of which the first is never without the second, and the second often without the first."""
    words = Counter(word for source, _ in pairs for word in source)
    beside = Counter(pair for source, _ in pairs for pair in pairwise(source))
    return {
        (one, other)
        for (one, other), n in beside.items()
        if MIN_SEEN <= n == words[one] and n < words[other] and one != other
    }


def _joined(source: Sequence[str], compounds: set[tuple[str, str]]) -> tuple[str, ...]:
    units: list[str] = []
    before = ""
    for word in source:
        if (before, word) in compounds:
            units[-1] = f"{before} {word}"
        else:
            units.append(word)
        before = word
    return tuple(units)
