"""Rules that are a list at different lengths: `_ and _ ↦ [ #0 , #1 ]` and `_ , _ and _ ↦ [ #0 , #1 , #2 ]`.

Where there are two such rules, sentences of one item more are likely to come, and need one rule more. Rules that
continue a list, as `_ , _ ↦ #0 , #1`, need no more of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fewlex.rules.learning.draft import rule_size
from fewlex.rules.rule import Rule, Symbol


def price_of_longer_lists(rules: Sequence[Rule]) -> float:
    """The size of one more rule for each list that the rules say at two lengths or more."""
    known = {rule.skeleton for rule in rules}
    longer = [rule for rule in rules if any(shorter in known for shorter in _one_item_less(rule))]
    return sum(rule_size(rule.source, rule.target) for rule in longer)


def _one_item_less(rule: Rule) -> Iterable[tuple[tuple[Symbol, ...], tuple[Symbol, ...]]]:
    """The rule without one of its holes and the word and the token beside it."""
    for place, hole in enumerate(rule.source):
        if isinstance(hole, int) and rule.target.count(hole) == 1:
            for source in _without(rule.source, place):
                for target in _without(rule.target, rule.target.index(hole)):
                    yield _renumbered(source, hole), _renumbered(target, hole)


def _without(side: tuple[Symbol, ...], place: int) -> Iterable[tuple[Symbol, ...]]:
    """One side of a rule without the hole at a place and what stands before it, or what stands after it."""
    for first, end in ((place - 1, place + 1), (place, place + 2)):
        removed = side[max(0, first) : end]
        if first >= 0 and end <= len(side) and any(isinstance(symbol, str) for symbol in removed):
            yield side[:first] + side[end:]


def _renumbered(side: Iterable[Symbol], removed: int) -> tuple[Symbol, ...]:
    return tuple(symbol - 1 if isinstance(symbol, int) and symbol > removed else symbol for symbol in side)
