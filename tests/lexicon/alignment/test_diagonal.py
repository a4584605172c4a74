from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewlex.lexicon.alignment.cells import Shapes
from fewlex.lexicon.alignment.diagonal import (
    MAX_TENSION,
    MIN_TENSION,
    diagonal_probs,
    optimized_tension,
    series,
    uniform_probs,
)

lengths = st.integers(1, 60)
tensions = st.floats(MIN_TENSION, MAX_TENSION)


def all_rows(n: int, m: int) -> Shapes:
    return Shapes(np.arange(m) * (n + 1), np.full(m, n), np.full(m, m), np.arange(1, m + 1))


@given(lengths, lengths, tensions)
def test_series_are_the_sums(n: int, m: int, tension: float) -> None:
    shapes = all_rows(n, m)
    total, moment = series(shapes.target_position, shapes.source_length, shapes.target_length, tension)
    for j in range(1, m + 1):
        distances = [abs(i / n - j / m) for i in range(1, n + 1)]
        assert total[j - 1] == pytest.approx(sum(math.exp(-tension * d) for d in distances))
        assert moment[j - 1] == pytest.approx(sum(d * math.exp(-tension * d) for d in distances), abs=1e-9)


@given(lengths, lengths, tensions, st.sampled_from([0.0, 0.08, 0.5]))
def test_alignment_probs_sum_to_one(n: int, m: int, tension: float, null_prob: float) -> None:
    for probs in (
        diagonal_probs(all_rows(n, m), tension, null_prob),
        uniform_probs(all_rows(n, m), null_prob),
    ):
        rows = probs.reshape(m, n + 1)
        assert rows.sum(axis=1) == pytest.approx(1)
    assert diagonal_probs(all_rows(n, m), tension, null_prob).reshape(m, n + 1)[:, 0] == pytest.approx(
        null_prob
    )


def test_the_paper_is_tension_one() -> None:
    probs = diagonal_probs(all_rows(2, 2), 1.0, 0.0).reshape(2, 3)
    near, far = 1.0, math.exp(-0.5)
    assert probs[0, 1:] == pytest.approx([near / (near + far), far / (near + far)])


@pytest.mark.parametrize("tension", [1.0, 6.0])
def test_tension_moves_to_where_the_mean_distance_is_observed(tension: float) -> None:
    n, m, sentences = np.array([8, 12]), np.array([10, 9]), np.array([3, 5])
    expected = []
    for shape, weight in zip(zip(n, m, strict=True), sentences, strict=True):
        rows = all_rows(*shape)
        total, moment = series(rows.target_position, rows.source_length, rows.target_length, tension)
        expected += [*(moment / total)] * weight
    found = tension + 1.0
    for _ in range(20):
        found = optimized_tension(found, float(np.mean(expected)), (n, m, sentences))
    assert found == pytest.approx(tension, abs=1e-3)


def test_tension_stays_in_bounds() -> None:
    shapes = np.array([5]), np.array([5]), np.array([1])
    assert optimized_tension(4.0, 10.0, shapes) == MIN_TENSION
    assert optimized_tension(4.0, -10.0, shapes) == MAX_TENSION
