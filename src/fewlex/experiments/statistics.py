"""Means, deviations, and tests whether one method is better than another on the same test examples."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence, Sized
from dataclasses import dataclass
from typing import Any

ALPHA = 0.01
"""A difference is significant if p is less than this, as in the paper."""


@dataclass(frozen=True)
class Summary:
    """The figures of one experiment over its seeds."""

    mean: float
    deviation: float | None
    """The standard deviation of a sample (n − 1); None for one seed."""
    maximum: float
    seeds: int


def summarize(values: Sequence[float]) -> Summary:
    mean = math.fsum(values) / len(values)
    squares = math.fsum((value - mean) ** 2 for value in values)
    deviation = math.sqrt(squares / (len(values) - 1)) if len(values) > 1 else None
    return Summary(mean, deviation, max(values), len(values))


def mcnemar(wins: int, losses: int) -> float:
    """The exact two-sided p of McNemar's test.

    It looks at the examples that only one of the two methods got right. If neither method were better, either would be
    as likely as the other to be the one that is right.
    """
    n = wins + losses
    if n == 0:
        return 1.0
    tail = math.fsum(math.exp(_log_binomial(n, k)) for k in range(min(wins, losses) + 1))
    return min(1.0, 2 * tail)


def _log_binomial(n: int, k: int) -> float:
    """The logarithm of the probability of k heads in n throws of a fair coin."""
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) - n * math.log(2)


@dataclass(frozen=True)
class Comparison:
    """The comparison of two methods on the same test examples, over the seeds that both have."""

    p: float
    difference: float
    """The first method's figure minus the second's, on these seeds. Over all their seeds it may be different."""
    seeds: int


def compare_hits(one: Mapping[int, str], other: Mapping[int, str]) -> Comparison | None:
    """McNemar's test over the examples of all seeds that both have; None if there is nothing to compare.

    Seeds are pooled, so an example counts once for each seed, as a pair of the two runs with that seed.
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
    """The seeds for which both methods have records of the same test examples."""
    return [s for s in sorted(one.keys() & other.keys()) if one[s] and len(one[s]) == len(other[s])]


MAX_ORDER = 4
RESAMPLES = 2000
CHUNK = 250

Counts = list[list[int]]
"""Six numbers for each sentence: matched n-grams of order 1 to 4, and the lengths of output and closest reference."""


def bleu_counts(references: Sequence[Sequence[Sequence[str]]], outputs: Sequence[Sequence[str]]) -> Counts:
    """The counts of each sentence that corpus BLEU is computed from."""
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
    """Compare two methods by a paired bootstrap over sentences (Koehn 2004); None if there is nothing to compare.

    The p is two-sided, for the difference in BLEU averaged over the seeds that both have. `among` has a 1 for each
    sentence that counts.
    """
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
    """For each resample, the BLEU of the first minus that of the second of a pair, summed over the pairs."""
    return sum(_bleu(drawn, mine) - _bleu(drawn, theirs) for mine, theirs in pairs)


def _bleu(drawn: Any, counts: Any) -> Any:
    """The BLEU of each resample. A row of `drawn` says how often each sentence is in the resample."""
    import numpy as np

    orders = np.arange(MAX_ORDER)
    ngrams = np.maximum(1, counts[:, 4:5] - orders)  # bleu.corpus_bleu counts short outputs like this.
    sums, totals = drawn @ counts, drawn @ ngrams
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = np.log(sums[:, :MAX_ORDER] / totals).mean(axis=1)
        brevity = np.minimum(0.0, 1 - sums[:, 5] / sums[:, 4])
        return np.nan_to_num(np.exp(brevity + precision))
