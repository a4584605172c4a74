"""How well rules alone do on examples: right answers, and how far their own judgement can be trusted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from fewlex.data.example import Example
from fewlex.errors import ParseBudgetError
from fewlex.rules.parsing.derivation import Derivation
from fewlex.rules.parsing.parser import RuleParser


@dataclass(frozen=True)
class RuleScores:
    """Shares of all examples, but for `precision`."""

    examples: int
    exact_match: float
    answered: float
    """How many of the examples the rules can derive something for."""
    sure: float
    """For how many of the examples the rules are sure enough to speak."""
    precision: float | None
    """How many of the answers that the rules were sure of are right; None if there is none."""
    by_category: dict[str, float]


def evaluate_rules(
    parser: RuleParser, examples: Iterable[Example], on_done: Callable[[int], None] = lambda done: None
) -> RuleScores:
    """Ask the rules for every example; `on_done` is told how many more are done."""
    n: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for example in examples:
        derivation = parse_or_none(parser, example.source)
        is_right = derivation is not None and derivation.tokens == example.target
        is_sure = derivation is not None and derivation.is_sure
        n.update(
            all=1, right=is_right, answered=derivation is not None, sure=is_sure, both=is_right and is_sure
        )
        asked[example.category] += 1
        right[example.category] += is_right
        on_done(1)
    total = max(1, n["all"])
    return RuleScores(
        n["all"],
        n["right"] / total,
        n["answered"] / total,
        n["sure"] / total,
        n["both"] / n["sure"] if n["sure"] else None,
        {category: right[category] / count for category, count in asked.items() if category},
    )


def parse_or_none(parser: RuleParser, source: Iterable[str]) -> Derivation | None:
    """The derivation of a sentence; None where there is none, or where looking for it would take too long."""
    try:
        return parser.parse(tuple(source))
    except ParseBudgetError:
        return None
