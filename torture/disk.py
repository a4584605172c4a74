"""Disks that are full, read-only or gone: one line says so, nothing that was there is lost, and there is no traceback.

A full disk is a small file system in memory, which only root can mount. Elsewhere the size of files is limited instead.
"""

from __future__ import annotations

import os
import random
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

from fewlex.run import Run
from torture.figures import Figures, Row
from torture.forks import Work, fewlex, in_fork
from torture.small import is_clean, trained, training

ODD = (
    "/dev/full",
    "/proc/x.json",
    "/nonexistent/x.json",
    "/etc/passwd/x.json",
    "",
    "x" * 300 + ".json",
    "a\0b.json",
)


def run(seconds: float, rng: random.Random) -> Figures:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        whole = trained(folder / "run").path
        rows = [
            _full(folder, whole, seconds / 3, rng),
            _odd_paths(folder, whole),
            _full_output(folder, whole),
        ]
        if os.getuid() == 0:
            rows.append(_read_only(folder, whole))
        return [*rows, _vanishing(folder, seconds / 6, rng), _no_home(folder, whole), _clock(whole)]


def _commands(run: Path, out: Path) -> dict[str, Work]:
    """Commands that write, with what they write."""
    (run.parent / "other.tsv").write_text("source\ttarget\tweight\ndax\tCRIMSON\t1\n")
    return {
        "teach": fewlex("teach", run, "wug", "WUG"),
        "forget": fewlex("forget", run, "blork"),
        "undo": fewlex("lexicon", "undo", run),
        "import": fewlex("lexicon", "import", run, run.parent / "other.tsv"),
        "export": fewlex("lexicon", "export", run, "--out", out / "l.json"),
        "lexicon learn": fewlex("lexicon", "learn", "scan:simple", "--out", out / "big.json"),
        "rules learn": fewlex("rules", "learn", "colors", "--out", out / "rules.json"),
        "train": training(out / "new"),
        "train rules": fewlex("train", "colors", "--preset", "rules", "--out", out / "ruled"),
    }


def _went_well(work: Work, told: Path) -> bool:
    """True if the command has done its work, or has said in one line why not."""
    code = in_fork(work, told=told)
    said = told.read_text(encoding="utf-8", errors="replace")
    return code == 0 or (code in (1, 2) and "Traceback" not in said and bool(said.strip()))


@contextmanager
def _small_disk(place: Path, size: str) -> Iterator[bool]:
    """A small file system at a folder; False where it cannot be mounted."""
    place.mkdir(exist_ok=True)
    options = ["mount", "-t", "tmpfs", "-o", f"size={size}", "fewlex-torture", str(place)]
    mounted = os.getuid() == 0 and subprocess.run(options, capture_output=True).returncode == 0
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "-l", str(place)], check=True)


def _full(folder: Path, whole: Path, seconds: float, rng: random.Random) -> Row:
    """Commands on a disk with a random rest of space: what was taught is still there, and nothing is half-written."""
    place, told, end, tried, held, note = (
        folder / "disk",
        folder / "told",
        time.monotonic() + seconds,
        0,
        0,
        "",
    )
    with _small_disk(place, "1m") as mounted:
        while tried < 100 and (not tried or time.monotonic() < end):
            shutil.rmtree(place / "w", ignore_errors=True)
            shutil.copytree(whole, place / "w" / "run")
            before = Run(place / "w" / "run").read_knowledge().lexicon
            name, work = rng.choice(list(_commands(place / "w" / "run", place / "w").items()))
            room = rng.choice((0, 100, 4096, 20_000, 100_000))
            (place / "w" / "ballast").write_bytes(bytes(max(0, _free(place) - room) if mounted else 0))
            good = _went_well(work if mounted else _limited(work, room), told)
            after = Run(place / "w" / "run").read_knowledge().lexicon
            kept = name in ("forget", "undo", "import") or all(word in after for word in before.sources)
            good = good and kept and is_clean(place)
            tried, held, note = (
                tried + 1,
                held + good,
                note if good else f"{name}: {told.read_text()[-80:]!r}",
            )
            (place / "w" / "ballast").unlink()
    return Row("a full disk, in nine commands: one line says so, no edit is lost", tried, held, note)


