"""Links between words: one alignment from two directions, and the Pharaoh format `0-0 1-2`.

Index legend: i a source position, j a target position, both from 0 as in the format.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from fewlex.errors import DataError, LexiconError, did_you_mean

if TYPE_CHECKING:
    from fewlex.lexicon.counts import IntArray

Link: TypeAlias = tuple[int, int]
"""Source position, target position."""

_NEIGHBOURS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))


class Links(NamedTuple):
    """The links of many sentences, sorted by sentence, then i, then j."""

    sentence: IntArray
    source_position: IntArray
    target_position: IntArray

    def by_sentence(self, sentences: int) -> Iterator[list[Link]]:
        """The links of each of the sentences 0, 1, …"""
        import numpy as np

        pairs = list(zip(self.source_position.tolist(), self.target_position.tolist(), strict=True))
        edges = np.searchsorted(self.sentence, np.arange(sentences + 1)).tolist()
        for start, end in pairwise(edges):
            yield pairs[start:end]


def forward_only(forward: set[Link], reverse: set[Link]) -> set[Link]:
    return forward


def reverse_only(forward: set[Link], reverse: set[Link]) -> set[Link]:
    return reverse


def intersect(forward: set[Link], reverse: set[Link]) -> set[Link]:
    """Links that both directions have: the paper's choice (§4.1)."""
    return forward & reverse


def union(forward: set[Link], reverse: set[Link]) -> set[Link]:
    return forward | reverse


def grow_diag(forward: set[Link], reverse: set[Link]) -> set[Link]:
    """From the intersection, over and over, to links of the union next to it that reach an unlinked word."""
    grown = _Growing(forward & reverse)
    waiting = sorted((forward | reverse) - grown.links)
    while True:
        added = [link for link in waiting if grown.has_neighbour(link) and grown.add_if_either_free(link)]
        if not added:
            return grown.links
        waiting = [link for link in waiting if link not in grown.links]


def grow_diag_final(forward: set[Link], reverse: set[Link]) -> set[Link]:
    """`grow_diag`, then any link of either direction that reaches an unlinked word."""
    grown = _Growing(grow_diag(forward, reverse))
    for link in (*sorted(forward), *sorted(reverse)):
        grown.add_if_either_free(link)
    return grown.links


def grow_diag_final_and(forward: set[Link], reverse: set[Link]) -> set[Link]:
    """`grow_diag`, then any link of either direction between two unlinked words."""
    grown = _Growing(grow_diag(forward, reverse))
    for link in (*sorted(forward), *sorted(reverse)):
        grown.add_if_both_free(link)
    return grown.links


HEURISTICS: dict[str, Callable[[set[Link], set[Link]], set[Link]]] = {
    "intersect": intersect,
    "union": union,
    "grow-diag": grow_diag,
    "grow-diag-final": grow_diag_final,
    "grow-diag-final-and": grow_diag_final_and,
    "forward": forward_only,
    "reverse": reverse_only,
}
"""How one alignment is made of the links of both directions; `forward` and `reverse` look at one alone."""


def check_heuristic(name: str) -> None:
    if name not in HEURISTICS:
        raise LexiconError(f"there is no symmetrization {name!r}. {did_you_mean(name, HEURISTICS)}")


def symmetrize(forward: Links, reverse: Links, heuristic: str) -> Links:
    """The links of many sentences at once."""
    import numpy as np

    height = 1 + max((int(links.source_position.max(initial=0)) for links in (forward, reverse)), default=0)
    width = 1 + max((int(links.target_position.max(initial=0)) for links in (forward, reverse)), default=0)

    def packed(links: Links) -> IntArray:
        return (links.sentence * height + links.source_position) * width + links.target_position

    if heuristic == "forward":
        keys = np.sort(packed(forward))
    elif heuristic == "reverse":
        keys = np.sort(packed(reverse))
    elif heuristic == "intersect":
        keys = np.intersect1d(packed(forward), packed(reverse), assume_unique=True)
    elif heuristic == "union":
        keys = np.union1d(packed(forward), packed(reverse))
    else:
        keys = _one_by_one(packed(forward), packed(reverse), height, width, heuristic)
    return Links(keys // (height * width), keys // width % height, keys % width)


def _one_by_one(forward: IntArray, reverse: IntArray, height: int, width: int, heuristic: str) -> IntArray:
    """The packed links of sentences whose links depend on each other."""
    import numpy as np

    keys: list[int] = []
    area = height * width
    sides = [dict[int, set[Link]](), dict[int, set[Link]]()]
    for side, packed in zip(sides, (forward, reverse), strict=True):
        for key in packed.tolist():
            side.setdefault(key // area, set()).add((key // width % height, key % width))
    for sentence in sorted(sides[0].keys() | sides[1].keys()):
        links = HEURISTICS[heuristic](sides[0].get(sentence, set()), sides[1].get(sentence, set()))
        keys.extend(sorted((sentence * height + i) * width + j for i, j in links))
    return np.array(keys, dtype=np.int64)


class _Growing:
    """Links to which more are added, and the words that they reach."""

    def __init__(self, links: set[Link]) -> None:
        self.links = set(links)
        self._sources = {i for i, _ in links}
        self._targets = {j for _, j in links}

    def has_neighbour(self, link: Link) -> bool:
        return any((link[0] + down, link[1] + right) in self.links for down, right in _NEIGHBOURS)

    def add_if_either_free(self, link: Link) -> bool:
        return (link[0] not in self._sources or link[1] not in self._targets) and self._add(link)

    def add_if_both_free(self, link: Link) -> bool:
        return link[0] not in self._sources and link[1] not in self._targets and self._add(link)

    def _add(self, link: Link) -> bool:
        self.links.add(link)
        self._sources.add(link[0])
        self._targets.add(link[1])
        return True


def format_pharaoh(links: Iterable[Link]) -> str:
    """`0-0 1-2`: source and target position of each link."""
    return " ".join(f"{i}-{j}" for i, j in links)


def parse_pharaoh(line: str, where: str = "<links>", number: int = 1) -> tuple[set[Link], set[Link]]:
    """The sure links `0-0` and the possible links `1?2` or `1p2` of a line; sure links are possible too."""
    sure: set[Link] = set()
    possible: set[Link] = set()
    for word in line.split():
        mark = next((mark for mark in "-?p" if mark in word), "-")
        source, _, target = word.partition(mark)
        if not (source.isascii() and source.isdigit() and target.isascii() and target.isdigit()):
            raise DataError.at(
                where, number, f"{word!r} is no link", "Write source-target such as 0-0, positions from 0"
            )
        (sure if mark == "-" else possible).add((int(source), int(target)))
    return sure, possible | sure
