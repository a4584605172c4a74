"""Trainings: one at a time, stopped, gone on with, kept. The process is a stand-in unless a test is slow."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fewlex.errors import ConfigError, RunError
from fewlex.run import Run
from fewlex.studio import jobs
from fewlex.studio.jobs import BusyError, Order, Trainings
from fewlex.studio.library import Library
from fewlex.translator import Translator

WAITS = "import time; time.sleep(60)"
FAILS = "import sys; print('error: there is no data', file=sys.stderr); sys.exit(1)"


def wait_for(condition: Callable[[], bool], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.02)


@pytest.fixture
def trainings(tmp_path: Path) -> Iterator[Trainings]:
    made = Trainings(Library(tmp_path))
    yield made
    made.stop()


def instead(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Run this code in place of `fewlex train`."""
    monkeypatch.setattr(jobs, "PROGRAM", (sys.executable, "-c", code))


def test_one_training_at_a_time(
    trainings: Trainings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    instead(monkeypatch, WAITS)
    trainings.start(Order("first", "colors"))
    with pytest.raises(BusyError, match="first is being trained"):
        trainings.start(Order("second", "colors"))
    assert not (tmp_path / "second").exists()
    assert trainings.news(0)["state"] == "running"
    trainings.stop()
    assert trainings.news(0)["state"] == "stopped"
    trainings.start(Order("second", "colors"))


def test_a_training_that_fails_says_why(trainings: Trainings, monkeypatch: pytest.MonkeyPatch) -> None:
    instead(monkeypatch, FAILS)
    trainings.start(Order("bad", "colors"))
    wait_for(lambda: trainings.news(0)["state"] != "running")
    assert trainings.news(0)["state"] == "failed"
    assert trainings.news(0)["log"] == "error: there is no data"


def test_news_come_once(trainings: Trainings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    instead(monkeypatch, WAITS)
    trainings.start(Order("new", "colors"))
    rows = [json.dumps({"update": i}) for i in range(3)]
    (tmp_path / "new" / "metrics.jsonl").write_text("\n".join([*rows, '{"upda']), encoding="utf-8")
    assert [row["update"] for row in trainings.news(0)["metrics"]] == [0, 1, 2]
    assert [row["update"] for row in trainings.news(2)["metrics"]] == [2]
    assert trainings.news(2)["next"] == 3


def test_the_command_of_an_order(tmp_path: Path) -> None:
    command = Order("mine", "data/abc", budget="5m", preset="fast", epochs=20, networks=4).command(
        tmp_path, 800
    )
    assert command[:4] == ["train", str(tmp_path / "data" / "abc"), "--out", str(tmp_path / "mine")]
    assert command[command.index("--time-budget") + 1] == "5m"
    assert "training.epochs=20" in command
    assert command[command.index("--networks") + 1] == "4"
    assert "data.validation_share=0.1" in command
    few = Order("mine", "data/abc", preset="fast").command(tmp_path, 12)
    assert "data.validation_share=0" in few, "few examples are all needed to learn from"
    assert "rules.learn=true" in Order("mine", "colors", rules=True).command(tmp_path)
    own = Order("mine", "data/abc").command(tmp_path, 800)
    assert own[own.index("--preset") + 1] == "auto"
    assert "--set" not in own, "the preset auto looks at the data itself"
    named = Order("colors", "colors").command(tmp_path)
    assert named[1] == "colors"
    assert "--set" not in named


@pytest.mark.parametrize("name", ["", "..", "a/b", "-x", "x" * 65, "a b", "a\nb"])
def test_names_that_could_be_paths_or_options_are_refused(name: str) -> None:
    with pytest.raises(ConfigError, match="cannot be the name"):
        Order(name, "colors")


def test_what_cannot_go_on(trainings: Trainings, tmp_path: Path, hasty: Path) -> None:
    (tmp_path / "done").symlink_to(hasty)
    with pytest.raises(RunError, match="not below the folder"):
        trainings.resume("done")
    (tmp_path / "foreign").mkdir()
    with pytest.raises(RunError, match=r"no studio\.json"):
        trainings.resume("foreign")


@pytest.mark.slow
def test_stop_go_on_stop_keep(trainings: Trainings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stopped training goes on where it stopped, and what it has learned by then can be kept and used."""
    monkeypatch.setattr(jobs, "CHECKPOINT_SECONDS", "0.2")
    trainings.start(Order("mine", "colors", preset="fast", epochs=5000))
    run = Run(tmp_path / "mine")
    wait_for(lambda: run.checkpoint.exists() and trainings.news(0)["next"] > 5, 120)
    trainings.stop()
    assert trainings.news(0)["state"] == "stopped"
    before = trainings.news(0)["next"]
    trainings.resume("mine")
    wait_for(lambda: trainings.news(0)["next"] > before + 5, 120)
    trainings.stop()
    updates = [row["update"] for row in trainings.news(0)["metrics"]]
    assert updates == sorted(set(updates)), "nothing was trained twice"
    assert not run.is_finished
    trainings.keep("mine")
    assert run.read_json("result.json")["stopped_by"] == "person"
    assert not run.checkpoint.exists()
    assert Translator.load(run.path).translate("zup")
    with pytest.raises(RunError, match="finished already"):
        trainings.resume("mine")
