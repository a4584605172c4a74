"""The lines of a log that grows without end, read piece by piece, so that a long log needs no more memory than a short
one. A last line that a crash has cut short does not count."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO

PIECE = 1 << 16


class LogLines:
    """The whole lines of a file, each with its end; a file that is not there has none. May raise an OSError."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def size(self) -> int:
        """The length of all whole lines in bytes."""
        try:
            with self.path.open("rb") as file:
                return _end_of_lines(file)
        except FileNotFoundError:
            return 0

    @property
    def count(self) -> int:
        try:
            with self.path.open("rb") as file:
                return sum(piece.count(b"\n") for piece in iter(lambda: file.read(PIECE), b""))
        except FileNotFoundError:
            return 0

    def last(self, number: int) -> list[bytes]:
        """The last lines, in their order."""
        return list(islice(self.backwards(), number))[::-1]

    def forwards(self) -> Iterator[bytes]:
        try:
            with self.path.open("rb") as file:
                yield from (line for line in file if line.endswith(b"\n"))
        except FileNotFoundError:
            return

    def backwards(self) -> Iterator[bytes]:
        """All lines, the last one first."""
        try:
            with self.path.open("rb") as file:
                yield from _backwards(file)
        except FileNotFoundError:
            return


def _backwards(file: BinaryIO) -> Iterator[bytes]:
    place, rest = _end_of_lines(file), b""
    while place:
        start = max(0, place - PIECE)
        file.seek(start)
        first, *lines = (file.read(place - start) + rest)[:-1].split(b"\n")
        yield from (line + b"\n" for line in reversed(lines))
        place, rest = start, first + b"\n"
    if rest:
        yield rest


def _end_of_lines(file: BinaryIO) -> int:
    place = file.seek(0, 2)
    while place:
        start = max(0, place - PIECE)
        file.seek(start)
        found = file.read(place - start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        place = start
    return 0
