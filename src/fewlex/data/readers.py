"""Pairs of texts from files: tab-separated, JSON lines, `source ||| target`, SCAN's own, and parallel files.

One line is one pair, in UTF-8. A byte-order mark at the start of a file and Windows line ends are dropped
in silence, since they are common and mean nothing; every other oddity is an error that names file and line.
Blank lines are errors too: they are what a lost sentence looks like.
"""

from __future__ import annotations

import json
import re
import sys
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import BinaryIO, NamedTuple

from fewlex.data.example import Example
from fewlex.data.tokenizers import make_tokenizer
from fewlex.errors import DataError

STDIN = "-"


class TextPair(NamedTuple):
    """One line of a corpus before it is tokenized."""

    source: str
    target: str
    category: str = ""


class _LineError(Exception):
    """What is wrong with a line and what to do, raised where file and line number are not known."""

    def __init__(self, problem: str, cure: str) -> None:
        self.problem = problem
        self.cure = cure


def read_examples(
    data: str | Path, source_tokenizer: str = "whitespace", target_tokenizer: str = "whitespace"
) -> tuple[Example, ...]:
    """The examples of a file, of standard input (`-`) or of parallel files (`source.txt,target.txt`)."""
    tokenize_source = make_tokenizer(source_tokenizer).tokenize
    tokenize_target = make_tokenizer(target_tokenizer).tokenize
    examples = []
    for index, pair in enumerate(read_pairs(data)):
        source, target = tokenize_source(pair.source), tokenize_target(pair.target)
        if not source or not target:
            side = "target" if source else "source"
            problem = f"the tokenizer finds no token in the {side}"
            raise DataError.at(_name(data), index + 1, problem, "Remove the line, or its odd characters.")
        examples.append(Example(source, target, pair.category, index))
    return tuple(examples)


def read_pairs(data: str | Path) -> Iterator[TextPair]:
    """The pairs of a file, of standard input (`-`) or of parallel files (`source.txt,target.txt`)."""
    source, comma, target = str(data).partition(",")
    if comma and not Path(data).exists():
        return read_parallel(source, target)
    return read_file(data)


BadLine = Callable[[DataError], None]
"""Told what is wrong with a line. If it returns, the line is left out and reading goes on."""


def stop_reading(error: DataError) -> None:
    """What a reader does about a bad line, unless its caller wants to hear about all of them."""
    raise error


def read_file(path: str | Path, on_bad_line: BadLine = stop_reading) -> Iterator[TextPair]:
    """The pairs of one file; `.tsv` and `.jsonl` name their format, any other is told by the first line."""
    parse = PARSERS.get(Path(path).suffix)
    for number, line in numbered_lines(path, on_bad_line):
        try:
            with _located(path, number):
                parse = parse or _parser_for(line)
                pair = parse(line)
                _check_sides(pair)
        except DataError as error:
            on_bad_line(error)
        else:
            yield pair


def read_parallel(
    source_path: str | Path, target_path: str | Path, on_bad_line: BadLine = stop_reading
) -> Iterator[TextPair]:
    """The pairs of two files whose lines belong together; a line that cannot be read leaves no gap to recover from,
    so it ends the reading even where `on_bad_line` returns."""
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
        try:
            with _located(target_path if pair.source.strip() else source_path, number):
                _check_sides(pair)
        except DataError as error:
            on_bad_line(error)
        else:
            yield pair


def parse_tsv(line: str) -> TextPair:
    """`source<TAB>target`, or `source<TAB>target<TAB>category`."""
    columns = line.split("\t")
    if len(columns) not in (2, 3):
        found = "1 column" if len(columns) == 1 else f"{len(columns)} columns"
        raise _LineError(
            f"{found} where 2 or 3 are expected",
            "Write source, target and, if you like, a category, with one tab between them.",
        )
    return TextPair(*columns)


def parse_jsonl(line: str) -> TextPair:
    """`{"source": "...", "target": "...", "category": "..."}`, the category optional, other keys ignored."""
    cure = 'Write one object per line, such as {"source": "zup fep", "target": "YELLOW YELLOW YELLOW"}.'
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _LineError(f"this is not JSON ({error})", cure) from None
    if not isinstance(record, dict):
        raise _LineError("this is JSON, but not an object", cure)
    for key in ("source", "target"):
        if key not in record:
            raise _LineError(f"the object has no {key!r}", cure)
    pair = TextPair(record["source"], record["target"], record.get("category", ""))
    for key, value in pair._asdict().items():
        if not isinstance(value, str):
            raise _LineError(f"{key!r} is not a string", cure)
        if "\0" in value or not _is_encodable(value):
            raise _LineError(
                f"{key!r} holds a character that is not text (NUL or half a surrogate pair)", cure
            )
    return pair


