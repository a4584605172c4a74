"""The lexicon of a run, which is edited in place, and a log of the edits, which can be undone.

Each line of `edits.jsonl` is one edit. It says when it was made, what it was, and which rows it changed, before and
after; an empty row means that the lexicon does not have the word. `fewlex.journal` says why a crash can do no harm.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from fewlex.errors import LexiconError
from fewlex.files import atomic_write_text
from fewlex.journal import LOG_NAME, EditLog, now
from fewlex.lexicon.entry import PERSON, Entry
from fewlex.lexicon.lexicon import Lexicon
from fewlex.lexicon.storage import to_fields, to_line, to_tsv, write_lexicon
from fewlex.strict import checked

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

    def reversed(self) -> Edit:
        """The edit the other way round: what was after it comes before it."""
        changes = {source: Change(change.after, change.before) for source, change in self.changes.items()}
        return replace(self, changes=changes)


class Journal:
    """Edits `lexicon.json` in a run folder and keeps `edits.jsonl` beside it.

    What was learned, before the first edit, is kept too. With the edits it gives the lexicon again if that is damaged.
    """

    def __init__(self, folder: Path | str) -> None:
        self.path = Path(folder) / "lexicon.json"
        self.learned_path = Path(folder) / "lexicon.learned.json"
        self.log = Path(folder) / LOG_NAME
        self._edits = EditLog(self.log)

    def read(self) -> Lexicon:
        """The lexicon as it is now."""
        if not self.path.exists():
            where = self.path.parent
            raise LexiconError(
                f"{where} has no lexicon.json, so it is not a run. `fewlex train DATA --out {where}` makes one."
            )
        lexicon = Lexicon.load(self.path)
        self._edits.require_edits_of(self.path)
        return lexicon

    def learned(self) -> Lexicon:
        """The lexicon without any edit: what training starts from."""
        lexicon = self.read()
        for edit in reversed(self._edits.edits(edit_from)):
            lexicon = _before(lexicon, edit)
        return lexicon

    def rebuilt(self, learned: Lexicon) -> Lexicon:
        """What was learned with all edits of the log, whatever lexicon.json says."""
        for edit in self._edits.edits(edit_from):
            learned = _after(learned, edit)
        return learned

    def begin_anew(self, learned: Lexicon) -> None:
        """Put another learned lexicon below the edits, which stay. Training ends with this, and so does mending."""
        with self._edits.locked():
            rebuilt, count = self.rebuilt(learned), self._edits.reach()
            if count:
                learned.save(self.learned_path)
            self._save(rebuilt, count)

    def teach(self, lines: Iterable[tuple[str, str] | tuple[str, str, str]]) -> Edit:
        """Give each source word exactly one translation. A line is (source, target) or (source, target, like)."""
        rows: dict[str, Row] = {}
        for source, target, *like in lines:
            row = {target: Entry(1.0, PERSON, like="".join(like))}
            if rows.setdefault(source, row) != row:
                raise LexiconError(
                    f"{source!r} is taught twice: {_told(rows[source])} and {_told(row)}. Choose one."
                )
        with self._edits.locked():
            return self._commit("teach", self.read(), rows)

    def edit_rows(self, action: str, rows_of: Callable[[Lexicon], Mapping[str, Row]]) -> Edit:
        """Give words the rows that `rows_of` makes from the lexicon as it is; nobody else edits in between."""
        with self._edits.locked():
            known = self.read()
            return self._commit(action, known, rows_of(known))

    def set_entry(self, source: str, target: str, entry: Entry, replaces: str | None = None) -> Edit:
        """Add one translation to a source word, or change it; with `replaces`, it takes the place of that one."""

        def changed(lexicon: Lexicon) -> dict[str, Row]:
            row = lexicon.row(source)
            if replaces is not None and replaces not in row:
                raise LexiconError(
                    f"{source!r} does not mean {replaces!r}, so that cannot be replaced. Leave `replaces` out."
                )
            old = target if replaces is None or target in row else replaces
            new = {target if word == old else word: known for word, known in row.items()}
            if replaces != target:
                new.pop(replaces or "", None)
            return {source: {**new, target: entry}}

        return self.edit_rows("set", changed)

    def forget(self, source: str, target: str | None = None) -> Edit:
        """Remove one translation of a source word, or the whole word."""
        with self._edits.locked():
            known = self.read()
            rest = known.copy()
            rest.remove(source, target)
            return self._commit("forget", known, {source: rest.row(source)})

    def replace(self, lexicon: Lexicon, action: str = "import") -> Edit:
        """Replace the entries by those of another lexicon; the record of how this one was learned stays."""
        with self._edits.locked():
            return self._replace(self.read(), lexicon, action)

    def merge(self, lexicon: Lexicon) -> Edit:
        """Add the entries of another lexicon; for a pair that both have, the entry of the other one counts."""
        with self._edits.locked():
            known = self.read()
            return self._replace(known, known.merge(lexicon), "import")

    def write_table(self, path: Path | str) -> None:
        """Write a short table for a person to edit: source, target, weight, and `like` if an entry has it."""
        atomic_write_text(path, to_tsv(self.read(), optional=()))

    def take_table(self, path: Path | str) -> Edit:
        """Replace the lexicon by the edited table; entries that differ from before get the origin `person`."""
        with self._edits.locked():
            known = self.read()
            lines = []
            for source, target, entry in Lexicon.load(path):
                old = known.row(source).get(target, entry)
                changed = replace(old, weight=entry.weight, like=entry.like)
                lines.append((source, target, old if changed == old else replace(changed, origin=PERSON)))
            return self._replace(known, Lexicon(lines), "edit")

    def undo(self) -> Edit:
        """Take back the last edit that is not undone yet, and return it."""
        with self._edits.locked():
            return self._edits.undo(edit_from, self._take_back)

    def redo(self) -> Edit:
        """Make the edit again that was undone last, and return it; after another edit there is none."""
        with self._edits.locked():
            return self._edits.redo(edit_from, self._make_again)

    def _take_back(self, edit: Edit) -> None:
        self._save(_before(self.read(), edit), self._edits.reach(undone=1))

    def _make_again(self, edit: Edit) -> None:
        self._save(_after(self.read(), edit), self._edits.reach())

    def _save(self, lexicon: Lexicon, edits: int) -> None:
        write_lexicon(self.path, lexicon, lexicon.provenance, edits)

    def _replace(self, old: Lexicon, new: Lexicon, action: str) -> Edit:
        sources = dict.fromkeys((*old.sources, *new.sources))
        return self._commit(action, old, {source: new.row(source) for source in sources})

    def _commit(self, action: str, old: Lexicon, rows: Mapping[str, Row]) -> Edit:
        """Log and make the edit that gives these rows to their words; if it cannot be made, it is not logged either.

        `old` is the lexicon as it is now.
        """
        changed = {source: row for source, row in rows.items() if row != old.row(source)}
        is_removed = not all(changed.values())
        place = {source: i for i, source in enumerate(old.sources)} if is_removed else {}
        changes = {
            source: Change(old.row(source), row, None if row else place[source])
            for source, row in changed.items()
        }
        edit = Edit(now(), action, changes)
        new = _with_rows(old, changed)  # checks every word before anything is written
        if changed:
            if not (self._edits.count and self.learned_path.exists()):
                self.learned().save(self.learned_path)
            self._edits.commit(_to_record(edit), lambda: self._save(new, self._edits.reach()))
        return edit


def _before(lexicon: Lexicon, edit: Edit) -> Lexicon:
    rows = {source: change.before for source, change in edit.changes.items()}
    places = {
        source: change.place
        for source, change in edit.changes.items()
        if change.place is not None and change.before
    }
    return _with_rows(lexicon, rows, places)


def _after(lexicon: Lexicon, edit: Edit) -> Lexicon:
    return _with_rows(lexicon, {source: change.after for source, change in edit.changes.items()})


def _with_rows(lexicon: Lexicon, rows: Mapping[str, Row], places: Mapping[str, int] | None = None) -> Lexicon:
    """The lexicon with other rows for some words.

    An empty row removes its word. The row of a new word comes last, or to the place that `places` gives for it.
    """
    new = lexicon.copy()
    for source, row in rows.items():
        if row:
            new.replace_row(source, row)
        elif source in new:
            new.remove(source)
    if places:
        new.move(places)
    return new


def _to_record(edit: Edit) -> dict[str, object]:
    rows = {}
    for source, change in edit.changes.items():
        place = {} if change.place is None else {"place": change.place}
        rows[source] = {"before": _fields(change.before), "after": _fields(change.after), **place}
    return {"time": edit.time, "action": edit.action, "rows": rows}


def edit_from(record: Any) -> Edit:
    """The edit that a line of the log tells, as JSON."""
    changes = {
        source: Change(_row(source, change["before"]), _row(source, change["after"]), _place(change))
        for source, change in record["rows"].items()
    }
    return Edit(checked(record["time"], str, "time"), checked(record["action"], str, "action"), changes)


def _fields(row: Row) -> dict[str, dict[str, float | str]]:
    return {target: to_fields(entry) for target, entry in row.items()}


def _row(source: str, fields: Mapping[str, object]) -> dict[str, Entry]:
    return {target: to_line(source, target, entry)[2] for target, entry in fields.items()}


def _place(change: Mapping[str, object]) -> int | None:
    place = change.get("place")
    return None if place is None else checked(place, int, "place")


def _told(row: Row) -> str:
    return ", ".join(
        f"{target} (like {entry.like})" if entry.like else target for target, entry in row.items()
    )
