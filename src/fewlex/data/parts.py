"""Sentences made of sentences: which half of a target belongs to which half of its source.

*run left and walk left* is I_TURN_LEFT I_RUN I_TURN_LEFT I_WALK. Nothing in this example says which *left* is which
turn, and a model that looks at the wrong one is never told. But *run left* and *walk left* are examples themselves, and
the target is one's target after the other's. So the first turn belongs to the first *left*.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fewlex.data.example import Example

FIRST, SECOND, NEITHER = 1, 2, 0


@dataclass(frozen=True, slots=True)
class Halves:
    """For every token, which half it is in: FIRST or SECOND (of the source), or NEITHER, as *and*."""

    source: tuple[int, ...]
    target: tuple[int, ...]


def find_halves(examples: Sequence[Example]) -> list[Halves | None]:
    """The halves of each example; None where it has none, or where they could be told in two ways.

    An example has halves if its source begins with the source of one example and ends with that of another, and its
    target is the two targets put together, in this order or the other. A source with several targets is no half.
    """
    target_of: dict[tuple[str, ...], tuple[str, ...] | None] = {}
    for example in examples:
        known = target_of.setdefault(example.source, example.target)
        if known != example.target:
            target_of[example.source] = None
    return [_halves(example, target_of) for example in examples]


def _halves(example: Example, target_of: dict[tuple[str, ...], tuple[str, ...] | None]) -> Halves | None:
    source, length = example.source, len(example.source)
    found = set()
    for end in range(1, length):
        first = target_of.get(source[:end])
        if first is None or len(first) >= len(example.target):
            continue
        for start in range(end, length):
            second = target_of.get(source[start:])
            if second is None or len(first) + len(second) != len(example.target):
                continue
            of_source = (FIRST,) * end + (NEITHER,) * (start - end) + (SECOND,) * (length - start)
            if example.target == first + second:
                found.add(Halves(of_source, (FIRST,) * len(first) + (SECOND,) * len(second)))
            if example.target == second + first:
                found.add(Halves(of_source, (SECOND,) * len(second) + (FIRST,) * len(first)))
    return found.pop() if len(found) == 1 else None
