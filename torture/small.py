"""The small runs that are tortured: a network that trains in a second or two, with a lexicon, rules and edits."""

from __future__ import annotations

import os
from pathlib import Path

from fewlex.data.registry import load
from fewlex.model.trust import Trust
from fewlex.remembered import Remembered
from fewlex.run import Run
from torture.forks import Work, fewlex, in_fork

SETTINGS = (
    "model.hidden=8",
    "model.embedding=8",
    "training.epochs=6",
    "training.updates=0",
    "rules.learn=true",
)


def training(out: Path, *more: str, threads: int = 1) -> Work:
    """The command that trains the small network, with a checkpoint after every update."""
    os.environ["FEWLEX_CHECKPOINT_SECONDS"] = "0"
    words: list[str | Path] = ["train", "colors", "--preset", "fast", "--out", out, "--threads", str(threads)]
    for setting in (*SETTINGS, *more):
        words += ["--set", setting]
    return fewlex(*words)


def trained(folder: Path) -> Run:
    """A trained run with edits of its lexicon and of its rules, and with a memory."""
    code = in_fork(training(folder), told=folder.with_suffix(".told"))
    assert code == 0, folder.with_suffix(".told").read_text()
    run = Run(folder)
    knowledge = run.read_knowledge()
    run.teach([knowledge.lesson("blork", "BLACK")])
    run.rule_journal.add("_ thrice -> #0 #0 #0")
    run.teach([knowledge.lesson("zork", "WHITE")])
    Remembered(load("colors")["train"], Trust().numbers()).write(run)
    return run


def is_clean(folder: Path) -> bool:
    """True if nothing half-written lies about. One file that was about to be renamed may, until the next write."""
    return len(list(folder.rglob(".*.partial"))) <= 1
