"""Plans for sentences that training does not have: rules within themselves, and fillers that a hole has never had.

A plan says from the top down what fills which hole. Everything that it does not say is left to the sampler.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from functools import cached_property

from fewlex.rules import RuleBook
from fewlex.rules.parsing.weights import SENTENCE, Hole, hole_counts

Plan = tuple[tuple[Hole, str], ...]
"""Holes, each within what fills the one before it, and what fills them."""

LONGEST_WAY = 10
"""A rule that is not at the top after so many steps upwards is given up."""


class Plans:
    """Draws plans for a book. `takes` says what each hole takes, whether or not it has had it."""

    def __init__(self, book: RuleBook, takes: Mapping[Hole, Mapping[str, float]], depth: int) -> None:
        self._takes, self._depth = takes, depth
        self._counts = hole_counts(book)
        self._rules = {rule.name: rule for rule in book.rules}

    def draw(self, rng: random.Random) -> Plan:
        """A plan that repeats a rule within itself, or one with a new filler, each half of the time; () for none."""
        steps = self.cycles if rng.random() < 0.5 else self.novelties
        if not steps:
            return ()
        is_cycle = steps is self.cycles
        # Every recursion is practised as much as every other. New fillers are more or less probable.
        weights = [1.0 if is_cycle else self._takes[hole][kind] ** 2 for ((hole, kind), *_) in steps]
        cycle = rng.choices(steps, weights)[0]
        way = self._way_to(cycle[0][0][0], rng)
        if way is None:
            return ()
        most = max(1, (self._depth - len(way) - 1) // len(cycle)) if is_cycle else 1
        # Small numbers are more frequent: depth is learned step by step.
        return way + cycle * rng.randint(1, rng.randint(1, most))

    @cached_property
    def cycles(self) -> tuple[Plan, ...]:
        """The ways in which training has a rule within itself; if there are none, those that are possible."""
        return self._cycles(self._counts) or self._cycles(self._takes)

    def _cycles(self, fillers: Mapping[Hole, Mapping[str, float]]) -> tuple[Plan, ...]:
        """The ways in which a rule can come to stand within itself, at once or with one other rule between."""
        found: list[Plan] = []
        for outer in self._rules:
            for hole in self._holes(outer):
                for inner in fillers[hole]:
                    if inner == outer:
                        found.append(((hole, outer),))
                    elif inner in self._rules and outer < inner:
                        found += [
                            ((hole, inner), (within, outer))
                            for within in self._holes(inner)
                            if outer in fillers[within]
                        ]
        return tuple(found)

    @cached_property
    def novelties(self) -> tuple[Plan, ...]:
        """Rules that holes take and have never had."""
        return tuple(
            ((hole, kind),)
            for hole, kinds in self._takes.items()
            for kind in kinds
            if hole[0] != SENTENCE and kind in self._rules and kind not in self._counts[hole]
        )

    def _holes(self, name: str) -> Iterator[Hole]:
        return ((name, number) for number in range(self._rules[name].n_holes))

    def _way_to(self, rule: str, rng: random.Random) -> Plan | None:
        """A way from the top down to a rule, through holes that have had what the way says."""
        way: Plan = ()
        while rule != SENTENCE and len(way) < LONGEST_WAY:
            above = [(hole, kinds[rule]) for hole, kinds in self._counts.items() if rule in kinds]
            if not above:
                return None
            holes, counts = zip(*above, strict=True)
            hole = rng.choices(holes, [n**0.5 for n in counts])[0]
            way, rule = ((hole, rule), *way), hole[0]
        return way if rule == SENTENCE else None
