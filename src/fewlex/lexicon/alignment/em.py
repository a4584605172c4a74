"""IBM Model 2 in one direction, by expectation–maximization, as fast_align parameterises it (§4.1).

One source word x_{a_j}, or the null word, gives rise to each target word y_j:
p(y_j = w) = Σ_i p(a_j = i) θ(w | x_i). `cells.py` explains the indices.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from fewlex.lexicon.alignment.cells import TARGET_BITS, Chunk
from fewlex.lexicon.alignment.diagonal import diagonal_probs, distance, optimized_tension, uniform_probs
from fewlex.lexicon.alignment.links import Links
from fewlex.lexicon.counts import FloatArray, IntArray

if TYPE_CHECKING:
    from fewlex.lexicon.alignment.settings import Ibm2Settings
    from fewlex.lexicon.execution import Execution
    from fewlex.lexicon.stores import Store

LengthCounts: TypeAlias = tuple[IntArray, IntArray, IntArray]
"""The lengths n, the lengths m, and the number of sentences that have both."""

UNSEEN_PROB = 1e-9
"""θ of a pair that never occurred in training, as in fast_align's force_align."""

_SLICE = 1 << 14


class Expectation(NamedTuple):
    """What one chunk adds to the sums of the E-step."""

    pairs: IntArray  # [k of the chunk]: k
    counts: FloatArray  # [k of the chunk]: how often v has given rise to w, as an expectation
    log_likelihood: float
    distance: float  # Σ |i/n − (j − 1)/m| p(a_j = i | x, y)
    tokens: int


@dataclass(frozen=True, eq=False)
class Ibm2:
    """A trained model of one direction: θ of the pairs that occur, and the settings with the tension that was found."""

    settings: Ibm2Settings
    pairs: IntArray  # [k]: (v << 32 | w)
    probs: FloatArray  # [k]: θ(w | v)
    log_likelihoods: tuple[float, ...] = ()  # before each M-step

    def translation_probs(self, pairs: IntArray) -> FloatArray:
        """θ of pairs that are given as (v << 32 | w); a pair that was never seen has UNSEEN_PROB."""
        place = np.minimum(np.searchsorted(self.pairs, pairs), len(self.pairs) - 1)
        probs: FloatArray = np.where(self.pairs[place] == pairs, self.probs[place], UNSEEN_PROB)
        return probs


def fit(
    store: Store[Chunk],
    pairs: IntArray,
    lengths: LengthCounts,
    settings: Ibm2Settings,
    execution: Execution,
    name: str,
) -> Ibm2:
    """Train on the chunks of a store, in which the pairs have their numbers in `pairs`.

    As in fast_align, the last iteration only aligns, so there are `iterations` − 1 M-steps. The tension is moved from
    the second M-step on.
    """
    first_of_source = np.flatnonzero(np.diff(pairs >> TARGET_BITS, prepend=-1))
    pairs_of_source = np.diff(first_of_source, append=len(pairs))
    probs = np.full(len(pairs), 1.0 / len(np.unique(pairs & ((1 << TARGET_BITS) - 1))))
    log_likelihoods: list[float] = []
    for iteration in range(settings.iterations - 1):
        counts = np.zeros(len(pairs))
        log_likelihood = observed = 0.0
        tokens = 0
        results: Iterator[Expectation] = store.map(expectation, probs, settings)
        stage = f"{name}, iteration {iteration + 1} of {settings.iterations - 1}"
        for result in execution.follow(stage, results, len(store)):
            counts[result.pairs] += result.counts
            log_likelihood += result.log_likelihood
            observed += result.distance
            tokens += result.tokens
        log_likelihoods.append(log_likelihood)
        if settings.favor_diagonal and settings.optimize_tension and iteration > 0:
            tension = optimized_tension(settings.tension, observed / tokens, lengths)
            settings = replace(settings, tension=tension)
        probs = normalized(counts, first_of_source, pairs_of_source, settings)
    return Ibm2(settings, pairs, probs, tuple(log_likelihoods))


def alignment_probs(chunk: Chunk, settings: Ibm2Settings) -> FloatArray:
    """[c]: p(a_j = i)."""
    if settings.favor_diagonal:
        return diagonal_probs(chunk.shapes, settings.tension, settings.null_prob).take(chunk.shape_cells)
    return uniform_probs(chunk.shapes, settings.null_prob).take(chunk.shape_cells)


