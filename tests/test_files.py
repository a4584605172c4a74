"""Files are replaced whole: who may read them stays, links are not followed, and a kill leaves nothing behind."""

from __future__ import annotations

import fcntl
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from fewlex.errors import FewlexError
from fewlex.files import atomic_write, atomic_write_text


def test_who_may_read_a_file_stays(tmp_path: Path) -> None:
    """Issue L, item 12: `teach` turned a lexicon that only its owner may read into one for all."""
    path = tmp_path / "lexicon.json"
    atomic_write_text(path, "old")
    path.chmod(0o600)
    atomic_write_text(path, "new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_text() == "new"


def test_a_killed_writer_leaves_nothing_behind(tmp_path: Path) -> None:
    code = (
        "import sys, time; from fewlex.files import atomic_write\n"
        "with atomic_write(sys.argv[1]) as file:\n"
        "    file.write(b'half'); file.flush(); print('written', flush=True); time.sleep(60)"
    )
    path = tmp_path / "file"
    path.write_text("old")
    with subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"written\n"
        writer.send_signal(signal.SIGKILL)
    assert os.listdir(tmp_path) == ["file"]
    assert path.read_text() == "old"


def test_what_a_killed_process_was_about_to_rename_is_removed_by_the_next_write(tmp_path: Path) -> None:
    """Whichever file it was to become: `lexicon.learned.json` is written once in the life of a run."""
    path, alive = tmp_path / "file", tmp_path / f".file.{2:016x}.partial"
    (tmp_path / f".file.{1:016x}.partial").write_text("whole")
    (tmp_path / f".another.{1:016x}.partial").write_text("whole")
    (tmp_path / ".mine.partial").write_text("of a person")
    os.mkfifo(tmp_path / f".pipe.{1:016x}.partial")
    with alive.open("w") as writing:
        fcntl.flock(writing, fcntl.LOCK_EX)
        atomic_write_text(path, "new")
        assert sorted(os.listdir(tmp_path)) == [alive.name, ".mine.partial", "file"]


def test_a_file_that_was_taken_for_abandoned_is_opened_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where files need a name, another writer may remove it in the moment before it is locked."""
    monkeypatch.setattr("os.O_TMPFILE", 0)
    removed: list[str] = []
    really = fcntl.flock

    def flock(handle: int, how: int) -> None:
        if not removed:
            (name,) = (name for name in os.listdir(tmp_path) if name.endswith(".partial"))
            (tmp_path / name).unlink()
            removed.append(name)
        really(handle, how)

    monkeypatch.setattr("fcntl.flock", flock)
    atomic_write_text(tmp_path / "file", "new")
    assert (tmp_path / "file").read_text() == "new"
    assert removed


def test_no_link_is_followed_where_files_need_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.O_TMPFILE", 0)  # as on a file system without files that have no name
    monkeypatch.setattr("secrets.token_hex", lambda size: "guessed")
    monkeypatch.setattr("fewlex.files._remove_abandoned", lambda folder: None)
    victim, path = tmp_path / "victim", tmp_path / "file"
    victim.write_text("precious")
    (tmp_path / ".file.guessed.partial").symlink_to(victim)
    with pytest.raises(FewlexError, match="File exists"):
        atomic_write_text(path, "new")
    assert victim.read_text() == "precious"
    (tmp_path / ".file.guessed.partial").unlink()
    atomic_write_text(path, "new")
    assert path.read_text() == "new"
    assert sorted(os.listdir(tmp_path)) == ["file", "victim"]


def test_a_device_is_written_to_and_not_replaced() -> None:
    atomic_write_text("/dev/null", "text")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    with pytest.raises(FewlexError, match=r"cannot write /dev/full: No space left.*Free some space"):
        atomic_write_text("/dev/full", "text")


@pytest.mark.parametrize("name", ["nowhere/file", "x" * 300, "", "a\0b"])
def test_a_path_that_cannot_be_written_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(FewlexError, match="cannot write"), atomic_write(tmp_path / name):
        pass


def test_a_circle_of_links_is_named(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(FewlexError, match="cannot write"):
        atomic_write_text(tmp_path / "a", "text")
