"""Checkpoints that somebody has made up: refused by name, whatever their header says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import load, save

from fewlex.errors import RunError
from fewlex.run import Run
from fewlex.seal import seal_tensors
from fewlex.training.checkpoint import Position, load_checkpoint, save_checkpoint
from fewlex.unfinished import resumes_at

Trained = tuple[torch.nn.Module, torch.optim.Adam]


@pytest.fixture
def trained() -> Trained:
    model = torch.nn.Linear(2, 2)
    optimizer = torch.optim.Adam(model.parameters())
    model(torch.ones(1, 2)).sum().backward()
    optimizer.step()
    return model, optimizer


POSITIONS = {
    "another shape": "[]",
    "no counters": "{}",
    "a text for a number": '{"epoch": "3"}',
    "a fraction": '{"epoch": 1.5}',
    "no number": '{"best": NaN}',
    "an unknown field": '{"nonsense": 1}',
    "nesting without end": "[" * 100_000,
    "digits without end": '{"epoch": ' + "7" * 6000 + "}",
    "no JSON": "nonsense",
}


@pytest.mark.parametrize("position", POSITIONS)
def test_counters_that_cannot_be(tmp_path: Path, trained: Trained, position: str) -> None:
    run, (model, optimizer) = Run(tmp_path), trained
    save_checkpoint(run.checkpoint, Position(), model, optimizer, None, None)
    tensors = save(load(run.checkpoint.read_bytes()))
    run.checkpoint.write_bytes(seal_tensors(tensors, position=POSITIONS[position]))
    assert resumes_at(run) is None or position in ("a text for a number", "a fraction")
    if position == "no counters":
        assert load_checkpoint(run.checkpoint, model, optimizer, None)[0] == Position()
        return
    with pytest.raises(RunError, match=r"checkpoint\.safetensors: not a checkpoint of this run"):
        load_checkpoint(run.checkpoint, model, optimizer, None)


@pytest.mark.parametrize("lost", ["weight.weight", "random", "position"])
def test_parts_that_are_missing(tmp_path: Path, trained: Trained, lost: str) -> None:
    path, (model, optimizer) = tmp_path / "checkpoint.safetensors", trained
    save_checkpoint(path, Position(), model, optimizer, None, None)
    tensors = load(path.read_bytes())
    tensors.pop(lost, None)
    told = {} if lost == "position" else {"position": json.dumps({"epoch": 1})}
    path.write_bytes(seal_tensors(save(tensors), **told))
    with pytest.raises(RunError, match="not a checkpoint of this run"):
        load_checkpoint(path, model, optimizer, None)
