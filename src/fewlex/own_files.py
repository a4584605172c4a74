"""The files of a run folder that somebody else may have packed.

A pipe or a device in the place of a file would keep its reader waiting for ever or fill the memory. A link that leads
out of the folder is read like any file, but whoever wrote through it would change a file that is not the run's.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from fewlex.errors import RunError

MEMBERS = "networks"
"""The folder of the networks, where several answer together."""
NAMES = frozenset(
    {
        "checkpoint.safetensors", "confidence.json", "config.toml", "edits.jsonl", "edits.lock",
        "edits.undone.jsonl", "knowledge.json", "lexicon.json", "lexicon.learned.json", "memory.json", "metrics.jsonl",
        "model.safetensors", MEMBERS, "result.json", "rules.json", "rules.learned.json", "studio.json",
        "training.lock", "training.log",
    }
)  # fmt: skip
"""The files, and the folder, that fewlex reads and writes in a run folder; others are not its business."""
DAMAGED = ".damaged"
"""The ending of what the doctor has set aside."""


def require_files(folder: Path) -> None:
    """Complain if one of the run's files is none, before somebody reads it."""
    for entry in _entries(folder):
        if not entry.is_file() and not entry.is_dir():
            raise RunError(
                f"{entry.path} is a pipe, a device or a link that leads nowhere, and not a file of fewlex. Remove it."
            )


def require_own_files(folder: Path) -> None:
    """Complain if one of the run's files is none or lies elsewhere, before somebody writes into the folder."""
    require_files(folder)
    for entry in _entries(folder):
        if entry.is_symlink() and not Path(entry.path).resolve().is_relative_to(folder.resolve()):
            raise RunError(
                f"{entry.path} is a link out of the run folder, and the file that it leads to would be changed. "
                "Put a copy of that file in its place."
            )


def _entries(folder: Path) -> Iterator[os.DirEntry[str]]:
    """The run's files in the folder and in those of its networks."""
    for place in (folder, *(folder / MEMBERS).glob("*")):
        try:
            with os.scandir(place) as entries:
                yield from (entry for entry in entries if entry.name.removesuffix(DAMAGED) in NAMES)
        except OSError:
            continue  # whoever reads or writes the files says what is wrong with the folder
