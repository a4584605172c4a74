"""Pairs of texts from files: tables, JSON lines, a JSON array, `source ||| target`, SCAN's own, and parallel files.

One line is one pair, in UTF-8. Whatever is odd is an error that names file and line (data/lines.py). Blank lines are
errors too: they are what a lost sentence looks like.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from fewlex.data.columns import Header, column_of, named_cells, split_cells
from fewlex.data.example import Example
from fewlex.data.json_array import CURE, array_items
from fewlex.data.limits import CUT, too_long
from fewlex.data.lines import (
    STDIN,
    BadLine,
    LineError,
    located,
    name_of,
    numbered_lines,
    stop_reading,
    told,
)
from fewlex.data.tokenizers import make_tokenizer
from fewlex.errors import DataError
from fewlex.strict import StrictError, parse_json

__all__ = ["STDIN", "SUFFIXES", "TextPair", "numbered_lines", "read_examples", "read_pairs"]

Tell = Callable[[str], None]
"""Told what a reader has decided that the user may want to know, such as that a line is a header."""


def _silent(message: str) -> None:
    pass


class TextPair(NamedTuple):
    """One line of a corpus before it is tokenized."""

    source: str
    target: str
    category: str = ""


def read_examples(
    data: str | Path,
    source_tokenizer: str = "whitespace",
    target_tokenizer: str = "whitespace",
    tell: Tell = _silent,
) -> tuple[Example, ...]:
    """The examples of a file, of standard input (`-`) or of parallel files (`source.txt,target.txt`)."""
    return tuple(stream_examples(data, source_tokenizer, target_tokenizer, tell))


def stream_examples(
    data: str | Path,
    source_tokenizer: str = "whitespace",
    target_tokenizer: str = "whitespace",
    tell: Tell = _silent,
) -> Iterator[Example]:
    """The same one after the other, so that a file may be larger than memory."""
    tokenize_source = make_tokenizer(source_tokenizer).tokenize
    tokenize_target = make_tokenizer(target_tokenizer).tokenize
    for index, (number, pair) in enumerate(_numbered_pairs(data, tell)):
        source, target = tokenize_source(pair.source), tokenize_target(pair.target)
        if not source or not target:
            side = "target" if source else "source"
            problem = f"the tokenizer finds no token in the {side}"
            raise DataError.at(name_of(data), number, problem, "Remove the line, or its odd characters.")
        if problem := too_long("source", source) or too_long("target", target):
            raise DataError.at(name_of(data), number, problem, CUT)
        yield Example(source, target, pair.category, index)


def read_pairs(data: str | Path, tell: Tell = _silent) -> Iterator[TextPair]:
    """The pairs of a file, of standard input (`-`) or of parallel files (`source.txt,target.txt`)."""
    return (pair for _, pair in _numbered_pairs(data, tell))


def read_file(path: str | Path, on_bad_line: BadLine = stop_reading) -> Iterator[TextPair]:
    """The pairs of one file. A comma in its name is part of the name, and does not stand between two parallel files."""
    return (pair for _, pair in _file_pairs(path, _silent, on_bad_line))


def read_parallel(
    source_path: str | Path, target_path: str | Path, on_bad_line: BadLine = stop_reading
) -> Iterator[TextPair]:
    """The pairs of two files whose lines belong together.

    A line that cannot be decoded ends the reading even where `on_bad_line` returns, since it would shift the others.
    """
    return (pair for _, pair in _parallel_pairs(source_path, target_path, on_bad_line))


def _numbered_pairs(data: str | Path, tell: Tell) -> Iterator[tuple[int, TextPair]]:
    source, comma, target = str(data).partition(",")
    if comma and not Path(data).exists():
        return _parallel_pairs(source, target)
    return _file_pairs(data, tell)


def _file_pairs(
    path: str | Path, tell: Tell, on_bad_line: BadLine = stop_reading
) -> Iterator[tuple[int, TextPair]]:
    """The pairs of one file; an extension of SUFFIXES names its format, any other is told by the first line."""
    lines = _without_last_blanks(numbered_lines(path, on_bad_line))
    first = next(lines, None)
    if first is None:
        return  # every line was bad, and each has been told
    suffix = Path(path).suffix
    if _begins_array(suffix, first[1]):
        yield from _array_pairs(path, chain([first], lines), on_bad_line)
        return
    with located(path, first[0]):
        parse = _parser_for(first[1]) if suffix not in SUFFIXES else None
        if suffix in (".jsonl", ".json"):
            parse = parse_jsonl
    if parse is None:
        yield from _table_pairs(path, chain([first], lines), tell, on_bad_line)
        return
    for number, line in chain([first], lines):
        with told(on_bad_line):
            with located(path, number):
                pair = parse(line)
                _check_sides(pair)
            yield number, pair


def _begins_array(suffix: str, first_line: str) -> bool:
    """True if a file that begins like this is one JSON array."""
    if suffix == ".json":
        return first_line.lstrip().startswith("[")
    is_other = suffix in SUFFIXES or "\t" in first_line or _BARS.search(first_line)
    return not is_other and re.match(r"\s*\[\s*([{\[]|$)", first_line) is not None


def _array_pairs(
    path: str | Path, lines: Iterator[tuple[int, str]], on_bad_line: BadLine
) -> Iterator[tuple[int, TextPair]]:
    for number, record in array_items(path, lines):
        with told(on_bad_line):
            with located(path, number):
                pair = _pair_of_record(record, CURE)
                _check_sides(pair)
            yield number, pair


def _without_last_blanks(lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The lines without empty ones at the end of the file, which mean nothing. Elsewhere, a sentence was lost."""
    blank: list[tuple[int, str]] = []
    for number, line in lines:
        if line:
            yield from blank
            blank = []
            yield number, line
        else:
            blank.append((number, line))


