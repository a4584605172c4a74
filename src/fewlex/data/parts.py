"""This module finds out from other examples which source words a target token may come from.

*run left and walk left* means I_TURN_LEFT I_RUN I_TURN_LEFT I_WALK. Nothing in this example says which *left* belongs
to which turn, so a model that looks at the wrong one is never corrected. But *run left* and *walk left* are examples
too, and the target is the target of the one followed by that of the other. So the first turn comes from the first
*left*.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from fewlex.data.example import Example

Tokens: TypeAlias = tuple[str, ...]
AllowedSources: TypeAlias = NDArray[np.bool_]
"""A matrix (target, source) that is True where this target token may come from that source word."""


def find_allowed_sources(examples: Sequence[Example]) -> list[AllowedSources | None]:
    """For each example the source words that its target tokens may come from; None where every word is possible.

    An example is cut in two if its source begins with the source of one example and ends with that of another, and its
    target is the two targets put together, in this order or the other. A token then comes from its own half. An example
    that could be cut in several ways is not cut, and a source that was seen with several targets does not count as a
    half.
    """
    target_of: dict[Tokens, Tokens | None] = {}
    for example in examples:
        known = target_of.setdefault(example.source, example.target)
        if known != example.target:
            target_of[example.source] = None
    return [_allowed_sources(example, target_of) for example in examples]


def _allowed_sources(example: Example, target_of: dict[Tokens, Tokens | None]) -> AllowedSources | None:
    source, target, length = example.source, example.target, len(example.source)
    found: list[AllowedSources] = []
    for end in range(1, length):
        first = target_of.get(source[:end])
        if first is None or len(first) >= len(target):
            continue
        for start in range(end, length):
            second = target_of.get(source[start:])
            if second is None or len(first) + len(second) != len(target):
                continue
            left, right = slice(0, end), slice(start, length)
            if target == first + second:
                found.append(_two_blocks(example, len(first), left, right))
            if target == second + first:
                found.append(_two_blocks(example, len(second), right, left))
    return found[0] if len(found) == 1 else None


def _two_blocks(example: Example, cut: int, before: slice, after: slice) -> AllowedSources:
    """The target tokens up to `cut` come from the source words `before`, the others from those `after`."""
    allowed = np.zeros((len(example.target), len(example.source)), dtype=np.bool_)
    allowed[:cut, before] = True
    allowed[cut:, after] = True
    return allowed
