"""Edits and the state of a run as clients are told them."""

from __future__ import annotations

from collections.abc import Mapping

from fewlex.lexicon import Change, Edit, Entry
from fewlex.serve.lexicon_view import entry_shape
from fewlex.serve.limits import Limits
from fewlex.serve.served import ServedRun
from fewlex.serve.shapes import ChangeShape, EditShape, EntryShape, State


def state_of(run: ServedRun) -> State:
    """Where the run stands, with the edit that was just made."""
    version = run.snapshot().version
    return State(run.name, version, run.journal.can_undo, run.journal.can_redo)


def edit_shape(edit: Edit, limits: Limits) -> EditShape:
    changes = list(edit.changes.items())
    told = tuple(_change_shape(source, change) for source, change in changes[: limits.rows])
    return EditShape(edit.time, edit.action, told, len(changes))


def undone(edit: Edit) -> Edit:
    """The edit the other way round, as undoing it changes the lexicon."""
    changes = {source: Change(change.after, change.before) for source, change in edit.changes.items()}
    return Edit(edit.time, edit.action, changes)


def _change_shape(source: str, change: Change) -> ChangeShape:
    return ChangeShape(source, _entries(source, change.before), _entries(source, change.after))


def _entries(source: str, row: Mapping[str, Entry]) -> tuple[EntryShape, ...]:
    return tuple(entry_shape(source, target, entry) for target, entry in row.items())
