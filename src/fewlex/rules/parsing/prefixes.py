"""How well a sentence can be read up to each position, so that only promising rules are kept waiting in long ones.

A rule that waits for a hole at a position may have begun at every position before it. In a long sentence that is
ambiguous everywhere (*a and a and a …*) that makes one candidate for every begin, and a time that grows with the cube
of the length. What tells candidates apart is the whole prefix: the best reading of all words up to the position in
which the candidate is the innermost rule that has begun (the Viterbi form of the forward probability; Stolcke, 1995).
The candidates with the best prefixes are kept. What a kept one has before it is kept as well, so whatever completes it
completes a reading of the sentence. Short sentences never have that many candidates, and nothing is computed for them.
"""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence

from fewlex.rules.parsing.items import Active, Waiting
from fewlex.rules.parsing.weights import SENTENCE, Weights
from fewlex.rules.rule import Rule

MAX_ALIKE = 64
"""So many begins may wait for the same hole of the same rule at the same position. Sentences of no more words than this
are so parsed completely."""

KEPT_PART = 4
"""Where there are more, this part of so many is kept: 16 of more than 64."""

NEVER = -math.inf


class Prefixes:
    """Looks at the rules that wait in one chart, from left to right; what it has looked at must not change any more."""

    def __init__(
        self, rules: Sequence[Rule], weights: Weights, floor: float | None, waiting: Sequence[Waiting]
    ) -> None:
        self._rules = rules
        self._weights = weights
        self._floor = NEVER if floor is None else floor
        self._waiting = waiting
        self._first_holes: dict[str, Mapping[str, float] | None] = {}
        self._corners: dict[int, Mapping[str, float]] = {}
        self._ways: list[list[tuple[float, Mapping[str, float]]]] = []
        """For each position the holes that wait there: the best prefix, and what rules the hole may begin with."""
        self._before: dict[tuple[int, str], float] = {}

    def keep_best(self, position: int, at_most: int) -> None:
        """Where a rule waits for one hole from more than `at_most` begins, keep those with the best prefixes."""
        self._look_at(position)
        n_kept = max(1, at_most // KEPT_PART)
        waiting = self._waiting[position]
        alike: dict[tuple[str, int], list[tuple[float, int]]] = defaultdict(list)
        for (start, name, dot), active in waiting.items():
            alike[name, dot].append((self._prefix(active), start))
        for (name, dot), begins in alike.items():
            if len(begins) > at_most:
                kept = {start for prefix, start in heapq.nlargest(n_kept, begins) if prefix > NEVER}
                for _, start in begins:
                    if start not in kept:
                        del waiting[start, name, dot]

    def _look_at(self, position: int) -> None:
        """Find the ways to continue at all earlier positions."""
        if not self._ways:
            names = [rule.name for rule in self._rules if isinstance(rule.source[0], int)]
            self._first_holes = dict.fromkeys(rule.name for rule in self._rules)
            self._first_holes.update((name, self._weights.fillers[name, 0]) for name in names)
            self._ways.append([(0.0, self._corners_of(self._weights.fillers[SENTENCE, 0]))])
        for earlier in range(len(self._ways), position):
            best: dict[int, tuple[float, Active]] = {}
            for active in self._waiting[earlier].values():
                prefix = self._prefix(active)
                if prefix > best.get(id(active.prices), (NEVER, active))[0]:
                    best[id(active.prices)] = prefix, active
            self._ways.append([(prefix, self._corners_of(active.prices)) for prefix, active in best.values()])

    def _prefix(self, active: Active) -> float:
        """The score of the best reading of everything up to the dot of a rule that has begun."""
        key = active.start, active.rule.name
        before = self._before.get(key)
        if before is None:
            ways = self._ways[active.start]
            before = max(
                (score + corners.get(active.rule.name, self._floor) for score, corners in ways), default=NEVER
            )
            self._before[key] = before
        return before + active.score

    def _corners_of(self, prices: Mapping[str, float]) -> Mapping[str, float]:
        """The price at which a hole takes something that begins with a rule, for each rule that may be there.

        The hole may take the rule itself, or one whose first hole takes it, and so on. Cheapest first (Dijkstra): holes
        with the same prices need to be entered only once.
        """
        found = self._corners.get(id(prices))
        if found is None:
            found = self._corners[id(prices)] = self._cheapest_chains(prices)
        return found

    def _cheapest_chains(self, prices: Mapping[str, float]) -> dict[str, float]:
        found: dict[str, float] = {}
        entered = {id(prices)}
        queue = [(-price, kind) for kind, price in prices.items() if kind in self._first_holes]
        heapq.heapify(queue)
        while queue:
            cost, name = heapq.heappop(queue)
            if name in found:
                continue
            found[name] = -cost
            inner = self._first_holes[name]
            if inner is not None and id(inner) not in entered:
                entered.add(id(inner))
                for kind, price in inner.items():
                    if kind in self._first_holes and kind not in found:
                        heapq.heappush(queue, (cost - price, kind))
        return found
