"""Tests of significance against numbers computed by hand."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewlex.bleu import corpus_bleu
from fewlex.experiments.statistics import (
    Comparison,
    bleu_counts,
    compare_bleu,
    compare_hits,
    mcnemar,
    summarize,
)


def test_summary() -> None:
    summary = summarize([1.0, 2.0, 4.0])
    assert summary.mean == pytest.approx(7 / 3)
    assert summary.deviation == pytest.approx(math.sqrt((16 / 9 + 1 / 9 + 25 / 9) / 2))
    assert (summary.maximum, summary.seeds) == (4.0, 3)
    assert summarize([0.5]).deviation is None


@pytest.mark.parametrize(
    ("wins", "losses", "p"),
    [(0, 0, 1.0), (5, 5, 1.0), (8, 1, 2 * (1 + 9) / 2**9), (0, 10, 2 / 2**10), (1, 0, 1.0)],
)
def test_mcnemar(wins: int, losses: int, p: float) -> None:
    assert mcnemar(wins, losses) == pytest.approx(p)
    assert mcnemar(losses, wins) == mcnemar(wins, losses)


@given(st.integers(0, 300), st.integers(0, 300))
def test_mcnemar_is_a_probability(wins: int, losses: int) -> None:
    assert 0 <= mcnemar(wins, losses) <= 1


def test_hits_are_paired_by_seed() -> None:
    one = {0: "1111111111", 1: "1100000000"}
    other = {0: "0000000000", 1: "1100000000", 2: "1111111111"}
    compared = compare_hits(one, other)
    assert compared is not None
    assert compared.p == pytest.approx(2 / 2**10)
    assert (compared.difference, compared.seeds) == (0.5, 2), "on the seeds that both have"
    assert compare_hits(one, {5: "1111111111"}) is None
    assert compare_hits({0: ""}, {0: ""}) is None
    assert compare_hits({0: "01"}, {0: "011"}) is None, "other test examples"


def sentences(rng: random.Random, quality: float) -> tuple[list[list[list[str]]], list[list[str]]]:
    references = [[[rng.choice("abcdef") for _ in range(9)] for _ in range(2)] for _ in range(80)]
    outputs = [
        [w if rng.random() < quality else "x" for w in options[0]][: rng.randint(3, 9)]
        for options in references
    ]
    return references, outputs


def test_bleu_of_counts_is_bleu() -> None:
    import numpy as np

    from fewlex.experiments.statistics import _bleu

    references, outputs = sentences(random.Random(0), 0.8)
    outputs[0] = outputs[0][:2]  # shorter than the longest n-gram
    counts = np.asarray(bleu_counts(references, outputs))
    (bleu,) = _bleu(np.ones((1, len(outputs)), dtype=int), counts)
    assert bleu == pytest.approx(corpus_bleu(references, outputs))


def test_paired_bootstrap() -> None:
    rng = random.Random(1)
    references, good = sentences(rng, 0.95)
    bad = [[w if rng.random() < 0.8 else "x" for w in output] for output in good]
    counts = [{0: bleu_counts(references, outputs)} for outputs in (good, bad)]
    better, worse, same = (compare_bleu(counts[i], counts[j]) for i, j in ((0, 1), (1, 0), (0, 0)))
    assert better is not None
    assert worse is not None
    assert better.p == worse.p < 0.01, "two-sided, and seeded"
    assert better.difference == -worse.difference
    assert better.difference == pytest.approx(corpus_bleu(references, good) - corpus_bleu(references, bad))
    assert same == Comparison(1.0, 0.0, 1)
    assert compare_bleu(counts[0], {3: []}) is None
    alike = "".join("01"[a == b] for a, b in zip(counts[0][0], counts[1][0], strict=True))
    assert compare_bleu(counts[0], counts[1], among=alike) == same, "only sentences that do not differ"
    assert compare_bleu(counts[0], counts[1], among="0" * len(good)) is None
