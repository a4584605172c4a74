"""The file metrics.jsonl of a run: one JSON object a line, written after each epoch or validation."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from fewlex.errors import DamagedError
from fewlex.seal import check
from fewlex.strict import StrictError, parse_json

Milestone = dict[str, float]
"""The figures that one line reports, by name."""


def read_metrics(path: Path) -> Iterator[Milestone]:
    """The whole lines of a metrics file. A damaged line is left out, and so is what is no number."""
    try:
        lines = path.read_bytes().splitlines()
    except FileNotFoundError:
        return
    for line in lines:
        try:
            check(line, str(path))
            row = parse_json(line.decode(errors="replace"))
        except (DamagedError, StrictError):
            continue
        if isinstance(row, dict):
            yield {name: figure for name, figure in row.items() if _is_number(figure)}


def _is_number(figure: object) -> bool:
    return isinstance(figure, int | float) and not isinstance(figure, bool)
