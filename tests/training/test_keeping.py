"""A training that its owner ends early leaves the run that its last checkpoint holds."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from fewlex.errors import RunError
from fewlex.run import Run
from fewlex.training import train
from fewlex.training.keeping import keep
from fewlex.training.progress import Progress
from tests.training.test_training import CORPUS, KilledError, config_of, weights_of


def stopped(folder: Path, monkeypatch: pytest.MonkeyPatch, **training: object) -> Run:
    """A run that was killed after some epochs, with a checkpoint after each update."""
    monkeypatch.setenv("FEWLEX_CHECKPOINT_SECONDS", "0")

    def kill(news: Progress) -> None:
        if news.epoch == 4:
            raise KilledError

    with pytest.raises(KilledError):
        train(CORPUS, config_of(**training), folder, observe=kill)
    return Run(folder)


def test_the_last_weights_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = stopped(tmp_path / "run", monkeypatch)
    saved = {
        name.removeprefix("weight."): tensor
        for name, tensor in load_file(run.checkpoint).items()
        if name.startswith("weight.")
    }
    state = torch.get_rng_state()
    keep(run)
    assert torch.equal(torch.get_rng_state(), state), "who draws random numbers notices nothing"
    kept = weights_of(run.path)
    assert kept.keys() <= saved.keys()
    assert all(torch.equal(kept[name], saved[name]) for name in kept)
    result = run.read_json("result.json")
    assert result["stopped_by"] == "person"
    assert result["updates"] > 0
    assert not run.checkpoint.exists()
    keep(run)  # once more changes nothing


@pytest.mark.parametrize(
    ("setting", "prefix"),
    [({"keep": "best", "stop_on": "loss", "patience": 9}, "best."), ({"average_decay": 0.9}, "average.")],
)
def test_the_weights_that_the_run_would_end_with_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, setting: dict[str, object], prefix: str
) -> None:
    run = stopped(tmp_path / "run", monkeypatch, **setting)
    saved = load_file(run.checkpoint)
    keep(run)
    kept = weights_of(run.path)
    shared = [name for name in kept if f"{prefix}{name}" in saved]
    assert shared
    assert all(torch.equal(kept[name], saved[f"{prefix}{name}"]) for name in shared)


def test_without_a_checkpoint_there_is_nothing_to_keep(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = stopped(tmp_path / "run", monkeypatch)
    run.checkpoint.unlink()
    with pytest.raises(RunError, match="nothing to keep"):
        keep(run)
