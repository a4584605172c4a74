"""Rules and their words as clients page through them: searched, sorted, cut into pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from fewlex.rules import RuleBook
from fewlex.rules.view import DEEDS, group_rules
from fewlex.serve.rule_shapes import RuleShape, RulesQuery, RuleWordShape, RuleWordsQuery, Trust

Row = TypeVar("Row", RuleShape, RuleWordShape)


def rule_rows(book: RuleBook, query: RulesQuery) -> list[RuleShape]:
    """The rules that match, in the wanted order; without one, by what they do."""
    rows = (
        RuleShape(
            rule.name,
            str(rule),
            DEEDS[deed],
            rule.count,
            rule.origin,
            " ".join(rule.example),
            tuple(dict(fillers) for fillers in rule.fillers),
        )
        for deed, group in group_rules(book).items()
        for rule in group
    )
    return _ordered(rows, query, lambda row: f"{row.name} {row.rule} {row.example}")


def word_rows(book: RuleBook, query: RuleWordsQuery) -> list[RuleWordShape]:
    rows = (
        RuleWordShape(word.term, " ".join(word.target), word.kind, word.origin)
        for words in book.kinds.values()
        for word in words
    )
    return _ordered(rows, query, lambda row: f"{row.source} {row.target}")


def trust_in(book: RuleBook) -> Trust:
    measured, calibration = book.measured, book.calibration
    surest = min(calibration.precision, default=None)
    return Trust(
        measured.n_pairs,
        measured.derived,
        calibration.n_checked,
        None if surest is None else calibration.precision[surest],
        calibration.wanted,
    )


def _ordered(
    rows: Iterable[Row], query: RulesQuery | RuleWordsQuery, text: Callable[[Row], str]
) -> list[Row]:
    wanted = query.search.casefold()
    found = [row for row in rows if wanted in text(row).casefold()]
    if query.sort != "file":
        found.sort(key=lambda row: _natural(getattr(row, query.sort)))
    if query.order == "down":
        found.reverse()
    return found


def _natural(value: Any) -> Any:
    """A number as it is; of a text, its numbers count as numbers, so that R2 comes before R10."""
    if not isinstance(value, str):
        return value
    parts = re.split(r"(\d+)", value.casefold())
    return [(1, int(part[:18]), "") if part.isdecimal() else (0, 0, part) for part in parts]
