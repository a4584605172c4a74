"""All derivations of the parts of a template: which stretch of its source yields which part of its target.

This is a chart parser from left to right. A complete item is a kind (class or rule) over a stretch of the source with
its yield; an active item is the beginning of a rule that waits for its next word or for a filler of its next hole.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import NamedTuple

from fewlex.rules.learning.draft import DraftGrammar, DraftRule
from fewlex.rules.words.templates import Template

MAX_ITEMS = 20_000
"""A template with more items than this is given up. Grammars of real data need some hundreds."""


class Part(NamedTuple):
    """A complete item: the best way to derive `text` as `kind` from the source units `start` … `end - 1`."""

    score: float
    kind: str
    text: str
    start: int
    end: int
    rule: DraftRule | None
    fills: tuple[Part, ...]


class _Active(NamedTuple):
    score: float
    rule: DraftRule
    dot: int
    fills: tuple[Part, ...]


@dataclass(eq=False)
class Forest:
    """The chart of one template. `parts[start, end]` has the best part of each kind and text."""

    grammar: DraftGrammar
    template: Template

    def __post_init__(self) -> None:
        self.parts: dict[tuple[int, int], dict[tuple[str, str], Part]] = defaultdict(dict)
        self._by_word: dict[str, list[DraftRule]] = defaultdict(list)
        self._by_hole: list[DraftRule] = []
        self._wait_for_word: dict[tuple[int, int], dict[object, _Active]] = defaultdict(dict)
        self._wait_for_part: dict[tuple[int, int], dict[object, _Active]] = defaultdict(dict)
        self._middles: list[list[int]] = [[] for _ in self.template.source]
        self.n_items = 0
        self._choose_rules()
        for end in range(1, len(self.template.source) + 1):
            for start in range(end - 1, -1, -1):
                self._fill(start, end)

    @property
    def is_given_up(self) -> bool:
        return self.n_items > MAX_ITEMS

    def whole(self) -> Part | None:
        """The best derivation of the whole template."""
        found = [
            (part.score + price, part)
            for part in self.parts.get((0, len(self.template.source)), {}).values()
            if part.text == self.template.target
            and (price := self.grammar.sentence.price(0, part.kind)) is not None
        ]
        return max(found, key=lambda scored: scored[0])[1] if found else None

    def _choose_rules(self) -> None:
        words = {symbol for symbol in self.template.source if isinstance(symbol, str)}
        characters = set(self.template.target)
        for rule in self.grammar.rules.values():
            if rule.words <= words and rule.characters <= characters:
                first = rule.source[0]
                (self._by_hole if isinstance(first, int) else self._by_word[first]).append(rule)

    def _fill(self, start: int, end: int) -> None:
        """Find all that the source units `start` … `end - 1` can be; shorter stretches are done."""
        symbol = self.template.source[end - 1]
        if isinstance(symbol, str):
            if start == end - 1:
                for rule in self._by_word[symbol]:
                    self._advance(_Active(0.0, rule, 1, ()), start, end)
            for active in list(self._wait_for_word.get((start, end - 1), {}).values()):
                if active.rule.source[active.dot] == symbol:
                    self._advance(active._replace(dot=active.dot + 1), start, end)
        elif start == end - 1 and (text := self.template.values[start]) in self.template.target:
            self._complete(Part(0.0, self.template.kinds[start], text, start, end, None, ()))
        for middle in list(self._middles[start]):
            if middle < end and (parts := self.parts.get((middle, end))):
                for active in list(self._wait_for_part[start, middle].values()):
                    for part in list(parts.values()):
                        self._fill_hole(active, part, start)

    def _fill_hole(self, active: _Active, part: Part, start: int) -> None:
        price = active.rule.price(len(active.fills), part.kind)
        if price is not None:
            score = active.score + part.score + price
            self._advance(_Active(score, active.rule, active.dot + 1, (*active.fills, part)), start, part.end)

    def _complete(self, part: Part) -> None:
        here = self.parts[part.start, part.end]
        old = here.get((part.kind, part.text))
        if (old is not None and old.score >= part.score) or self.is_given_up:
            return
        self.n_items += 1
        here[part.kind, part.text] = part
        for rule in self._by_hole:
            # Rules that are one hole stand directly above words or on top, so that they cannot pile up.
            if len(rule.source) > 1 or part.rule is None or self._is_top(part):
                price = rule.price(0, part.kind)
                if price is not None:
                    self._advance(_Active(part.score + price, rule, 1, (part,)), part.start, part.end)

    def _is_top(self, part: Part) -> bool:
        is_one_hole = part.rule is not None and len(part.rule.source) == 1
        return part.end - part.start == len(self.template.source) and not is_one_hole

    def _advance(self, active: _Active, start: int, end: int) -> None:
        rule = active.rule
        if active.dot == len(rule.source):
            text = rule.yields([part.text for part in active.fills])
            if text in self.template.target:
                self._complete(Part(active.score, rule.name, text, start, end, rule, active.fills))
            return
        if end == len(self.template.source) or self.is_given_up:
            return
        is_word = isinstance(rule.source[active.dot], str)
        waiting = (self._wait_for_word if is_word else self._wait_for_part)[start, end]
        if not is_word and not waiting:
            self._middles[start].append(end)
        key = (rule.name, active.dot, tuple([part.text for part in active.fills]))
        old = waiting.get(key)
        if old is None or active.score > old.score:
            self.n_items += 1
            waiting[key] = active
