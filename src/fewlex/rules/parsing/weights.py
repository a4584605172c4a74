"""Log probabilities of fillers, from the counts in a rule book.

A hole prefers the kinds that it has had. It also takes kinds that it has not had, if holes with similar fillers took
them: if *_ twice* and *_ thrice* were both filled by words, and only *_ twice* by *turn _*, then *_ thrice* takes
that as well. A word prefers the holes that it has filled itself.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping

from fewlex.rules.book import SAME, SILENT, RuleBook, Word

SENTENCE = ""
"""Stands for the name of a rule where the hole is the whole sentence."""

SHARED_WEIGHT = 0.5
"""What similar holes say weighs as much as this many observations."""

MIN_OVERLAP = 0.01
"""Holes whose fillers overlap less are not similar."""

WORD_HOLE_WEIGHT, PHRASE_HOLE_WEIGHT = 0.1, 3.0
"""How many observations it takes until a word is as choosy about holes as it seems: holes that also take phrases are
filled by all sorts of words, so there more."""

LONER = -3.0
"""Log price of taking a class that was only seen as a whole sentence, such as *jump*, for the usual class of a hole."""

RARE = 1e-3
"""The share of a hole that no word of a class was seen in."""

Hole = tuple[str, int]


class Weights:
    """What fills which hole, and how probable that is."""

    def __init__(self, book: RuleBook) -> None:
        counts = hole_counts(book)
        self.fillers: dict[Hole, dict[str, float]] = _filler_log_probs(counts)
        everything = Counter(kind for kinds in counts.values() for kind in kinds)
        newcomers = [rule.name for rule in book.rules if rule.name not in everything]
        names = _names(book)
        anything = dict.fromkeys([*everything, *newcomers], -math.log(len(everything) + 1))
        in_rules = {kind for hole, kinds in counts.items() if hole[0] != SENTENCE for kind in kinds}
        loners = sorted(_classes(book) - in_rules)
        for hole, kinds in self.fillers.items():
            if not kinds:
                self.fillers[hole] = anything
                continue
            words = [price for kind, price in kinds.items() if kind not in names]
            if words and hole[0] != SENTENCE:
                kinds.update(dict.fromkeys(loners, max(words) + LONER))
            if hole[0] == SENTENCE or not names.isdisjoint(kinds):
                kinds.update(dict.fromkeys(newcomers, -math.log(len(kinds) + 1)))
        self._habits = _Habits(book, counts)

    def word(self, word: Word) -> Mapping[Hole, float]:
        """How much more a word likes a hole than other words of its class do; holes that are not there get 0."""
        return self._habits.of(word)


def _classes(book: RuleBook) -> set[str]:
    """The classes of the words that may fill holes."""
    return {word.kind for word in book.words} - {SILENT, SAME}


def _names(book: RuleBook) -> set[str]:
    return {rule.name for rule in book.rules}


def hole_counts(book: RuleBook) -> dict[Hole, Mapping[str, int]]:
    """What has filled each hole, the sentence among them."""
    counts: dict[Hole, Mapping[str, int]] = {(SENTENCE, 0): book.sentences}
    for rule in book.rules:
        for hole, kinds in enumerate(rule.fillers):
            counts[rule.name, hole] = kinds
    return counts


def _filler_log_probs(counts: Mapping[Hole, Mapping[str, int]]) -> dict[Hole, dict[str, float]]:
    shares = {
        hole: {kind: n / sum(kinds.values()) for kind, n in kinds.items()} for hole, kinds in counts.items()
    }
    holes_of: dict[str, list[Hole]] = defaultdict(list)
    for hole, share in shares.items():
        for kind in share:
            holes_of[kind].append(hole)
    inside = _times_inside(counts)
    found = {}
    for hole, share in shares.items():
        overlap: Counter[Hole] = Counter()
        for kind, p in share.items():
            for other in holes_of[kind]:
                overlap[other] += min(p, shares[other][kind])  # type: ignore[assignment]
        shared: Counter[str] = Counter()
        for other, likeness in overlap.items():
            if likeness > MIN_OVERLAP:
                for kind, p in shares[other].items():
                    shared[kind] += likeness * p  # type: ignore[assignment]
        total, n = sum(overlap.values()), sum(counts[hole].values())
        found[hole] = {
            kind: math.log(
                (counts[hole].get(kind, 0) + SHARED_WEIGHT * weight / total / (1 + inside[kind, hole[0]]))
                / (n + SHARED_WEIGHT)
            )
            for kind, weight in shared.items()
        }
    return found


def _times_inside(counts: Mapping[Hole, Mapping[str, int]]) -> Counter[tuple[str, str]]:
    """How often the second of two rules has filled a hole of the first."""
    inside: Counter[tuple[str, str]] = Counter()
    for (outer, _), kinds in counts.items():
        for inner, n in kinds.items():
            if inner != outer:
                inside[outer, inner] += n
    return inside


class _Habits:
    """Which holes words like, compared with other words of their class."""

    def __init__(self, book: RuleBook, counts: Mapping[Hole, Mapping[str, int]]) -> None:
        rules = _names(book)
        self._takes_phrases = {hole for hole, kinds in counts.items() if not rules.isdisjoint(kinds)}
        by_hole: Counter[tuple[str, Hole]] = Counter()
        by_kind: Counter[str] = Counter()
        for word in book.words:
            for name, n in word.habits.items():
                by_hole[word.kind, _hole(name)] += n
                by_kind[word.kind] += n
        self._holes_of: dict[str, list[tuple[Hole, float]]] = defaultdict(list)
        for hole, kinds in counts.items():
            for kind in kinds:
                if kind not in rules and hole[0] != SENTENCE:
                    share = by_hole[kind, hole] / by_kind[kind] if by_hole[kind, hole] else RARE
                    self._holes_of[kind].append((hole, share))

    def of(self, word: Word) -> dict[Hole, float]:
        if not word.habits:
            return {}
        habits = {_hole(name): n for name, n in word.habits.items()}
        total = sum(habits.values())
        likes = {}
        for hole, share in self._holes_of[word.kind]:
            weight = PHRASE_HOLE_WEIGHT if hole in self._takes_phrases else WORD_HOLE_WEIGHT
            likes[hole] = math.log((habits.get(hole, 0) + weight * share) / (total + weight) / share)
        return likes


def _hole(name: str) -> Hole:
    """`R3#0` → ("R3", 0)."""
    rule, _, number = name.rpartition("#")
    return rule, int(number)