def parse_fast_align(line: str) -> TextPair:
    """`source ||| target`, the format of fast_align."""
    sides = _BARS.split(line)
    if len(sides) != 2:
        raise _LineError(
            f"{len(sides) - 1} times '|||' where one is expected", "Write: source words ||| target words"
        )
    return TextPair(*sides)


def parse_scan(line: str) -> TextPair:
    """`IN: command OUT: actions`, the format in which SCAN is published."""
    match = re.fullmatch(r"IN: (.*) OUT: (.*)", line)
    if match is None:
        raise _LineError("this is not 'IN: command OUT: actions'", "Compare with the lines before it.")
    return TextPair(match[1], match[2])


Parser = Callable[[str], TextPair]

PARSERS: dict[str, Parser] = {".tsv": parse_tsv, ".jsonl": parse_jsonl}
"""The format that the extension of a file name stands for."""

_BARS = re.compile(r"(?:^|\s)\|\|\|(?:\s|$)")


def _parser_for(first_line: str) -> Parser:
    if _BARS.search(first_line):
        return parse_fast_align
    if first_line.startswith("IN: "):
        return parse_scan
    if first_line.startswith("{"):
        return parse_jsonl
    if "\t" in first_line:
        return parse_tsv
    raise _LineError(
        "no known format: the line has neither a tab nor '|||' and is not JSON",
        "Write: source ||| target. Parallel files are named together: source.txt,target.txt",
    )


def _check_sides(pair: TextPair) -> None:
    for side in ("source", "target"):
        if not getattr(pair, side).strip():
            raise _LineError(
                f"the {side} is empty", "Write at least one word on each side, or remove the line."
            )


def numbered_lines(path: str | Path, on_bad_line: BadLine = stop_reading) -> Iterator[tuple[int, str]]:
    """The lines of a file with their numbers from 1, decoded and without line ends."""
    number = 0
    with _opened(path) as file:
        for number, line in enumerate(file, start=1):
            try:
                with _located(path, number):
                    text = _decoded(_without_byte_order_mark(line) if number == 1 else line)
            except DataError as error:
                on_bad_line(error)
            else:
                yield number, text
    if number == 0:
        raise DataError(f"{_name(path)}: the file is empty. Give at least one pair.")


@contextmanager
def _opened(path: str | Path) -> Iterator[BinaryIO]:
    if str(path) == STDIN:
        yield sys.stdin.buffer
        return
    try:
        with Path(path).open("rb") as file:
            yield file
    except FileNotFoundError:
        raise DataError(f"{path}: there is no such file. Check the path.") from None
    except IsADirectoryError:
        raise DataError(f"{path}: this is a folder. Name a file in it.") from None
    except OSError as error:
        problem = f"the file cannot be read ({error.strerror})"
        raise DataError(f"{path}: {problem}. Check that you may read it.") from error


@contextmanager
def _located(path: str | Path, number: int) -> Iterator[None]:
    """Adds file and line to what is wrong with a line."""
    try:
        yield
    except _LineError as bad:
        raise DataError.at(_name(path), number, bad.problem, bad.cure) from None


def _name(path: str | Path) -> str:
    return "<stdin>" if str(path) == STDIN else str(path)


def _without_byte_order_mark(first_line: bytes) -> bytes:
    if first_line.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        raise _LineError("the text is in UTF-16", "Convert it: iconv -f UTF-16 -t UTF-8 old > new")
    return first_line.removeprefix(BOM_UTF8)


def _decoded(line: bytes) -> str:
    if b"\0" in line:
        raise _LineError(
            "the line holds a NUL byte, so the file is binary, damaged or in UTF-16",
            "Save it as UTF-8 text, or remove the bytes: tr -d '\\000' < old > new",
        )
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise _LineError(
            f"byte {error.start + 1} of the line is not UTF-8",
            "If the text is in Latin-1, convert it: iconv -f LATIN1 -t UTF-8 old > new",
        ) from None
    return text.removesuffix("\n").removesuffix("\r")


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
