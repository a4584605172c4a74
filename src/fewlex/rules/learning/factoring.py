"""Parts that several rules have in common, and that no rule says yet.

_ in _ _ ↦ Q ( #1 , #2 ) . to ( #0 )          and
check _ _ ↦ check ( Q ( #0 , #1 ) )           have in common
_ _ ↦ Q ( #0 , #1 )

Growing from short templates to long ones does not find such a part if it never stands where something else stands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from fewlex.rules.learning.common import renumbered
from fewlex.rules.learning.draft import DraftGrammar, DraftRule, rule_size
from fewlex.rules.learning.shape import Shape
from fewlex.rules.rule import Symbol

MAX_RULES, MAX_SYMBOLS = 60, 40
"""Grammars of more rules, and longer rules, are not looked at: there would be too many parts."""

HOLES = 2.0
"""What is left of a part in a rule: one hole in its source and one in its target."""


class _Found(NamedTuple):
    source: tuple[Symbol, ...]
    target: tuple[Symbol, ...]
    kinds: tuple[str, ...]
    """For each hole its most frequent filler."""


def add_common_parts(grammar: DraftGrammar, shape: Shape) -> bool:
    """Add the part that makes the grammar smallest as a rule, if there is one. True if there was."""
    if len(grammar.rules) > MAX_RULES:
        return False
    owners: dict[_Found, list[Counter[str]]] = {}
    times: Counter[_Found] = Counter()
    for rule in grammar.rules.values():
        if len(rule.target) <= MAX_SYMBOLS and all(rule.fillers):
            for part, fillers in _parts(rule, shape):
                times[part] += 1
                owners.setdefault(part, fillers)
    gains = {part: _gain(part, n) for part, n in times.items()}
    best = max(gains, key=lambda part: gains[part], default=None)
    if best is None or gains[best] <= 0:
        return False
    grammar.add(best.source, best.target, [Counter(kinds) for kinds in owners[best]])
    return True


def _gain(part: _Found, times: int) -> float:
    size = rule_size(part.source, part.target)
    return times * (size - HOLES) - size


def _parts(rule: DraftRule, shape: Shape) -> Iterator[tuple[_Found, list[Counter[str]]]]:
    """The parts of a rule: a stretch of its source, and a stretch of its target that has the same holes."""
    for start in range(len(rule.source)):
        for end in range(start + 2, len(rule.source) + (start > 0)):
            source = rule.source[start:end]
            holes = [symbol for symbol in source if isinstance(symbol, int)]
            if not holes or not set(holes) <= set(rule.target):
                continue
            for target in _stretches(rule.target, holes):
                if shape.is_constituent(target):
                    number = {hole: place for place, hole in enumerate(holes)}
                    as_part = tuple(number[s] if isinstance(s, int) else s for s in target)
                    fillers = [rule.fillers[hole] for hole in holes]
                    kinds = tuple(kinds.most_common(1)[0][0] for kinds in fillers)
                    yield _Found(tuple(renumbered(source)), as_part, kinds), fillers


def _stretches(target: tuple[Symbol, ...], holes: list[int]) -> Iterator[tuple[Symbol, ...]]:
    """The stretches of a target that have all of these holes, no other ones, and some tokens."""
    places = [place for place, symbol in enumerate(target) if symbol in holes]
    first, last = places[0], places[-1]
    if any(isinstance(symbol, int) and symbol not in holes for symbol in target[first : last + 1]):
        return
    begin, end = first, last + 1
    while begin and isinstance(target[begin - 1], str):
        begin -= 1
    while end < len(target) and isinstance(target[end], str):
        end += 1
    for left in range(begin, first + 1):
        for right in range(last + 1, end + 1):
            stretch = target[left:right]
            if len(stretch) < len(target) and any(isinstance(symbol, str) for symbol in stretch):
                yield stretch