def _table_pairs(
    path: str | Path, lines: Iterator[tuple[int, str]], tell: Tell, on_bad_line: BadLine
) -> Iterator[tuple[int, TextPair]]:
    """The pairs of a table: `source<TAB>target`, `source<TAB>target<TAB>category`, or what its header says."""
    header = None
    for number, cells in _without_numbering(path, split_cells(path, lines), tell):
        if number == 1 and (header := Header.of(cells)) is not None:
            tell(f"{name_of(path)}:1: this line is a header ({', '.join(cells)}), not a pair")
            continue
        with told(on_bad_line):
            with located(path, number):
                if header is not None:
                    named = named_cells(cells, header.columns)
                    pair = TextPair(named["source"], named["target"], named.get("category", ""))
                else:
                    pair = _pair_of(cells)
                _check_sides(pair)
            yield number, pair


def _without_numbering(
    path: str | Path, rows: Iterator[tuple[int, list[str]]], tell: Tell
) -> Iterator[tuple[int, list[str]]]:
    """The rows without a first column that only numbers them, if they have three columns and no header."""
    first = list(islice(rows, 2))
    numbers = [cells[0] for _, cells in first if len(cells) == 3]
    if len(numbers) == 2 and numbers in (["0", "1"], ["1", "2"]):
        tell(f"{name_of(path)}:1: the first column numbers the lines; it is left out")
        yield from ((number, cells[1:] if len(cells) == 3 else cells) for number, cells in chain(first, rows))
    else:
        yield from chain(first, rows)


def _pair_of(cells: list[str]) -> TextPair:
    if len(cells) not in (2, 3):
        found = "1 column" if len(cells) == 1 else f"{len(cells)} columns"
        raise LineError(
            f"{found} where 2 or 3 are expected",
            "Write source, target and, if you like, a category, with one tab (in .csv: a comma) between them.",
        )
    return TextPair(*cells)


