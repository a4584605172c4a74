"""Good-enough compositional augmentation (Andreas 2020): fragments that share an environment are interchangeable.

If f and g fill the same environment, then every template of f, filled with g, is a new example. For instance, *jump* ↦
I_JUMP and *walk* ↦ I_WALK both occur alone, so *walk twice* ↦ I_WALK I_WALK leads to *jump twice* ↦ I_JUMP I_JUMP.
Environments are kept as 64-bit hashes, and new examples are drawn and not enumerated, so a large corpus takes minutes
and little memory.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import count
from typing import TYPE_CHECKING

from fewlex.augment.fragments import (
    GAPS,
    Alphabet,
    Fragment,
    Joint,
    count_spans,
    environment,
    fragments,
    put_in,
    sides,
    take_out,
)
from fewlex.data.example import Example
from fewlex.errors import ConfigError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

OnProgress = Callable[[str, int, int | None], None]
"""A function that is called with the name of a stage, the number of steps done and the number of all its steps."""

_MOST_NEIGHBOURS = 1000
"""The most fragments that are tried in the place of one. The original code uses as many for SCAN."""
_TRIES_PER_EXAMPLE = 100
_FEWEST_TRIES = 1_000_000
"""Drawing ends after this many tries, or after _TRIES_PER_EXAMPLE for each wanted example if that is more."""


def augment_geca(
    examples: Iterable[Example],
    *,
    limit: int = 0,
    seed: int = 0,
    window: int = 0,
    gaps: int = 2,
    size: int = 1,
    max_occurrences: int = 0,
    max_fragments: int = 1000,
    on_progress: OnProgress | None = None,
) -> tuple[Example, ...]:
    """Make at most `limit` new examples (0 = as many as there are examples), whose source and target are both new.

    An environment reaches `window` places to both sides of a gap (0 = the whole template). A fragment has up to `gaps`
    spans of up to `size` words, and each span occurs at most `max_occurrences` times (0 = any number). At most
    `max_fragments` are taken from one example; those of few spans come first.
    """
    _check(limit, window, gaps, size, max_occurrences, max_fragments)
    tell = on_progress or (lambda stage, done, total: None)
    examples = list(examples)
    alphabet = Alphabet()
    joints = list(dict.fromkeys(alphabet.join(example) for example in examples))
    counts = count_spans(joints, size) if max_occurrences else None

    def is_allowed(span: str) -> bool:
        return counts is None or counts[span] <= max_occurrences

    index = _Index(window)
    for number, joint in enumerate(joints):
        for fragment in fragments(joint, gaps, size, max_fragments, is_allowed):
            index.add(number, joint, fragment)
        tell("fragments", number + 1, len(joints))
    limit = limit or len(examples)
    new: list[Example] = []
    for joint in _draw(joints, index.close(), limit, seed):
        source, target = alphabet.split(joint)
        new.append(Example(source, target, index=len(new)))
        tell("new examples", len(new), limit)
    return tuple(new)


def _check(limit: int, window: int, gaps: int, size: int, max_occurrences: int, max_fragments: int) -> None:
    for name, value, least in (
        ("limit", limit, 0),
        ("window", window, 0),
        ("gaps", gaps, 1),
        ("size", size, 1),
        ("max_occurrences", max_occurrences, 0),
        ("max_fragments", max_fragments, 1),
    ):
        if value < least:
            raise ConfigError(f"geca: {name} = {value} makes no sense. Give at least {least}.")
    if gaps > len(GAPS):
        raise ConfigError(f"geca: gaps = {gaps} is too many. Give at most {len(GAPS)}.")


def _draw(joints: Sequence[Joint], exchange: _Exchange, limit: int, seed: int) -> Iterator[Joint]:
    """Draw new joint sequences: every template with one neighbour, then every template with another, and so on.

    The templates come in random order.
    """
    known_sources = {sides(joint)[0] for joint in joints}
    known_targets = {sides(joint)[1] for joint in joints}
    order = array("I", range(len(exchange.examples)))
    random.Random(seed).shuffle(order)
    found: set[Joint] = set()
    tries = max(_FEWEST_TRIES, _TRIES_PER_EXAMPLE * limit)
    for turn in count():
        was_tried = False
        for place, occurrence in enumerate(order):
            neighbours = exchange.neighbours(int(exchange.fragments[occurrence]))
            if turn >= len(neighbours):
                continue
            if tries == 0 or len(found) == limit:
                return
            was_tried, tries = True, tries - 1
            joint = joints[exchange.examples[occurrence]]
            template = take_out(joint, exchange.names[exchange.fragments[occurrence]])
            new = put_in(template, exchange.names[neighbours[(place + turn) % len(neighbours)]])
            source, target = sides(new)
            if source not in known_sources and target not in known_targets and new not in found:
                found.add(new)
                yield new
        if not was_tried:
            return


class _Index:
    """Collects which fragments occur in which environments and in which examples."""

    def __init__(self, window: int) -> None:
        self.window = window
        self.names: dict[Fragment, int] = {}
        self.environments, self.fragments, self.examples = array("Q"), array("I"), array("I")

    def add(self, example: int, joint: Joint, fragment: Fragment) -> None:
        surroundings = environment(take_out(joint, fragment), self.window)
        digest = blake2b(surroundings.encode("utf-32-le", "surrogatepass"), digest_size=8).digest()
        self.environments.append(int.from_bytes(digest, "little"))
        self.fragments.append(self.names.setdefault(fragment, len(self.names)))
        self.examples.append(example)

    def close(self) -> _Exchange:
        return _Exchange(self)


class _Exchange:
    """Knows which fragments can replace each other, and where each of them occurs."""

    def __init__(self, index: _Index) -> None:
        import numpy as np

        self.names = list(index.names)
        environments = np.frombuffer(index.environments, dtype=np.uint64)
        occurring = np.frombuffer(index.fragments, dtype=np.uint32)
        order = np.lexsort((occurring, environments))
        hashes, members = environments[order], occurring[order]
        is_new = np.ones(len(order), dtype=bool)
        is_new[1:] = (hashes[1:] != hashes[:-1]) | (members[1:] != members[:-1])
        hashes, members = hashes[is_new], members[is_new]
        numbers = np.zeros(len(hashes), dtype=np.int64)
        np.cumsum(hashes[1:] != hashes[:-1], out=numbers[1:])
        is_shared = np.bincount(numbers)[numbers] > 1
        # The fragments of each shared environment, one environment after the other.
        self._shared, self._members = numbers[is_shared], members[is_shared]
        self._by_fragment = np.argsort(self._members, kind="stable")
        self._sorted = self._members[self._by_fragment]
        has_fellow = np.zeros(len(self.names), dtype=bool)
        has_fellow[self._members] = True
        chosen = has_fellow[occurring]
        self.fragments: npt.NDArray[np.uint32] = occurring[chosen]
        self.examples: npt.NDArray[np.uint32] = np.frombuffer(index.examples, dtype=np.uint32)[chosen]
        self.neighbours = lru_cache(maxsize=10_000)(self._find_neighbours)

    def _find_neighbours(self, fragment: int) -> array[int]:
        """The fragments that share an environment with this one and differ from it in every gap."""
        import numpy as np

        own = self.names[fragment]
        found: dict[int, None] = {}
        first, end = np.searchsorted(self._sorted, [fragment, fragment + 1])
        for place in self._by_fragment[first:end]:
            start, stop = np.searchsorted(self._shared, [self._shared[place], self._shared[place] + 1])
            # Fragments after this one come first. If many share an environment, each then gets other neighbours.
            for member in (*self._members[place:stop].tolist(), *self._members[start:place].tolist()):
                if len(found) == _MOST_NEIGHBOURS:
                    return array("I", found)
                if _differ_everywhere(own, self.names[member]):
                    found[member] = None
        return array("I", found)


def _differ_everywhere(one: Fragment, other: Fragment) -> bool:
    return len(one) == len(other) and all(a != b for a, b in zip(one, other, strict=True))
