"""A time budget ends what comes before training, and checks that would end much too late."""

from __future__ import annotations

import re
import signal
import threading
import time
from importlib import import_module
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from fewlex import deadline
from fewlex.cli import app
from fewlex.config_layers import build_config
from fewlex.data import load
from fewlex.deadline import OutOfTime, ending, preparing
from fewlex.errors import OutOfTimeError
from fewlex.knowledge import Knowledge
from fewlex.run import Run


def fewlex(*words: str | Path) -> Result:
    return CliRunner().invoke(app, [*map(str, words)])


def work_for(seconds: float) -> None:
    """Work that catches every Exception, as careless code does."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            sum(range(1000))
        except Exception:
            continue


def test_work_ends_at_the_moment() -> None:
    began = time.monotonic()
    with pytest.raises(OutOfTime), ending(began + 0.05):
        work_for(30)
    assert time.monotonic() - began < 10


@pytest.mark.parametrize("moment", [None, 60.0])
def test_work_that_ends_in_time_is_not_disturbed(moment: float | None) -> None:
    before = signal.getsignal(signal.SIGALRM)
    with ending(None if moment is None else time.monotonic() + moment):
        work_for(0.01)
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0


def test_a_moment_that_has_passed_leaves_no_alarm_behind() -> None:
    """The alarm rings before the block has begun, and must not ring once more in somebody else's work."""
    for _ in range(50):
        with pytest.raises(OutOfTime), ending(time.monotonic() - 1):
            work_for(30)
        assert signal.getitimer(signal.ITIMER_REAL)[0] == 0
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL


def test_another_thread_takes_its_time() -> None:
    ended: list[bool] = []

    def work() -> None:
        with ending(time.monotonic()):
            work_for(0.05)
        ended.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert ended == [True]


def test_without_a_budget_there_is_no_hurry() -> None:
    with preparing(0.0, time.monotonic() - 1e6, "reading"):
        work_for(0.01)


def test_train_ends_while_it_learns_the_lexicon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A vocabulary of 200,000 words once took five minutes with a budget of twenty seconds."""
    monkeypatch.setattr(deadline, "LEAST", 0.0)
    monkeypatch.setattr(Knowledge, "learn", lambda *args: work_for(60))
    import_module("fewlex.training")  # torch takes its time to load
    began = time.monotonic()
    ended = fewlex("train", "colors", "--preset", "fast", "--out", tmp_path / "run", "--time-budget", "5s")
    assert time.monotonic() - began < 55
    assert isinstance(ended.exception, OutOfTimeError)
    assert re.search("5 s was used up while learning the lexicon and the rules", str(ended.exception))
    assert not Run(tmp_path / "run").exists()


def test_train_ends_while_it_looks_at_the_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadline, "LEAST", 0.0)
    monkeypatch.setattr("fewlex.cli.train.plan", lambda *args, **options: work_for(60))
    ended = fewlex("train", "colors", "--out", tmp_path / "run", "--time-budget", "0.1s")
    assert isinstance(ended.exception, OutOfTimeError)
    assert "while looking at the data" in str(ended.exception)


def test_a_validation_that_would_end_too_late_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fewlex.training import one_network, train

    monkeypatch.setattr(one_network, "decode_all", lambda *args: work_for(60))
    monkeypatch.setattr(one_network, "learn_confidence", lambda *args: work_for(60))
    settings = [
        "training.seconds=1",
        "training.epochs=0",
        "training.updates=0",
        "model.hidden=8",
        "model.embedding=8",
    ]
    config = build_config(
        "fast", "colors", settings=[*settings, "training.stop_on=never", "training.keep=last"]
    )
    corpus = load("colors")
    splits = {**corpus.splits, "validation": corpus["test"]}
    began = time.monotonic()
    run = train(type(corpus)(corpus.name, splits), config, tmp_path / "run")
    assert time.monotonic() - began < 55
    assert run.is_finished
    assert run.read_confidence() is None
