"""A log of edits that can be undone, kept beside the file that is edited.

Each line of the log is one edit as JSON: when, what, and what it changed, before and after. If the program crashes at
any moment, the edited file is still whole, and undoing the last line of the log leads back to the state before it:

- An edit is first logged, then made. Undoing an edit that was logged but not made changes nothing.
- Undoing first changes the file, then the log. An edit that was undone but is still in the log can be undone again
  with the same effect.
- Undone edits go to a second file, each with the length that the log had without it. An edit can be made again only
  while the log has that length, so neither a crash nor a later edit can bring back an edit that no longer fits.

Each line has a seal (`fewlex.seal`), and the edited file says which line was its last edit. So a line that the
disk has damaged is noticed, and so are lines that are missing at the end.

Two editors at once would each write the file that they have read and so lose what the other one did. Therefore whoever
edits holds the lock from reading the file until the edit is made.

A log of years is read piece by piece (`fewlex.log_lines`), so that editing never needs more memory than before.

The log does not know what is edited: lexicons, rules and whoever comes next bring their own records.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from fewlex.errors import DamagedError, FewlexError, JournalError
from fewlex.files import atomic_write, cannot_write
from fewlex.lock import exclusive
from fewlex.log_lines import LogLines
from fewlex.own_files import require_own_files
from fewlex.seal import check, edits_of, is_sealed, seal_json
from fewlex.strict import parse_json

LOG_NAME = "edits.jsonl"
"""The log of a run folder. All edits of a run are in one log, so that undoing means the last of them."""

LEXICON = "lexicon"
READS, PAUSE = 5, 0.02
"""How often, and how many seconds apart, a log is read that seems to be too short."""

_OF = re.compile(rb', "of": "([a-z]+)"\}\n?$')
"""What `commit` writes at the end of a line; nothing within an edit can look like it, because of the one bracket."""
MAX_OF = 64

Edit = TypeVar("Edit")


def now() -> str:
    """The time of an edit, as it is logged."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class EditLog:
    """The file that edits are logged in; it need not be there yet.

    Several kinds of content share the log of a run, and `of` says which kind this one edits. A line without `of` is an
    edit of the lexicon.
    """

    def __init__(self, path: Path, of: str = LEXICON) -> None:
        self.path = path
        self.of = of
        self.undone_path = path.with_name(f"{path.stem}.undone.jsonl")

    def locked(self) -> AbstractContextManager[None]:
        """Hold this from reading what is edited until the edit is made, so that no other editor comes in between."""
        require_own_files(self.path.parent)
        return exclusive(self.path.with_name(f"{self.path.stem}.lock"))

    @property
    def count(self) -> int:
        """The number of edits that are not undone."""
        with self._readable():
            return self._lines.count

    def reach(self, undone: int = 0) -> int:
        """How long the log must be at least for its content to be as it is: up to its last edit of this content.

        The last `undone` edits do not count.
        """
        with self._readable():
            count = self._lines.count
            for number, line in zip(range(count, 0, -1), self._lines.backwards(), strict=False):
                if number <= count - undone and self._of(line, number) == self.of:
                    return number
        return 0

    @property
    def last(self) -> str | None:
        """What the last edit that is not undone has changed: `lexicon`, `rules`; None where there is no edit."""
        with self._readable():
            lines = self._lines.last(1)
        return self._of(lines[0], self.count) if lines else None

    @property
    def last_undone(self) -> str | None:
        """What the edit that was undone last has changed; None where none can be made again."""
        line = self._last_undone()
        return None if line is None else self._of(line, 0)

    def history(self, read: Callable[[Any], Edit], limit: int) -> tuple[list[Edit], int]:
        """The last `limit` edits that are not undone, the newest first, and how many edits the log has.

        `read` turns the JSON of a line into an edit; the log has edits of every content of the run.
        """
        with self._readable():
            count, lines = self._lines.count, self._lines.last(limit)
        numbers = range(count, 0, -1)
        return [self._read(line, n, read) for line, n in zip(reversed(lines), numbers, strict=False)], count

    def edits(self, read: Callable[[Any], Edit]) -> list[Edit]:
        """All edits of this log's content that are not undone, the oldest first."""
        with self._readable():
            return [
                self._read(line, number, read)
                for number, line in enumerate(self._lines.forwards(), start=1)
                if self._of(line, number) == self.of
            ]

    def require_edits_of(self, path: Path) -> None:
        """Complain if this log has lost edits that the file at `path` has been through."""
        for _ in range(READS):  # somebody who undoes an edit changes first the file and then the log
            count = self.count
            with path.open("rb") as file:
                expected = edits_of(file.read(128))
            if expected <= count:
                return
            time.sleep(PAUSE)
        raise DamagedError(
            f"{self.path} has {count} edits, but {path.name} knows of edit {expected}: the log was cut off. "
            f"`fewlex doctor {path.parent}` says what can be done."
        )

    def commit(self, record: Mapping[str, object], make: Callable[[], None]) -> None:
        """Log an edit and make it; if it cannot be made, it is not logged either. Call it while `locked`.

        `make` keeps in the edited file how far the log must `reach`.
        """
        marked = record if self.of == LEXICON else {**record, "of": self.of}
        self._log_and_make(seal_json(json.dumps(marked, ensure_ascii=False)) + b"\n", make)
        with suppress(
            OSError
        ):  # what was undone before does not fit any more, whether the file is there or not
            self.undone_path.unlink()

    def undo(self, read: Callable[[Any], Edit], take_back: Callable[[Edit], None]) -> Edit:
        """Take back the last edit that is not undone yet, and return it. Call it while `locked`.

        `read` turns the JSON of a line into an edit, and `take_back` brings the state before that edit, for which the
        log must `reach(undone=1)`.
        """
        with self._readable():
            count, size, lines = self._lines.count, self._lines.size, self._lines.last(1)
        if not lines:
            raise JournalError(f"{self.path}: there is no edit to undo.")
        edit, rest = self._parsed(lines[0], count, read), size - len(lines[0])
        take_back(edit)
        with atomic_write(self.undone_path) as file:
            file.write(self._undone() + b"%d %s" % (rest, lines[0]))
        self._shorten(rest)
        return edit

    def redo(self, read: Callable[[Any], Edit], make: Callable[[Edit], None]) -> Edit:
        """Make the edit again that was undone last, and return it. Call it while `locked`."""
        line = self._last_undone()
        if line is None:
            raise JournalError(f"{self.path}: there is no undone edit to make again.")
        edit = self._parsed(line, self.count + 1, read)
        self._log_and_make(line, lambda: make(edit))
        with atomic_write(self.undone_path) as file:
            file.write(b"".join(self._undone().splitlines(keepends=True)[:-1]))
        return edit

    def _log_and_make(self, line: bytes, make: Callable[[], None]) -> None:
        size = self._append(line)
        try:
            make()
        except FewlexError:
            self._cut(size)
            raise

    def _undone(self) -> bytes:
        try:
            return self.undone_path.read_bytes()
        except OSError:
            return b""

    def _last_undone(self) -> bytes | None:
        """The line of the edit that was undone last, if the log still is as it was then."""
        lines = self._undone().splitlines(keepends=True)
        size, _, line = lines[-1].partition(b" ") if lines else (b"", b"", b"")
        return line if size == b"%d" % self._size else None

    def _record(self, line: bytes, number: int) -> dict[str, Any]:
        """The JSON object in a line of the log."""
        check(line.rstrip(b"\n"), f"{self.path}:{number}")
        try:
            record = parse_json(line.decode())
        except ValueError as error:
            raise self._damaged(number, error) from error
        if not isinstance(record, dict):
            raise self._damaged(number, TypeError("it is not an object"))
        return record

    def _of(self, line: bytes, number: int) -> str:
        """What the edit in a line of the log has changed. An edit of a million words is not read for this."""
        check(line.rstrip(b"\n"), f"{self.path}:{number}")
        if is_sealed(line):
            found = _OF.search(line[-MAX_OF:])
            return found[1].decode() if found else LEXICON
        return str(self._record(line, number).get("of", LEXICON))

    def _parsed(self, line: bytes, number: int, read: Callable[[Any], Edit]) -> Edit:
        """The edit in a line of the log, which must be an edit of this log's content."""
        if (of := self._of(line, number)) != self.of:
            raise JournalError(
                f"{self.path}:{number}: the last edit changed the {of}, not the {self.of}. "
                f"`fewlex {of} undo` takes it back first."
            )
        return self._read(line, number, read)

    def _read(self, line: bytes, number: int, read: Callable[[Any], Edit]) -> Edit:
        try:
            return read(self._record(line, number))
        except (JournalError, DamagedError):
            raise
        except (ValueError, KeyError, TypeError, AttributeError, FewlexError) as error:
            raise self._damaged(number, error) from error

    def _damaged(self, number: int, error: Exception) -> JournalError:
        return JournalError(
            f"{self.path}:{number}: this is no edit ({error}). Remove the line to undo those before it."
        )

    def begin_anew(self) -> None:
        """Put an empty log in the place of a damaged one. What was edited stays, but cannot be undone any more."""
        with atomic_write(self.path) as file:
            file.write(b"")
        with suppress(OSError):
            self.undone_path.unlink()

    def _append(self, line: bytes) -> int:
        """Write a line to the end of the log, safe on disk, and tell where that was."""
        size = self._size
        try:
            with self.path.open("ab") as file:
                file.truncate(size)
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            self._cut(size)
            raise JournalError(
                f"cannot write {self.path}: {error.strerror}. Check the disk and that you may write there; "
                "nothing was changed."
            ) from error
        return size

    def _cut(self, size: int) -> None:
        with suppress(OSError):
            os.truncate(self.path, size)

    def _shorten(self, size: int) -> None:
        """Cut the log, safe on disk. There is no state in between, so no crash can do harm."""
        try:
            with self.path.open("r+b") as file:
                file.truncate(size)
                os.fsync(file.fileno())
        except OSError as error:
            raise cannot_write(self.path, error) from error

    @property
    def _lines(self) -> LogLines:
        return LogLines(self.path)

    @property
    def _size(self) -> int:
        with self._readable():
            return self._lines.size

    @contextmanager
    def _readable(self) -> Iterator[None]:
        """Whatever keeps the log from being read is told as a problem of the log."""
        try:
            yield
        except OSError as error:
            raise JournalError(f"cannot read {self.path}: {error.strerror}. Move it away.") from error
