"""Bad input: mutations of valid files at every reader. Only a FewlexError may come out, in bounded time and memory.

This fuzzer mutates bytes and the shape of JSON, which gets past the first checks; `coverage_guided` finds
what nobody thought of. An input that broke something is kept in `torture/found/`, and
`python -m torture.inputs SURFACE FILE` feeds it again.
"""

from __future__ import annotations

import hashlib
import random
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from fewlex.data.registry import load
from fewlex.errors import FewlexError
from fewlex.model.trust import Trust
from fewlex.remembered import Remembered
from fewlex.run import Run
from torture import parameters
from torture.api import api, real_server
from torture.command import rules_run
from torture.figures import FOUND, Figures, Row
from torture.limits import limit, watched
from torture.surfaces import READERS, STORAGE, Surface, readers, settings, storage

IN_MEMORY = Path("/dev/shm")
"""A folder that is no disk, where there is one: a million small files a minute would wear a disk out."""
SLOWEST = 5
"""Seconds of computing that one small input may take."""
MOST_MEMORY = 1 << 30
"""Bytes that the whole fuzzing process may take, which reads inputs of a few kilobytes one after the other."""
MOST = 1_000_000
"""Executions of readers, and of storage, after which there is nothing new to be expected."""
ROUND = 200
"""Executions at a surface of weight 1 before the next one has its turn."""


@dataclass
class Tally:
    """What happened at one surface."""

    tried: int = 0
    refused: int = 0
    broken: Counter[str] = field(default_factory=Counter)


def run(seconds: float, rng: random.Random) -> Figures:
    """Small files and settings."""
    return _fed(files, seconds, rng)


def run_requests(seconds: float, rng: random.Random) -> Figures:
    """Requests, weights, checkpoints, parameters, and raw bytes at a real server."""
    with watched():
        grid = parameters.grid()
    return [*_fed(requests, 0.5 * seconds, rng), grid, real_server(min(120, 0.2 * seconds), rng)]


def _fed(surfaces: Callable[[Path], dict[str, Surface]], seconds: float, rng: random.Random) -> list[Row]:
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None) as folder:
        found = surfaces(Path(folder))
        tallies = {name: Tally() for name in found}
        with watched():
            _share_out(found, tallies, end, rng)
    return [*_rows(found, tallies)]


def requests(folder: Path) -> dict[str, Surface]:
    """The surfaces that are no small files; their files are in this folder."""
    from torture.tensors import tensors  # it loads torch, which the fuzzer of files does not need

    return {**dict([api(_edited(folder / "served" / "run"))]), **dict(tensors(folder))}


def files(folder: Path) -> dict[str, Surface]:
    """The surfaces that are small files or settings."""
    return {**dict(readers(folder)), **dict(storage(folder, _edited(folder / "run"))), **dict(settings())}


def _edited(path: Path) -> Path:
    """A run of rules with edits of its lexicon and of its rules, a measured confidence and a memory."""
    made = Run(rules_run(path))
    made.teach([made.read_knowledge().lesson("blork", "PURPLE")])
    made.rule_journal.add("_ thrice -> #0 #0 #0")
    Remembered(load("colors")["train"], Trust().numbers()).write(made)
    (path / "confidence.json").write_text('{"slope": 1.5, "intercept": 0.5, "checked": 20}')
    return path


def _share_out(found: dict[str, Surface], tallies: dict[str, Tally], end: float, rng: random.Random) -> None:
    """Feed all surfaces in turn, a round each, until the time is up or files were read a million times each.

    Every surface gets at least one round.
    """
    while True:
        for name, surface in found.items():
            for _ in range(int(ROUND * surface.weight)):
                feed(name, surface, surface.mutate(rng.choice(surface.seeds), rng), tallies[name])
        fed = [_tried(found, tallies, group) for group in (READERS, STORAGE)]
        if time.monotonic() >= end or min(fed) >= MOST:
            return


def _tried(found: dict[str, Surface], tallies: dict[str, Tally], group: str) -> int:
    return sum(tallies[name].tried for name, surface in found.items() if surface.group == group)


def feed(name: str, surface: Surface, data: bytes, tally: Tally) -> None:
    """One execution: what comes out is nothing, a FewlexError, or a finding."""
    tally.tried += 1
    try:
        limit(SLOWEST)
        surface.feed(data)
    except FewlexError:
        tally.refused += 1
    except Exception as error:
        tally.broken[f"{type(error).__name__}: {str(error)[:80]}"] += 1
        _keep(name, data)
    finally:
        limit(0)


def _keep(name: str, data: bytes) -> None:
    FOUND.mkdir(exist_ok=True)
    (FOUND / f"{name.replace(' ', '-')}-{hashlib.sha256(data).hexdigest()[:12]}").write_bytes(data)


def _rows(found: dict[str, Surface], tallies: dict[str, Tally]) -> Iterator[Row]:
    """A row for each group of surfaces, and one for the memory."""
    for group in dict.fromkeys(surface.group for surface in found.values()):
        mine = {name: tallies[name] for name, surface in found.items() if surface.group == group}
        tried = _tried(found, tallies, group)
        refused = sum(tally.refused for tally in mine.values())
        broken = [f"{name}: {what}" for name, tally in mine.items() for what in tally.broken]
        held = tried - sum(tally.broken.total() for tally in mine.values())
        note = (
            "; ".join(broken[:3])
            or f"{{count}} refused with a FewlexError, the others read: {', '.join(mine)}"
        )
        what = f"{group}: mutated input, only a FewlexError, within {SLOWEST} s"
        yield Row(what, tried, held, note, refused)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    yield Row(
        f"memory of the fuzzing process below {MOST_MEMORY >> 20:,} MiB",
        1,
        int(peak < MOST_MEMORY),
        f"{peak >> 20} MiB",
    )


def main() -> None:
    """Feed one kept input again, with its traceback."""
    name, path = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        {**files(Path(folder)), **requests(Path(folder))}[name].feed(Path(path).read_bytes())


if __name__ == "__main__":
    main()
