"""Which training sources are most like a new one: those that share its rare words.

Two sources are compared by the cosine of their words, each weighted by how rare it is (tf-idf without counts). Words
are any ids that are not special. Needs no torch.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from fewlex.data.vocabulary import SPECIALS


class SimilarSources:
    """An index of sources by their words."""

    def __init__(self, sources: Sequence[Sequence[int]]) -> None:
        holders: dict[int, list[int]] = defaultdict(list)
        for number, source in enumerate(sources):
            for word in _words(source):
                holders[word].append(number)
        self.size = len(sources)
        self._holders = {word: np.array(numbers) for word, numbers in holders.items()}
        self._rarity = {word: math.log1p(self.size / len(numbers)) for word, numbers in holders.items()}
        squares = np.zeros(self.size)
        for word, numbers in self._holders.items():
            squares[numbers] += self._rarity[word] ** 2
        self._length = np.sqrt(np.maximum(squares, np.finfo(float).tiny))

    def nearest(self, source: Sequence[int], most: int, but: NDArray[np.bool_] | None = None) -> list[int]:
        """The numbers of the `most` sources that are most like this one, the most alike first; `but` leaves some out.

        Only sources that share a word count. Of sources that are equally alike, the earlier ones come first.
        """
        likeness = np.zeros(self.size)
        for word in _words(source):
            if word in self._holders:
                likeness[self._holders[word]] += self._rarity[word] ** 2
        likeness /= self._length
        if but is not None:
            likeness[but] = 0.0
        found = np.flatnonzero(likeness)
        if len(found) > most:
            least = np.partition(likeness[found], -most)[-most]
            found = found[likeness[found] >= least]
        order = np.argsort(-likeness[found], kind="stable")[:most]
        return [int(number) for number in found[order]]

    def holding(self, words: Iterable[int]) -> NDArray[np.bool_]:
        """Which of the sources have one of these words."""
        found = np.zeros(self.size, dtype=np.bool_)
        for word in words:
            if word in self._holders:
                found[self._holders[word]] = True
        return found


def _words(source: Sequence[int]) -> set[int]:
    return {word for word in source if word >= len(SPECIALS)}
