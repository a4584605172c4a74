"""The smallest extension of a grammar that makes a template derivable.

Three things can be done so that a stretch of the source yields a part of the target in some hole:

1. a new rule, which is the template itself with its largest derivable parts as holes;
2. an old rule whose hole gets a new filler, which is explained in the same way;
3. one common rule in place of the new rule and an old one: the part in which they differ becomes a hole (`common.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from fewlex.rules.learning.common import common_rules, is_enclosed
from fewlex.rules.learning.draft import DraftGrammar, DraftRule, rule_size
from fewlex.rules.learning.forest import Forest, Part
from fewlex.rules.learning.shape import Shape
from fewlex.rules.rule import Symbol
from fewlex.rules.words.templates import is_variable

MAX_DEPTH = 2
"""New fillers are looked for inside of so many old rules, one within the other."""


FILLER, TORN = 0.5, 5.0
"""The price of a new filler, and of one that is torn from what always stands beside it."""


class Extension(NamedTuple):
    """A change of the grammar and its price in description length."""

    cost: float
    apply: Callable[[], None]


class Flat(NamedTuple):
    """A rule to be: what stands in its holes is one kind each."""

    source: tuple[Symbol, ...]
    target: tuple[Symbol, ...]
    kinds: tuple[str, ...]

    @property
    def fillers(self) -> list[Counter[str]]:
        return [Counter([kind]) for kind in self.kinds]


class Goal(NamedTuple):
    """The source units `start` … `end - 1` are to yield `text` in a hole of the rule `parent`."""

    start: int
    end: int
    text: str
    parent: DraftRule
    hole: int


@dataclass
class Extender:
    """Finds extensions for one template."""

    grammar: DraftGrammar
    forest: Forest
    shape: Shape

    def __post_init__(self) -> None:
        template = self.forest.template
        self.source = template.source
        self.kinds = template.kinds
        self.symbols = template.symbols
        self.values = template.values

    def smallest(self, top: DraftRule) -> Extension | None:
        """The cheapest extension; `top` is the rule around the whole sentence."""
        text = missing_text(top, [""], 0, self.forest.template.target)
        if not text:
            return None
        found = self._explain(Goal(0, len(self.source), text, top, 0), depth=0)
        return min(found, key=lambda extension: extension.cost, default=None)

    def _explain(self, goal: Goal, depth: int) -> list[Extension]:
        start, end, text, parent, hole = goal
        if end - start == 1 and text == self.values[start]:
            return [self._widening(parent, hole, self.kinds[start])]
        found = [
            self._widening(parent, hole, part.kind)
            for part in self.forest.parts.get((start, end), {}).values()
            if part.text == text
        ]
        flat = self.flat(start, end, text)
        if flat is None:
            return found
        if self._is_worth_a_rule(flat, is_filler=depth > 0):
            found.append(
                Extension(rule_size(flat.source, flat.target) + 1, lambda: self._add(flat, parent, hole))
            )
            if any(isinstance(symbol, int) for symbol in flat.target):
                for cost, apply in common_rules(self.grammar, self.shape, flat, parent, hole):
                    found.append(Extension(cost, apply))
        if depth < MAX_DEPTH:
            for rule in self.grammar.rules_in(parent, hole):
                found += self._new_fillers(rule, goal, depth)
        return found

    def _widening(self, rule: DraftRule, hole: int, kind: str) -> Extension:
        return Extension(1.0, lambda: self.grammar.widen(rule, hole, kind))

    def _add(self, flat: Flat, parent: DraftRule, hole: int) -> None:
        rule = self.grammar.add(flat.source, flat.target, flat.fillers)
        self.grammar.widen(parent, hole, rule.name)

    def _is_worth_a_rule(self, flat: Flat, is_filler: bool) -> bool:
        if flat.source == (0,) and flat.kinds[0] in self.grammar.rules:
            return False
        adds_nothing = is_filler and len(flat.target) == 1 and isinstance(flat.target[0], int)
        return not adds_nothing or is_enclosed(flat.source) or self._is_bound(flat)

    def _is_bound(self, flat: Flat) -> bool:
        """Words that add nothing to the target belong to a filler only if its word never comes without them."""
        place = flat.source.index(0)
        kind = flat.kinds[0]
        before = flat.source[place - 1] if place else None
        after = flat.source[place + 1] if place + 1 < len(flat.source) else None
        return (
            kind not in self.grammar.rules
            and not isinstance(before, int)
            and not isinstance(after, int)
            and (before is None or self.shape.is_always_after(before, kind))
            and (after is None or self.shape.is_always_before(after, kind))
        )

    def _is_closed(self, start: int, end: int, goal: tuple[int, int, str], text: str) -> bool:
        """True if the goal's text without `text` has no variable that occurs in `start` … `end - 1` only."""
        first, last, whole = goal
        outside = {*self.values[first:start], *self.values[end:last]}
        rest = whole.replace(text, "\0")
        return not any(value in rest for value in self.values[start:end] if value and value not in outside)

    def flat(self, start: int, end: int, text: str) -> Flat | None:
        """The rule for the stretch with its largest derivable parts as holes.

        None if a variable is left over, or if two holes yield the same, so that nobody knows which is which.
        """
        at = {part.start: part for part in self.largest_parts(start, end, text)}
        source: list[Symbol] = []
        kinds: list[str] = []
        texts: list[str] = []
        position = start
        while position < end:
            part = at.get(position)
            if part is None and not self.values[position]:
                source.append(self.source[position])
            else:
                source.append(len(kinds))
                kinds.append(part.kind if part else self.kinds[position])
                texts.append(part.text if part else self.values[position])
            position = part.end if part else position + 1
        if len(set(texts)) < len(texts):
            return None
        target = with_holes(text, texts)
        if any(isinstance(symbol, str) and is_variable(symbol) for symbol in target):
            return None
        return Flat(tuple(source), target, tuple(kinds))

    def largest_parts(self, start: int, end: int, text: str) -> list[Part]:
        """Derivable parts that do not overlap: long ones first, then well derived ones, then from the left."""
        found = [
            part
            for first in range(start, end)
            for last in range(first + 1, end + 1)
            for part in self.forest.parts.get((first, last), {}).values()
            if part.rule is not None
            and part.text in text
            and (part.text != text or last - first < end - start)
            and self._is_closed(first, last, (start, end, text), part.text)
        ]
        found.sort(key=lambda part: (part.start - part.end, -len(part.text), -part.score, part.start))
        taken: list[Part] = []
        for part in found:
            if all(part.end <= other.start or other.end <= part.start for other in taken):
                taken.append(part)
        return taken

    def _new_fillers(self, rule: DraftRule, goal: Goal, depth: int) -> Iterator[Extension]:
        """Lay an old rule over the stretch and explain what would have to fill one of its holes."""
        words = {symbol for symbol in self.source[goal.start : goal.end] if isinstance(symbol, str)}
        # A rule that is one hole stands directly above words, so it gets no fillers that are phrases.
        if not rule.words <= words or not 1 < len(rule.source) <= goal.end - goal.start:
            return
        for hole in range(len(rule.fillers)):
            for start, end, texts in self._layings(rule, goal, hole):
                text = missing_text(rule, texts, hole, goal.text)
                if (
                    text
                    and self.shape.is_constituent(text)
                    and any(value and value in text for value in self.values[start:end])
                    and self._is_closed(start, end, (goal.start, goal.end, goal.text), text)
                ):
                    price = TORN if self.shape.is_torn(self.symbols[start:end]) else FILLER
                    for extension in self._explain(Goal(start, end, text, rule, hole), depth + 1):
                        yield extension._replace(cost=extension.cost + price)

    def _layings(self, rule: DraftRule, goal: Goal, free: int) -> Iterator[tuple[int, int, list[str]]]:
        """Ways to lay a rule over a stretch: where its free hole begins and ends, and what the other holes yield."""

        def lay(
            dot: int, position: int, texts: list[str], gap: tuple[int, int]
        ) -> Iterator[tuple[int, int, list[str]]]:
            if dot == len(rule.source):
                if position == goal.end:
                    yield (*gap, texts)
                return
            symbol = rule.source[dot]
            last = goal.end - (len(rule.source) - dot - 1)
            if isinstance(symbol, str):
                if position < goal.end and self.source[position] == symbol:
                    yield from lay(dot + 1, position + 1, texts, gap)
            elif symbol == free:
                for end in range(position + 1, last + 1):
                    yield from lay(dot + 1, end, [*texts, ""], (position, end))
            else:
                for end in range(position + 1, last + 1):
                    for text in self._texts(rule, symbol, position, end):
                        yield from lay(dot + 1, end, [*texts, text], gap)

        yield from lay(0, goal.start, [], (0, 0))

    def _texts(self, rule: DraftRule, hole: int, start: int, end: int) -> set[str]:
        parts = self.forest.parts.get((start, end), {}).values()
        return {part.text for part in parts if rule.price(hole, part.kind) is not None}


