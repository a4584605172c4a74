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
    place = _end_of_lines(file) - 1  # the end of the last line is no end of a line before it
    if place < 0:
        return
    later: list[
        bytes
    ] = []  # pieces of a line whose beginning comes next; joined once, or long lines would take ages
    while place or not later:
        start = max(0, place - PIECE)
        file.seek(start)
        first, *others = file.read(place - start).split(b"\n")
        for part in reversed(others):
            yield b"".join((part, *reversed(later), b"\n"))
            later = []
        later.append(first)
        place = start
    yield b"".join((*reversed(later), b"\n"))


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
