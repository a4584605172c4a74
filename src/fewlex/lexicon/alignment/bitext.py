"""A corpus in two languages from which IBM Model 2 is learned (§4.1): it is read once and kept as cells, not in memory.

The memory that it takes grows with the number of pairs of words that occur together, not with the corpus.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from itertools import count, groupby, repeat
from typing import TYPE_CHECKING

import numpy as np

from fewlex.errors import LexiconError
from fewlex.lexicon.alignment.cells import (
    TARGET_BITS,
    Block,
    Chunk,
    blocks,
    make_chunk,
    row_ranges,
    words_per_sentence,
)
from fewlex.lexicon.alignment.em import Ibm2, fit, viterbi
from fewlex.lexicon.alignment.links import Link, Links, check_heuristic, symmetrize
from fewlex.lexicon.alignment.settings import Ibm2Settings
from fewlex.lexicon.counts import FloatArray, IntArray, Tally
from fewlex.lexicon.entry import Entry, Line
from fewlex.lexicon.execution import Execution
from fewlex.lexicon.stores import Store

if TYPE_CHECKING:
    from fewlex.data.example import Example

DIRECTIONS = ("forward", "reverse")
"""`forward` models p(target | source), and `reverse` models p(source | target)."""

WORD_MASK = (1 << TARGET_BITS) - 1
NO_LINKS = Links(*(np.empty(0, dtype=np.int64) for _ in range(3)))


def directions_of(heuristic: str) -> tuple[str, ...]:
    """The directions that a symmetrization heuristic needs."""
    check_heuristic(heuristic)
    return (heuristic,) if heuristic in DIRECTIONS else DIRECTIONS


def check_directions(heuristic: str, known: Iterable[str]) -> None:
    """Make sure that the directions that a heuristic needs are among those that are known."""
    missing = [name for name in directions_of(heuristic) if name not in known]
    if missing:
        raise LexiconError(
            f"{heuristic!r} needs the {missing[0]} direction, which was not learned. Learn both."
        )


def new_ids(known: Mapping[str, int] | None = None) -> defaultdict[str, int]:
    """A dictionary from words to ids, counted from 1; when it is asked for a new word, the word gets the next id."""
    known = known or {}
    return defaultdict(count(len(known) + 1).__next__, known)


class Bitext:
    """A corpus in cells, for one direction or both. Leaving its context removes the temporary files."""

    def __init__(
        self,
        examples: Iterable[Example],
        directions: Iterable[str] = DIRECTIONS,
        execution: Execution | None = None,
        counts_words: bool = False,
    ) -> None:
        """Read the corpus; `lexicon_lines` needs `counts_words`, since it has to know how often words co-occur."""
        self.execution = execution or Execution()
        self.source_ids, self.target_ids = new_ids(), new_ids()
        self.sentences = 0
        self._stack = ExitStack()
        self._blocks: Store[Block] = self._stack.enter_context(self.execution.store())
        self._directions: dict[str, _Direction] = {}
        for name in directions:
            self._directions[name] = _Direction(name, self._stack.enter_context(self.execution.store()))
        self._counts_words = counts_words
        self._lengths, self._source_tally, self._target_tally = Tally(), Tally(), Tally()
        try:
            self._read(examples)
        except BaseException:
            self._stack.close()
            raise

    def __enter__(self) -> Bitext:
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def fit(self, settings: Ibm2Settings) -> dict[str, Ibm2]:
        """Train a model of each direction."""
        keys, sentences = self._lengths.totals()
        n, m = keys >> TARGET_BITS, keys & WORD_MASK
        whole = (n > 0) & (m > 0)
        n, m, sentences = n[whole], m[whole], sentences[whole]
        models = {}
        for name, direction in self._directions.items():
            lengths = (n, m, sentences) if name == "forward" else (m, n, sentences)
            models[name] = fit(direction.store, direction.pairs, lengths, settings, self.execution, name)
        return models

    def links(self, models: Mapping[str, Ibm2], heuristic: str) -> Iterator[tuple[Block, Links]]:
        """The likeliest links of the corpus, block by block, in the order of the corpus."""
        check_directions(heuristic, self._directions)
        streams = [
            self._directions[name].links(models[name]) if name in self._directions else repeat(NO_LINKS)
            for name in DIRECTIONS
        ]
        everything = zip(self._blocks.map(_itself), *streams, strict=False)
        for block, forward, reverse in self.execution.follow("aligning", everything, len(self._blocks)):
            yield block, symmetrize(forward, reverse, heuristic)

    def align(self, models: Mapping[str, Ibm2], heuristic: str) -> Iterator[list[Link]]:
        """The likeliest links of each example, in the order of the corpus."""
        for block, links in self.links(models, heuristic):
            yield from links.by_sentence(len(block.source_lengths))

    def lexicon_lines(self, models: Mapping[str, Ibm2], heuristic: str, origin: str) -> Iterator[Line]:
        """A line for each pair of words that is linked: its weight is the number of its links (§4.1, eq. 12)."""
        tally = Tally()
        for block, links in self.links(models, heuristic):
            source_start = np.cumsum(block.source_lengths) - block.source_lengths
            target_start = np.cumsum(block.target_lengths) - block.target_lengths
            sources = block.source_ids[source_start[links.sentence] + links.source_position]
            targets = block.target_ids[target_start[links.sentence] + links.target_position]
            tally.add(sources << TARGET_BITS | targets)
        pairs, linked = tally.totals()
        source_words, target_words = list(self.source_ids), list(self.target_ids)
        columns = (pairs.tolist(), linked.tolist(), self._dice(pairs).tolist())
        for pair, weight, dice in zip(*columns, strict=True):
            v, w = pair >> TARGET_BITS, pair & WORD_MASK
            yield source_words[v - 1], target_words[w - 1], Entry(float(weight), origin, dice)

    def _dice(self, pairs: IntArray) -> FloatArray:
        """The Dice coefficients 2 #(v, w) / (#(v) + #(w)) of pairs that occur."""
        v, w = pairs >> TARGET_BITS, pairs & WORD_MASK
        name, direction = next(iter(self._directions.items()))
        keys = pairs if name == "forward" else w << TARGET_BITS | v
        together = direction.cooccurrence[np.searchsorted(direction.pairs, keys)]
        dice: FloatArray = (
            2 * together / (self._source_tally.totals()[1][v - 1] + self._target_tally.totals()[1][w - 1])
        )
        return dice

    def _read(self, examples: Iterable[Example]) -> None:
        """Read the examples block by block, and count all that is counted while reading."""
        for number, block in enumerate(blocks(examples, self.source_ids, self.target_ids)):
            self.sentences += len(block.source_lengths)
            self._blocks.add(_itself, block)
            if self._counts_words:
                self._source_tally.add(words_per_sentence(block.source_ids, block.source_lengths))
                self._target_tally.add(words_per_sentence(block.target_ids, block.target_lengths))
            self._lengths.add(block.source_lengths << TARGET_BITS | block.target_lengths)
            for rank, direction in enumerate(self._directions.values()):
                direction.add(block, number, self._counts_words and rank == 0)  # one direction is enough
            self.execution.report("reading", self.sentences)
        for direction in self._directions.values():
            direction.number_pairs()
            if len(direction.pairs) == 0:
                raise LexiconError("no example has words on both sides. Give at least one example that has.")


