"""Which source positions a target position is likely to be aligned to, before any word is looked at (§4.1).

p(a_j = i) ∝ exp(−λ |i/n − j/m|), where λ is the tension; 1 in the paper, 4 to begin with in fast_align. The
sums over i are geometric series on both sides of the diagonal, so that they cost the same for any n.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from fewlex.lexicon.cells import Chunk
    from fewlex.lexicon.counts import FloatArray, IntArray

MIN_TENSION, MAX_TENSION = 0.1, 14.0
TENSION_STEPS = 8
STEP_SIZE = 20.0


def uniform_probs(chunk: Chunk, null_prob: float) -> FloatArray:
    """[c]: p(a_j = i) of Model 1, all positions and the null word alike; `null_prob` = 0: no null word."""
    has_null = null_prob > 0
    probs = np.repeat(1.0 / (chunk.source_length + has_null), chunk.cells_in_row)
    if not has_null:
        probs[chunk.row_start] = 0.0
    return probs


def diagonal_probs(chunk: Chunk, tension: float, null_prob: float) -> FloatArray:
    """[c]: p(a_j = i), `null_prob` of it for the null word."""
    position, n, m = chunk.target_position, chunk.source_length, chunk.target_length
    scale = (1.0 - null_prob) / series(position, n, m, tension)[0]
    probs = distance(chunk, position)
    probs *= -tension
    np.exp(probs, out=probs)
    probs *= np.repeat(scale, chunk.cells_in_row)
    probs[chunk.row_start] = null_prob
    return probs


def distance(chunk: Chunk, target_position: IntArray) -> FloatArray:
    """[c]: |i/n − j/m|, meaningless for the null word."""
    length = chunk.cells_in_row
    source_position = np.arange(len(chunk.cells)) - np.repeat(chunk.row_start, length)
    from_diagonal: FloatArray = source_position / np.repeat(chunk.source_length, length)
    from_diagonal -= np.repeat(target_position / chunk.target_length, length)
    return np.abs(from_diagonal, out=from_diagonal)


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


def optimized_tension(tension: float, observed: float, shapes: tuple[IntArray, IntArray, IntArray]) -> float:
    """Move λ so that the expected mean distance from the diagonal meets the observed, as fast_align: 8 steps.

    `shapes` are the lengths n, the lengths m and how many sentences have both.
    """
    n, m, sentences = (np.repeat(part, shapes[1]) for part in shapes)
    last = np.cumsum(shapes[1])
    position = np.arange(1, len(n) + 1) - np.repeat(last - shapes[1], shapes[1])
    for _ in range(TENSION_STEPS):
        total, moment = series(position, n, m, tension)
        expected = float((sentences * moment / total).sum() / sentences.sum())
        tension = min(max(tension + STEP_SIZE * (expected - observed), MIN_TENSION), MAX_TENSION)
    return tension
