"""The prior of alignments: how likely each source position is before the words are looked at (§4.1, eq. 11).

p(a_j = i) ∝ exp(−λ |i/n − j/m|), where λ is the tension. The paper sets it to 1; fast_align starts at 4. The sums over
i are geometric series on both sides of the diagonal, so they have a closed form, which takes the same time for any n.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from fewlex.lexicon.alignment.cells import Shapes
    from fewlex.lexicon.counts import FloatArray, IntArray

MIN_TENSION, MAX_TENSION = 0.1, 14.0
TENSION_STEPS = 8
STEP_SIZE = 20.0


def uniform_probs(shapes: Shapes, null_prob: float) -> FloatArray:
    """[cell of a shape]: p(a_j = i) of Model 1, in which all positions and the null word are equally likely.

    With `null_prob` = 0 there is no null word.
    """
    has_null = null_prob > 0
    probs = np.repeat(1.0 / (shapes.source_length + has_null), shapes.cells_in_row)
    if not has_null:
        probs[shapes.start] = 0.0
    return probs


def diagonal_probs(shapes: Shapes, tension: float, null_prob: float) -> FloatArray:
    """[cell of a shape]: p(a_j = i), of which the null word takes `null_prob`."""
    position, n, m = shapes.target_position, shapes.source_length, shapes.target_length
    scale = (1.0 - null_prob) / series(position, n, m, tension)[0]
    probs: FloatArray = np.exp(-tension * distance(shapes, position)) * np.repeat(scale, shapes.cells_in_row)
    probs[shapes.start] = null_prob
    return probs


def distance(shapes: Shapes, target_position: IntArray) -> FloatArray:
    """[cell of a shape]: |i/n − j/m| for the given j, and 0 for the null word."""
    length = shapes.cells_in_row
    source_position = np.arange(length.sum()) - np.repeat(shapes.start, length)
    diagonal = np.repeat(target_position / shapes.target_length, length)
    from_diagonal: FloatArray = np.abs(source_position / np.repeat(shapes.source_length, length) - diagonal)
    from_diagonal[shapes.start] = 0.0
    return from_diagonal


def series(position: IntArray, n: IntArray, m: IntArray, tension: float) -> tuple[FloatArray, FloatArray]:
    """[r]: Σ_i exp(−λ |i/n − j/m|) and Σ_i |i/n − j/m| exp(−λ |i/n − j/m|)."""
    diagonal = position * n / m
    below = np.floor(diagonal)
    total, moment = _half_series(diagonal - below, below, n, tension)
    total_above, moment_above = _half_series(below + 1 - diagonal, n - below, n, tension)
    return total + total_above, moment + moment_above


def _half_series(
    offset: FloatArray, terms: FloatArray | IntArray, n: IntArray, tension: float
) -> tuple[FloatArray, FloatArray]:
    """Σ r^(a + k) and Σ (a + k)/n r^(a + k) over k = 0 … terms − 1, with r = exp(−λ/n) and a the offset."""
    ratio = np.exp(-tension / n)
    first, rest = np.exp(-tension * offset / n), np.exp(-tension * terms / n)
    missing = -np.expm1(-tension / n)  # 1 − r
    total = first * (1 - rest) / missing
    steps = first * (ratio * (1 - rest) / missing - terms * rest) / missing  # Σ k r^(a + k)
    return total, (offset * total + steps) / n


def optimized_tension(tension: float, observed: float, lengths: tuple[IntArray, IntArray, IntArray]) -> float:
    """Move λ towards the value at which the expected mean distance from the diagonal is the observed one.

    As in fast_align, these are 8 gradient steps. `lengths` has the lengths n, the lengths m, and the number of
    sentences that have both.
    """
    n, m, sentences = (np.repeat(part, lengths[1]) for part in lengths)
    last = np.cumsum(lengths[1])
    position = np.arange(1, len(n) + 1) - np.repeat(last - lengths[1], lengths[1])
    for _ in range(TENSION_STEPS):
        total, moment = series(position, n, m, tension)
        expected = float((sentences * moment / total).sum() / sentences.sum())
        tension = min(max(tension + STEP_SIZE * (expected - observed), MIN_TENSION), MAX_TENSION)
    return tension
