"""`/v1/rules`: look at the rules of a run and change them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from fewlex.errors import RuleError
from fewlex.rules.journal import RuleEdit
from fewlex.rules.view import DEEDS, group_rules
from fewlex.serve.limits import Limits
from fewlex.serve.problems import Problem
from fewlex.serve.rule_shapes import ForgetRuleQuery, RulesAnswer, RuleShape, SetRule
from fewlex.serve.served import ServedRun
from fewlex.serve.service import Service
from fewlex.serve.shapes import Edited, RunQuery
from fewlex.serve.states import edit_shape, state_of
from fewlex.serve.translating import check_length


async def show(service: Service, limits: Limits, wanted: RunQuery) -> RulesAnswer:
    return await asyncio.to_thread(_show, _find(service, wanted.run))


def _show(run: ServedRun) -> RulesAnswer:
    snapshot = run.snapshot()
    book = snapshot.knowledge.rules
    if book is None:
        raise _without_rules(run)
    rules = []
    for deed, group in group_rules(book).items():
        for rule in group:
            fillers = tuple(dict(fillers) for fillers in rule.fillers)
            example = " ".join(rule.example)
            rules.append(
                RuleShape(rule.name, str(rule), DEEDS[deed], rule.count, rule.origin, example, fillers)
            )
    words = {kind: {word.term: " ".join(word.target) for word in words} for kind, words in book.kinds.items()}
    return RulesAnswer(run.name, snapshot.version, book.measured.silence, tuple(rules), words)


async def set_rule(service: Service, limits: Limits, wanted: SetRule) -> Edited:
    run = _find(service, wanted.run)
    for name in ("rule", "like"):
        check_length(getattr(wanted, name), limits, name)
    journal = run.run.rule_journal

    def edit() -> RuleEdit:
        if wanted.replaces is not None:
            return journal.change(wanted.replaces, wanted.rule)
        if wanted.like and journal.read().word(wanted.like) is not None:
            return journal.teach(wanted.rule, wanted.like)
        return journal.add_and_tell(wanted.rule, wanted.like)[0]

    return await asyncio.to_thread(_edit, service, limits, run, edit)


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
