"""From the best item of a chart to a derivation: its tree, its target tokens and where they come from."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from fewlex.data.brackets import closes_bracket, opens_bracket
from fewlex.errors import ParseBudgetError
from fewlex.rules.book import RuleBook
from fewlex.rules.brackets import open_ended
from fewlex.rules.parsing.derivation import Derivation, Node
from fewlex.rules.parsing.grades import grade
from fewlex.rules.parsing.items import Item
from fewlex.rules.rule import Rule

MAX_DEPTH = 200
"""So many rules may stand above each other in a derivation."""

MAX_TOKENS = 100_000
"""So many tokens may a target have; rules that repeat, repeated, would make more than fit into memory."""

Output = list[tuple[str, int | None]]
"""Target tokens, each with the source position that it comes from."""


class Readout:
    def __init__(self, book: RuleBook) -> None:
        self._book = book
        self._headed = {rule.name for rule in book.rules if _is_headed(rule)}

    def derivation(
        self,
        source: tuple[str, ...],
        positions: Sequence[int],
        found: Sequence[tuple[float, Item]],
        is_heard_of: bool,
    ) -> Derivation:
        """The best of what a sentence can be.

        `found` is sorted, best first; `positions` says where in the source the words of the chart stand.
        """
        score, best = found[0]
        _require_moderate(best, source)
        output = self.output(best)
        others = [other for other, item in found[1:] if self.output(item) != output]
        margin = score - others[0] if others else math.inf
        margin = min(margin, self._least_margin(best))
        tokens = tuple(token for token, _ in output)
        if self._book.is_open_ended:
            tokens = open_ended(tokens)
        how_daring = grade(_items(best), is_heard_of, margin)
        calibration = self._book.calibration
        return Derivation(
            source,
            _node(best, positions),
            tokens,
            tuple(None if place is None else positions[place] for _, place in output[: len(tokens)]),
            score,
            margin,
            how_daring,
            calibration.confidence(how_daring),
            calibration.is_sure(how_daring),
        )

    def output(self, item: Item) -> Output:
        """What an item yields.

        A filler of a kind that the hole has never had is repeated only by its head, if that is of a kind that was
        repeated: in *A cat on a mat wanted to sleep* it is the cat that sleeps.
        """
        if not isinstance(item.of, Rule):
            return [(token, item.start) for token in item.of.word.target]
        output: Output = []
        fills = [self.output(fill) for fill in item.fills]
        used: set[int] = set()
        for symbol in item.of.target:
            if isinstance(symbol, str):
                output.append((symbol, None))
                continue
            output += self._head(item, symbol) or fills[symbol] if symbol in used else fills[symbol]
            used.add(symbol)
        return output

    def _head(self, item: Item, hole: int) -> Output | None:
        """What a filler of an unseen kind is repeated by."""
        rule, fill = item.of, item.fills[hole]
        assert isinstance(rule, Rule)
        seen = rule.fillers[hole]
        while fill.kind not in seen:
            if fill.kind not in self._headed or not isinstance(fill.of, Rule):
                return None
            head = fill.of.target[0]
            assert isinstance(head, int)
            fill = fill.fills[head]
        return self.output(fill)

    def _least_margin(self, item: Item) -> float:
        """How much better the best derivation of each part is than its best rival that yields something else."""
        least = math.inf
        for part in _items(item):
            rival = part.rival
            if (
                rival is not None
                and part.score - rival.score < least
                and self.output(part) != self.output(rival)
            ):
                least = part.score - rival.score
        return least


def _items(item: Item) -> Iterator[Item]:
    """An item and all below it."""
    stack = [item]
    while stack:
        item = stack.pop()
        yield item
        stack.extend(item.fills)


def _is_headed(rule: Rule) -> bool:
    """True for targets like `#0 ( … )`, whose head is #0."""
    if len(rule.target) < 3 or not isinstance(rule.target[0], int):
        return False
    second, last = rule.target[1], rule.target[-1]
    return (
        isinstance(second, str) and opens_bracket(second) and isinstance(last, str) and closes_bracket(last)
    )


def _require_moderate(item: Item, source: Sequence[str]) -> None:
    """Refuse a derivation that is too deep to be followed or too long to be written."""
    depth, length = _extent(item)
    if depth > MAX_DEPTH or length > MAX_TOKENS:
        problem = f"{depth} rules above each other" if depth > MAX_DEPTH else f"{length:,} target tokens"
        raise ParseBudgetError(
            f"a sentence of {len(source)} words, which begins with {' '.join(source[:5])!r}, has {problem}. "
            "Split the sentence."
        )


def _extent(item: Item) -> tuple[int, int]:
    """How many rules stand above each other below an item, and how many tokens it yields at most."""
    known: dict[int, tuple[int, int]] = {}
    stack = [item]
    while stack:
        item = stack[-1]
        waiting = [fill for fill in item.fills if id(fill) not in known]
        if waiting:
            stack += waiting
            continue
        stack.pop()
        fills = [known[id(fill)] for fill in item.fills]
        if isinstance(item.of, Rule):
            depth = 1 + max((depth for depth, _ in fills), default=0)
            length = sum(1 if isinstance(symbol, str) else fills[symbol][1] for symbol in item.of.target)
        else:
            depth, length = 0, len(item.of.word.target)
        known[id(item)] = depth, length
    return known[id(item)]


def _node(item: Item, positions: Sequence[int]) -> Node:
    start, end = positions[item.start], positions[item.end - 1] + 1
    if isinstance(item.of, Rule):
        return Node(item.of, start, end, tuple(_node(fill, positions) for fill in item.fills))
    return Node(item.of.word, start, end)
