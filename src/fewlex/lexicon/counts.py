"""Which words occur together, counted in one pass over a corpus that need not fit in memory.

Index legend: v and w are the ids of a source and a target word, by first appearance; k is the number of a pair (v, w)
that co-occurs, where pairs are sorted by v, then w. Memory grows with the number of such pairs, not with the corpus.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count, pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from fewlex.errors import LexiconError
from fewlex.lexicon.entry import Entry, Line
from fewlex.lexicon.execution import Execution

if TYPE_CHECKING:
    from fewlex.data.example import Example

IntArray: TypeAlias = npt.NDArray[np.int64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
FloatArray: TypeAlias = npt.NDArray[np.float64]

CHUNK_PAIRS = 1 << 21
"""So many pairs are listed before they are summed; an array of them takes 16 MB."""

MAX_PAIRS = 1 << 27
"""So many pairs are counted at most; they take about 5 GB while they are sorted."""

_TARGET_BITS = 32


@dataclass(frozen=True, eq=False)
class Counts:
    """In how many sentences words and pairs of words occur (§4.1, §4.2); repeats within a sentence count once."""

    source_words: tuple[str, ...]
    target_words: tuple[str, ...]
    source_count: IntArray  # [v]: #(v)
    target_count: IntArray  # [w]: #(w)
    pair_source: IntArray  # [k]: v
    pair_target: IntArray  # [k]: w
    cooccurrence: IntArray  # [k]: #(v, w)
    sentences: int  # |D_train|

    @classmethod
    def from_examples(cls, examples: Iterable[Example], execution: Execution | None = None) -> Counts:
        """Count the words of the examples. This thread reads; the workers of `execution` count the pairs."""
        execution = execution or Execution()
        sources, targets, pairs = _Side(), _Side(), Tally()
        sentences = pending = 0
        with execution.store() as store:
            for example in examples:
                sentences += 1
                pending += (1 + sources.add(example.source)) * (1 + targets.add(example.target))
                if pending >= CHUNK_PAIRS:
                    store.add(_counted_pairs, *sources.flush(), *targets.flush())
                    execution.report("reading", sentences)
                    pending = 0
            store.add(_counted_pairs, *sources.flush(), *targets.flush())
            for counted in execution.follow("counting", store.map(_itself), len(store)):
                pairs.add(*counted)
        keys, cooccurrence = pairs.totals()
        return cls(
            source_words=tuple(sources.ids),
            target_words=tuple(targets.ids),
            source_count=sources.tally.totals()[1],
            target_count=targets.tally.totals()[1],
            pair_source=keys >> _TARGET_BITS,
            pair_target=keys & ((1 << _TARGET_BITS) - 1),
            cooccurrence=cooccurrence,
            sentences=sentences,
        )

    def at_least(self, min_count: int) -> Counts:
        """The same counts without the pairs that co-occur in fewer than `min_count` sentences."""
        if min_count <= 1:
            return self
        kept = self.cooccurrence >= min_count
        return replace(
            self,
            pair_source=self.pair_source[kept],
            pair_target=self.pair_target[kept],
            cooccurrence=self.cooccurrence[kept],
        )

    @property
    def source_count_of_pair(self) -> IntArray:
        """[k]: #(v)."""
        return self.source_count[self.pair_source]

    @property
    def target_count_of_pair(self) -> IntArray:
        """[k]: #(w)."""
        return self.target_count[self.pair_target]

    @property
    def is_identity(self) -> BoolArray:
        """[k]: whether v and w are the same word."""
        source_ids = {word: v for v, word in enumerate(self.source_words)}
        same_word = np.array([source_ids.get(word, -1) for word in self.target_words], dtype=np.int64)
        identical: BoolArray = same_word[self.pair_target] == self.pair_source
        return identical

    def sharing_target(self, chosen: BoolArray) -> IntArray:
        """[k]: how many of the chosen pairs have the same target word."""
        per_target = np.bincount(self.pair_target[chosen], minlength=len(self.target_words))
        return per_target[self.pair_target]

    def sharing_source(self, chosen: BoolArray) -> IntArray:
        """[k]: how many of the chosen pairs have the same source word."""
        per_source = np.bincount(self.pair_source[chosen], minlength=len(self.source_words))
        return per_source[self.pair_source]

    def heaviest(self, weights: FloatArray, limit: int) -> BoolArray:
        """[k]: whether the pair is among the heaviest of its source word, of which as many are taken as `limit` allows.

        All source words keep the same number at most; the Dice coefficient decides between equal weights.
        """
        if len(weights) <= limit:
            return np.ones(len(weights), dtype=np.bool_)
        dice = self.cooccurrence / (self.source_count_of_pair + self.target_count_of_pair)
        order = np.lexsort((-dice, -weights, self.pair_source))
        sources = self.pair_source[order]
        first = np.flatnonzero(np.diff(sources, prepend=-1))
        rank = np.arange(len(order)) - np.repeat(first, np.diff(first, append=len(order)))
        kept = int(np.searchsorted(np.cumsum(np.bincount(rank)), limit, side="right"))
        chosen = np.zeros(len(order), dtype=np.bool_)
        chosen[order] = rank < max(kept, 1)
        return chosen

    def lines(self, chosen: BoolArray, weights: FloatArray, origin: str) -> Iterator[Line]:
        """The lexicon lines of the chosen pairs, with their Dice coefficients 2 #(v, w) / (#(v) + #(w))."""
        dice = 2 * self.cooccurrence / (self.source_count_of_pair + self.target_count_of_pair)
        columns = (self.pair_source, self.pair_target, weights, dice)
        for v, w, weight, coefficient in zip(*(column[chosen].tolist() for column in columns), strict=True):
            yield self.source_words[v], self.target_words[w], Entry(weight, origin, coefficient)


