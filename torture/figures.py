"""Figures: what was tried, how often, and how often it held; as JSON, and as the tables of docs/reliability.md."""

from __future__ import annotations

import dataclasses
import json
import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fewlex.files import atomic_write_text
from fewlex.version import __version__

HERE = Path(__file__).parent
JSON = HERE / "figures.json"
FOUND = HERE / "found"
"""What has broken something is kept here."""
PAGE = HERE.parent / "docs" / "reliability.md"
BEGIN, END = "<!-- figures: begin (written by `make torture`) -->", "<!-- figures: end -->"


@dataclass(frozen=True)
class Row:
    """One thing that was tried. It held if `held` equals `tried` and something was tried at all."""

    what: str
    """What was done and what should be so afterwards, in words for a reader: "SIGKILL in `fewlex train`"."""
    tried: int
    held: int
    note: str = ""
    """What did not hold, or what a reader must know about the figure; `{count}` stands for the next member."""
    count: int = 0
    """A number for the note, which is added up over several runs."""

    @property
    def is_good(self) -> bool:
        return 0 < self.tried == self.held

    @property
    def told(self) -> str:
        """The note with its number."""
        return self.note.replace("{count}", f"{self.count:,}")

    def plus(self, other: Row) -> Row:
        """The same thing, tried in two runs. If both say the same about it, this is said once, with one number."""
        tried, held = self.tried + other.tried, self.held + other.held
        if self.note == other.note:
            return Row(self.what, tried, held, self.note, self.count + other.count)
        notes = dict.fromkeys(note for note in (self.told, other.told) if note)
        return Row(self.what, tried, held, "; ".join(notes))


Figures = Sequence[Row]
"""What a part of the torture returns."""


def record(
    parts: Mapping[str, Figures], minutes: float, seconds: Mapping[str, float], *, adds: bool = False
) -> None:
    """Put new figures in the place of the old ones of the same parts, in the JSON file and on the page.

    With `adds`, they are added to the old ones, row by row, as are the seconds: several runs of the same code count
    together.
    """
    known = json.loads(JSON.read_text(encoding="utf-8")) if JSON.exists() else {}
    for name, rows in parts.items():
        old = known.get(name, {}) if adds else {}
        kept = {row["what"]: Row(**row) for row in old.get("rows", [])}
        kept |= {row.what: kept[row.what].plus(row) if row.what in kept else row for row in rows}
        known[name] = {
            "date": datetime.now(UTC).date().isoformat(),
            "fewlex": __version__,
            "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
            "minutes": minutes,
            "seconds": round(seconds[name] + old.get("seconds", 0), 1),
            "rows": [dataclasses.asdict(row) for row in kept.values()],
        }
    atomic_write_text(JSON, json.dumps(known, ensure_ascii=False, indent=1) + "\n")
    atomic_write_text(PAGE, with_figures(PAGE.read_text(encoding="utf-8"), known))


def with_figures(page: str, known: Mapping[str, Any]) -> str:
    """The page with the tables of these figures between its two marks."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{''.join(_section(name, known[name]) for name in known)}{END}{after}"


def table(rows: Iterable[Row]) -> str:
    """Rows as a Markdown table."""
    lines = ["| what | tried | held | |", "|---|---|---|---|"]
    lines += [f"| {row.what} | {row.tried:,} | {row.held:,} | {row.told} |" for row in rows]
    return "\n".join(lines) + "\n"


def _section(name: str, part: Mapping[str, Any]) -> str:
    rows = [Row(**row) for row in part["rows"]]
    made = f"{part['date']}, fewlex {part['fewlex']}, {part['machine']}, {part['seconds']:,.0f} s"
    return f"### {name}\n\n{made}.\n\n{table(rows)}\n"
