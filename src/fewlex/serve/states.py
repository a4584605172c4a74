"""Edits and the state of a run as clients are told them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fewlex.lexicon import Change, Edit, Entry
from fewlex.rules import ARROW
from fewlex.rules.journal import RuleEdit
from fewlex.serve.lexicon_view import entry_shape
from fewlex.serve.limits import Limits
from fewlex.serve.served import ServedRun
from fewlex.serve.shapes import ChangeShape, EditShape, EntryShape, RuleChange, State


def state_of(run: ServedRun) -> State:
    """Where the run stands, with the edit that was just made."""
    version, log = run.snapshot().version, run.run.edits
    return State(run.name, version, log.last is not None, log.last_undone is not None)


def edit_shape(edit: Edit | RuleEdit, limits: Limits) -> EditShape:
    if isinstance(edit, RuleEdit):
        changed = [*edit.rules.items(), *edit.words.items()]
        rules = tuple(
            RuleChange(name, _said(before), _said(after))
            for name, (before, after, _) in changed[: limits.rows]
            if _said(before) != _said(after)
        )
        return EditShape(edit.time, edit.action, "rules", (), rules, len(changed))
    changes = list(edit.changes.items())
    told = tuple(_change_shape(source, change) for source, change in changes[: limits.rows])
    return EditShape(edit.time, edit.action, "lexicon", told, (), len(changes))


def _said(item: Mapping[str, Any] | None) -> str | None:
    """What a rule or a word says, as text."""
    if item is None:
        return None
    return str(item["rule"]) if "rule" in item else f"{item['source']} {ARROW} {item['target']}"


def _change_shape(source: str, change: Change) -> ChangeShape:
    return ChangeShape(source, _entries(source, change.before), _entries(source, change.after))


def _entries(source: str, row: Mapping[str, Entry]) -> tuple[EntryShape, ...]:
    return tuple(entry_shape(source, target, entry) for target, entry in row.items())