class Tally:
    """How often each key was added.

    What was added waits until there is as much of it as of distinct keys so far. Then both are merged, so that the work
    grows only in proportion to what is added.
    """

    def __init__(self) -> None:
        self._summed = (np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))
        self._recent: list[tuple[IntArray, IntArray]] = []

    def add(self, keys: IntArray, counts: IntArray | None = None) -> None:
        """Add keys to the tally.

        Without `counts`, a key counts once for each time it is in `keys`. With `counts`, `keys[i]` counts `counts[i]`
        times; ascending keys are then the fastest to merge. If `counts` is empty, the tally collects the distinct keys
        and not how often they occur; in that case, `counts` must be empty in every call.
        """
        self._recent.append(np.unique(keys, return_counts=True) if counts is None else (keys, counts))
        if sum(len(keys) for keys, _ in self._recent) >= max(CHUNK_PAIRS, len(self._summed[0])):
            self._merge()

    def totals(self) -> tuple[IntArray, IntArray]:
        """The distinct keys in ascending order, and their counts."""
        self._merge()
        return self._summed

    def _merge(self) -> None:
        """Add what is waiting to the sums."""
        keys = np.concatenate([self._summed[0], *(keys for keys, _ in self._recent)])
        counts = np.concatenate([self._summed[1], *(counts for _, counts in self._recent)])
        # The parts are freed before the sort, which needs the memory.
        self._recent, self._summed = [], (keys[:0], counts[:0])
        if len(counts):
            order = np.argsort(keys, kind="stable")
            keys, counts = keys[order], counts[order]
            del order
        else:
            keys.sort(kind="stable")
        if len(keys) > MAX_PAIRS:
            raise LexiconError(
                f"more than {MAX_PAIRS:,} pairs of words occur together, which would take too much memory. Learn from "
                "a part of the data, or cut long lines into sentences."
            )
        first_of_key = np.flatnonzero(np.diff(keys, prepend=-1))
        self._summed = keys[first_of_key], np.add.reduceat(counts, first_of_key) if len(counts) else counts


class _Side:
    """One side of the corpus: the ids of the distinct words of each sentence, until they are counted."""

    def __init__(self) -> None:
        self.ids: defaultdict[str, int] = defaultdict(count().__next__)
        self.tally = Tally()
        self._pending: list[int] = []
        self._lengths: list[int] = []

    def add(self, words: Sequence[str]) -> int:
        """Take in a sentence, and return how many distinct words it has."""
        distinct = dict.fromkeys(words)
        self._pending.extend(map(self.ids.__getitem__, distinct))
        self._lengths.append(len(distinct))
        return len(distinct)

    def flush(self) -> tuple[IntArray, IntArray]:
        """Count the waiting sentences, and return their ids, one sentence after the other, and their lengths."""
        ids, lengths = np.array(self._pending, dtype=np.int64), np.array(self._lengths, dtype=np.int64)
        self.tally.add(ids)
        self._pending, self._lengths = [], []
        return ids, lengths


class _CountedPairs(NamedTuple):
    keys: IntArray
    counts: IntArray


def _counted_pairs(
    source_ids: IntArray, source_lengths: IntArray, target_ids: IntArray, target_lengths: IntArray
) -> _CountedPairs:
    """The distinct pairs of some sentences, and in how many of the sentences each of them occurs."""
    tally = Tally()
    for keys in _pair_keys(source_ids, source_lengths, target_ids, target_lengths):
        tally.add(keys)
    return _CountedPairs(*tally.totals())


def _itself(counted: _CountedPairs) -> _CountedPairs:
    return counted


def _pair_keys(
    source_ids: IntArray, source_lengths: IntArray, target_ids: IntArray, target_lengths: IntArray
) -> Iterator[IntArray]:
    """Every source id with every target id of its sentence, packed into one number that sorts by v, then w.

    They come in parts of about CHUNK_PAIRS, because one sentence of thousands of words has millions of pairs.
    """
    partners = np.repeat(target_lengths, source_lengths)  # [source id]: how many target ids it meets
    first_partner = np.repeat(np.cumsum(target_lengths) - target_lengths, source_lengths)
    ends = np.cumsum(partners)
    edges = np.searchsorted(ends, np.arange(CHUNK_PAIRS, ends[-1] if len(ends) else 0, CHUNK_PAIRS))
    for start, end in pairwise(np.unique([0, *edges, len(partners)]).tolist()):
        part = slice(start, end)
        first_pair = np.cumsum(partners[part]) - partners[part]
        target_position = np.arange(partners[part].sum())
        target_position += np.repeat(first_partner[part] - first_pair, partners[part])
        yield np.repeat(source_ids[part] << _TARGET_BITS, partners[part]) | target_ids[target_position]