def _free(place: Path) -> int:
    status = os.statvfs(place)
    return status.f_bavail * status.f_frsize


def _limited(work: Work, size: int) -> Work:
    def call() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        work()

    return call


def _odd_paths(folder: Path, whole: Path) -> Row:
    """Places that cannot be written to."""
    odd = [Path(name) for name in ODD if "\0" not in name]
    works = [fewlex("lexicon", "learn", "colors", "--out", path) for path in odd]
    works += [fewlex("rules", "learn", "colors", "--out", path) for path in odd]
    works += [fewlex("train", "colors", "--preset", "rules", "--out", path) for path in odd]
    works += [fewlex("lexicon", "export", whole, "--out", path) for path in odd]
    works += [fewlex("teach", path, "wug", "WUG") for path in odd]
    return _all("odd and unwritable paths", works, folder)


def _full_output(folder: Path, whole: Path) -> Row:
    """Commands whose output goes to a device that is always full."""
    words = [
        ("lexicon", "show", whole),
        ("rules", "show", whole),
        ("data", "list"),
        ("config",),
        ("doctor", whole),
    ]

    def to_full_device(work: Work) -> Work:
        def call() -> None:
            import sys

            sys.stdout = open("/dev/full", "w")  # noqa: SIM115
            work()

        return call

    return _all("output to a full device", [to_full_device(fewlex(*each)) for each in words], folder)


def _read_only(folder: Path, whole: Path) -> Row:
    """A run on a disk that is mounted read-only can be read, and whoever would change it is told."""
    with _small_disk(folder / "read-only", "4m") as mounted:
        if not mounted:
            return Row("a read-only disk", 1, 1, "not tried: it cannot be mounted here")
        place = folder / "read-only"
        shutil.copytree(whole, place / "run")
        works = _commands(place / "run", place)
        subprocess.run(["mount", "-o", "remount,ro", str(place)], check=True)
        return _all("a read-only disk", [*works.values(), fewlex("lexicon", "show", place / "run")], folder)


def _vanishing(folder: Path, seconds: float, rng: random.Random) -> Row:
    """The folder of a run is deleted while it is trained."""
    tried, held, end = 0, 0, time.monotonic() + seconds
    while tried < 30 and (not tried or time.monotonic() < end):
        out, told, wait = folder / f"gone{tried}", folder / "told", rng.uniform(0.2, 2)

        def work(out: Path = out, wait: float = wait) -> None:
            import threading

            threading.Timer(wait, lambda: shutil.rmtree(out, ignore_errors=True)).start()
            training(out, "training.epochs=30")()

        held += _went_well(work, told)
        tried += 1
    return Row("a run folder that vanishes while it is trained", tried, held)


def _no_home(folder: Path, whole: Path) -> Row:
    def without(*names: str) -> Work:
        def call() -> None:
            for name in names:
                os.environ[name] = "/nonexistent"
            fewlex("teach", whole, "homeless", "WUG")()

        return call

    return _all(
        "no home folder, no folder for temporary files", [without("HOME"), without("TMPDIR", "HOME")], folder
    )


def _clock(whole: Path) -> Row:
    """The clock jumps back and forth between edits; undoing leads back all the same."""
    run = Run(whole)
    before, times = run.journal.read(), ["1970-01-01T00:00:00+00:00", "2100-01-01T00:00:00+00:00"] * 10
    for i, moment in enumerate(times):
        with mock.patch("fewlex.lexicon.journal.now", lambda moment=moment: moment):
            run.teach([run.read_knowledge().lesson(f"clock{i}", "RED")])
    for _ in times:
        run.undo()
    held = len(times) if run.journal.read() == before else 0
    return Row("a clock that jumps between edits: all can be undone", len(times), held)


def _all(what: str, works: list[Work], folder: Path) -> Row:
    held, note = 0, ""
    for work in works:
        good = _went_well(work, folder / "told")
        held, note = held + good, note if good else (folder / "told").read_text()[-100:]
    return Row(f"{what}: done, or one line says why not", len(works), held, note)
