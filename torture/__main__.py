"""`python -m torture --minutes 10 [--only PART] [--seed N] [--record]`: run the parts, print what held, say so by the
exit code."""

from __future__ import annotations

import argparse
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


PARTS = {
    "kills": Part(kills.run, weight=7),
    "together": Part(together.run, weight=1),
    "disk": Part(disk.run, weight=1),
    "rot": Part(rot.run, weight=2),
    "numbers": Part(numbers.run, weight=1),
    "load": Part(load.run, weight=3),
    "inputs": Part(inputs.run, weight=5),
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
    parser.add_argument("--record", action="store_true", help="write figures.json and docs/reliability.md")
    wanted = parser.parse_args()
    seed = random.randrange(1 << 32) if wanted.seed is None else wanted.seed
    print(f"seed {seed}", flush=True)
    chosen = {name: PARTS[name] for name in (wanted.only or PARTS)}
    if wanted.kill:
        chosen = {"kills": Part(partial(kills.run, wanted=wanted.kill), weight=1)}
    whole = sum(part.weight for part in chosen.values())
    figures: dict[str, list[Row]] = {}
    seconds: dict[str, float] = {}
    for name, part in chosen.items():
        started = time.monotonic()
        rng = random.Random(f"{seed}/{name}")
        figures[name] = list(part.run(60 * wanted.minutes * part.weight / whole, rng))
        seconds[name] = time.monotonic() - started
        print(f"\n{name}: {seconds[name]:.0f} s\n{table(figures[name])}", flush=True)
        if wanted.record:
            record({name: figures[name]}, wanted.minutes, seconds, adds=bool(wanted.kill))
    bad = [f"{name}: {row.what}" for name, rows in figures.items() for row in rows if not row.is_good]
    print("\n".join(["did not hold:", *bad]) if bad else "everything held")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
