"""Rule books on disk; the extension picks the format: JSON keeps everything, `.txt` is the text form for people.

JSON has one rule and one word a line, so that people can read and compare it:

    {"format": "fewlex-rules", "version": 1, "measured": {…}, "calibration": {…}, …, "sentences": {"R1": 10},
    "rules": [
    {"name": "R1", "rule": "_ twice ↦ #0 #0", "fillers": [{"C0": 12}], "count": 12, "example": "walk twice"}
    ],
    "words": [
    {"source": "walk", "target": "I_WALK", "kind": "C0", "habits": {"R1#0": 3}}
    ]}
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any, NotRequired, TypedDict, TypeVar

from fewlex.errors import RuleError, did_you_mean
from fewlex.files import atomic_write
from fewlex.rules.book import Calibration, Measured, RuleBook, Word
from fewlex.rules.rule import LEARNED, Rule
from fewlex.rules.text import from_text, read_sides, to_text
from fewlex.seal import read_sealed_text, seal_json
from fewlex.strict import Count, Share, StrictError, Within, checked, parse_json

FORMAT = "fewlex-rules"
VERSION = 1
FILE_NAME = "rules.json"
"""The rule book of a run folder."""

Often = Annotated[int, Within(1, 2**53)]
"""How often something was met; what was never met is not written down."""


class RuleContent(TypedDict):
    """A rule as a JSON object."""

    name: str
    rule: str
    fillers: NotRequired[list[dict[str, Often]]]
    count: NotRequired[Count]
    origin: NotRequired[str]
    example: NotRequired[str]


class WordContent(TypedDict):
    """A word as a JSON object."""

    source: str
    target: str
    kind: str
    origin: NotRequired[str]
    habits: NotRequired[dict[str, Often]]


class BookContent(TypedDict):
    """What a book has besides rules and words."""

    sentences: NotRequired[dict[str, Often]]
    is_open_ended: NotRequired[bool]
    calibration: NotRequired[dict[str, Any]]
    measured: NotRequired[Measured]


_GRADE = re.compile(r"\d{1,9}", re.ASCII)
_HABIT = re.compile(r"[^#]+#\d{1,3}", re.ASCII)

Content = TypeVar("Content")
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


def save_rules(book: RuleBook, path: Path | str, edits: int = 0) -> None:
    """Write a book to a `.json` or `.txt` file, whole or not at all.

    `edits` is the number of the last logged edit that led to this book; JSON keeps it, and a seal.
    """
    path = Path(path)
    data = seal_json(to_json(book), edits) if _is_json(path) else to_text(book).encode()
    with atomic_write(path) as file:
        file.write(data)


def load_rules(path: Path | str) -> RuleBook:
    """The book in a `.json` or `.txt` file, or in a run folder."""
    path = Path(path)
    if path.is_dir():
        path = path / FILE_NAME
    is_json = _is_json(path)
    try:
        text = read_sealed_text(path)
    except UnicodeDecodeError as error:
        raise RuleError(f"{path}: byte {error.start + 1} is not UTF-8. Save the file as UTF-8.") from error
    except OSError as error:
        raise RuleError(
            f"cannot read the rules {path}: {error.strerror}. Check its name, or write it with "
            "`fewlex rules learn`."
        ) from error
    return from_json(text, str(path)) if is_json else from_text(text, str(path))


def _is_json(path: Path) -> bool:
    if path.suffix not in (".json", ".txt"):
        raise RuleError(f"{path}: rules are a .json or .txt file. Give its name one of these endings.")
    return path.suffix == ".json"


def to_json(book: RuleBook) -> str:
    head = _ENCODER.encode(
        {
            "format": FORMAT,
            "version": VERSION,
            "measured": asdict(book.measured),
            "calibration": asdict(book.calibration),
            "is_open_ended": book.is_open_ended,
            "sentences": dict(book.sentences),
        }
    )
    rules = ",\n".join(_ENCODER.encode(rule_fields(rule)) for rule in book.rules)
    words = ",\n".join(_ENCODER.encode(word_fields(word)) for word in book.words)
    return f'{head[:-1]},\n"rules": [\n{rules}\n],\n"words": [\n{words}\n]}}\n'


def rule_fields(rule: Rule) -> dict[str, Any]:
    """A rule as a JSON object; `rule_from` reads it. What is as usual is left out."""
    fields: dict[str, Any] = {"name": rule.name, "rule": str(rule)}
    if any(rule.fillers):
        fields["fillers"] = [dict(fillers) for fillers in rule.fillers]
    if rule.count:
        fields["count"] = rule.count
    if rule.origin != LEARNED:
        fields["origin"] = rule.origin
    return fields | ({"example": " ".join(rule.example)} if rule.example else {})


def word_fields(word: Word) -> dict[str, Any]:
    """A word as a JSON object; `word_from` reads it."""
    fields: dict[str, Any] = {"source": word.term, "target": " ".join(word.target), "kind": word.kind}
    if word.origin != LEARNED:
        fields["origin"] = word.origin
    return fields | ({"habits": dict(word.habits)} if word.habits else {})


def rule_from(fields: Any) -> Rule:
    _check_fields(fields, RuleContent, ("name", "rule"), "rule")
    told = checked(fields, RuleContent)
    source, target = read_sides(told["rule"])
    n_holes = sum(isinstance(symbol, int) for symbol in source)
    return Rule(
        told["name"],
        source,
        target,
        tuple(told.get("fillers", [{}] * n_holes)),
        told.get("count", 0),
        told.get("origin", LEARNED),
        tuple(told.get("example", "").split()),
    )


def word_from(fields: Any) -> Word:
    _check_fields(fields, WordContent, ("source", "target", "kind"), "word")
    told = checked(fields, WordContent)
    habits = told.get("habits", {})
    if wrong := [hole for hole in habits if not _HABIT.fullmatch(hole)]:
        raise RuleError(
            f"{wrong[0]!r} is no hole that a word can fill. Write a rule and a hole, such as R3#0."
        )
    source = tuple(told["source"].split())
    if not source:
        raise RuleError("a word has an empty source. Write the word.")
    return Word(source, tuple(told["target"].split()), told["kind"], told.get("origin", LEARNED), habits)


def _check_fields(fields: Any, kind: Any, required: tuple[str, ...], what: str) -> None:
    """The mistakes that people make who write rules by hand; `checked` finds the others."""
    known = list(kind.__annotations__)
    if not isinstance(fields, dict):
        raise RuleError(f"a {what} is no JSON object. Write {{{', '.join(map(repr, required))}}}.")
    for name in fields:
        if name not in known:
            raise RuleError(f"a {what} has a field {name!r}. {did_you_mean(name, known)}")
    for name in required:
        if not isinstance(fields.get(name), str):
            raise RuleError(f"a {what} has no {name!r}. Add it, as text.")


def from_json(text: str, where: str) -> RuleBook:
    """The book in a JSON text; `where` names it in error messages."""
    try:
        document = parse_json(text)
    except StrictError as error:
        place = f"{where}:{error.line}" if error.line else where
        raise RuleError(f"{place}: not JSON ({error}). Mend that place.") from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise RuleError(f"{where} holds no rules. Write some with `fewlex rules learn`.")
    if document.get("version") != VERSION:
        raise RuleError(
            f"{where} has rules of version {document.get('version')!r}; this fewlex reads version {VERSION}. "
            "Install the newest fewlex."
        )
    rules = _listed(document, "rules", rule_from, text, where)
    words = _listed(document, "words", word_from, text, where)
    try:
        told = checked(document, BookContent)
        return RuleBook(
            rules,
            words,
            told.get("sentences", {}),
            is_open_ended=told.get("is_open_ended", False),
            calibration=_calibration(told.get("calibration", {})),
            measured=told.get("measured", Measured()),
        )
    except RuleError as error:
        raise RuleError(f"{where}: {error}") from error
    except StrictError as error:
        raise RuleError(
            f"{where}: 'sentences', 'calibration' or 'measured' is damaged ({error}). Learn the rules again."
        ) from error


def _listed(
    document: Mapping[str, Any], key: str, read: Callable[[Any], Content], text: str, where: str
) -> tuple[Content, ...]:
    made = []
    listed = document.get(key, [])
    if not isinstance(listed, list):
        raise RuleError(f"{where}: {key!r} is no list. Write {key}: [ … ].")
    for fields in listed:
        try:
            made.append(read(fields))
        except (RuleError, StrictError) as error:
            raise RuleError(f"{where}:{_line_number(text, fields)}: {error}") from error
    return tuple(made)


def _line_number(text: str, fields: Any) -> int:
    """The line on which an item stands, as we write it; 1 where somebody has laid the file out differently."""
    first = _ENCODER.encode(fields)[:-1].split(", ")[0]
    place = text.find(first)
    return text.count("\n", 0, max(place, 0)) + 1


def _calibration(fields: Mapping[str, Any]) -> Calibration:
    """JSON has no numbers as keys, so the grades are texts there."""
    precision = {}
    for grade, share in checked(fields.get("precision", {}), dict[str, Share], "precision").items():
        if not _GRADE.fullmatch(grade):
            raise StrictError(f"precision has a grade {grade!r}, which is no number")
        precision[int(grade)] = share
    others = {name: value for name, value in fields.items() if name != "precision"}
    return replace(checked(others, Calibration, "calibration"), precision=precision)
