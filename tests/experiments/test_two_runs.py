"""Two runs on the same examples."""

from __future__ import annotations

import pytest

from fewlex.experiments.two_runs import compare_outputs

TARGETS = [f"a{i} b c d" for i in range(30)]


def test_a_clear_difference_is_significant() -> None:
    worse = [target if i < 10 else "x" for i, target in enumerate(TARGETS)]
    found = compare_outputs(TARGETS, worse, TARGETS)
    assert (found.only_first, found.only_second) == (0, 20)
    assert found.exact_match.first == pytest.approx(1 / 3)
    assert found.exact_match.second == 1
    assert found.exact_match.p == pytest.approx(2 * 0.5**20)
    assert found.bleu.second == 1
    assert found.bleu.p < 0.01


def test_equal_runs_do_not_differ() -> None:
    found = compare_outputs(TARGETS, TARGETS, TARGETS)
    assert found.exact_match.p == 1
    assert found.bleu.p == 1
