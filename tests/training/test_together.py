"""Training beside others, trainings that diverge, and time that counts from the start."""

from __future__ import annotations

import dataclasses
import time
from pathlib import Path

import pytest
import torch

from fewlex.config import Config
from fewlex.errors import DivergedError, LockedError, RunError
from fewlex.knowledge import Lesson
from fewlex.run import Run
from fewlex.training import train
from fewlex.training.progress import Progress
from fewlex.translator import Translator
from fewlex.unfinished import resumes_at
from tests.training.test_training import CORPUS, config_of


def with_training(config: Config, **changes: object) -> Config:
    return dataclasses.replace(config, training=dataclasses.replace(config.training, **changes))  # type: ignore[arg-type]


def test_a_second_training_is_told_who_is_at_work(tmp_path: Path) -> None:
    """Issue L, item 2: both ended with exit code 0, and the files of both were mixed."""
    run = Run(tmp_path / "run")
    with (
        run.locked_for_training(),
        pytest.raises(LockedError, match=r"is being trained by process \d+ .*since"),
    ):
        train(CORPUS, config_of(), run.path)
    assert train(CORPUS, config_of(), run.path).is_finished


def test_what_is_taught_during_a_training_stays(tmp_path: Path) -> None:
    """Issue L, item 17: it was reported as taught and gone at the end."""
    config = config_of()
    config = dataclasses.replace(
        config, lexicon=dataclasses.replace(config.lexicon, trained=True, temperature=0.1)
    )
    run, undisturbed = Run(tmp_path / "run"), train(CORPUS, config, tmp_path / "undisturbed")

    def teach(news: Progress) -> None:
        if news.update == 1:
            run.teach([Lesson("blork", "BLACK")])

    train(CORPUS, config, run.path, observe=teach)
    assert list(run.journal.read().row("blork")) == ["BLACK"]
    assert run.weights.read_bytes() == undisturbed.weights.read_bytes()
    run.undo()
    assert run.journal.read() == undisturbed.journal.read()


def test_a_diverging_training_stops_and_says_what_to_do(tmp_path: Path) -> None:
    """Issue L, item 6: the loss was nan, and the exit code was 0."""
    config = with_training(config_of(), learning_rate=1e300)
    told = (
        r"diverged at update \d+: .*gradient norm .*learning rate of 1e\+300.*smaller training\.learning_rate"
    )
    with pytest.raises(DivergedError, match=told):
        train(CORPUS, config, tmp_path / "run")
    run = Run(tmp_path / "run")
    assert not run.is_finished
    assert not run.weights.exists()


def test_the_last_good_weights_stay_in_the_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FEWLEX_CHECKPOINT_SECONDS", "0")
    whole = []

    def spoil(news: Progress) -> None:
        if news.update == 2:
            whole.append(Run(tmp_path / "run").checkpoint.read_bytes())
            monkeypatch.setattr(torch.Tensor, "backward", lambda loss: None)
            monkeypatch.setattr(torch.nn.utils, "clip_grad_norm_", lambda *_: torch.tensor(float("nan")))

    with pytest.raises(DivergedError, match=r"The checkpoint keeps the last good weights"):
        train(CORPUS, config_of(), tmp_path / "run", observe=spoil)
    assert whole
    assert resumes_at(Run(tmp_path / "run")) is not None


def test_weights_that_are_not_finite_are_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from fewlex.model.weights import save_weights

    run = train(CORPUS, config_of(), tmp_path / "run")
    model = Translator.load(run.path).network.model
    with torch.no_grad():
        next(model.parameters()).fill_(float("nan"))
    save_weights(model, run.weights)
    with pytest.raises(RunError, match="not finite"):
        Translator.load(run.path)


def test_the_time_before_the_first_update_counts(tmp_path: Path) -> None:
    config = with_training(config_of(), seconds=3.0, epochs=0, updates=0, stop_on="never", keep="last")
    run = train(CORPUS, config, tmp_path / "run", began=time.monotonic() - 5)
    result = run.read_json("result.json")
    assert result["stopped_by"] == "time"
    assert result["updates"] <= 1
