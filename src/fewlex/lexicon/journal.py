"""The lexicon of a run, which is edited in place, and a log of the edits, which can be undone.

Each line of `edits.jsonl` is one edit. It says when it was made, what it was, and which rows it changed, before and
after; an empty row means that the lexicon does not have the word. If the program crashes at any moment, the lexicon is
still whole, and undoing the last line of the log leads back to the state before that edit:

- An edit is first logged, then made. Undoing an edit that was logged but not made changes nothing.
- Undoing first changes the lexicon, then the log. An edit that was undone but is still in the log can be undone again
  with the same effect.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

from fewlex.errors import FewlexError, LexiconError
from fewlex.files import atomic_write, atomic_write_text
from fewlex.lexicon.entry import PERSON, Entry
from fewlex.lexicon.lexicon import Lexicon
from fewlex.lexicon.storage import to_fields, to_line, to_tsv

Row: TypeAlias = Mapping[str, Entry]


@dataclass(frozen=True, slots=True)
class Change:
    """The row of one source word before and after an edit; `place` is the place that a removed row had."""

    before: Row
    after: Row
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Edit:
    """What one command did to the lexicon, by source word. If it changed nothing, nothing was written."""

    time: str
    action: str
    changes: Mapping[str, Change]


class Journal:
    """Edits `lexicon.json` in a run folder and keeps `edits.jsonl` beside it."""

    def __init__(self, folder: Path | str) -> None:
        self.path = Path(folder) / "lexicon.json"
        self.log = Path(folder) / "edits.jsonl"
        if not self.path.exists():
            raise LexiconError(
                f"{folder} has no lexicon.json, so it is not a run. `fewlex train DATA --out {folder}` makes one."
            )

    def read(self) -> Lexicon:
        """The lexicon as it is now."""
        return Lexicon.load(self.path)

    def teach(self, lines: Iterable[tuple[str, str] | tuple[str, str, str]]) -> Edit:
        """Give each source word exactly one translation. A line is (source, target) or (source, target, like)."""
        rows: dict[str, Row] = {}
        for source, target, *like in lines:
            row = {target: Entry(1.0, PERSON, like="".join(like))}
            if rows.setdefault(source, row) != row:
                raise LexiconError(
                    f"{source!r} is taught twice: {_told(rows[source])} and {_told(row)}. Choose one."
                )
        return self._commit("teach", rows)

    def forget(self, source: str, target: str | None = None) -> Edit:
        """Remove one translation of a source word, or the whole word."""
        rest = self.read()
        rest.remove(source, target)
        return self._commit("forget", {source: rest.row(source)})

    def replace(self, lexicon: Lexicon, action: str = "import") -> Edit:
        """Replace the entries by those of another lexicon; the record of how this one was learned stays."""
        sources = dict.fromkeys((*self.read().sources, *lexicon.sources))
        return self._commit(action, {source: lexicon.row(source) for source in sources})

    def write_table(self, path: Path | str) -> None:
        """Write a short table for a person to edit: source, target, weight, and `like` if an entry has it."""
        atomic_write_text(path, to_tsv(self.read(), optional=()))

    def take_table(self, path: Path | str) -> Edit:
        """Replace the lexicon by the edited table; entries that differ from before get the origin `person`."""
        now = self.read()
        lines = []
        for source, target, entry in Lexicon.load(path):
            old = now.row(source).get(target, entry)
            changed = replace(old, weight=entry.weight, like=entry.like)
            lines.append((source, target, old if changed == old else replace(changed, origin=PERSON)))
        return self.replace(Lexicon(lines), action="edit")

    def undo(self) -> Edit:
        """Take back the last edit that is not undone yet, and return it."""
        logged = self._whole_lines()
        if not logged:
            raise LexiconError(f"{self.log}: there is no edit to undo.")
        *earlier, last = logged.splitlines(keepends=True)
        edit = self._parsed(last, len(logged.splitlines()))
        rows = {source: change.before for source, change in edit.changes.items()}
        places = {source: change.place for source, change in edit.changes.items() if change.place is not None}
        _with_rows(self.read(), rows, places).save(self.path)
        with atomic_write(self.log) as file:
            file.write(b"".join(earlier))
        return edit

    def _commit(self, action: str, rows: Mapping[str, Row]) -> Edit:
        """Log and make the edit that gives these rows to their words; if it cannot be made, it is not logged either."""
        now = self.read()
        changed = {source: row for source, row in rows.items() if row != now.row(source)}
        place = {source: i for i, source in enumerate(now.sources)}
        edit = Edit(
            datetime.now(UTC).isoformat(timespec="seconds"),
            action,
            {
                source: Change(now.row(source), row, None if row else place[source])
                for source, row in changed.items()
            },
        )
        new = _with_rows(now, changed)  # this checks every word before anything is written
        if changed:
            size = self._append(edit)
            try:
                new.save(self.path)
            except FewlexError:
                with suppress(OSError):
                    os.truncate(self.log, size)
                raise
        return edit

    def _append(self, edit: Edit) -> int:
        """Append an edit to the log, make sure that it is on disk, and return how long the log was before."""
        size = len(self._whole_lines())
        try:
            with self.log.open("ab") as file:
                file.truncate(size)
                file.write(_to_json(edit).encode())
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            with suppress(OSError):
                os.truncate(self.log, size)
            raise FewlexError(
                f"cannot write {self.log}: {error.strerror}. Check the disk and that you may write there; "
                "the lexicon is untouched."
            ) from error
        return size

    def _whole_lines(self) -> bytes:
        """The log, without a last line that was cut short by a crash."""
        try:
            logged = self.log.read_bytes()
        except FileNotFoundError:
            return b""
        except OSError as error:
            raise LexiconError(f"cannot read {self.log}: {error.strerror}. Move the file away.") from error
        return logged[: logged.rfind(b"\n") + 1]

    def _parsed(self, line: bytes, number: int) -> Edit:
        """The edit in a line of the log, which has this number."""
        try:
            content = json.loads(line)
            changes = {
                source: Change(
                    _row(source, change["before"]), _row(source, change["after"]), change.get("place")
                )
                for source, change in content["rows"].items()
            }
            return Edit(content["time"], content["action"], changes)
        except (ValueError, KeyError, TypeError, AttributeError, LexiconError) as error:
            raise LexiconError(
                f"{self.log}:{number}: this line is not an edit ({error}). Remove it to undo the edits before it."
            ) from error


def _with_rows(lexicon: Lexicon, rows: Mapping[str, Row], places: Mapping[str, int] | None = None) -> Lexicon:
    """The lexicon with other rows for some words.

    An empty row removes its word. The row of a new word comes last, or to the place that `places` gives for it.
    """
    order = list(lexicon.sources)
    for source in rows:
        if source not in lexicon:
            order.insert((places or {}).get(source, len(order)), source)
    lines = (
        (source, target, entry)
        for source in order
        for target, entry in rows.get(source, lexicon.row(source)).items()
    )
    return Lexicon(lines, lexicon.provenance)


def _to_json(edit: Edit) -> str:
    rows = {}
    for source, change in edit.changes.items():
        place = {} if change.place is None else {"place": change.place}
        rows[source] = {"before": _fields(change.before), "after": _fields(change.after), **place}
    return json.dumps({"time": edit.time, "action": edit.action, "rows": rows}, ensure_ascii=False) + "\n"


def _fields(row: Row) -> dict[str, dict[str, float | str]]:
    return {target: to_fields(entry) for target, entry in row.items()}


def _row(source: str, fields: Mapping[str, object]) -> dict[str, Entry]:
    return {target: to_line(source, target, entry)[2] for target, entry in fields.items()}


def _told(row: Row) -> str:
    return ", ".join(
        f"{target} (like {entry.like})" if entry.like else target for target, entry in row.items()
    )
