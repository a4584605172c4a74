"""`python -m torture --minutes 10 [--only PART] [--seed N] [--record]`: run the parts, print what held, say so by the
exit code."""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from torture import coverage_guided, disk, inputs, kills, load, numbers, rot, sizes, together
from torture.figures import Figures, Row, record, table


@dataclass(frozen=True)
class Part:
    """A part of the torture."""

    run: Callable[[float, random.Random], Figures]
    """Called with the seconds that it may take and where its chance comes from."""
    weight: float
    """Its share of the time, relative to the other parts."""
    beside: float = 0.0
    """The seconds that it takes beside the others, in a process of its own; 0 if it has its turn like any other."""


PARTS = {
    "kills": Part(kills.run, weight=7),
    "together": Part(together.run, weight=1),
    "disk": Part(disk.run, weight=1),
    "rot": Part(rot.run, weight=2),
    "numbers": Part(numbers.run, weight=1),
    "load": Part(load.run, weight=1, beside=300),
    "inputs": Part(inputs.run, weight=4),
    "requests": Part(inputs.run_requests, weight=2),
    "guided": Part(lambda seconds, rng: [*coverage_guided.run(seconds, rng)], weight=1),
    "sizes": Part(sizes.run, weight=3),
}


def main() -> int:
    """Run the wanted parts; 1 if anything did not hold."""
    parser = argparse.ArgumentParser(prog="python -m torture", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10, help="for all parts, and also for one alone")
    parser.add_argument("--only", choices=PARTS, action="append", help="run this part; may be repeated")
    parser.add_argument("--seed", type=int, default=None, help="of everything random; printed at the start")
    parser.add_argument("--kill", default="", help="with --only kills: this command alone, such as import")
    parser.add_argument(
        "--add", action="store_true", help="with --record: add the figures to the recorded ones"
    )
    parser.add_argument("--record", action="store_true", help="write figures.json and docs/reliability.md")
    wanted = parser.parse_args()
    seed = random.randrange(1 << 32) if wanted.seed is None else wanted.seed
    print(f"seed {seed}", flush=True)
    chosen = {name: PARTS[name] for name in (wanted.only or PARTS)}
    if wanted.kill:
        chosen = {"kills": Part(partial(kills.run, wanted=wanted.kill), weight=1)}
    beside = {name: part for name, part in chosen.items() if part.beside and len(chosen) > 1}
    turns = {name: part for name, part in chosen.items() if name not in beside}
    whole = sum(part.weight for part in turns.values())
    figures: dict[str, list[Row]] = {}

    def ended(name: str, rows: Figures, seconds: float) -> None:
        figures[name] = list(rows)
        print(f"\n{name}: {seconds:.0f} s\n{table(rows)}", flush=True)
        if wanted.record:
            record({name: rows}, wanted.minutes, {name: seconds}, adds=wanted.add)

    started = {name: _begun(part, random.Random(f"{seed}/{name}")) for name, part in beside.items()}
    for name, part in turns.items():
        ended(name, *_timed(part, 60 * wanted.minutes * part.weight / whole, random.Random(f"{seed}/{name}")))
    for name, rows in started.items():
        ended(name, *rows())
    bad = [f"{name}: {row.what}" for name, rows in figures.items() for row in rows if not row.is_good]
    print("\n".join(["did not hold:", *bad]) if bad else "everything held")
    return 1 if bad else 0


def _timed(part: Part, seconds: float, rng: random.Random) -> tuple[Figures, float]:
    """The figures of a part, and how long it took."""
    began = time.monotonic()
    return part.run(seconds, rng), time.monotonic() - began


def _begun(part: Part, rng: random.Random) -> Callable[[], tuple[Figures, float]]:
    """Begin a part that runs beside the others; call what is returned to wait for its figures.

    It is a fork and no thread, since the others fork too.
    """
    fork = multiprocessing.get_context("fork")
    here, there = fork.Pipe(duplex=False)
    process = fork.Process(target=lambda: there.send(_timed(part, part.beside, rng)))
    process.start()
    there.close()  # so that waiting ends when the process does

    def ended() -> tuple[Figures, float]:
        try:
            told: tuple[Figures, float] = here.recv()
        except EOFError:
            told = [Row("it has ended in an error, which stands above", 1, 0)], 0.0
        process.join()
        return told

    return ended


if __name__ == "__main__":
    sys.exit(main())
