"""Experiments leave results, and what is done is not done again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fewlex.data import load
from fewlex.experiments import Experiment, run_all, run_one
from fewlex.experiments.experiment import Lesson, WithoutWord
from fewlex.experiments.foundation import EXPERIMENTS

QUICK = ("training.epochs=2", "model.hidden=8")


def test_results_are_written_once(tmp_path: Path) -> None:
    told: list[str] = []
    quick = [Experiment("quick", "colors", settings=QUICK)]
    for _ in range(2):
        run_all(quick, [0, 1], results=tmp_path / "results", runs=tmp_path / "runs", tell=told.append)
    assert len(told) == 2, "the second call finds everything done"
    result = json.loads((tmp_path / "results" / "quick" / "seed1.json").read_text())
    assert result["seed"] == 1
    assert result["settings"] == list(QUICK)
    assert result["scores"]["test"]["examples"] == 10
    assert result["training"]["epochs"] == 2


def test_lessons_are_tested_one_by_one(tmp_path: Path) -> None:
    experiment = Experiment(
        "lessons",
        "colors",
        settings=QUICK,
        prepare=WithoutWord("zup"),
        lessons={
            "zup": Lesson("zup", "YELLOW"),
            "made up": Lesson("gub", "PINK", instead_of=("zup", "YELLOW")),
        },
    )
    result = run_one(experiment, 0, tmp_path / "results", tmp_path / "runs")
    assert result["data"] == "colors without zup"
    assert set(result["scores"]) == {"zup", "made up"}
    assert result["scores"]["zup"]["examples"] == 10


def test_a_word_left_out_is_in_every_test_sentence() -> None:
    corpus = WithoutWord("jump")(load("scan:jump"))
    assert len(corpus["test"]) == 7706, "the published test split"
    assert not any("jump" in e.source for e in corpus["train"])
    assert all("jump" in e.source for e in corpus["test"])


def test_a_made_up_word_takes_the_place_of_another() -> None:
    lesson = Lesson("gub", "PINK", instead_of=("zup", "YELLOW"))
    (example, *_) = lesson.apply(load("colors")["test"])
    assert (example.source, example.target) == (("gub", "fep"), ("PINK",) * 3)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_experiment_has_a_valid_config(name: str) -> None:
    from fewlex.config import build_config

    experiment = EXPERIMENTS[name]
    build_config(experiment.preset, experiment.data, settings=experiment.settings)
