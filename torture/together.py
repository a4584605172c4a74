"""Two at once on one run: merged or refused, and never lost."""

from __future__ import annotations

import os
import random
import tempfile
import time
from pathlib import Path

from fewlex.doctor import SOUND, examine
from fewlex.lexicon import Journal
from fewlex.run import Run
from torture.command import rules_run, start
from torture.figures import Figures, Row
from torture.forks import in_fork
from torture.served import serving, teach_over_http
from torture.small import training


def run(seconds: float, rng: random.Random) -> Figures:
    rows = []
    for part in (_teachers, _trainings, _teacher_and_trainer, _teacher_and_server):
        with tempfile.TemporaryDirectory() as folder:
            rows.append(part(Path(folder), seconds / 4, rng))
    return rows


def _teachers(folder: Path, seconds: float, rng: random.Random) -> Row:
    """Two commands teach a word each, again and again; every word that was reported is there."""
    taught, lost, end = 0, 0, time.monotonic() + seconds
    journal = Journal(rules_run(folder / "teachers"))
    while not taught or time.monotonic() < end:
        words = [f"one{taught}", f"two{taught}"]
        commands = [start("teach", folder / "teachers", word, word.upper()) for word in words]
        ended = [command.communicate() and command.returncode for command in commands]
        lost += sum(code == 0 and word not in journal.read() for code, word in zip(ended, words, strict=True))
        taught += len(words)
    return Row("two `teach` at once: every word that was reported is there", taught, taught - lost)


def _trainings(folder: Path, seconds: float, rng: random.Random) -> Row:
    """Two trainings with different seeds into one folder: one makes its run, the other is told who is at work."""
    tried, held, end, note = 0, 0, time.monotonic() + seconds, ""
    while not tried or time.monotonic() < end:
        out, told = folder / f"run{tried}", folder / "told"
        child = os.fork()
        if not child:
            os._exit(in_fork(training(out, "seed=1")))
        time.sleep(rng.uniform(0, 0.5))
        code = in_fork(training(out, "seed=2"), told=told)
        other = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        said = told.read_text()
        refused = "is being trained by process" in said or "has a run with other settings" in said
        sound = all(finding.state == SOUND for finding in examine(out))
        good = sound and {code, other} == {0, 1} and (code == 0 or refused)
        tried, held, note = tried + 1, held + good, note if good else f"{code}, {other}: {said[-80:]}"
    return Row(
        "two `train` into one folder: one run, and the other is told who is at work", tried, held, note
    )


def _teacher_and_trainer(folder: Path, seconds: float, rng: random.Random) -> Row:
    """What is taught while a lexicon is trained is there when the training has ended."""
    tried, held, end = 0, 0, time.monotonic() + seconds
    while not tried or time.monotonic() < end:
        run = Run(folder / f"run{tried}")
        child = os.fork()
        if not child:
            os._exit(in_fork(training(run.path, "lexicon.trained=true", "lexicon.temperature=0.1")))
        words: list[str] = []
        while os.waitpid(child, os.WNOHANG) == (0, 0):
            if run.exists():
                words.append(f"word{len(words)}")
                run.teach([run.read_knowledge().lesson(words[-1], "RED")])
            time.sleep(rng.uniform(0, 0.2))
        known = run.read_knowledge().lexicon
        held += run.is_finished and all(word in known for word in words)
        tried += 1
    return Row("`teach` while a lexicon is trained: what was taught stays", tried, held)


def _teacher_and_server(folder: Path, seconds: float, rng: random.Random) -> Row:
    """Words are taught over HTTP and on the command line at once."""
    run, taught, end = Run(rules_run(folder / "run")), 0, time.monotonic() + seconds
    words: list[str] = []
    with serving(run.path) as port:
        while not taught or time.monotonic() < end:
            command = start("teach", run.path, f"typed{taught}", "RED")
            while command.poll() is None:
                words.append(f"served{len(words)}")
                teach_over_http(port, words[-1])
            if command.returncode == 0:
                words.append(f"typed{taught}")
            taught += 1
    known = run.read_knowledge().lexicon
    return Row(
        "`teach` and a server at once: every word is there", len(words), sum(word in known for word in words)
    )