def _parallel_pairs(
    source_path: str | Path, target_path: str | Path, on_bad_line: BadLine = stop_reading
) -> Iterator[tuple[int, TextPair]]:
    """The pairs of two files whose lines belong together."""
    both = zip_longest(numbered_lines(source_path), numbered_lines(target_path))
    for number, (source_line, target_line) in enumerate(both, start=1):
        if source_line is None or target_line is None:
            shorter, longer = (
                (source_path, target_path) if source_line is None else (target_path, source_path)
            )
            raise DataError.at(
                shorter,
                number,
                f"the file ends, but {longer} goes on",
                "Give both the same number of lines, each the translation of its fellow.",
            )
        pair = TextPair(source_line[1], target_line[1])
        with told(on_bad_line):
            with located(target_path if pair.source.strip() else source_path, number):
                _check_sides(pair)
            yield number, pair


def parse_jsonl(line: str) -> TextPair:
    """`{"source": "...", "target": "...", "category": "..."}`, the category optional, other keys ignored.

    The keys may have any name that a header may have, such as `input` and `output`. `["...", "..."]` is a pair too.
    """
    cure = 'Write one object per line, such as {"source": "zup fep", "target": "YELLOW YELLOW YELLOW"}.'
    try:
        record = parse_json(line)
    except StrictError as error:
        raise LineError(f"this is not JSON ({error})", cure) from None
    return _pair_of_record(record, cure)


def _pair_of_record(record: Any, cure: str) -> TextPair:
    if isinstance(record, list) and len(record) == 2:
        record = dict(zip(("source", "target"), record, strict=True))
    if not isinstance(record, dict):
        raise LineError("this is JSON, but not an object", cure)
    named = {ours: record[key] for key in reversed(record) if (ours := column_of(key))}
    named |= {ours: record[ours] for ours in named if ours in record}
    for key in ("source", "target"):
        if key not in named:
            raise LineError(f"the object has no {key!r}", cure)
    pair = TextPair(named["source"], named["target"], named.get("category", ""))
    for key, value in pair._asdict().items():
        if not isinstance(value, str):
            raise LineError(f"{key!r} is not a string", cure)
        if "\0" in value:
            raise LineError(f"{key!r} holds a NUL, which is not text", cure)
    return pair


def parse_fast_align(line: str) -> TextPair:
    """`source ||| target`, the format of fast_align."""
    sides = _BARS.split(line)
    if len(sides) != 2:
        raise LineError(
            f"{len(sides) - 1} times '|||' where one is expected", "Write: source words ||| target words"
        )
    return TextPair(*sides)


def parse_scan(line: str) -> TextPair:
    """`IN: command OUT: actions`, the format in which SCAN is published."""
    match = re.fullmatch(r"IN: (.*) OUT: (.*)", line)
    if match is None:
        raise LineError("this is not 'IN: command OUT: actions'", "Compare with the lines before it.")
    return TextPair(match[1], match[2])


Parser = Callable[[str], TextPair]

SUFFIXES = (".tsv", ".csv", ".jsonl", ".json")
"""The extensions of file names that stand for a format."""

_BARS = re.compile(r"(?:^|\s)\|\|\|(?:\s|$)")


def _parser_for(first_line: str) -> Parser | None:
    """The parser of a file that begins like this; None where it is a table."""
    if _BARS.search(first_line):
        return parse_fast_align
    if first_line.startswith("IN: "):
        return parse_scan
    if first_line.startswith("{"):
        return parse_jsonl
    if "\t" in first_line:
        return None
    raise LineError(
        "no known format: the line has neither a tab nor '|||' and is not JSON",
        "Write: source ||| target. Parallel files are named together: source.txt,target.txt",
    )


def _check_sides(pair: TextPair) -> None:
    for side in ("source", "target"):
        if not getattr(pair, side).strip():
            raise LineError(
                f"the {side} is empty", "Write at least one word on each side, or remove the line."
            )
