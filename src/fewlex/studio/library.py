"""The folder that a studio shows: the runs below it, their learning curves, and sentences to try them with.

Every path that comes from the page is resolved here and must lead to a place below the folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fewlex.data import Example, load
from fewlex.errors import FewlexError, RunError
from fewlex.metrics import Milestone, read_metrics
from fewlex.own_files import MEMBERS, require_files
from fewlex.run import Run
from fewlex.unfinished import can_be_kept

DEPTH = 3
"""How many folders below the studio's folder a run may lie."""
MOST_RUNS = 1000
CURVE_POINTS = 400
MOST_SAMPLES = 1000
GENERATED = ("colors", "scan")
"""Data sets that need no file, so that their sentences are always at hand."""


@dataclass(frozen=True)
class RunCard:
    """What the list of runs says of one of them."""

    path: str
    """Relative to the folder; this is how the page names the run."""
    state: str
    """`finished`, or `unfinished` where there is no result yet."""
    data: str = ""
    preset: str = ""
    seconds: float | None = None
    updates: int | None = None
    has_checkpoint: bool = False
    problem: str = ""
    """Why the run cannot be used."""


class Library:
    """The runs below one folder."""

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder).resolve()

    def place(self, path: str) -> Path:
        """A path below the folder; links and dots are followed first, so that they lead nowhere else."""
        if "\0" in path:
            raise RunError("the name of the run holds a NUL character. Choose a run from the list.")
        found = (self.folder / path).resolve()
        if found == self.folder or not found.is_relative_to(self.folder):
            raise RunError(f"{path!r} is not below the folder of this studio. Choose a run from the list.")
        return found

    def run(self, path: str) -> Run:
        return Run.open(self.place(path))

    def cards(self) -> list[RunCard]:
        """All runs, the newest first."""
        found = sorted(self._run_folders(), key=_age)
        return [self.card(folder) for folder in found[:MOST_RUNS]]

    def card(self, folder: Path) -> RunCard:
        run, path = Run(folder), folder.relative_to(self.folder).as_posix()
        try:
            require_files(folder)
            data = str(run.read_json("knowledge.json").get("data", ""))
            result = run.read_json("result.json") if run.is_finished else {}
        except FewlexError as error:
            return RunCard(path, "unfinished", problem=str(error))
        return RunCard(
            path,
            "finished" if run.is_finished else "unfinished",
            data,
            str(result.get("preset", "")),
            result.get("seconds"),
            result.get("updates"),
            can_be_kept(run),
        )

    def curve(self, path: str) -> list[Milestone]:
        """The metrics of a run, thinned to what a chart can show."""
        rows = list(metrics_of(self.run(path)))
        step = -(-len(rows) // CURVE_POINTS) or 1
        return [row for i, row in enumerate(rows) if i % step == 0 or i == len(rows) - 1]

    def samples(self, path: str) -> list[dict[str, str]]:
        """Sentences of the data that judges the run, with what they should become; none if the data is not at hand."""
        data = str(self.run(path).read_json("knowledge.json").get("data", ""))
        corpus = load(self._own_data(data)) if data.partition(":")[0] not in GENERATED else load(data)
        examples: tuple[Example, ...] = corpus[corpus.evaluation_split]
        return [
            {"source": " ".join(e.source), "target": " ".join(e.target), "category": e.category}
            for e in examples[:MOST_SAMPLES]
        ]

    def _own_data(self, data: str) -> str:
        """The data of a run, if it lies below the folder: nothing else may be read on behalf of a page."""
        found = Path(data).resolve()
        if not found.is_relative_to(self.folder) or not found.exists():
            raise RunError(f"the data {data!r} does not lie in the folder of this studio. Drop a file.")
        return str(found)

    def _run_folders(self) -> Iterator[Path]:
        for root, folders, files in os.walk(self.folder):
            here = Path(root)
            if "config.toml" in files and "knowledge.json" in files and here != self.folder:
                yield here
                folders[:] = [name for name in folders if name != MEMBERS]
            deep = len(here.relative_to(self.folder).parts) >= DEPTH
            folders[:] = [] if deep else [name for name in folders if not name.startswith(".")]


def _age(folder: Path) -> float:
    """The smaller, the newer; a folder whose config is a link that leads nowhere comes last."""
    try:
        return -(folder / "config.toml").stat().st_mtime
    except OSError:
        return 0.0


def metrics_of(run: Run) -> Iterator[Milestone]:
    """The whole lines of metrics.jsonl; a training that is under way may be writing the last one."""
    return read_metrics(run.path / "metrics.jsonl")
