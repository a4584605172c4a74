"""Links between words: how both directions are made into one alignment, and the Pharaoh format `0-0 1-2`.

Index legend: i is a source position and j a target position. Both count from 0, as in the format.
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
        """The links of each sentence, for this number of sentences."""
        import numpy as np

        pairs = list(zip(self.source_position.tolist(), self.target_position.tolist(), strict=True))
        edges = np.searchsorted(self.sentence, np.arange(sentences + 1)).tolist()
        for start, end in pairwise(edges):
            yield pairs[start:end]


def forward_only(forward: set[Link], reverse: set[Link]) -> set[Link]:
    """The links of the forward direction."""
    return forward


def reverse_only(forward: set[Link], reverse: set[Link]) -> set[Link]:
    """The links of the reverse direction."""
    return reverse


def intersect(forward: set[Link], reverse: set[Link]) -> set[Link]:
    """The links that both directions have. This is the paper's choice (§4.1)."""
    return forward & reverse


def union(forward: set[Link], reverse: set[Link]) -> set[Link]:
    """The links that at least one direction has."""
    return forward | reverse


def grow_diag(forward: set[Link], reverse: set[Link]) -> set[Link]:
    """Start from the intersection, and add links of the union as long as one qualifies.

    A link qualifies if it is next to a link that was taken before, and if one of its words has no link yet.
    """
    grown = _Growing(forward & reverse)
    waiting = sorted((forward | reverse) - grown.links)
    while True:
        added = [link for link in waiting if grown.has_neighbour(link) and grown.add_if_either_free(link)]
        if not added:
            return grown.links
        waiting = [link for link in waiting if link not in grown.links]


def grow_diag_final(forward: set[Link], reverse: set[Link]) -> set[Link]:
    """`grow_diag`, followed by all links of either direction of which one word has no link yet."""
    grown = _Growing(grow_diag(forward, reverse))
    for link in (*sorted(forward), *sorted(reverse)):
        grown.add_if_either_free(link)
    return grown.links


def grow_diag_final_and(forward: set[Link], reverse: set[Link]) -> set[Link]:
    """`grow_diag`, followed by all links of either direction of which both words have no link yet."""
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
"""The ways to make one alignment from both directions; `forward` and `reverse` use a single direction."""


def check_heuristic(name: str) -> None:
    """Make sure that there is a symmetrization heuristic of this name."""
    if name not in HEURISTICS:
        raise LexiconError(f"there is no symmetrization {name!r}. {did_you_mean(name, HEURISTICS)}")


def symmetrize(forward: Links, reverse: Links, heuristic: str) -> Links:
    """Make one alignment from both directions, for many sentences at once.

    A link is packed into one number, so that the simple heuristics are operations on sorted numbers.
    """
    import numpy as np

    height = 1 + max(int(links.source_position.max(initial=0)) for links in (forward, reverse))
    width = 1 + max(int(links.target_position.max(initial=0)) for links in (forward, reverse))

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
    """The packed links under a heuristic that has to look at one sentence after the other."""
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
    """Links to which more are added, and the words that have a link by now."""

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
    """The links in Pharaoh format, such as `0-0 1-2`: the source and the target position of each link."""
    return " ".join(f"{i}-{j}" for i, j in links)


def _is_position(text: str) -> bool:
    """Whole numbers below a billion: no sentence has more words, and Python refuses numbers of 5,000 digits."""
    return text.isascii() and text.isdigit() and len(text) < 10


def parse_pharaoh(line: str, where: str = "<links>", number: int = 1) -> tuple[set[Link], set[Link]]:
    """The sure links `0-0` of a line, and its possible links, which are the sure ones and those like `1?2` or `1p2`."""
    sure: set[Link] = set()
    possible: set[Link] = set()
    for word in line.split():
        mark = next((mark for mark in "-?p" if mark in word), "-")
        source, _, target = word.partition(mark)
        if not (_is_position(source) and _is_position(target)):
            raise DataError.at(
                where,
                number,
                f"{word!r} is not a link",
                "Write source-target, such as 0-0; positions count from 0.",
            )
        (sure if mark == "-" else possible).add((int(source), int(target)))
    return sure, possible | sure
