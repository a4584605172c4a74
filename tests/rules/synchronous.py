"""Synchronous grammars for tests: they say what a language is, draw sentences from it and find every reading of one.

A production rewrites a category into source words and target tokens at once, `S → NP admires NP | admire ( #0 , #1 )`.
This file shares no code with fewlex, so that a mistake there cannot hide here.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product

Words = tuple[str, ...]


@dataclass(frozen=True)
class Hole:
    """A place in a production that a phrase of this category fills."""

    category: str


@dataclass(frozen=True)
class Choice:
    """One of several texts that all mean the same; the empty one makes a word optional."""

    options: tuple[Words, ...]


Symbol = str | Hole | Choice


@dataclass(frozen=True)
class Production:
    """`tags` name what a learner has to be able to do for this production: swap, repeat, wrap …

    `target` holds tokens and, as integers, the numbers of the holes. A production without a name only passes its one
    filler on, from a looser to a tighter category.
    """

    name: str
    category: str
    source: tuple[Symbol, ...]
    target: tuple[str | int, ...]
    tags: frozenset[str] = frozenset()
    weight: float = 1.0
    is_word: bool = False

    @cached_property
    def holes(self) -> tuple[str, ...]:
        return tuple(symbol.category for symbol in self.source if isinstance(symbol, Hole))

    @cached_property
    def is_step(self) -> bool:
        """True for constructions, false for words and for the steps from one category to the next."""
        return bool(self.name) and not self.is_word

    @cached_property
    def markers(self) -> frozenset[str]:
        """The words that every use of this production contains."""
        return frozenset(symbol for symbol in self.source if isinstance(symbol, str))

    def __str__(self) -> str:
        source = " ".join(
            f"{symbol.category}"
            if isinstance(symbol, Hole)
            else f"[{'|'.join(' '.join(option) for option in symbol.options)}]"
            if isinstance(symbol, Choice)
            else symbol
            for symbol in self.source
        )
        target = " ".join(f"#{part}" if isinstance(part, int) else part for part in self.target)
        return f"{self.category} → {source} ↦ {target}"


@dataclass(frozen=True)
class Drawn:
    """A phrase with its target and how it was made.

    `head` is the construction or word class that it is, `steps` counts the constructions in it (a name and the texts
    that were chosen), and `pairs` are the triples (construction, hole, what fills the hole).
    """

    source: Words
    target: Words
    head: str
    height: int
    steps: Counter[Words]
    words: frozenset[str]
    pairs: frozenset[tuple[str, int, str]]
    tags: frozenset[str]

    @property
    def size(self) -> int:
        return sum(self.steps.values())


@dataclass(frozen=True)
class Grammar:
    """Productions and the category of whole sentences."""

    productions: tuple[Production, ...]
    top: str = "S"

    @cached_property
    def by_category(self) -> dict[str, tuple[Production, ...]]:
        found: dict[str, list[Production]] = {}
        for production in self.productions:
            found.setdefault(production.category, []).append(production)
        return {category: tuple(productions) for category, productions in found.items()}

    @cached_property
    def least_height(self) -> dict[str, int]:
        """How many constructions stand above each other in the simplest phrase of each category."""
        least = dict.fromkeys(self.by_category, 10**6)
        for _ in range(len(least) + 1):
            for production in self.productions:
                height = max((least[hole] for hole in production.holes), default=0) + production.is_step
                least[production.category] = min(least[production.category], height)
        return least

    def readings(self, source: Words, limit: int = 10) -> set[Words]:
        """Up to about `limit` different targets of a sentence; a language fit for a test has exactly one."""
        memory: dict[tuple[str, int, int], set[Words]] = {}

        def phrase(category: str, first: int, end: int) -> set[Words]:
            key = (category, first, end)
            if key not in memory:
                inside = set(source[first:end])
                memory[key] = {
                    _filled(production, fillers)
                    for production in self.by_category[category]
                    if production.markers <= inside
                    for spans in self._matches(production.source, source, first, end)
                    for fillers in product(
                        *(phrase(hole, *span) for hole, span in zip(production.holes, spans, strict=True))
                    )
                }
                while len(memory[key]) > limit:
                    memory[key].pop()
            return memory[key]

        return phrase(self.top, 0, len(source))

    def _matches(
        self, symbols: tuple[Symbol, ...], source: Words, first: int, end: int
    ) -> Iterator[list[tuple[int, int]]]:
        """The spans that the holes cover, for each way of laying the symbols over a part of the source."""
        if not symbols:
            if first == end:
                yield []
            return
        symbol, rest = symbols[0], symbols[1:]
        if isinstance(symbol, Hole):
            for stop in (end,) if not rest else range(first + 1, end + 1):
                if stop > first and source[first] in self.first_words[symbol.category]:
                    for spans in self._matches(rest, source, stop, end):
                        yield [(first, stop), *spans]
            return
        for option in symbol.options if isinstance(symbol, Choice) else ((symbol,),):
            if source[first : first + len(option)] == option and first + len(option) <= end:
                yield from self._matches(rest, source, first + len(option), end)

    @cached_property
    def first_words(self) -> dict[str, set[str]]:
        """The words that a phrase of each category can begin with."""
        first: dict[str, set[str]] = {category: set() for category in self.by_category}
        for _ in range(len(first) + 1):
            for production in self.productions:
                for symbol in production.source:
                    if isinstance(symbol, Hole):
                        first[production.category] |= first[symbol.category]
                        break
                    options = symbol.options if isinstance(symbol, Choice) else ((symbol,),)
                    first[production.category] |= {option[0] for option in options if option}
                    if () not in options:
                        break
        return first


def _filled(production: Production, fillers: tuple[Words, ...]) -> Words:
    parts = (fillers[part] if isinstance(part, int) else (part,) for part in production.target)
    return tuple(token for part in parts for token in part)


@dataclass
class Sampler:
    """Draws sentences; rarely used words and productions come a little more often, so that all are seen soon."""

    grammar: Grammar
    random: random.Random
    depth_weight: float = 1.0
    uses: Counter[str] = field(default_factory=Counter)

    def draw(self, max_height: int) -> Drawn:
        return self._phrase(self.grammar.top, max_height)

    def _phrase(self, category: str, height: int) -> Drawn:
        production = self._choose(category, height)
        self.uses[production.name] += 1
        fillers = [self._phrase(hole, height - production.is_step) for hole in production.holes]
        if not production.name:
            return fillers[0]
        source, variant, is_optional = self._spelled(production, fillers)
        return Drawn(
            source,
            _filled(production, tuple(filler.target for filler in fillers)),
            production.category if production.is_word else production.name,
            max((filler.height for filler in fillers), default=0) + production.is_step,
            sum((filler.steps for filler in fillers), Counter([variant] if production.is_step else [])),
            frozenset([production.name] if production.is_word else []).union(*(f.words for f in fillers)),
            frozenset((production.name, slot, filler.head) for slot, filler in enumerate(fillers)).union(
                *(filler.pairs for filler in fillers)
            ),
            (
                production.tags
                | ({"optional words"} if is_optional else set())
                | ({"function words"} if production.is_step and production.markers else set())
            ).union(*(filler.tags for filler in fillers)),
        )

    def _choose(self, category: str, height: int) -> Production:
        least = self.grammar.least_height
        possible = [
            production
            for production in self.grammar.by_category[category]
            if max((least[hole] for hole in production.holes), default=0) + production.is_step <= height
        ]
        if self.random.random() < 0.4 and all(production.is_word for production in possible):
            fewest = min(self.uses[production.name] for production in possible)
            possible = [production for production in possible if self.uses[production.name] == fewest]
        weights = [p.weight * (self.depth_weight if p.is_step else 1.0) for p in possible]
        return self.random.choices(possible, weights)[0]

    def _spelled(self, production: Production, fillers: list[Drawn]) -> tuple[Words, Words, bool]:
        """The source, the name of the production with the texts that were chosen, and whether one was optional."""
        source: list[str] = []
        variant: tuple[str, ...] = (production.name,)
        is_optional, rest = False, iter(fillers)
        for symbol in production.source:
            if isinstance(symbol, Hole):
                source += next(rest).source
            elif isinstance(symbol, Choice):
                option = self.random.choice(symbol.options)
                source += option
                variant = (*variant, " ".join(option))
                is_optional |= () in symbol.options
            else:
                source.append(symbol)
        return tuple(source), variant, is_optional
