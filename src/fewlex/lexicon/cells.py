"""A corpus as cells: one for each target token and each source word that may have given rise to it.

Index legend: s a sentence of a block; i = 1…n a source position, 0 the null word; j = 1…m a target position;
r a row, one target token (s, j), with the n + 1 cells (0, j) … (n, j) in a row; c a cell; v, w the ids of a
source and a target word, from 1, with v = 0 for the null word; k a pair (v, w) that occurs, sorted by v, then w.
All this is for one direction: the reverse model is the same with source and target exchanged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from fewlex.lexicon.counts import IntArray

if TYPE_CHECKING:
    from fewlex.data.example import Example

CellArray: TypeAlias = npt.NDArray[np.int32]

CHUNK_CELLS = 1 << 20
"""Cells that are worked on at a time: 8 MB an array."""

TARGET_BITS = 32
NULL = 0


class Block(NamedTuple):
    """Some sentence pairs as word ids, one sentence after the other."""

    source_ids: IntArray
    source_lengths: IntArray  # [s]: n
    target_ids: IntArray
    target_lengths: IntArray  # [s]: m

    def reversed(self) -> Block:
        return Block(self.target_ids, self.target_lengths, self.source_ids, self.source_lengths)


class Chunk(NamedTuple):
    """The cells of some rows of a block. Rows sort by target word, so that cells need one pass to be sorted."""

    block: IntArray  # []: the number of the block
    pairs: IntArray  # [k of this chunk]: (v << 32 | w), or the number of the pair in the whole corpus
    cooccurrence: IntArray  # [k of this chunk]: in how many sentences
    cells: CellArray  # [c]: k of this chunk
    row_start: IntArray  # [r]: the cell of the null word
    source_length: IntArray  # [r]: n
    target_length: IntArray  # [r]: m
    target_position: IntArray  # [r]: j
    sentence: IntArray  # [r]: s

    @property
    def cells_in_row(self) -> IntArray:
        return self.source_length + 1


def blocks(
    examples: Iterable[Example], source_ids: dict[str, int], target_ids: dict[str, int]
) -> Iterator[Block]:
    """The corpus in blocks of about CHUNK_CELLS cells; words that are new get the next id."""
    sides: tuple[list[int], list[int]] = ([], [])
    lengths: tuple[list[int], list[int]] = ([], [])
    cells = 0
    for example in examples:
        for side, size, ids, words in zip(
            sides, lengths, (source_ids, target_ids), (example.source, example.target), strict=True
        ):
            side.extend(map(ids.__getitem__, words))
            size.append(len(words))
        cells += (len(example.source) + 1) * (len(example.target) + 1)
        if cells >= CHUNK_CELLS:
            yield _block(sides, lengths)
            sides, lengths, cells = ([], []), ([], []), 0
    if lengths[0]:
        yield _block(sides, lengths)


def _block(sides: tuple[list[int], list[int]], lengths: tuple[list[int], list[int]]) -> Block:
    arrays = [np.array(part, dtype=np.int64) for both in zip(sides, lengths, strict=True) for part in both]
    return Block(*arrays)


def row_ranges(block: Block) -> list[tuple[int, int]]:
    """The rows of a block in ranges of about CHUNK_CELLS cells: one, but more for very long sentences."""
    cells = np.cumsum(np.repeat(block.source_lengths + 1, block.target_lengths))
    if len(cells) == 0:
        return [(0, 0)]
    edges = np.searchsorted(cells, np.arange(CHUNK_CELLS, cells[-1], CHUNK_CELLS))
    edges = np.unique(np.concatenate([[0], edges, [len(cells)]])).tolist()
    return list(pairwise(edges))


def make_chunk(block: Block, number: int, first_row: int, last_row: int) -> Chunk:
    """Spell out the cells of a range of rows, and number the pairs of words that occur in them."""
    sentence = np.repeat(np.arange(len(block.target_lengths)), block.target_lengths)[first_row:last_row]
    keep = block.source_lengths[sentence] > 0  # a sentence without source words explains nothing
    rows = np.flatnonzero(keep) + first_row
    rows = rows[np.argsort(block.target_ids[rows], kind="stable")]
    sentence = sentence[rows - first_row]
    source_length, target_length = block.source_lengths[sentence], block.target_lengths[sentence]
    target_position = rows - (np.cumsum(block.target_lengths) - block.target_lengths)[sentence] + 1
    row_start = np.cumsum(source_length + 1) - (source_length + 1)
    cells, pairs, cooccurrence = _number_pairs(block, sentence, rows, row_start)
    return Chunk(
        np.array(number),
        pairs,
        cooccurrence,
        cells,
        row_start,
        source_length,
        target_length,
        target_position,
        sentence,
    )


def _number_pairs(
    block: Block, sentence: IntArray, rows: IntArray, row_start: IntArray
) -> tuple[CellArray, IntArray, IntArray]:
    """[c]: k of each cell; [k]: (v << 32 | w); [k]: in how many sentences v and w occur together."""
    source_ids, source_start = _with_null(block)
    words, local_ids = np.unique(source_ids, return_inverse=True)
    narrow = np.uint16 if len(words) <= 1 << 16 else np.int64  # numpy sorts 16 bits in linear time
    length = block.source_lengths[sentence] + 1
    token = np.arange(length.sum()) + np.repeat(source_start[sentence] - row_start, length)
    source = local_ids.astype(narrow)[token]
    # Cells come by w already: sorting by v, with ties left in place, sorts by v, then w.
    order = np.argsort(source, kind="stable")
    target = np.repeat(block.target_ids[rows], length)[order]
    source = source[order]
    is_first = np.ones(len(order), dtype=np.bool_)
    is_first[1:] = (source[1:] != source[:-1]) | (target[1:] != target[:-1])
    cells = np.empty(len(order), dtype=np.int32)
    cells[order] = np.cumsum(is_first, dtype=np.int32) - 1
    pairs = (words[source[is_first]] << TARGET_BITS) | target[is_first]
    counts_once = np.repeat(_is_first_in_sentence(block.target_ids, block.target_lengths)[rows], length)
    counts_once &= _is_first_in_sentence(source_ids, block.source_lengths + 1)[token]
    return cells, pairs, np.bincount(cells[counts_once], minlength=len(pairs))


def _with_null(block: Block) -> tuple[IntArray, IntArray]:
    """The source ids with the null word before each sentence, and where the sentences start."""
    end = np.cumsum(block.source_lengths)
    start = end - block.source_lengths
    return np.insert(block.source_ids, start, NULL), start + np.arange(len(start))


def words_per_sentence(ids: IntArray, lengths: IntArray) -> IntArray:
    """The ids of the words of each sentence, each word once."""
    return ids[_is_first_in_sentence(ids, lengths)]


def _is_first_in_sentence(ids: IntArray, lengths: IntArray) -> npt.NDArray[np.bool_]:
    """[token]: no earlier token of the sentence is the same word."""
    sentence = np.repeat(np.arange(len(lengths)), lengths)
    _, first = np.unique(sentence << TARGET_BITS | ids, return_index=True)
    is_first = np.zeros(len(ids), dtype=np.bool_)
    is_first[first] = True
    return is_first
