"""Finishing: a lexicon becomes the matrix L of §3, by temperature, identity and mutual exclusivity.

L is sparse. All source words about which nothing is known share one row, the background, so L stays small however many
of them there are.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from fewlex.errors import LexiconError
from fewlex.lexicon.entry import Entry
from fewlex.lexicon.lexicon import Lexicon


@dataclass(frozen=True)
class FinishedLexicon:
    """The matrix L of §3: for each source word, the probabilities of its translations, the likeliest first."""

    rows: Mapping[str, Mapping[str, float]]
    """The rows of words that have entries or that translate to themselves; each row sums to 1."""
    background_rows: frozenset[str]
    """The other source words. Each of them translates uniformly to the words of the background."""
    background: tuple[str, ...]
    """The target words to which no row leads. If there are none, the background rows translate to nothing."""

    def probs(self, source: str) -> Mapping[str, float]:
        """The row L_v of any source word; a background row is written out."""
        return self.rows.get(source) or {word: 1 / len(self.background) for word in self.background}

    def best(self, source: str) -> str | None:
        """The likeliest translation of a source word, or None if nothing is known about the word."""
        return next(iter(self.rows.get(source, ())), None)


def finish(
    lexicon: Lexicon,
    source_words: Iterable[str],
    target_words: Iterable[str],
    temperature: float = 0.0,
    identity_weight: float = 0.0,
    mutual_exclusivity: bool = True,
) -> FinishedLexicon:
    """The lexicon as the matrix L over the given words and over the words that only the lexicon has (taught words).

    A word without an entry maps to itself if it is a target word. Otherwise it maps uniformly to the target words that
    nothing else maps to (§4.1, mutual exclusivity) or, without `mutual_exclusivity`, to nothing. `temperature` is τ,
    where 0 means argmax.

    `identity_weight` > 0 adds v ↦ v with that weight to the row of every v that is a target word. The authors' code
    uses the weight 1 together with doubled counts and a doubled temperature (0.2 for the paper's 0.1). With counts and
    τ as in the paper, this corresponds to 0.5.
    """
    if not (math.isfinite(temperature) and temperature >= 0):
        raise LexiconError(f"the temperature of a lexicon cannot be {temperature}. Give 0 (argmax) or more.")
    order = {word: i for i, word in enumerate(dict.fromkeys(target_words))}
    rows: dict[str, dict[str, float]] = {}
    background_rows = []
    for source in dict.fromkeys((*source_words, *lexicon.sources)):
        entries = dict(lexicon.row(source))
        if source in order and (identity_weight > 0 or not entries):
            entries.setdefault(source, Entry(identity_weight, "identity"))
        if entries:
            rows[source] = _probs(source, entries, order, temperature)
        else:
            background_rows.append(source)
    mapped = {target for row in rows.values() for target in row}
    unmapped = tuple(target for target in order if target not in mapped)
    return FinishedLexicon(rows, frozenset(background_rows), unmapped if mutual_exclusivity else ())


def best_translation(source: str, row: Mapping[str, Entry], order: Mapping[str, int] | None = None) -> str:
    """The translation that is chosen from a row if τ = 0."""
    return _ranked(source, row, order or {})[0]


def best_translations(lexicon: Lexicon, target_words: Iterable[str] = ()) -> dict[str, str]:
    """For each source word with an entry, the translation that is chosen if τ = 0."""
    order = {word: i for i, word in enumerate(target_words)}
    return {source: best_translation(source, lexicon.row(source), order) for source in lexicon.sources}


def _ranked(source: str, row: Mapping[str, Entry], order: Mapping[str, int]) -> list[str]:
    """The targets by falling weight; ties are broken by identity, then by Dice coefficient, then by `order`."""

    def rank(target: str) -> tuple[float, bool, float, int]:
        entry = row[target]
        return -entry.weight, target != source, -entry.dice, order.get(target, len(order))

    return sorted(row, key=rank)


def _probs(
    source: str, row: Mapping[str, Entry], order: Mapping[str, int], temperature: float
) -> dict[str, float]:
    """L_vw ∝ exp(weight / τ) over a row (§4), best first; a probability that underflows to 0 is left out."""
    targets = _ranked(source, row, order)
    if temperature == 0:
        return {targets[0]: 1.0}
    highest = row[targets[0]].weight
    scores = {target: math.exp((row[target].weight - highest) / temperature) for target in targets}
    total = math.fsum(scores.values())
    return {target: score / total for target, score in scores.items() if score / total > 0}
