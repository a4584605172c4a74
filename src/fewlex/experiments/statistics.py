"""Means, deviations, and whether one method is better than another on the same test examples."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence, Sized
from dataclasses import dataclass
from typing import Any

ALPHA = 0.01
"""As in the paper: p < 0.01 is significant."""


@dataclass(frozen=True)
class Summary:
    """What some seeds gave."""

    mean: float
    deviation: float | None
    """Standard deviation of a sample (n − 1); None for one seed."""
    maximum: float
    seeds: int


def summarize(values: Sequence[float]) -> Summary:
    mean = math.fsum(values) / len(values)
    squares = math.fsum((value - mean) ** 2 for value in values)
    deviation = math.sqrt(squares / (len(values) - 1)) if len(values) > 1 else None
    return Summary(mean, deviation, max(values), len(values))


def mcnemar(wins: int, losses: int) -> float:
    """Exact two-sided p of McNemar's test: of the examples that only one of two got right, were the halves fair?"""
    n = wins + losses
    if n == 0:
        return 1.0
    tail = math.fsum(math.exp(_log_binomial(n, k)) for k in range(min(wins, losses) + 1))
    return min(1.0, 2 * tail)


def _log_binomial(n: int, k: int) -> float:
    """log of the chance of k heads in n throws of a fair coin."""
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) - n * math.log(2)


@dataclass(frozen=True)
class Comparison:
    """Two methods on the same test examples, over the seeds that both have."""

    p: float
    difference: float
    """Of the first to the second, on these seeds; the means of all their seeds may differ otherwise."""
    seeds: int


def compare_hits(one: Mapping[int, str], other: Mapping[int, str]) -> Comparison | None:
    """McNemar's p over the examples of all seeds that both have; None where there is nothing to compare.

    Seeds are pooled: an example counts once for each seed, as a pair of the runs with that seed.
    """
    seeds = _shared_seeds(one, other)
    pairs = [pair for seed in seeds for pair in zip(one[seed], other[seed], strict=True)]
    if not pairs:
        return None
    wins, losses = (
        sum(mine > theirs for mine, theirs in pairs),
        sum(mine < theirs for mine, theirs in pairs),
    )
    return Comparison(mcnemar(wins, losses), (wins - losses) / len(pairs), len(seeds))


def _shared_seeds(one: Mapping[int, Sized], other: Mapping[int, Sized]) -> list[int]:
    """Those with records of the same test examples."""
    return [s for s in sorted(one.keys() & other.keys()) if one[s] and len(one[s]) == len(other[s])]


MAX_ORDER = 4
RESAMPLES = 2000
CHUNK = 250

Counts = list[list[int]]
"""For each sentence: matched n-grams of order 1 to 4, tokens of the output, tokens of the closest reference."""


def bleu_counts(references: Sequence[Sequence[Sequence[str]]], outputs: Sequence[Sequence[str]]) -> Counts:
    """What corpus BLEU needs to know of each sentence."""
    rows = []
    for options, output in zip(references, outputs, strict=True):
        matched = []
        for order in range(1, MAX_ORDER + 1):
            allowed: Counter[tuple[str, ...]] = Counter()
            for reference in options:
                allowed |= _ngrams(reference, order)
            matched.append((_ngrams(output, order) & allowed).total())
        closest = min((abs(len(r) - len(output)), len(r)) for r in options)[1]
        rows.append([*matched, len(output), closest])
    return rows


def _ngrams(tokens: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))


def compare_bleu(
    one: Mapping[int, Counts], other: Mapping[int, Counts], among: str = "", seed: int = 0
) -> Comparison | None:
    """Paired bootstrap over sentences (Koehn 2004): two-sided p of the difference in BLEU, averaged over the seeds
    that both have; `among` marks with 1 the sentences that count. None where there is nothing to compare."""
    import numpy as np

    seeds = _shared_seeds(one, other)
    kept = [i for i in range(len(one[seeds[0]])) if not among or among[i] == "1"] if seeds else []
    if not kept:
        return None
    pairs = [(np.asarray(one[s])[kept], np.asarray(other[s])[kept]) for s in seeds]
    generator = np.random.default_rng(seed)
    above = below = 0
    for _ in range(RESAMPLES // CHUNK):
        drawn = generator.multinomial(len(kept), np.full(len(kept), 1 / len(kept)), size=CHUNK)
        difference = _bleu_difference(drawn, pairs)
        above += int((difference >= 0).sum())
        below += int((difference <= 0).sum())
    p = float(min(1.0, 2 * (min(above, below) + 1) / (RESAMPLES + 1)))
    whole = _bleu_difference(np.ones((1, len(kept)), dtype=int), pairs)
    return Comparison(p, float(whole[0]) / len(seeds), len(seeds))


def _bleu_difference(drawn: Any, pairs: Sequence[tuple[Any, Any]]) -> Any:
    """For each resample: how much more BLEU the first of a pair has, added up over the pairs."""
    return sum(_bleu(drawn, mine) - _bleu(drawn, theirs) for mine, theirs in pairs)


def _bleu(drawn: Any, counts: Any) -> Any:
    """BLEU of each resample: a row of `drawn` says how often each sentence is in it."""
    import numpy as np

    orders = np.arange(MAX_ORDER)
    ngrams = np.maximum(1, counts[:, 4:5] - orders)  # as evaluation.corpus_bleu counts those of short outputs
    sums, totals = drawn @ counts, drawn @ ngrams
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = np.log(sums[:, :MAX_ORDER] / totals).mean(axis=1)
        brevity = np.minimum(0.0, 1 - sums[:, 5] / sums[:, 4])
        return np.nan_to_num(np.exp(brevity + precision))
