"""One rule in place of two: where two rules differ in one part only, that part becomes a hole.

a _ slept ↦ sleep ( agent = a #0 )                         _ slept ↦ sleep ( agent = #0 )
Emma slept ↦ sleep ( agent = Emma )       become           a _ ↦ a #0      and the name as fillers
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from fewlex.rules.learning.draft import DraftGrammar, DraftRule, rule_size
from fewlex.rules.learning.shape import Shape
from fewlex.rules.rule import Symbol

MIN_CONTEXT = 3
"""The common rule has at least so many symbols besides the hole. Less would make one rule of everything."""


MAX_GIVEN_BACK = 3
"""Two rules may share a symbol at an end that belongs to the parts in which they differ: `_` and `the king of _`. At
most so many are given back to these parts."""


class Mark(NamedTuple):
    """A hole that stands before, within or after the part that differs, numbered anew in each of these."""

    side: str
    hole: int


Marked = tuple[str | Mark, ...]
"""A target with marks in place of holes."""


class Candidate(Protocol):
    """The rule that is to be merged with an old one."""

    @property
    def source(self) -> tuple[Symbol, ...]: ...
    @property
    def target(self) -> tuple[Symbol, ...]: ...
    @property
    def fillers(self) -> list[Counter[str]]: ...


def common_rules(
    grammar: DraftGrammar, shape: Shape, new: Candidate, parent: DraftRule, hole: int
) -> Iterator[tuple[float, Callable[[], None]]]:
    """For each old filler of the hole that differs from the new rule in one part: the price of one rule for both."""
    for old in grammar.rules_in(parent, hole):
        merger = _merger(grammar, shape, old, new)
        if merger is not None:
            yield merger.cost, lambda merger=merger: merger.apply(parent, hole)  # type: ignore[misc]


@dataclass
class _Half:
    """One of the two rules, cut before and after the part in which they differ."""

    source: tuple[Symbol, ...]
    target: tuple[Symbol, ...]
    fillers: list[Counter[str]]
    before: int
    after: int

    @property
    def middle(self) -> tuple[Symbol, ...]:
        return self.source[self.before : len(self.source) - self.after]

    def symbols(self, grammar: DraftGrammar) -> list[str | None]:
        """The middle with the class of words that fill each hole, or None for a hole that takes phrases."""
        kinds = [next(iter(kinds)) for kinds in self.fillers]
        return [
            symbol if isinstance(symbol, str) else None if kinds[symbol] in grammar.rules else kinds[symbol]
            for symbol in self.middle
        ]

    @property
    def first_hole(self) -> int:
        """The number of holes before the middle."""
        return sum(isinstance(symbol, int) for symbol in self.source[: self.before])

    @property
    def n_holes(self) -> int:
        """The number of holes within the middle."""
        return sum(isinstance(symbol, int) for symbol in self.middle)

    def marked(self) -> Marked:
        first, last = self.first_hole, self.first_hole + self.n_holes
        return tuple(
            symbol
            if isinstance(symbol, str)
            else Mark("before", symbol)
            if symbol < first
            else Mark("within", symbol - first)
            if symbol < last
            else Mark("after", symbol - last)
            for symbol in self.target
        )


@dataclass
class _Merger:
    grammar: DraftGrammar
    old: DraftRule
    halves: tuple[_Half, _Half]
    gaps: tuple[Marked, Marked]
    """What stands in the target of each rule where the common rule has its new hole."""
    around: list[Marked]
    """What stands between these places in both targets."""

    @property
    def cost(self) -> float:
        new, gap = self.halves[1], self.gaps[1]
        return rule_size(new.middle, [symbol if isinstance(symbol, str) else 0 for symbol in gap]) + 2

    def apply(self, parent: DraftRule, hole: int) -> None:
        old, new = self.halves
        first = old.first_hole
        source = renumbered([*old.source[: old.before], 0, *old.source[len(old.source) - old.after :]])
        target: list[Symbol] = []
        for number, piece in enumerate(self.around):
            if number:
                target.append(first)
            target += [_numbered(symbol, first) for symbol in piece]
        fillers = [
            one + other
            for half_fillers in [[half.fillers for half in self.halves]]
            for one, other in zip(_outside(half_fillers[0], old), _outside(half_fillers[1], new), strict=True)
        ]
        fillers.insert(first, Counter())
        common = self.grammar.add(source, target, fillers)
        for half, gap in zip(self.halves, self.gaps, strict=True):
            self._fill(common, first, half, gap)
        if common is not self.old:
            self.grammar.replace(self.old, common)
        self.grammar.widen(parent, hole, common.name)

    def _fill(self, common: DraftRule, hole: int, half: _Half, gap: Marked) -> None:
        """Let the part of one of the two rules fill the new hole."""
        first = half.first_hole
        target = [symbol if isinstance(symbol, str) else symbol.hole for symbol in gap]
        fillers = half.fillers[first : first + half.n_holes]
        if len(half.middle) == 1 and target == [0]:
            for kind, n in fillers[0].items():
                self.grammar.widen(common, hole, kind, n)
            return
        part = self.grammar.add(renumbered(half.middle), target, fillers)
        if part is not common:
            self.grammar.widen(common, hole, part.name)


def _merger(grammar: DraftGrammar, shape: Shape, old: DraftRule, new: Candidate) -> _Merger | None:
    if old.source == new.source:
        return None
    before, after = _common_ends(old, new, grammar)
    torn: _Merger | None = None
    for given_back in range(min(before + after, MAX_GIVEN_BACK) + 1):
        for from_after in range(min(after, given_back), max(0, given_back - before) - 1, -1):
            ends = before - (given_back - from_after), after - from_after
            merger = _merger_between(grammar, shape, old, new, *ends)
            # Where the parts say the same, the word in which they differ (`a _` and `a _ was`) adds nothing to them.
            if merger is not None and not (given_back and merger.gaps[0] == merger.gaps[1]):
                if not any(shape.is_torn(half.symbols(grammar)) for half in merger.halves):
                    return merger
                torn = torn or merger
    return torn


def _merger_between(
    grammar: DraftGrammar, shape: Shape, old: DraftRule, new: Candidate, before: int, after: int
) -> _Merger | None:
    """One rule for two that have the first `before` and the last `after` symbols in common."""
    if not before + after or before + after >= min(len(old.source), len(new.source)):
        return None
    halves = (
        _Half(old.source, old.target, old.fillers, before, after),
        _Half(new.source, new.target, new.fillers, before, after),
    )
    if not all(half.n_holes for half in halves):
        return None
    found = _gaps(halves[0].marked(), halves[1].marked(), shape)
    if found is None:
        return None
    gaps, around = found
    if any(
        len(half.middle) > 1 and len(gap) == 1 and not is_enclosed(half.middle)
        for half, gap in zip(halves, gaps, strict=True)
    ):
        return None  # Words that add nothing stay in the rule that they mark.
    kept = [symbol for piece in around for symbol in piece]
    words = [*old.source[:before], *old.source[len(old.source) - after :]]
    if before + after + len(kept) < MIN_CONTEXT or not any(
        isinstance(symbol, str) and not shape.is_frame(symbol) for symbol in (*kept, *words)
    ):
        return None  # A pair of brackets is nothing that two rules have in common.
    return _Merger(grammar, old, halves, gaps, around)


def _common_ends(old: DraftRule, new: Candidate, grammar: DraftGrammar) -> tuple[int, int]:
    """How many symbols the two sources share at the beginning and, of what is left, at the end."""

    def is_same(one: Symbol, other: Symbol) -> bool:
        if isinstance(one, str) or isinstance(other, str):
            return one == other
        kind = next(iter(new.fillers[other]))
        return kind in old.fillers[one] or (old.is_open[one] and kind in grammar.rules)

    shorter = min(len(old.source), len(new.source))
    before = 0
    while before < shorter and is_same(old.source[before], new.source[before]):
        before += 1
    after = 0
    while after < shorter - before and is_same(old.source[-1 - after], new.source[-1 - after]):
        after += 1
    return before, after


def _gaps(one: Marked, other: Marked, shape: Shape) -> tuple[tuple[Marked, Marked], list[Marked]] | None:
    """The smallest parts in which two targets differ, each the same wherever it occurs, and what is around them."""

    def is_part(gap: Marked) -> bool:
        return shape.is_constituent(gap) and all(
            isinstance(symbol, str) or symbol.side == "within" for symbol in gap
        )

    shared = 0
    while shared < min(len(one), len(other)) and one[shared] == other[shared] and not _is_within(one[shared]):
        shared += 1
    for before in range(shared, -1, -1):
        for length in range(1, len(one) - before + 1):
            gap = one[before : before + length]
            if not is_part(gap):
                continue
            around = split_at(one, gap)
            if any(_is_within(symbol) for piece in around for symbol in piece):
                continue
            left = len(other) - sum(map(len, around))
            times = len(around) - 1
            if left <= 0 or left % times:
                continue
            counterpart = other[before : before + left // times]
            if (
                is_part(counterpart)
                and joined(around, counterpart) == other
                and not any(shape.are_arguments(part, before=around[:-1]) for part in (gap, counterpart))
            ):
                return (gap, counterpart), around
    return None


def _is_within(symbol: str | Mark) -> bool:
    return isinstance(symbol, Mark) and symbol.side == "within"


def is_enclosed(source: Sequence[Symbol]) -> bool:
    """True for `open _ close`: words on both sides hold a phrase together, even if they add nothing to the target."""
    return len(source) > 2 and isinstance(source[0], str) and isinstance(source[-1], str)


def split_at(text: Marked, gap: Marked) -> list[Marked]:
    """`str.split` for tuples."""
    pieces: list[list[str | Mark]] = [[]]
    position = 0
    while position < len(text):
        if text[position : position + len(gap)] == gap:
            pieces.append([])
            position += len(gap)
        else:
            pieces[-1].append(text[position])
            position += 1
    return [tuple(piece) for piece in pieces]


def joined(pieces: Sequence[Marked], gap: Marked) -> Marked:
    """`str.join` for tuples."""
    whole = list(pieces[0])
    for piece in pieces[1:]:
        whole += [*gap, *piece]
    return tuple(whole)


def renumbered(source: Sequence[Symbol]) -> list[Symbol]:
    """The source with its holes numbered from left to right."""
    n_holes = 0
    numbered: list[Symbol] = []
    for symbol in source:
        if isinstance(symbol, int):
            numbered.append(n_holes)
            n_holes += 1
        else:
            numbered.append(symbol)
    return numbered


def _numbered(symbol: str | Mark, gap: int) -> Symbol:
    """A marked symbol as a symbol of the common rule, whose hole for the part that differs is `gap`."""
    if isinstance(symbol, str):
        return symbol
    return symbol.hole if symbol.side == "before" else gap + 1 + symbol.hole


def _outside(fillers: Sequence[Counter[str]], half: _Half) -> list[Counter[str]]:
    """The fillers of the holes before and after the middle."""
    return [*fillers[: half.first_hole], *fillers[half.first_hole + half.n_holes :]]
