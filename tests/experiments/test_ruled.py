"""Experiments with rules: spoilt data is spoilt as its name says, and a result tells who answered how well."""

from __future__ import annotations

from pathlib import Path

import pytest

from fewlex.data import load
from fewlex.experiments.paper import EXPERIMENTS
from fewlex.experiments.paper_tables import tables
from fewlex.experiments.results import read_results
from fewlex.experiments.ruled import ExchangedTargets, FewPairs, WrongTokens
from fewlex.experiments.runner import run_one


def test_few_pairs_are_drawn_by_seed() -> None:
    corpus = load("colors")
    few = FewPairs(5)(corpus, 1)
    assert len(few["train"]) == 5
    assert set(few["train"]) <= set(corpus["train"])
    assert few["test"] == corpus["test"]
    assert FewPairs(5)(corpus, 1) == few
    assert FewPairs(5)(corpus, 2)["train"] != few["train"]


def test_exchanged_targets_are_targets_of_the_data() -> None:
    corpus = load("scan:jump")
    spoilt = ExchangedTargets(0.05)(corpus, 0)
    changed = [(old, new) for old, new in zip(corpus["train"], spoilt["train"], strict=True) if old != new]
    assert 0.04 < len(changed) / len(corpus["train"]) <= 0.05
    assert all(old.source == new.source for old, new in changed)
    assert sorted(e.target for e in spoilt["train"]) == sorted(e.target for e in corpus["train"])
    assert spoilt["test"] == corpus["test"]


def test_a_wrong_token_is_one_token() -> None:
    corpus = load("scan:jump")
    spoilt = WrongTokens(0.2)(corpus, 0)
    changed = [
        sum(a != b for a, b in zip(old.target, new.target, strict=True))
        for old, new in zip(corpus["train"], spoilt["train"], strict=True)
    ]
    assert set(changed) == {0, 1}
    assert sum(changed) == round(0.2 * len(changed))


def test_every_cell_of_our_tables_has_an_experiment() -> None:
    for table in tables("fast"):
        if table.key in ("rules", "little"):
            assert set(table.experiments()) <= set(EXPERIMENTS)
            assert all(row.is_ours for row in table.rows)


def test_rules_on_colors_are_a_result_like_any_other(tmp_path: Path) -> None:
    run_one(EXPERIMENTS["colors-rules"], 0, tmp_path / "results", tmp_path / "runs")
    [result] = read_results(tmp_path / "results").runs["colors-rules"]
    assert result.figure("test.exact_match") == 1.0


@pytest.mark.slow
def test_a_result_tells_what_rules_network_and_both_have(tmp_path: Path) -> None:
    run_one(EXPERIMENTS["colors-samples"], 0, tmp_path / "results", tmp_path / "runs")
    [result] = read_results(tmp_path / "results").runs["colors-samples"]
    assert result.figure("rules.exact_match") == 1.0
    assert result.figure("test.exact_match") == 1.0, "the network alone passes the ceiling of word lexicons"
    assert result.figure("both.exact_match") == 1.0
