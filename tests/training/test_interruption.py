"""A signal ends training between two updates, and the checkpoint goes on from there."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from fewlex.run import Run
from fewlex.training.interruption import Interruption, StoppedTraining
from fewlex.unfinished import resumes_at
from tests.training.conftest import small_trainer


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_saves_and_stops(tmp_path: Path, number: signal.Signals, code: int) -> None:
    run = Run(tmp_path)
    before = signal.signal(number, signal.default_int_handler)
    try:
        with Interruption().watching() as interruption:
            trainer = small_trainer(run.checkpoint, epochs=9)
            trainer.interruption = interruption
            trainer.observe = lambda news: os.kill(os.getpid(), number) if news.update == 4 else None
            with pytest.raises(StoppedTraining) as stopped:
                trainer.run()
    finally:
        signal.signal(number, before)
    assert stopped.value.code == code
    assert stopped.value.epoch == resumes_at(run) == 2, "three updates are an epoch"
    resumed = small_trainer(run.checkpoint, epochs=9)
    assert resumed.position.update == 4


def test_a_second_signal_does_not_wait(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with Interruption().watching():
            os.kill(os.getpid(), signal.SIGINT)
            with pytest.raises(KeyboardInterrupt):
                os.kill(os.getpid(), signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_run_without_checkpoint_begins_anew(tmp_path: Path) -> None:
    assert resumes_at(Run(tmp_path)) is None
    Run(tmp_path).checkpoint.write_bytes(b"not a checkpoint")
    assert resumes_at(Run(tmp_path)) is None
