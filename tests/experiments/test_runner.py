"""One run leaves one result with all that a report needs."""

from __future__ import annotations

import fcntl
import json
from pathlib import Path

import pytest

from fewlex.answer import Answer, Origin
from fewlex.data import load
from fewlex.data.corpus import Corpus
from fewlex.experiments import Experiment, run_one
from fewlex.experiments.excerpts import lexicon_excerpt, worked_example
from fewlex.experiments.experiment import TaughtWord, WithoutWord
from fewlex.experiments.held_out import DRAWS, Taught, WithoutDrawnWords
from fewlex.experiments.results import read_result
from fewlex.experiments.runner import CURVE_POINTS, BusyRunError, learning_curve, run_folder
from fewlex.lexicon import learn_lexicon

QUICK = ("training.epochs=2", "model.hidden=8")


def test_a_result_tells_everything(tmp_path: Path) -> None:
    experiment = Experiment("quick", "colors", settings=QUICK)
    returned = run_one(experiment, 1, tmp_path / "results", tmp_path / "runs")
    result = json.loads((tmp_path / "results" / "quick" / "seed1.json").read_text())
    assert result == json.loads(json.dumps(returned))
    assert result["seed"] == 1
    assert result["settings"] == list(QUICK)
    assert result["scores"]["test"]["examples"] == 10
    assert len(result["scores"]["test"]["hits"]) == 10
    assert result["training"]["epochs"] == 2
    assert result["curve"]["epoch"] == [0, 1]
    assert result["config"]["model"]["hidden"] == 8
    assert result["lexicon"]["zup"] == {"YELLOW": 1.0}
    assert "bleu_counts" not in result, "only of text"


def few_examples(corpus: Corpus, seed: int) -> Corpus:
    sizes = {"test": 7}
    splits = {name: examples[: sizes.get(name, 20)] for name, examples in corpus.splits.items()}
    return Corpus(corpus.name, splits)


def test_cogs_is_also_scored_in_distribution(published: Path, tmp_path: Path) -> None:
    experiment = Experiment("quick", "cogs", settings=(*QUICK, "model.embedding=8"), prepare=few_examples)
    scores = run_one(experiment, 0, tmp_path / "results", tmp_path / "runs")["scores"]
    assert set(scores) == {"test", "in_distribution"}
    assert scores["test"]["examples"] == 20
    assert scores["in_distribution"] == {"examples": 7, "exact_match": 0.0}


def test_lessons_are_tested_one_by_one(tmp_path: Path) -> None:
    experiment = Experiment(
        "lessons",
        "colors",
        settings=QUICK,
        prepare=WithoutWord("zup"),
        lessons={
            "zup": TaughtWord("zup", "YELLOW"),
            "made up": TaughtWord("gub", "PINK", instead_of=("zup", "YELLOW")),
        },
    )
    result = run_one(experiment, 0, tmp_path / "results", tmp_path / "runs")
    assert result["data"] == "colors without zup"
    assert set(result["scores"]) == {"zup", "made up"}
    assert result["scores"]["zup"]["examples"] == 10


def test_drawn_words_are_tested_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DRAWS, "last", lambda corpus, seed: {"zup": Taught("YELLOW")})
    experiment = Experiment("drawn", "colors", settings=QUICK, prepare=WithoutDrawnWords("last"))
    result = run_one(experiment, 0, tmp_path / "results", tmp_path / "runs")
    assert result["words"] == {"zup": "YELLOW"}
    assert result["scores"]["sentences"] == 10
    assert result["scores"]["required"]["term_share"] == 1.0
    assert read_result(tmp_path / "results", "drawn", 0).figure("untaught.exact_match") == 0.0


def test_two_processes_are_not_at_one_run(tmp_path: Path) -> None:
    experiment = Experiment("quick", "colors", settings=QUICK)
    folder = run_folder(experiment, 0, tmp_path)
    folder.parent.mkdir(parents=True)
    with folder.with_name(f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(BusyRunError, match="another process works in"):
            run_one(experiment, 0, tmp_path / "results", tmp_path)


def test_a_word_left_out_is_in_every_test_sentence() -> None:
    corpus = WithoutWord("jump")(load("scan:jump"), seed=0)
    assert len(corpus["test"]) == 7706, "the published test split"
    assert not any("jump" in e.source for e in corpus["train"])
    assert all("jump" in e.source for e in corpus["test"])


def test_a_made_up_word_takes_the_place_of_another() -> None:
    lesson = TaughtWord("gub", "PINK", instead_of=("zup", "YELLOW"))
    (example, *_) = lesson.apply(load("colors")["test"])
    assert (example.source, example.target) == (("gub", "fep"), ("PINK",) * 3)


def test_long_curves_are_thinned_and_keep_their_end(tmp_path: Path) -> None:
    metrics = tmp_path / "metrics.jsonl"
    assert learning_curve(metrics) == {}
    metrics.write_text("".join(json.dumps({"epoch": i, "loss": 1 / 3}) + "\n" for i in range(301)))
    curve = learning_curve(metrics)
    assert len(curve["epoch"]) <= CURVE_POINTS
    assert curve["epoch"][-1] == 300
    assert set(curve["loss"]) == {0.3333}


def test_of_a_large_lexicon_the_rare_words_are_kept() -> None:
    corpus = load("scan:around_right")
    lexicon = learn_lexicon(corpus["train"], "pmi")
    rows = lexicon_excerpt(lexicon, corpus["train"], corpus["test"])
    assert set(rows) == set(lexicon.sources), "a small one is kept whole"
    assert all(sum(row.values()) <= 1.01 for row in rows.values())


def test_the_worked_example_is_a_word_of_one_sentence_that_came_through_the_lexicon() -> None:
    corpus = load("colors")
    test = corpus["test"][:2]

    def translation(source: tuple[str, ...], tokens: tuple[str, ...], how: str) -> Answer:
        origins = tuple(Origin(token, how, "zup", 0, 0.9, 0.1) for token in tokens)  # type: ignore[arg-type]
        looked = tuple((0.9,) * len(source) for _ in tokens)
        return Answer("", source, tokens, tokens, 0.0, looked, (0.1,) * len(tokens), origins)

    written = [translation(e.source, e.target, "written") for e in test]
    assert worked_example(written, corpus["train"], test, {}) is None
    translated = [translation(e.source, e.target, "translated") for e in test]
    example = worked_example(translated, corpus["train"], test, {"zup": {"YELLOW": 1.0}})
    assert example is not None
    assert example["word"] == "zup"
    assert example["learned_from"] == {"source": "zup", "target": "YELLOW"}
    assert example["lexicon"] == {"zup": {"YELLOW": 1.0}}