def expectation(chunk: Chunk, probs: FloatArray, settings: Ibm2Settings) -> Expectation:
    """The E-step on one chunk: p(a_j = i | x, y), summed over the cells of each pair of words."""
    joint = probs[chunk.pairs].take(chunk.cells)
    joint *= alignment_probs(chunk, settings)
    row_total = np.add.reduceat(joint, chunk.row_start) if len(joint) else joint
    joint /= np.repeat(row_total, chunk.cells_in_row)
    observed = 0.0
    if settings.favor_diagonal and settings.optimize_tension:
        # As in fast_align, target positions count from 0 here, though from 1 elsewhere (docs/lexicons.md).
        from_diagonal = distance(chunk.shapes, chunk.shapes.target_position - 1)
        observed = float(from_diagonal @ np.bincount(chunk.shape_cells, joint, minlength=len(from_diagonal)))
    counts = np.bincount(chunk.cells, weights=joint, minlength=len(chunk.pairs)).astype(
        np.float64, copy=False
    )
    return Expectation(
        pairs=chunk.pairs,
        counts=counts,
        log_likelihood=float(np.log(row_total).sum()),
        distance=observed,
        tokens=len(row_total),
    )


def normalized(
    counts: FloatArray, first_of_source: IntArray, pairs_of_source: IntArray, settings: Ibm2Settings
) -> FloatArray:
    """[k]: the M-step, which turns the expected counts into θ(w | v) and overwrites them.

    With variational Bayes it is exp(ψ(count) − ψ(Σ count)), where the counts include the prior.
    """
    if settings.variational_bayes:
        counts += settings.dirichlet
    totals = np.add.reduceat(counts, first_of_source)
    if settings.variational_bayes:
        probs = digamma(counts, out=counts)
        probs -= np.repeat(digamma(totals), pairs_of_source)
        return np.exp(probs, out=probs)
    totals[totals == 0.0] = 1.0  # without a null word, its row is empty
    counts /= np.repeat(totals, pairs_of_source)
    return counts


def digamma(x: FloatArray, out: FloatArray | None = None) -> FloatArray:
    """ψ(x) for x > 0, computed in slices that fit into the processor's cache. `out` may be `x` itself."""
    result = np.empty_like(x) if out is None else out
    for start in range(0, len(x), _SLICE):
        result[start : start + _SLICE] = _digamma(x[start : start + _SLICE])
    return result


def _digamma(x: FloatArray) -> FloatArray:
    """ψ(x) = ψ(x + 6) − Σ 1/(x + k) over k = 0 … 5, with the asymptotic series of ψ(x + 6).

    The terms k and 5 − k of the sum are added as one fraction, which saves divisions.
    """
    large = x + 6.0
    inverse_square = 1.0 / (large * large)
    tail = inverse_square * (
        1 / 12 - inverse_square * (1 / 120 - inverse_square * (1 / 252 - inverse_square / 240))
    )
    outer = x * (x + 5.0)
    back = (2.0 * x + 5.0) * (1.0 / outer + 1.0 / (outer + 4.0) + 1.0 / (outer + 6.0))
    result: FloatArray = np.log(large) - 0.5 / large - tail - back
    return result


def viterbi(chunk: Chunk, probs: FloatArray, settings: Ibm2Settings) -> Links:
    """The likeliest link of each row, in the order of the rows; a row whose likeliest word is the null word has none.

    `probs` has θ of the chunk's own pairs. Among equally likely ones, the null word wins, and after it the first
    position.
    """
    joint = probs.take(chunk.cells)
    joint *= alignment_probs(chunk, settings)
    row_best = np.maximum.reduceat(joint, chunk.row_start) if len(joint) else joint
    best = np.flatnonzero(joint == np.repeat(row_best, chunk.cells_in_row))
    first_best = best[np.searchsorted(best, chunk.row_start)]
    source_position = first_best - chunk.row_start
    linked = source_position > 0
    return Links(chunk.sentence[linked], source_position[linked] - 1, chunk.target_position[linked] - 1)
