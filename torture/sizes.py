"""Sizes that nobody has planned for: each has a documented behaviour, in bounded time and memory.

Each is done once, in a process of its own with a limit of memory, and takes as long as it takes. In a torture of
less than an hour and a half, a tenth as many words are taught.
"""

from __future__ import annotations

import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from fewlex.lexicon import Lexicon
from fewlex.run import Run
from torture.command import rules_run
from torture.figures import Figures, Row
from torture.forks import Work, fewlex, in_fork

MOST_MEMORY = 8 << 30
"""Bytes of addresses that a process may use; torch alone takes about two thousand million."""
LONG = 600
"""Seconds from which on a million words are taught, which takes minutes on a busy machine."""
BUDGET = 20


def run(seconds: float, rng: random.Random) -> Figures:
    words = 1_000_000 if seconds >= LONG else 100_000
    parts: tuple[Callable[[Path], Row], ...] = (
        _line,
        _budget,
        _vocabulary,
        _small,
        partial(_taught, words=words),
    )
    rows = []
    for part in parts:
        with tempfile.TemporaryDirectory() as folder:
            rows.append(part(Path(folder)))
            print(f"  {rows[-1]}", flush=True)
    return rows


def _measured(work: Work, told: Path | None = None) -> tuple[int, str]:
    """The exit code of work that may use so much memory, and how long it took with how much of it."""
    began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)

    def bounded() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        work()

    code = in_fork(bounded, told=told)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    peak = f"{after.ru_maxrss >> 10:,} MiB"
    memory = peak if after.ru_maxrss > before.ru_maxrss else f"at most {peak}"
    return code, f"{time.monotonic() - began:.0f} s ({_cpu(after) - _cpu(before):.0f} s of a core), {memory}"


def _cpu(usage: resource.struct_rusage) -> float:
    return usage.ru_utime + usage.ru_stime


def _line(folder: Path) -> Row:
    """A line of two million tokens is refused with its place, by every command that reads lines."""
    tokens, told = 2_000_000, folder / "told"
    run = rules_run(folder / "run")
    long = folder / "long.tsv"
    long.write_text("dax\tRED\n" + "dax " * tokens + "\tRED\n")
    text = folder / "long.txt"
    text.write_text("dax\n" + "dax " * tokens + "\nlug\n")
    commands = {
        "data check": fewlex("data", "check", long),
        "lexicon learn": fewlex("lexicon", "learn", long, "--out", folder / "l.json"),
        "train": fewlex("train", long, "--out", folder / "trained"),
        "evaluate": fewlex("evaluate", run, long),
        "translate": _translating(run, text),
    }
    held, how = 0, ""
    for name, work in commands.items():
        code, how = _measured(work, told)
        said = told.read_text()
        good = code == 1 and "5,000" in said and ":2" in said and "Traceback" not in said
        held += good
        if not good:
            how = f"{name}: {code}, {said[-150:]!r}"
    return Row(
        f"a line of {tokens:,} tokens: named with file and line", len(commands), held, f"the last: {how}"
    )


def _translating(run: Path, text: Path) -> Work:
    def call() -> None:
        sys.stdin = text.open()
        fewlex("translate", run)()

    return call


def _taught(folder: Path, *, words: int) -> Row:
    """Very many words are taught at once; then one more is taught, that one is taken back, and the run answers."""
    made, asked, told = Run(rules_run(folder / "run")), folder / "asked", folder / "told"
    asked.write_text(f"w{words - 1} fep\n")
    works: dict[str, tuple[Work, str]] = {
        "all": (lambda: made.journal.teach((f"w{i}", f"W{i}") for i in range(words)), ""),
        "one more": (fewlex("teach", made.path, "onemore", "ONE"), "taught: onemore"),
        "undone": (fewlex("lexicon", "undo", made.path), "onemore"),
        "one answer": (_translating(made.path, asked), f"W{words - 1}"),
    }
    took, held, wrong = [], 0, ""
    for name, (work, wanted) in works.items():
        code, how = _measured(work, told)
        took.append(f"{name} in {how}")
        said = told.read_text()
        if code == 0 and wanted in said:
            held += 1
        else:
            wrong = f"{name}: {code}, {said[-150:]!r}"
    is_all = len(Lexicon.load(made.path / "lexicon.json").sources) >= words
    held = held if is_all else 0
    return Row(f"{words:,} words taught, and one more", len(works), held, wrong or "; ".join(took))


def _vocabulary(folder: Path) -> Row:
    """Training on vocabularies of a million words a side: trained within a time budget, or told what was too much."""
    words, told = 1_000_000, folder / "told"
    code, how = _measured(_train_on(folder, words, "120s", "--preset", "fast"), told)
    return _ended(f"training on two vocabularies of {words:,} words, with a budget of 120 s", code, how, told)


def _budget(folder: Path) -> Row:
    """What once had no end within 290 s."""
    words, told = 200_000, folder / "told"
    code, how = _measured(_train_on(folder, words, f"{BUDGET}s"), told)
    return _ended(
        f"`--time-budget {BUDGET}s` with {words:,} words ends, trained or told why not", code, how, told
    )


def _train_on(folder: Path, words: int, budget: str, *more: str) -> Work:
    data = folder / "words.tsv"
    with data.open("w") as file:
        for first in range(0, words, 5):
            numbers = range(first, first + 5)
            file.write(f"{' '.join(f's{i}' for i in numbers)}\t{' '.join(f't{i}' for i in numbers)}\n")
    return fewlex("train", data, "--out", folder / "run", "--time-budget", budget, *more)


def _ended(what: str, code: int, how: str, told: Path) -> Row:
    said = told.read_text()
    last = said.strip().splitlines()[-1] if said.strip() else ""
    good = code == 0 or (code == 1 and "error: " in said and "Traceback" not in said)
    return Row(what, 1, int(good), f"{how}; " + ("trained" if code == 0 else last[:160]))


def _small(folder: Path) -> Row:
    """One example, one token, all the same, only unknown words: training and translating end as they should."""
    data = {
        "one": "dax\tRED\n",
        "same": "dax dax\tRED RED\n" * 50,
        "unknown": "dax fep\tRED RED RED\nlug\tBLUE\n",
    }
    held, note = 0, ""
    for name, content in data.items():
        (folder / f"{name}.tsv").write_text(content)
        (folder / "asked.txt").write_text("zork blork\n" if name == "unknown" else "dax\n")
        trained = _measured(
            fewlex("train", folder / f"{name}.tsv", "--out", folder / name, "--time-budget", "2s")
        )
        answered = _measured(_translating(folder / name, folder / "asked.txt"))
        good = trained[0] == answered[0] == 0
        held, note = held + good, note if good else f"{name}: {trained[0]}, {answered[0]}"
    return Row("one example, all the same, only unknown words: trained and answered", len(data), held, note)
