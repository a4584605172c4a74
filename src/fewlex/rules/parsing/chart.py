"""The chart of one sentence: for every stretch of it the best item of each kind.

The sentence is read from left to right. For each end, stretches are completed from the shortest to the longest. A rule
that has begun waits for its next hole in `_waiting[position]`; words of rules are matched at once. In long sentences
only the rules that best continue what stands before them keep waiting (`prefixes.py`), so that time grows with the
square of the length and not with its cube.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from fewlex.errors import ParseBudgetError
from fewlex.rules.parsing.items import Active, Item, Lexeme, Waiting
from fewlex.rules.parsing.prefixes import MAX_ALIKE, Prefixes
from fewlex.rules.parsing.weights import Weights
from fewlex.rules.rule import Rule

MAX_ITEMS = 300_000
"""A sentence that needs more items than this is refused; it takes about a second to get there."""

FILLS_PER_ITEM = 10
"""So many attempts to fill a hole cost as much as an item."""


class Chart:
    """Fills itself when it is made."""

    def __init__(
        self,
        source: tuple[str, ...],
        lexemes: Sequence[Sequence[Lexeme]],
        rules: Sequence[Rule],
        weights: Weights,
        floor: float | None,
        max_items: int = MAX_ITEMS,
        max_alike: int = MAX_ALIKE,
    ) -> None:
        self._source = source
        self._weights = weights
        self._floor = floor
        self._max_items = max_items
        self._max_alike = max_alike
        self.n_items = 0
        self._waiting: list[Waiting] = [{} for _ in range(len(source) + 1)]
        self._prefixes = Prefixes(rules, weights, floor, self._waiting)
        self._ending: list[dict[int, dict[str, Item]]] = [defaultdict(dict) for _ in range(len(source) + 1)]
        self._by_word: dict[str, list[Rule]] = defaultdict(list)
        self._by_hole: list[tuple[Rule, Mapping[str, float]]] = []
        self._unary: list[tuple[Rule, Mapping[str, float]]] = []
        self._begins: dict[str, list[tuple[Rule, float]]] = {}
        self._names = {rule.name for rule in rules}
        for rule in rules:
            first = rule.source[0]
            if isinstance(first, str):
                self._by_word[first].append(rule)
            else:
                begun = self._by_hole if len(rule.source) > 1 else self._unary
                begun.append((rule, weights.fillers[rule.name, 0]))
        for start, here in enumerate(lexemes):
            for lexeme in here:
                word = lexeme.word
                item = Item(0.0, word.kind, start, start + len(word.source), lexeme, (), None)
                self._ending[item.end][start][word.kind] = item
        for end in range(1, len(source) + 1):
            self._read(end)
        self._apply_frames()

    def whole(self) -> dict[str, Item]:
        """What the whole sentence can be."""
        return self._ending[len(self._source)].get(0, {})

    def _read(self, end: int) -> None:
        """Complete all stretches that end here; then everything that waits here is known."""
        ending = self._ending[end]
        for start in range(end - 1, -1, -1):
            if start == end - 1:
                for rule in self._by_word.get(self._source[start], ()):
                    self._advance(0.0, rule, start, 1, end, ())
            here = ending.get(start)
            if here:
                items = list(here.values())
                attempts = len(items) * (len(self._waiting[start]) + len(self._by_hole))
                self._count_items(attempts // FILLS_PER_ITEM)
                self._apply_unary(items)
                for active in list(self._waiting[start].values()):
                    for item in here.values():
                        self._fill(active, item)
                for item in list(here.values()):
                    self._begin(item)
        if len(self._waiting[end]) > self._max_alike:
            self._prefixes.keep_best(end, self._max_alike)

    def _apply_unary(self, items: Sequence[Item]) -> None:
        """Rules that are one hole stand directly above words, so that they cannot pile up."""
        for rule, prices in self._unary:
            for item in items:
                price = prices.get(item.kind, self._floor)
                if price is not None and not isinstance(item.of, Rule):
                    score = item.score + price + self._liking(item, rule, 0)
                    self._advance(score, rule, item.start, 1, item.end, (item,))

    def _apply_frames(self) -> None:
        """Rules that are one hole and take phrases stand around whole sentences."""
        items = [item for item in self.whole().values() if isinstance(item.of, Rule) and item.of.n_holes]
        for rule, prices in self._unary:
            if any(kind in self._names for kind in rule.fillers[0]):
                for item in items:
                    price = prices.get(item.kind, self._floor)
                    if price is not None and len(item.of.source) > 1:  # type: ignore[union-attr]
                        self._advance(item.score + price, rule, 0, 1, item.end, (item,))

    def _begin(self, item: Item) -> None:
        """Begin all rules that have a hole for the item first, where the next word and the length allow it."""
        end = item.end
        left = len(self._source) - end
        next_word = self._source[end] if left else ""
        for rule, price in self._rules_from(item.kind):
            symbols = rule.source
            second = symbols[1]
            if len(symbols) - 1 <= left and (isinstance(second, int) or second == next_word):
                score = item.score + price + self._liking(item, rule, 0)
                self._advance(score, rule, item.start, 1, end, (item,))

    def _rules_from(self, kind: str) -> list[tuple[Rule, float]]:
        """The rules whose first symbol is a hole that takes this kind, with its price."""
        found = self._begins.get(kind)
        if found is None:
            found = self._begins[kind] = [
                (rule, price)
                for rule, prices in self._by_hole
                if (price := prices.get(kind, self._floor)) is not None
            ]
        return found

    def _fill(self, active: Active, item: Item) -> None:
        price = active.prices.get(item.kind, self._floor)
        if price is not None:
            score = active.score + item.score + price + self._liking(item, active.rule, len(active.fills))
            self._advance(score, active.rule, active.start, active.dot + 1, item.end, (*active.fills, item))

    @staticmethod
    def _liking(item: Item, rule: Rule, hole: int) -> float:
        return 0.0 if isinstance(item.of, Rule) else item.of.likes.get((rule.name, hole), 0.0)

    def _advance(
        self, score: float, rule: Rule, start: int, dot: int, end: int, fills: tuple[Item, ...]
    ) -> None:
        """Match the words of the rule up to its next hole or its end."""
        symbols = rule.source
        source = self._source
        if len(symbols) - dot > len(source) - end:
            return
        while dot < len(symbols):
            symbol = symbols[dot]
            if isinstance(symbol, int):
                key = (start, rule.name, dot)
                old = self._waiting[end].get(key)
                if old is None or score > old.score:
                    self._count_items(1)
                    prices = self._weights.fillers[rule.name, symbol]
                    self._waiting[end][key] = Active(score, rule, start, dot, prices, fills)
                return
            if source[end] != symbol:
                return
            end += 1
            dot += 1
        here = self._ending[end][start]
        best = here.get(rule.name)
        if best is None:
            self._count_items(1)
            here[rule.name] = Item(score, rule.name, start, end, rule, fills, None)
        elif best.rival is None or score > best.rival.score:
            item = Item(score, rule.name, start, end, rule, fills, None)
            is_better = score > best.score
            here[rule.name] = (
                item._replace(rival=best._replace(rival=None)) if is_better else best._replace(rival=item)
            )

    def _count_items(self, number: int) -> None:
        self.n_items += number
        if self.n_items > self._max_items:
            raise ParseBudgetError(
                f"a sentence of {len(self._source)} words, which begins with "
                f"{' '.join(self._source[:5])!r}, has more than {self._max_items} partial readings. "
                "Split the sentence, or raise the budget of the parser."
            )
