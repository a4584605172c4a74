"""Lexicons on disk. The extension of the file decides the format: JSON keeps all, TSV (for spreadsheets) the entries.

JSON has one source word on each line, so that people can read, edit and compare it:

    {"format": "fewlex-lexicon", "version": 1, "provenance": {"method": "simple"}, "rows": {
    "dax": {"RED": {"weight": 6.0, "origin": "simple", "dice": 1.0}}
    }}

TSV has a header. The columns `source`, `target` and `weight` must be there; `origin`, `dice` and `like` may be.
Both formats write `like` only if an entry has it. A cell that a spreadsheet would take for a formula that calls
something is written with an apostrophe in front, which is taken off again when the file is read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from fewlex.errors import LexiconError, did_you_mean
from fewlex.files import atomic_write
from fewlex.lexicon.entry import PERSON, Entry, Line, checked_line
from fewlex.printable import as_cell, from_cell
from fewlex.seal import read_sealed_text, seal_json
from fewlex.strict import RepeatedKeyError, StrictError, parse_json

FORMAT = "fewlex-lexicon"
VERSION = 1
REQUIRED_COLUMNS = ("source", "target", "weight")
OPTIONAL_COLUMNS = ("origin", "dice", "like")
FIELDS = frozenset({"weight", *OPTIONAL_COLUMNS})

Provenance = Mapping[str, object]

_ENCODER = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False
)  # `json.dumps` would make a new one for every word


def write_lexicon(path: Path, lines: Iterable[Line], provenance: Provenance, edits: int = 0) -> None:
    """Write lines, grouped by source word, to a `.json` or `.tsv` file; it is written whole or not at all.

    `edits` is the number of the last logged edit that led to these lines; JSON keeps it, and a seal.
    """
    data = seal_json(to_json(lines, provenance), edits) if _is_json(path) else to_tsv(lines).encode()
    with atomic_write(path) as file:
        file.write(data)


def read_lexicon(path: Path) -> tuple[list[Line], Provenance]:
    """The lines and the provenance of a `.json` or `.tsv` file; a `.tsv` file has no provenance."""
    _is_json(path)  # a file of another kind is told so before it is read
    try:
        text = read_sealed_text(path)
    except UnicodeDecodeError as error:
        raise LexiconError(f"{path}: byte {error.start + 1} is not UTF-8. Save the file as UTF-8.") from error
    except OSError as error:
        raise LexiconError(f"cannot read the lexicon {path}: {error.strerror}. Check its name.") from error
    return parse_lexicon(path, text)


def parse_lexicon(path: Path, text: str) -> tuple[list[Line], Provenance]:
    """The lines and the provenance in a text; messages call it `path`, whose ending says the format."""
    return _from_json(path, text) if _is_json(path) else (_from_tsv(path, text), {})


def _is_json(path: Path) -> bool:
    """Whether the file is JSON and not TSV, by the ending of its name."""
    if path.suffix not in (".json", ".tsv"):
        raise LexiconError(f"{path}: a lexicon is a .json or .tsv file. Give its name one of these endings.")
    return path.suffix == ".json"


def to_json(lines: Iterable[Line], provenance: Provenance) -> str:
    """A lexicon as JSON, with one source word on each line."""
    rows = []
    for source, row in groupby(lines, key=lambda line: line[0]):
        translations = {target: to_fields(entry) for _, target, entry in row}
        rows.append(f"{_compact(source)}: {_compact(translations)}")
    head = _compact({"format": FORMAT, "version": VERSION, "provenance": dict(provenance)})
    return f'{head[:-1]}, "rows": {{\n' + ",\n".join(rows) + "\n}}\n"


def to_fields(entry: Entry) -> dict[str, float | str]:
    """An entry as a JSON object; `to_line` reads it."""
    fields: dict[str, float | str] = {"weight": entry.weight, "origin": entry.origin, "dice": entry.dice}
    return fields | {"like": entry.like} if entry.like else fields


def _compact(value: object) -> str:
    return _ENCODER.encode(value)


def _from_json(path: Path, text: str) -> tuple[list[Line], Provenance]:
    document = _parsed(path, text)
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise LexiconError(f"{path} is not a lexicon. Write one with `fewlex lexicon learn`.")
    if document.get("version") != VERSION:
        raise LexiconError(
            f"{path} is a lexicon of version {document.get('version')!r}; this fewlex reads version {VERSION}. "
            "Install the newest fewlex."
        )
    rows, provenance = document.get("rows"), document.get("provenance", {})
    if not isinstance(rows, dict) or not all(isinstance(part, dict) for part in (provenance, *rows.values())):
        shape = '{"dax": {"RED": {"weight": 1}}}'
        raise LexiconError(
            f"{path}: the rows are not of the form {shape}. Correct them, or learn the lexicon again."
        )
    lines: list[Line] = []
    for source, row in rows.items():
        try:
            for target, fields in row.items():
                lines.append(to_line(source, target, fields))
        except LexiconError as error:
            raise LexiconError(f"{path}:{_line_number(text, source)}: {error}") from error
    return lines, provenance


def _parsed(path: Path, text: str) -> Any:
    try:
        return parse_json(text)
    except RepeatedKeyError as error:
        raise LexiconError(f"{path}:{error.line}: {error}. Keep one of them.") from error
    except StrictError as error:
        where = f"{path}:{error.line}" if error.line else str(path)
        raise LexiconError(f"{where}: this is not JSON ({error}). Correct that place.") from error


def _line_number(text: str, key: str) -> int:
    """The first line that has this JSON key, or 1 if the key is written in an unusual way and cannot be found."""
    return text.count("\n", 0, max(text.find(f"{_compact(key)}:"), 0)) + 1


def to_tsv(lines: Iterable[Line], optional: Sequence[str] = ("origin", "dice")) -> str:
    """A table with a header, with these optional columns, and with `like` if an entry has it."""
    lines = list(lines)
    columns = ["weight", *optional, *(["like"] if any(entry.like for _, _, entry in lines) else [])]
    rows = [
        [as_cell(source), as_cell(target), *(_cell(to_fields(entry).get(column, "")) for column in columns)]
        for source, target, entry in lines
    ]
    return "".join("\t".join(row) + "\n" for row in (["source", "target", *columns], *rows))


def _cell(value: float | str) -> str:
    return as_cell(value) if isinstance(value, str) else str(value)


def _from_tsv(path: Path, text: str) -> list[Line]:
    numbered = [(number, row.split("\t")) for number, row in enumerate(text.split("\n"), start=1) if row]
    header = numbered[0][1] if numbered else []
    optional = header[len(REQUIRED_COLUMNS) :]
    in_order = [column for column in OPTIONAL_COLUMNS if column in optional]
    if header != [*REQUIRED_COLUMNS, *in_order]:
        columns = " ".join((*REQUIRED_COLUMNS, *OPTIONAL_COLUMNS))
        raise LexiconError(f"{path}:1: the header is not `{columns}`, separated by tabs. Add it.")
    lines: dict[tuple[str, str], Line] = {}
    for number, values in numbered[1:]:
        try:
            line = _tsv_line(header, values)
            if line[:2] in lines:
                raise LexiconError(f"{line[0]!r} ↦ {line[1]!r} is there a second time. Keep one of them.")
        except LexiconError as error:
            raise LexiconError(f"{path}:{number}: {error}") from error
        lines[line[:2]] = line
    return list(lines.values())


def _tsv_line(header: Sequence[str], values: Sequence[str]) -> Line:
    if header[-1] == "like" and len(values) == len(header) - 1:
        values = [*values, ""]  # many editors remove the tab before an empty last cell
    if len(values) != len(header):
        raise LexiconError(f"{len(values)} columns, but the header has {len(header)}. Separate them by tabs.")
    source, target, *fields = map(from_cell, values)
    return to_line(source, target, dict(zip(header[2:], fields, strict=True)))


def to_line(source: str, target: str, fields: Any) -> Line:
    """One line from the fields of an entry, in either format."""
    if not isinstance(fields, dict) or "weight" not in fields:
        raise LexiconError(f'{source!r} ↦ {target!r} has no weight. Write {{"weight": 1}}.')
    if not FIELDS.issuperset(fields):
        name = next(name for name in fields if name not in FIELDS)
        raise LexiconError(f"{source!r} has an unknown field {name!r}. {did_you_mean(name, sorted(FIELDS))}")
    try:
        weight, dice = float(fields["weight"]), float(fields.get("dice", 0.0))
    except (OverflowError, TypeError, ValueError) as error:
        raise LexiconError(
            f"{source!r} ↦ {target!r} has a weight or Dice coefficient that is not a number. Give plain numbers."
        ) from error
    origin, like = str(fields.get("origin", PERSON)), str(fields.get("like", ""))
    return checked_line(source, target, Entry(weight, origin, dice, like))
