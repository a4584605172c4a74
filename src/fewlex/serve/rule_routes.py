"""`/v1/rules`: look at the rules of a run and change them."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from starlette.responses import Response

from fewlex.errors import RuleError
from fewlex.rules import ARROW, RuleBook, Word
from fewlex.rules.edits import diff_rules, take_text
from fewlex.rules.journal import RuleEdit, RuleJournal
from fewlex.rules.merging import merge_rules
from fewlex.rules.storage import FILE_NAME, from_json, load_rules, save_rules, to_json
from fewlex.rules.text import from_text, to_text
from fewlex.serve.batching import Snapshot
from fewlex.serve.lexicon_routes import as_file, line_of
from fewlex.serve.lexicon_shapes import ChangedOutput, Totals
from fewlex.serve.limits import Limits
from fewlex.serve.problems import Problem
from fewlex.serve.rule_shapes import (
    ExportRulesQuery,
    ForgetRuleQuery,
    ImportRules,
    RulesAnswer,
    RuleSet,
    RulesImported,
    RulesQuery,
    RuleWords,
    RuleWordsQuery,
    SetRule,
)
from fewlex.serve.rule_view import rule_rows, trust_in, word_rows
from fewlex.serve.served import ServedRun
from fewlex.serve.service import Service
from fewlex.serve.shapes import Edited, RuleChange
from fewlex.serve.states import edit_shape, state_of
from fewlex.serve.teaching import compare
from fewlex.serve.translating import check_length, check_texts

MEDIA_TYPES = {"txt": "text/plain; charset=utf-8", "json": "application/json"}


async def show(service: Service, limits: Limits, wanted: RulesQuery) -> RulesAnswer:
    run = _find(service, wanted.run)
    snapshot, book = await asyncio.to_thread(_book, run)
    rows = await asyncio.to_thread(rule_rows, book, wanted)
    return RulesAnswer(
        run.name,
        snapshot.version,
        book.measured.silence,
        trust_in(book),
        len(book.rules),
        len(rows),
        wanted.offset,
        tuple(rows[wanted.offset : wanted.offset + wanted.limit]),
    )


async def words(service: Service, limits: Limits, wanted: RuleWordsQuery) -> RuleWords:
    run = _find(service, wanted.run)
    snapshot, book = await asyncio.to_thread(_book, run)
    rows = await asyncio.to_thread(word_rows, book, wanted)
    shown = tuple(rows[wanted.offset : wanted.offset + wanted.limit])
    return RuleWords(run.name, snapshot.version, len(book.words), len(rows), wanted.offset, shown)


def _book(run: ServedRun) -> tuple[Snapshot, RuleBook]:
    snapshot = run.snapshot()
    if snapshot.knowledge.rules is None:
        raise _without_rules(run)
    return snapshot, snapshot.knowledge.rules


async def set_rule(service: Service, limits: Limits, wanted: SetRule) -> RuleSet:
    run = _find(service, wanted.run)
    for name in ("rule", "like"):
        check_length(getattr(wanted, name), limits, name)
    check_texts(wanted.sentences, limits, "sentences", limits.sentences)
    changed: tuple[ChangedOutput, ...] = ()
    if wanted.preview or wanted.sentences:
        before, after = await asyncio.to_thread(_tried, run, wanted)
        changed = await compare(run, wanted.sentences, before, after)
    edit = None
    if not wanted.preview:
        made = await asyncio.to_thread(_set, run.run.rule_journal, wanted)
        service.metrics.observe_edit(run.name, f"{made.action} rule")
        edit = edit_shape(made, limits)
    return RuleSet(await asyncio.to_thread(state_of, run), edit, changed, len(wanted.sentences))


def _set(journal: RuleJournal, wanted: SetRule) -> RuleEdit:
    if wanted.replaces is not None:
        return journal.change(wanted.replaces, wanted.rule)
    if wanted.like and journal.read().word(wanted.like) is not None:
        return journal.teach(wanted.rule, wanted.like)
    return journal.add_and_tell(wanted.rule, wanted.like)[0]


def _tried(run: ServedRun, wanted: SetRule) -> tuple[Snapshot, Snapshot]:
    """The run as it is, and as it would be with the edit, which is made on a copy of the rules for that purpose."""
    before, book = _book(run)
    with tempfile.TemporaryDirectory(prefix="fewlex-") as folder:
        copy = Path(folder) / FILE_NAME
        save_rules(book, copy)
        _set(RuleJournal(copy), wanted)
        tried = replace(before.knowledge, rules=load_rules(copy))
    return before, Snapshot(before.mind.knowing(tried), before.version)


async def import_rules(service: Service, limits: Limits, wanted: ImportRules) -> RulesImported:
    run = _find(service, wanted.run)
    return await asyncio.to_thread(_import, service, limits, run, wanted)


def _import(service: Service, limits: Limits, run: ServedRun, wanted: ImportRules) -> RulesImported:
    name = f"import.{wanted.format}"
    try:
        given = (from_json if wanted.format == "json" else from_text)(wanted.content, name)
    except RuleError as error:
        raise Problem(422, str(error), where="content", **line_of(name, str(error))) from error
    for text in (*map(str, given.rules), *map(_entry, given.words)):
        check_length(text, limits, f"the rule or word {text[:40]!r}")
    journal = run.run.rule_journal
    now = journal.read()
    changes = _changes(now, merge_rules(now, given) if wanted.mode == "merge" else take_text(now, given))
    edit = None
    if not wanted.preview:
        edit = journal.merge(given) if wanted.mode == "merge" else journal.replace(given, "import")
        service.metrics.observe_edit(run.name, "import rule")
    added = sum(change.before is None for change in changes)
    removed = sum(change.after is None for change in changes)
    return RulesImported(
        state_of(run),
        tuple(changes[: limits.rows]),
        Totals(added, removed, len(changes) - added - removed),
        None if edit is None else edit_shape(edit, limits),
    )


def _changes(old: RuleBook, new: RuleBook) -> list[RuleChange]:
    """What would change, by what rules and words say; a rule that only gets another name does not count."""
    difference = diff_rules(old, new)
    added = {rule.name: rule for rule in difference.added}
    changes = [
        RuleChange(rule.name, str(rule), str(added.pop(rule.name)) if rule.name in added else None)
        for rule in difference.removed
    ]
    changes += [RuleChange(name, None, str(rule)) for name, rule in added.items()]
    changes += [RuleChange(a.kind, _entry(a), _entry(b)) for a, b in difference.changed_words]
    changes += [RuleChange(word.kind, _entry(word), None) for word in difference.removed_words]
    return changes + [RuleChange(word.kind, None, _entry(word)) for word in difference.added_words]


def _entry(word: Word) -> str:
    return f"{word.term} {ARROW} {' '.join(word.target)}"


async def export(service: Service, limits: Limits, wanted: ExportRulesQuery) -> Response:
    run = _find(service, wanted.run)
    book = await asyncio.to_thread(run.run.rule_journal.read)
    text = await asyncio.to_thread(to_json if wanted.format == "json" else to_text, book)
    return as_file(f"{run.name}-rules.{wanted.format}", text, MEDIA_TYPES[wanted.format])


async def forget(service: Service, limits: Limits, wanted: ForgetRuleQuery) -> Edited:
    run = _find(service, wanted.run)
    try:
        return await asyncio.to_thread(
            _edit, service, limits, run, lambda: run.run.rule_journal.forget(wanted.name)
        )
    except RuleError as error:
        raise Problem(404, str(error)) from error


def _edit(service: Service, limits: Limits, run: ServedRun, edit: Callable[[], RuleEdit]) -> Edited:
    made = edit()
    service.metrics.observe_edit(run.name, f"{made.action} rule")
    return Edited(state_of(run), edit_shape(made, limits))


def _find(service: Service, name: str) -> ServedRun:
    run = service.find(name)
    if not run.has_rules:
        raise _without_rules(run)
    return run


def _without_rules(run: ServedRun) -> Problem:
    return Problem(404, f"this run has no rules: {run.name} has no rules.json.", where="run")
