"""A log of edits that can be undone, kept beside the file that is edited.

Each line of the log is one edit as JSON: when, what, and what it changed, before and after. Whatever moment a crash
chooses, the edited file is whole, and undoing the last line of the log leads back to the state before it:

- An edit is logged first, then made. Undoing an edit that was logged but not made changes nothing.
- Undoing changes the file first, then the log. An edit that was undone but is still logged can be undone again, to
  the same effect.

The log does not know what is edited: lexicons, rules and whoever comes next bring their own records.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from fewlex.errors import FewlexError, JournalError
from fewlex.files import atomic_write

LOG_NAME = "edits.jsonl"
"""The log of a run folder. All edits of a run are in one log, so that undoing means the last of them."""

LEXICON = "lexicon"
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

    def commit(self, record: Mapping[str, object], make: Callable[[], None]) -> None:
        """Log an edit and make it, or neither."""
        marked = record if self.of == LEXICON else {**record, "of": self.of}
        size = self._append(json.dumps(marked, ensure_ascii=False) + "\n")
        try:
            make()
        except FewlexError:
            self._cut(size)
            raise

    def undo(self, read: Callable[[Any], Edit], take_back: Callable[[Edit], None]) -> Edit:
        """Take back the last edit that was not undone yet, and tell which.

        `read` turns the JSON of a line into an edit, and `take_back` brings the state before that edit.
        """
        logged = self._whole_lines()
        if not logged:
            raise JournalError(f"{self.path}: there is no edit to undo.")
        lines = logged.splitlines(keepends=True)
        edit = self._parsed(lines[-1], len(lines), read)
        take_back(edit)
        with atomic_write(self.path) as file:
            file.write(b"".join(lines[:-1]))
        return edit

    def _parsed(self, line: bytes, number: int, read: Callable[[Any], Edit]) -> Edit:
        of = self.of
        try:
            record = json.loads(line)
            of = record.get("of", LEXICON)
            if of == self.of:
                return read(record)
        except (ValueError, KeyError, TypeError, AttributeError, FewlexError) as error:
            raise JournalError(
                f"{self.path}:{number}: this is no edit ({error}). Remove the line to undo those before it."
            ) from error
        raise JournalError(
            f"{self.path}:{number}: the last edit changed the {of}, not the {self.of}. "
            f"`fewlex {of} undo` takes it back first."
        )

    def _append(self, line: str) -> int:
        """Write a line to the end of the log, safe on disk, and tell where that was."""
        size = len(self._whole_lines())
        try:
            with self.path.open("ab") as file:
                file.truncate(size)
                file.write(line.encode())
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

    def _whole_lines(self) -> bytes:
        """The log without a last line that a crash has cut short."""
        try:
            logged = self.path.read_bytes()
        except FileNotFoundError:
            return b""
        except OSError as error:
            raise JournalError(f"cannot read {self.path}: {error.strerror}. Move it away.") from error
        return logged[: logged.rfind(b"\n") + 1]
