"""A lexicon to page through: searched and sorted once, then cut into pages, so that 100,000 rows stay quick."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fewlex.lexicon.entry import Entry, Line
from fewlex.serve.batching import Snapshot
from fewlex.serve.lexicon_shapes import LexiconPage, LexiconQuery
from fewlex.serve.shapes import EntryShape

ORDERS_KEPT = 8
"""Orders of the rows that are remembered for one lexicon: people page through one or two at a time."""


class LexiconView:
    """The rows of one snapshot in the orders that were asked for last."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.lines = tuple(snapshot.knowledge.lexicon)
        self._orders: dict[tuple[str, str, str], tuple[Line, ...]] = {}

    def page(self, run: str, query: LexiconQuery) -> LexiconPage:
        """The rows that match the search, from `offset` on."""
        rows = self._ordered(query)
        shown = rows[query.offset : query.offset + query.limit]
        return LexiconPage(
            run=run,
            version=self.snapshot.version,
            total=len(self.lines),
            matching=len(rows),
            offset=query.offset,
            rows=tuple(self.shape(*line) for line in shown),
        )

    def shape(self, source: str, target: str, entry: Entry) -> EntryShape:
        """A row with its probability in the matrix L."""
        return entry_shape(source, target, entry, self._probability(source, target))

    def _probability(self, source: str, target: str) -> float | None:
        return self.snapshot.rows.get(source, {}).get(target)

    def _ordered(self, query: LexiconQuery) -> tuple[Line, ...]:
        key = (query.search.casefold(), query.sort, query.order)
        if key not in self._orders:
            wanted = query.search.casefold()
            found = [line for line in self.lines if _matches(line, wanted)]
            if query.sort != "file":
                found.sort(key=self._sort_keys()[query.sort])
            if query.order == "down":
                found.reverse()
            while len(self._orders) >= ORDERS_KEPT:
                self._orders.pop(next(iter(self._orders)), None)
            self._orders[key] = tuple(found)
        return self._orders[key]

    def _sort_keys(self) -> dict[str, Callable[[Line], Any]]:
        return {
            "source": lambda line: (line[0].casefold(), line[1].casefold()),
            "target": lambda line: (line[1].casefold(), line[0].casefold()),
            "weight": lambda line: line[2].weight,
            "origin": lambda line: line[2].origin,
            "probability": lambda line: self._probability(line[0], line[1]) or 0.0,
        }


def entry_shape(source: str, target: str, entry: Entry, probability: float | None = None) -> EntryShape:
    return EntryShape(source, target, entry.weight, entry.origin, entry.dice, entry.like, probability)


def _matches(line: Line, wanted: str) -> bool:
    return not wanted or wanted in line[0].casefold() or wanted in line[1].casefold()
