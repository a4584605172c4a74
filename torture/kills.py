"""SIGKILL at random moments: no file is half-written, every acknowledged edit is there, and what is done again ends as
if nothing had happened."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from fewlex.doctor import SOUND, examine
from fewlex.experiments.experiment import Experiment
from fewlex.experiments.runner import run_one
from fewlex.lexicon import Entry, Lexicon
from fewlex.run import Run
from fewlex.unfinished import resumes_at
from torture.command import ENVIRONMENT, ROOT
from torture.figures import Figures, Row
from torture.forks import Work, fewlex, in_fork, seconds_of
from torture.served import serve_and_kill
from torture.small import SETTINGS, is_clean, trained, training

MOST = 100
"""Kills of each command; more would tell nothing new."""
SIGNALS = {signal.SIGINT: 130, signal.SIGTERM: 143}


def run(seconds: float, rng: random.Random, wanted: str = "") -> Figures:
    """What is quickly killed a hundred times leaves its time to the others, so it comes first.

    `wanted` is the only command to kill; without it, all are.
    """
    rows, end = [], time.monotonic() + seconds
    parts: list[Callable[[Path, float, random.Random], Row]] = [
        _teach,
        _lexicon,
        _rules,
        _import,
        _report,
        _signals,
        serve_and_kill,
        _train,
        _reproduce,
    ]
    parts = [part for part in parts if wanted in part.__name__]
    for left, part in zip(range(len(parts), 0, -1), parts, strict=True):
        with tempfile.TemporaryDirectory() as folder:
            rows.append(part(Path(folder), (end - time.monotonic()) / left, rng))
            print(f"  {rows[-1]}", flush=True)
    return rows


def _again_and_again(
    what: str, seconds: float, rng: random.Random, work: Work, long: float, is_whole: Callable[[], bool]
) -> Row:
    """Kill the work at random moments, and look after each kill. Where the work was quicker, there was no kill."""
    end, tried, held, quicker = time.monotonic() + seconds, 0, 0, 0
    while tried < MOST and (not tried or time.monotonic() < end) and quicker < 10 * MOST:
        was_killed = in_fork(work, kill_after=rng.uniform(0, long)) == -signal.SIGKILL
        is_good = is_whole()
        tried, held = tried + (was_killed or not is_good), held + (was_killed and is_good)
        quicker += not was_killed
    return Row(f"SIGKILL in {what}", tried, held, "{count} others would have come after the end", quicker)


def _train(folder: Path, seconds: float, rng: random.Random) -> Row:
    """The weights of a training that was killed and resumed are those of one that was not, to the bit."""
    undisturbed = folder / "undisturbed"
    long = seconds_of(training(undisturbed))
    end, tried, held = time.monotonic() + seconds, 0, 0
    while tried < MOST and (not tried or time.monotonic() < end):
        out, kills = folder / f"run{tried}", 0
        while kills < 3:  # one training is killed several times, and then goes on to its end
            code = in_fork(training(out), kill_after=rng.uniform(0, long))
            if code != -signal.SIGKILL:
                break
            kills += 1
        finished = in_fork(training(out)) == 0
        same = finished and _weights(out) == _weights(undisturbed)
        good = same and is_clean(out) and _is_sound(out)
        tried, held = tried + (kills if good else max(1, kills)), held + kills * good
        shutil.rmtree(out, ignore_errors=True)
    return Row("SIGKILL in `train`, resumed: weights bit-identical", tried, held)


def _weights(out: Path) -> bytes:
    return (out / "model.safetensors").read_bytes()


def _is_sound(out: Path) -> bool:
    return all(finding.state == SOUND for finding in examine(out))


def _lexicon(folder: Path, seconds: float, rng: random.Random) -> Row:
    data = folder / "pairs.tsv"
    data.write_text("".join(f"w{i} w{i * 7 % 300} w{i * 3 % 50}\tW{i} X{i * 7 % 300}\n" for i in range(300)))
    words = ("lexicon", "learn", str(data))
    return _makes_a_file("`lexicon learn`", folder / "l.json", words, seconds, rng)


def _rules(folder: Path, seconds: float, rng: random.Random) -> Row:
    return _makes_a_file("`rules learn`", folder / "r.json", ("rules", "learn", "colors"), seconds, rng)


def _report(folder: Path, seconds: float, rng: random.Random) -> Row:
    for name in (
        "colors-simple",
        "colors-lstm",
    ):  # the more results, the longer between two moments that matter
        shutil.copytree(ROOT / "results" / name, folder / "results" / name)
    words = ("report", "--results", str(folder / "results"))
    return _makes_a_file("`report`", folder / "report.md", words, seconds, rng)


def _makes_a_file(name: str, out: Path, words: tuple[str, ...], seconds: float, rng: random.Random) -> Row:
    """A command that writes one file: after a kill the file is not there, or it is the whole file."""
    work = fewlex(*words, "--out", out)
    long = seconds_of(work)
    whole = out.read_bytes()
    out.unlink()

    def is_whole() -> bool:
        good = is_clean(out.parent) and (not out.exists() or out.read_bytes() == whole)
        out.unlink(missing_ok=True)
        return good

    return _again_and_again(name, seconds, rng, work, long, is_whole)


def _teach(folder: Path, seconds: float, rng: random.Random) -> Row:
    """A process teaches word after word and tells each to a pipe; whatever it has told is there."""
    edited, count = trained(folder / "run"), 0
    knowledge = edited.read_knowledge()
    told = folder / "told"

    def teaching() -> None:
        with told.open("a") as file:
            for i in range(100):
                edited.teach([knowledge.lesson(f"word{count}x{i}", "RED")])
                file.write(f"word{count}x{i}\n")
                file.flush()

    def is_whole() -> bool:
        nonlocal count
        count += 1
        said = told.read_text().split("\n")[:-1] if told.exists() else []
        known = edited.read_knowledge().lexicon
        good = all(word in known for word in said), is_clean(folder), _is_sound(edited.path)
        if not all(good):
            print(f"    kill {count}: every word there, nothing left behind, sound: {good}", flush=True)
        return all(good)

    return _again_and_again("`teach`, word after word", seconds, rng, teaching, 0.5, is_whole)


def _import(folder: Path, seconds: float, rng: random.Random) -> Row:
    """The lexicon is the one before the import or the imported one, and undoing leads back."""
    edited = trained(folder / "run")
    before = edited.journal.read()
    other = Lexicon((f"w{i}", f"W{i}", Entry(1.0)) for i in range(1000))

    def is_whole() -> bool:
        now = edited.journal.read()
        good = now in (before, other) and _is_sound(edited.path) and is_clean(folder)
        while edited.journal.read() != before:
            edited.undo()
        return good

    work = lambda: edited.journal.replace(other)  # noqa: E731
    seconds_of(work)
    is_whole()
    long = seconds_of(work)  # the first time everything is read from the disk
    is_whole()
    return _again_and_again("`lexicon import`", seconds, rng, work, 1.2 * long, is_whole)


def _reproduce(folder: Path, seconds: float, rng: random.Random) -> Row:
    """The result of an experiment that was killed and done again is that of one that was not."""
    experiment = Experiment("torture", "colors", settings=SETTINGS)

    def work(place: Path) -> Work:
        return lambda: run_one(experiment, 0, place / "results", place / "runs")

    long = seconds_of(work(folder / "undisturbed"))
    expected = _scores(folder / "undisturbed")
    place = folder / "killed"

    def is_whole() -> bool:
        """Now and then the experiment is brought to its end, and begins anew."""
        if rng.random() < 0.3 and in_fork(work(place)) != 0:
            return False
        good = is_clean(folder)
        if list((place / "results").rglob("*.json")):
            good = good and _scores(place) == expected
            shutil.rmtree(place)
        return good

    return _again_and_again("`reproduce`", seconds, rng, work(place), long, is_whole)


def _scores(place: Path) -> object:
    (found,) = (place / "results").rglob("*.json")
    return json.loads(found.read_bytes())["scores"]


def _signals(folder: Path, seconds: float, rng: random.Random) -> Row:
    """Ctrl-C and SIGTERM: the state is saved, one line says how to go on, the exit code is what shells expect."""
    end, tried, held, note = time.monotonic() + seconds, 0, 0, ""
    while tried < 20 and (tried < 2 or time.monotonic() < end):
        number = (signal.SIGINT, signal.SIGTERM)[tried % 2]
        out = folder / f"run{tried}"
        words = [sys.executable, "-m", "fewlex", "train", "colors", "--preset", "fast", "--out", str(out)]
        words += [
            "--set",
            "training.epochs=0",
            "--set",
            "training.seconds=600",
            "--set",
            "training.updates=0",
        ]
        process = subprocess.Popen(
            words, env=ENVIRONMENT, stderr=subprocess.PIPE, text=True, preexec_fn=_mind_ctrl_c
        )
        while not Run(out).checkpoint.exists() and process.poll() is None:
            time.sleep(0.05)
        time.sleep(rng.uniform(0, 0.5))
        os.kill(process.pid, number)
        _, err = process.communicate(timeout=600)
        good = process.returncode == SIGNALS[number] and "goes on where it stopped" in err
        good = good and resumes_at(Run(out)) is not None
        note = note if good else f"{process.returncode}: {err[-100:]!r}"
        tried, held = tried + 1, held + good
    return Row(
        "SIGINT, SIGTERM in `train`: saved, says how to go on, exit code 130 or 143", tried, held, note
    )


def _mind_ctrl_c() -> None:
    """A process that runs in the background ignores Ctrl-C, and so would what it starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
