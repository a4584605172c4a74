"""Tables of text, in one dialect for all commands: pairs, glossaries, taught words.

A `.csv` file has commas (or semicolons) and quotes as spreadsheets write them. Every other table has tabs and no
quotes, so a quotation mark is a character like any other. The first line is a header if it names the source and
the target. The columns may then come in any order, and columns with other names are left out.
Without a header the first two columns are source and target.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fewlex.data.lines import LineError, located, numbered_lines

NAMES = {
    "source": ("source", "src", "input", "question", "prompt", "command", "utterance", "sentence"),
    "target": ("target", "tgt", "output", "answer", "completion", "response", "call", "query", "translation"),
    "category": ("category", "group"),
    "like": ("like",),
    "weight": ("weight",),
    "origin": ("origin",),
    "dice": ("dice",),
}
"""Our name of a column, and all names by which a header may call it."""

_OURS = {name: ours for ours, names in NAMES.items() for name in names}


@dataclass(frozen=True)
class Header:
    """The names of the columns, as fewlex calls them."""

    columns: tuple[str, ...]

    @classmethod
    def of(cls, cells: Sequence[str]) -> Header | None:
        """The header that these cells are; None where they are a line like any other."""
        found = tuple(map(column_of, cells))
        ours = [name for name in found if name]
        is_header = len(set(ours)) == len(ours) and {"source", "target"} <= set(ours)
        return cls(found) if is_header else None


Numbered = tuple[int, list[str]]
"""A line number and the cells of that line."""


def read_cells(path: str | Path) -> Iterator[Numbered]:
    """The cells of each line of a table, which may be a header."""
    return split_cells(path, numbered_lines(path))


def split_cells(path: str | Path, lines: Iterable[tuple[int, str]]) -> Iterator[Numbered]:
    """The same for lines that were read already."""
    if Path(path).suffix == ".csv":
        yield from _csv_cells(path, lines)
        return
    for number, line in lines:
        yield number, line.split("\t")


def column_of(name: str) -> str:
    """Our name for what a header or a JSON key may call otherwise; '' if it is none of ours."""
    return _OURS.get(name.strip().lower(), "")


def named_cells(cells: Sequence[str], columns: Sequence[str]) -> Mapping[str, str]:
    """The cells of a line by the names of their columns; a last cell that is empty may be missing."""
    if len(cells) == len(columns) - 1 and columns[-1] not in ("source", "target"):
        cells = [*cells, ""]  # many editors remove the tab before an empty last cell
    if len(cells) != len(columns):
        found = "1 column" if len(cells) == 1 else f"{len(cells)} columns"
        raise LineError(
            f"{found} where {len(columns)} are expected", "Give every line the columns of the header."
        )
    return dict(zip(columns, cells, strict=True))


def _csv_cells(path: str | Path, lines: Iterable[tuple[int, str]]) -> Iterator[Numbered]:
    texts = (f"{line}\n" for _, line in lines)
    first = next(texts, "")
    delimiter = ";" if ";" in first and "," not in first else ","

    def all_lines() -> Iterator[str]:
        yield first
        yield from texts

    reader = csv.reader(all_lines(), delimiter=delimiter, strict=True)
    while True:
        number = reader.line_num + 1
        with located(path, number):
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                raise LineError(
                    f"this is not CSV ({error})", "Put cells with commas or quotes between double quotes."
                ) from None
        yield number, cells
