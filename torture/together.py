"""Two at once on one run: merged or refused, and never lost."""

from __future__ import annotations

import random
import tempfile
import time
from pathlib import Path

from fewlex.lexicon import Journal
from torture.command import rules_run, start
from torture.figures import Figures, Row


def run(seconds: float, rng: random.Random) -> Figures:
    with tempfile.TemporaryDirectory() as folder:
        return [_teachers(Path(folder), seconds)]


def _teachers(folder: Path, seconds: float) -> Row:
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