class _Direction:
    """One direction: the chunks of the corpus, and the pairs of words that occur in them."""

    def __init__(self, name: str, store: Store[Chunk]) -> None:
        self.name = name
        self.store = store

    def add(self, block: Block, number: int, counts_words: bool) -> None:
        """Keep the chunks of a block, which has this number in the corpus."""
        block = block if self.name == "forward" else block.reversed()
        for rows in row_ranges(block):
            self.store.add(make_chunk, block, number, *rows, counts_words)

    def number_pairs(self) -> None:
        """Number the pairs of the whole corpus, and write the numbers into every chunk."""
        tally = Tally()
        for pairs, cooccurrence in self.store.map(_pairs_of):
            tally.add(pairs, cooccurrence)
        self.pairs, self.cooccurrence = tally.totals()
        self.store.replace(_with_pair_numbers, self.pairs)

    def links(self, model: Ibm2) -> Iterator[Links]:
        """The links of each block, in the order of the corpus."""
        found = self.store.map(_viterbi_of_trained, model.probs, model.settings)
        for _, chunks in groupby(found, key=lambda links: links[0]):
            yield gathered([links for _, links in chunks], self.name)


def gathered(parts: list[Links], direction: str) -> Links:
    """The links of all chunks of a block, with the positions of source and target as in the corpus."""
    links = Links(*map(np.concatenate, zip(*parts, strict=True)))
    if direction == "forward":
        return links
    return Links(links.sentence, links.target_position, links.source_position)


def _viterbi_of_trained(chunk: Chunk, probs: FloatArray, settings: Ibm2Settings) -> tuple[int, Links]:
    return int(chunk.block), viterbi(chunk, probs[chunk.pairs], settings)


def _pairs_of(chunk: Chunk) -> tuple[IntArray, IntArray]:
    return chunk.pairs, chunk.cooccurrence


def _with_pair_numbers(chunk: Chunk, pairs: IntArray) -> Chunk:
    return chunk._replace(pairs=np.searchsorted(pairs, chunk.pairs))


def _itself(block: Block) -> Block:
    return block