def with_holes(text: str, yields: Sequence[str]) -> tuple[Symbol, ...]:
    """The text as the target of a rule: the yield of each hole, long ones first, is replaced by the hole's number."""
    pieces: list[Symbol] = [text]
    for hole in sorted(range(len(yields)), key=lambda hole: -len(yields[hole])):
        replaced: list[Symbol] = []
        for piece in pieces:
            if isinstance(piece, int):
                replaced.append(piece)
                continue
            for number, rest in enumerate(piece.split(yields[hole])):
                if number:
                    replaced.append(hole)
                if rest:
                    replaced.append(rest)
        pieces = replaced
    return tuple(symbol for piece in pieces for symbol in ([piece] if isinstance(piece, int) else piece))


def missing_text(rule: DraftRule, texts: Sequence[str], hole: int, whole: str) -> str:
    """What the hole has to yield so that the rule yields `whole`; empty if nothing does."""
    around = [""]
    for symbol in rule.target:
        if symbol == hole:
            around.append("")
        else:
            around[-1] += texts[symbol] if isinstance(symbol, int) else symbol
    times = len(around) - 1
    left = len(whole) - sum(map(len, around))
    if times < 1 or left <= 0 or left % times:
        return ""
    text = whole[len(around[0]) : len(around[0]) + left // times]
    return text if text.join(around) == whole else ""
