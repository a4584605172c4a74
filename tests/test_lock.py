"""One editor at a time, between threads and between processes; nothing that was acknowledged is lost."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from fewlex.errors import FewlexError, LockedError
from fewlex.identity import training_identity
from fewlex.journal import EditLog
from fewlex.knowledge import Knowledge, Lesson
from fewlex.lexicon import Entry, Journal, Lexicon
from fewlex.lock import exclusive
from fewlex.run import Run
from tests.model.conftest import EXAMPLES, small_config

SPAWN = multiprocessing.get_context("spawn")


def test_who_waits_too_long_is_told_who_holds_the_lock(tmp_path: Path) -> None:
    lock = tmp_path / "edits.lock"
    told = rf"process {os.getpid()} .* since 20\d\d-"
    with exclusive(lock), pytest.raises(LockedError, match=told), exclusive(lock, patience=0.05):
        pass
    with exclusive(lock, patience=0.05):
        pass


@pytest.mark.parametrize(
    "words", [["--token", "s3cret"], ["--token=s3cret"], ["--token", " s3cret"]], ids=str
)
def test_a_lock_does_not_tell_the_token_of_a_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    """A server that edits holds the lock of a run folder, and others may read that folder, or get a copy of it."""
    monkeypatch.setattr(sys, "argv", ["fewlex", "serve", "runs/jump", *words, "--port", "9000"])
    with exclusive(tmp_path / "edits.lock"):
        told = (tmp_path / "edits.lock").read_text()
    assert "s3cret" not in told
    assert "fewlex serve runs/jump --token" in told
    assert "--port 9000" in told


def test_who_waits_gets_the_lock_when_it_is_free(tmp_path: Path) -> None:
    lock, order = tmp_path / "edits.lock", []
    inside, leave = threading.Event(), threading.Event()

    def hold() -> None:
        with exclusive(lock):
            inside.set()
            leave.wait(5)
            order.append("first")

    thread = threading.Thread(target=hold)
    thread.start()
    inside.wait(5)
    threading.Timer(0.05, leave.set).start()
    with exclusive(lock):
        order.append("second")
    thread.join()
    assert order == ["first", "second"]


def test_a_killed_process_leaves_no_lock_behind(tmp_path: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path; from fewlex.lock import exclusive\n"
        "with exclusive(Path(sys.argv[1])): print('held', flush=True); time.sleep(60)"
    )
    lock = tmp_path / "edits.lock"
    with subprocess.Popen([sys.executable, "-c", code, str(lock)], stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(LockedError, match=f"process {holder.pid}"), exclusive(lock, patience=0.05):
            pass
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    with exclusive(lock, patience=0.05):
        pass


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with (
        pytest.raises(FewlexError, match=r"cannot write .*/gone/edits\.lock"),
        exclusive(tmp_path / "gone" / "edits.lock"),
    ):
        pass


def _teach(folder: Path, name: str, count: int) -> None:
    for i in range(count):
        Journal(folder).teach([(f"{name}{i}", f"{name.upper()}{i}")])


def test_two_teachers_at_once_lose_nothing(tmp_path: Path) -> None:
    Lexicon([("dax", "RED", Entry(6.0, "simple"))]).save(tmp_path / "lexicon.json")
    teachers = [SPAWN.Process(target=_teach, args=(tmp_path, name, 50)) for name in ("one", "two")]
    for teacher in teachers:
        teacher.start()
    for teacher in teachers:
        teacher.join()
    journal = Journal(tmp_path)
    assert len(journal.read().sources) == 101
    assert len(journal.log.read_bytes().splitlines()) == 100
    for _ in range(100):
        journal.undo()
    assert journal.read().sources == ("dax",)


def test_a_further_meaning_does_not_undo_what_another_teaches_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rows are made from the lexicon that is read under the lock, and from no earlier one."""
    Lexicon([("dax", "RED", Entry(6.0, "simple"))]).save(tmp_path / "lexicon.json")
    run, first = Run(tmp_path), threading.Event()
    locked = EditLog.locked

    def late(log: EditLog) -> AbstractContextManager[None]:
        if not first.is_set():
            first.set()
            run.teach([Lesson("zup", "YELLOW")])
        return locked(log)

    monkeypatch.setattr(EditLog, "locked", late)
    run.teach([Lesson("dax", "CRIMSON", also=True)])
    assert run.journal.read().sources == ("dax", "zup")
    assert list(run.journal.read().row("dax")) == ["RED", "CRIMSON"]


@pytest.mark.slow
def test_fifty_rounds_of_two_commands_at_once_lose_nothing(tmp_path: Path) -> None:
    """Issue L, item 1: 62 of 100 were there."""
    run, config = Run(tmp_path / "run"), small_config()
    run.path.mkdir()
    run.write_start(config, Knowledge.learn(EXAMPLES, config), training_identity("small", EXAMPLES, None))
    for i in range(50):
        commands = [
            subprocess.Popen(
                [sys.executable, "-m", "fewlex", "teach", str(run.path), f"{name}{i}", f"{name}{i}".upper()],
                stderr=subprocess.DEVNULL,
            )
            for name in ("one", "two")
        ]
        assert [command.wait() for command in commands] == [0, 0]
    taught = set(run.journal.read().sources)
    assert {f"{name}{i}" for name in ("one", "two") for i in range(50)} <= taught
