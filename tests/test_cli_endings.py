"""However a command ends, it says so in one line, with the exit code that shells expect, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from fewlex import cli
from fewlex.deadline import OutOfTime
from fewlex.lexicon.stores import ThreadStore

FEWLEX = (sys.executable, "-m", "fewlex")


class Chunk(NamedTuple):
    words: np.ndarray[tuple[int], np.dtype[np.int64]]


def told(*words: str | Path, stdout: int | None = subprocess.PIPE) -> tuple[int, str]:
    done = subprocess.run([*FEWLEX, *map(str, words)], stdout=stdout, stderr=subprocess.PIPE, text=True)
    return done.returncode, done.stderr


def test_output_that_nobody_can_take_is_told() -> None:
    """Issue L, item 8: a full device gave a traceback in 10 of 10 commands."""
    with open("/dev/full", "w") as full:
        code, err = told("data", "list", stdout=full.fileno())
    assert code == 1
    assert err.strip().splitlines()[-1] == "error: No space left on device. Free some space and try again."
    assert "Traceback" not in err


def test_a_path_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code, err = told("train", "colors", "--preset", "rules", "--out", tmp_path / "file" / "run")
    assert code == 1
    assert "Traceback" not in err
    assert "Not a directory" in err


def test_a_run_needs_the_name_of_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Issue L, item 17: the run was written into the current folder."""
    monkeypatch.chdir(tmp_path)
    code, err = told("train", "colors", "--preset", "rules", "--out", "")
    assert code == 1
    assert "--out names no folder" in err
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(("given", "expected"), [({}, "PASSIVE"), ({"OMP_WAIT_POLICY": "ACTIVE"}, "ACTIVE")])
def test_threads_do_not_spin_unless_somebody_wants_it(given: dict[str, str], expected: str) -> None:
    """Issue L, item 15: on a busy machine, spinning threads kept each other from running for minutes."""
    code = "import fewlex, os; print(os.environ['OMP_WAIT_POLICY'])"
    environment = {name: value for name, value in os.environ.items() if name != "OMP_WAIT_POLICY"} | given
    told = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert told.stdout.strip() == expected


def test_sigterm_has_the_exit_code_that_shells_expect(tmp_path: Path) -> None:
    fifo = tmp_path / "endless.tsv"
    os.mkfifo(fifo)
    words = [*FEWLEX, "lexicon", "learn", str(fifo), "--out", str(tmp_path / "l.json")]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as learning, fifo.open("w") as data:
        data.write("dax\tRED\n")  # the file opens once the command reads
        data.flush()
        time.sleep(0.2)
        learning.send_signal(signal.SIGTERM)
        _, err = learning.communicate(timeout=60)
    assert learning.returncode == 143, err
    assert err == "error: interrupted.\n"


def test_chunks_have_no_name_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Issue L, item 12: 6 GB were left behind by one killed `align`."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with ThreadStore[Chunk](2) as store:
        for i in range(5):
            store.add(Chunk, np.arange(i))
        assert [len(chunk.words) for chunk in store.map(lambda chunk: chunk)] == [0, 1, 2, 3, 4]
        store.replace(lambda chunk: Chunk(chunk.words + 1))
        assert [int(chunk.words.sum()) for chunk in store.map(lambda chunk: chunk)] == [0, 1, 3, 6, 10]
        assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 4 bytes"),
    ],
)
def test_too_little_memory_is_told(
    error: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def app() -> None:
        raise error

    monkeypatch.setattr("fewlex.cli.app", app)
    assert cli._ended() == 1
    assert "error: there is not enough memory for this. Use less data" in capsys.readouterr().err


def test_a_mistake_of_ours_is_not_taken_for_too_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def app() -> None:
        raise RuntimeError("shapes do not fit")

    monkeypatch.setattr("fewlex.cli.app", app)
    with pytest.raises(RuntimeError, match="shapes do not fit"):
        cli._ended()


def test_an_alarm_in_the_last_moment_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def app() -> None:
        raise OutOfTime

    monkeypatch.setattr("fewlex.cli.app", app)
    assert cli._ended() == 1
    assert "error: the time budget was used up" in capsys.readouterr().err
