"""Lines of text from a file or from standard input: decoded, numbered, and with errors that name file and line.

A byte-order mark at the start and Windows line ends are dropped in silence, since they are common and mean nothing.
"""

from __future__ import annotations

import select
import sys
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from fewlex.data.limits import CUT, MAX_LINE_BYTES
from fewlex.errors import DataError

STDIN = "-"

MAX_UTF16_BYTES = 1 << 26
"""Larger files in UTF-16 have to be converted, since they would have to be held in memory."""

READ_BYTES = 1 << 16
"""As much as a pipe holds. It is more than Python's own buffer, so nothing stays behind in that."""


class LineError(Exception):
    """What is wrong with a line and what to do, raised where file and line number are not known."""

    def __init__(self, problem: str, cure: str) -> None:
        self.problem = problem
        self.cure = cure


BadLine = Callable[[DataError], None]
"""Told what is wrong with a line. If it returns, the line is left out and reading goes on."""


def stop_reading(error: DataError) -> None:
    """What a reader does about a bad line, unless its caller wants to hear about all of them."""
    raise error


@contextmanager
def told(on_bad_line: BadLine) -> Iterator[None]:
    """Hands an error about a line to whoever wants to hear of it."""
    try:
        yield
    except DataError as error:
        on_bad_line(error)


def numbered_lines(path: str | Path, on_bad_line: BadLine = stop_reading) -> Iterator[tuple[int, str]]:
    """The lines of a file with their numbers from 1, decoded and without line ends."""
    number = 0
    with _opened(path) as file:
        for number, line in enumerate(iter(lambda: file.readline(MAX_LINE_BYTES + 1), b""), start=1):
            _check_length(path, number, line)
            with told(on_bad_line):
                yield number, _decoded(path, number, line)
    if number == 0:
        raise DataError(f"{name_of(path)}: the file is empty. Give at least one pair.")


def lines_as_they_come(limit: int, check: Callable[[str], None] = lambda line: None) -> Iterator[list[str]]:
    """Lines of standard input, as many at a time as are there, and at most `limit`.

    It never waits for a line while it has another one to give, so that a program can ask for one answer at a time.
    Lines before one that cannot be read, or that `check` raises a `LineError` for, are given first, and then the error
    is raised.
    """
    number, ready = 0, list[str]()
    for line in _raw_lines():
        if line is None or len(ready) == limit:
            if ready:
                yield ready
            ready = []
        if line is not None:
            number += 1
            try:
                _check_length(STDIN, number, line)
                text = _decoded(STDIN, number, line)
                with located(STDIN, number):
                    check(text)
                ready.append(text)
            except DataError:
                if ready:
                    yield ready
                raise
    if ready:
        yield ready


def _raw_lines() -> Iterator[bytes | None]:
    """The lines of standard input; None where the next one is not there yet."""
    stream, rest = _stdin(), b""
    while data := stream.read1(READ_BYTES):  # type: ignore[attr-defined]  # a buffered reader has it
        *lines, rest = (rest + data).split(b"\n")
        yield from lines
        if len(rest) > MAX_LINE_BYTES:
            break  # it is too long, as whoever counts the lines will say
        if not _has_more(stream):
            yield None
    if rest:
        yield rest


def _has_more(stream: BinaryIO) -> bool:
    """Whether reading would not have to wait; where that cannot be told, it is taken to wait."""
    try:
        return bool(select.select([stream], [], [], 0)[0])
    except (OSError, ValueError):
        return False


@contextmanager
def located(path: str | Path, number: int) -> Iterator[None]:
    """Adds file and line to what is wrong with a line."""
    try:
        yield
    except LineError as bad:
        raise DataError.at(name_of(path), number, bad.problem, bad.cure) from None


def name_of(path: str | Path) -> str:
    return "<stdin>" if str(path) == STDIN else str(path)


@contextmanager
def _opened(path: str | Path) -> Iterator[BinaryIO]:
    if str(path) == STDIN:
        yield _stdin()
        return
    try:
        with Path(path).open("rb") as file:
            yield _as_utf8(path, file)
    except FileNotFoundError:
        raise DataError(f"{path}: there is no such file. Check the path.") from None
    except IsADirectoryError:
        raise DataError(f"{path}: this is a folder. Name a file in it.") from None
    except OSError as error:
        problem = f"the file cannot be read ({error.strerror})"
        raise DataError(f"{path}: {problem}. Check that you may read it.") from error


def _as_utf8(path: str | Path, file: BinaryIO) -> BinaryIO:
    """The file itself, or what it says in UTF-8 if it begins like UTF-16, in which Windows programs save."""
    if not file.seekable():  # a pipe: what has been read of it cannot be read again
        return file
    begin = file.read(2)
    file.seek(0)
    if begin not in (BOM_UTF16_LE, BOM_UTF16_BE) or Path(path).stat().st_size > MAX_UTF16_BYTES:
        return file
    try:
        return BytesIO(file.read().decode("utf-16").encode())
    except UnicodeDecodeError:
        file.seek(0)
        return file


def _stdin() -> BinaryIO:
    if sys.stdin is None or getattr(sys.stdin, "closed", False):
        raise DataError("standard input is closed. Give the text with `<` or through a pipe.")
    return sys.stdin.buffer


def _check_length(path: str | Path, number: int, line: bytes) -> None:
    """A line that is too long ends the reading, since its rest would be taken for the next line."""
    if len(line) > MAX_LINE_BYTES:
        problem = f"the line has more than {MAX_LINE_BYTES:,} bytes"
        raise DataError.at(name_of(path), number, problem, CUT)


def _decoded(path: str | Path, number: int, line: bytes) -> str:
    with located(path, number):
        return _text(_without_byte_order_mark(line) if number == 1 else line)


def _without_byte_order_mark(first_line: bytes) -> bytes:
    if first_line.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        raise LineError("the text is in UTF-16", "Convert it: iconv -f UTF-16 -t UTF-8 old > new")
    return first_line.removeprefix(BOM_UTF8)


def _text(line: bytes) -> str:
    if b"\0" in line:
        raise LineError(
            "the line holds a NUL byte, so the file is binary, damaged or in UTF-16",
            "Save it as UTF-8 text, or remove the bytes: tr -d '\\000' < old > new",
        )
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise LineError(
            f"byte {error.start + 1} of the line is not UTF-8",
            "If the text is in Latin-1, convert it: iconv -f LATIN1 -t UTF-8 old > new",
        ) from None
    return text.removesuffix("\n").removesuffix("\r")
