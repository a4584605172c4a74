"""Two real workers on this machine, against one process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from fewlex.config_layers import build_config
from fewlex.data import load
from fewlex.training import train
from fewlex.training.distributed import Workers
from fewlex.translator import Translator
from tests.training.conftest import small_trainer
from tests.training.together import NOISY, UNEVEN

ROOT = Path(__file__).parent.parent.parent


def torchrun(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", "-m"]
    return subprocess.run(
        [*command, *map(str, arguments)],
        text=True,
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1", "GLOO_SOCKET_IFNAME": "lo"},
        timeout=240,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What two workers leave that run together.py, which ends with the failure of one."""
    folder = tmp_path_factory.mktemp("together")
    done = torchrun("tests.training.together", folder)
    assert done.returncode != 0
    assert "something is wrong with worker 1" in done.stderr
    assert not list(folder.glob("survived-*"))
    return folder


@pytest.mark.parametrize("run", ["plain", "noisy", "resumed"])
def test_workers_end_with_the_same_weights(folder: Path, run: str) -> None:
    one, other = (load_file(folder / f"{run}-{rank}.safetensors") for rank in (0, 1))
    assert all(torch.equal(one[name], other[name]) for name in one)


def test_two_workers_learn_what_one_does(folder: Path, tmp_path: Path) -> None:
    trainer = small_trainer(tmp_path / "alone", **UNEVEN)
    trainer.run()
    together = load_file(folder / "plain-0.safetensors")
    for name, weight in trainer.model.state_dict().items():
        torch.testing.assert_close(together[name], weight, rtol=1e-4, atol=1e-5)


def test_workers_draw_different_numbers(folder: Path, tmp_path: Path) -> None:
    """With dropout, two workers are one process with other draws, not the same half twice."""
    trainer = small_trainer(tmp_path / "alone", config=NOISY, **UNEVEN)
    trainer.run()
    together = load_file(folder / "noisy-0.safetensors")
    assert any(not torch.allclose(together[name], w) for name, w in trainer.model.state_dict().items())


def test_killed_workers_resume_to_the_same_weights(folder: Path) -> None:
    whole, resumed = (load_file(folder / f"{run}-0.safetensors") for run in ("noisy", "resumed"))
    assert all(torch.equal(whole[name], resumed[name]) for name in whole)


def test_one_process_goes_on_where_two_stopped(folder: Path) -> None:
    trainer = small_trainer(folder / "noisy", config=NOISY, **{**UNEVEN, "epochs": 6})
    assert trainer.position.update == 8
    assert trainer.run().update == 12


def test_the_command_line_on_two_workers(tmp_path: Path) -> None:
    settings = [
        "training.epochs=4",
        "training.batch_examples=4",
        "model.dropout=0",
        "model.hidden=16",
        "model.embedding=16",
        "fast_mapping.probability=0",
        "data.validation_share=0.3",
    ]
    together = tmp_path / "together"
    options = [part for text in settings for part in ("--set", text)]
    done = torchrun("fewlex", "train", "colors", "--preset", "fast", "--out", together, *options)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("the run is in") == 1
    config = build_config("fast", "colors", settings=settings)
    alone = train(load("colors"), config, tmp_path / "alone").path
    rows = _metrics(together)
    assert [row["update"] for row in rows] == [3, 6, 9, 12]
    for one, two in zip(_metrics(alone), rows, strict=True):
        assert two["loss"] == pytest.approx(one["loss"], abs=1e-4)
        assert two["validation_loss"] == pytest.approx(one["validation_loss"], abs=1e-4)
        assert two["validation_accuracy"] == one["validation_accuracy"]
    result = json.loads((together / "result.json").read_text())
    assert (result["workers"], result["stopped_by"], result["updates"]) == (2, "epochs", 12)
    assert {path.name for path in together.iterdir()} == {path.name for path in alone.iterdir()}
    Translator.load(together).translate("dax fep")


def _metrics(run: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]


def test_shares_cover_every_row_once() -> None:
    shares = [Workers(rank, 3, torch.device("cpu")).own(range(7)) for rank in range(3)]
    assert [list(share) for share in shares] == [[0, 3, 6], [1, 4], [2, 5]]
    assert list(Workers(2, 3, torch.device("cpu")).own([5, 6])) == []
