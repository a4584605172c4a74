"""A corpus as cells: each target token has one cell for each source token that may have given rise to it.

Index legend:

- s is a sentence pair of a block;
- i = 1…n is a source position, and i = 0 is the null word; j = 1…m is a target position;
- c is a cell; r is a row, which has the n + 1 cells (0, j) … (n, j) of one target token (s, j);
- h is a shape: rows with the same n, m and j share one, and the shape has n + 1 cells of its own;
- v and w are the ids of a source and a target word, from 1; v = 0 is the null word;
- k is a pair (v, w) that occurs, where pairs are sorted by v, then w.

All this describes one direction. The reverse model is the same with source and target exchanged.
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
"""So many cells are worked on at a time; an array of them takes 8 MB."""

TARGET_BITS = 32
NULL = 0
_LENGTH_BITS = 21


class Block(NamedTuple):
    """Some sentence pairs as word ids; on each side one sentence follows the other."""

    source_ids: IntArray
    source_lengths: IntArray  # [s]: n
    target_ids: IntArray
    target_lengths: IntArray  # [s]: m

    def reversed(self) -> Block:
        """The same sentence pairs with source and target exchanged."""
        return Block(self.target_ids, self.target_lengths, self.source_ids, self.source_lengths)


class Shapes(NamedTuple):
    """All that the prior of alignments depends on. There are far fewer shapes than rows, so it is computed for them."""

    start: IntArray  # [h]: the shape's cell of the null word
    source_length: IntArray  # [h]: n
    target_length: IntArray  # [h]: m
    target_position: IntArray  # [h]: j

    @property
    def cells_in_row(self) -> IntArray:
        return self.source_length + 1


class Chunk(NamedTuple):
    """The cells of some rows of a block. The rows are sorted by target word, which makes it quick to sort the cells."""

    block: IntArray  # []: the number of the block
    pairs: IntArray  # [k of this chunk]: at first (v << 32 | w), later the number of the pair in the whole corpus
    cooccurrence: IntArray  # [k of this chunk]: in how many sentences v and w are; empty if not needed
    cells: CellArray  # [c]: k of this chunk
    shape_cells: CellArray  # [c]: the cell of the row's shape that corresponds to it
    row_start: IntArray  # [r]: its first cell, which is that of the null word
    cells_in_row: IntArray  # [r]: n + 1
    target_position: IntArray  # [r]: j
    sentence: IntArray  # [r]: s
    shape_start: IntArray
    shape_source_length: IntArray
    shape_target_length: IntArray
    shape_target_position: IntArray

    @property
    def shapes(self) -> Shapes:
        return Shapes(*self[-4:])


def blocks(
    examples: Iterable[Example], source_ids: dict[str, int], target_ids: dict[str, int]
) -> Iterator[Block]:
    """The corpus in blocks of about CHUNK_CELLS cells. `source_ids` and `target_ids` give ids to new words."""
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
    """The block of the ids and the sentence lengths of both sides."""
    arrays = [np.array(part, dtype=np.int64) for both in zip(sides, lengths, strict=True) for part in both]
    return Block(*arrays)


def row_ranges(block: Block) -> list[tuple[int, int]]:
    """The rows of a block in ranges of about CHUNK_CELLS cells; only very long sentences make more than one range."""
    cells = np.cumsum(np.repeat(block.source_lengths + 1, block.target_lengths))
    if len(cells) == 0:
        return [(0, 0)]
    edges = np.searchsorted(cells, np.arange(CHUNK_CELLS, cells[-1], CHUNK_CELLS))
    edges = np.unique(np.concatenate([[0], edges, [len(cells)]])).tolist()
    return list(pairwise(edges))


def make_chunk(block: Block, number: int, first_row: int, last_row: int, counts_words: bool = False) -> Chunk:
    """List the cells of a range of rows, and number the pairs of words that occur in them.

    `counts_words` says whether the chunk should know in how many sentences the words of a pair occur together.
    """
    sentence = np.repeat(np.arange(len(block.target_lengths)), block.target_lengths)[first_row:last_row]
    keep = block.source_lengths[sentence] > 0  # where there are no source words, nothing can be aligned
    rows = np.flatnonzero(keep) + first_row
    rows = rows[np.argsort(block.target_ids[rows], kind="stable")]
    sentence = sentence[rows - first_row]
    source_length, target_length = block.source_lengths[sentence], block.target_lengths[sentence]
    target_position = rows - (np.cumsum(block.target_lengths) - block.target_lengths)[sentence] + 1
    length = source_length + 1
    row_start = np.cumsum(length) - length
    shapes, shape_of_row = _distinct_shapes(source_length, target_length, target_position)
    numbers = np.arange(length.sum(), dtype=np.int32)
    shape_cells = numbers + np.repeat((shapes.start[shape_of_row] - row_start).astype(np.int32), length)
    token = numbers + np.repeat((_source_start(block)[sentence] - row_start).astype(np.int32), length)
    cells, pairs = _number_pairs(block, rows, token, length)
    cooccurrence = _cooccurrence(block, rows, token, length, cells, len(pairs)) if counts_words else pairs[:0]
    return Chunk(
        np.array(number),
        pairs,
        cooccurrence,
        cells,
        shape_cells,
        row_start,
        length,
        target_position,
        sentence,
        *shapes,
    )


def _distinct_shapes(n: IntArray, m: IntArray, position: IntArray) -> tuple[Shapes, IntArray]:
    """The distinct shapes of some rows, and [r]: the shape of each row."""
    key = (n << 2 * _LENGTH_BITS) | (m << _LENGTH_BITS) | position
    _, example, shape_of_row = np.unique(key, return_index=True, return_inverse=True)
    length = n[example] + 1
    return Shapes(np.cumsum(length) - length, n[example], m[example], position[example]), shape_of_row


def _number_pairs(
    block: Block, rows: IntArray, token: CellArray, length: IntArray
) -> tuple[CellArray, IntArray]:
    """[c]: the pair k of each cell; [k]: its words as (v << 32 | w)."""
    words, local_ids = np.unique(_source_with_null(block), return_inverse=True)
    narrow = np.uint16 if len(words) <= 1 << 16 else np.int64  # numpy sorts numbers of 16 bits in linear time
    source = local_ids.astype(narrow)[token]
    # The cells are in the order of w already. A stable sort by v therefore sorts them by v, then w.
    order = np.argsort(source, kind="stable")
    source = source[order]
    target = np.repeat(block.target_ids[rows].astype(np.int32), length)[order]
    is_first = np.ones(len(order), dtype=np.bool_)
    is_first[1:] = (source[1:] != source[:-1]) | (target[1:] != target[:-1])
    cells = np.empty(len(order), dtype=np.int32)
    cells[order] = np.cumsum(is_first, dtype=np.int32) - 1
    return cells, (words[source[is_first]] << TARGET_BITS) | target[is_first]


def _cooccurrence(
    block: Block, rows: IntArray, token: CellArray, length: IntArray, cells: CellArray, pairs: int
) -> IntArray:
    """[k]: in how many sentences v and w occur together.

    Each such sentence has exactly one cell in which its first v meets its first w, so these cells are counted.
    """
    counts = np.repeat(_is_first_in_sentence(block.target_ids, block.target_lengths)[rows], length)
    counts &= _is_first_in_sentence(_source_with_null(block), block.source_lengths + 1)[token]
    return np.bincount(cells[counts], minlength=pairs)


def _source_with_null(block: Block) -> IntArray:
    """The source ids, with the null word in front of each sentence."""
    return np.insert(block.source_ids, np.cumsum(block.source_lengths) - block.source_lengths, NULL)


def _source_start(block: Block) -> IntArray:
    """[s]: the place of the null word in front of the sentence, among the ids of `_source_with_null`."""
    return np.cumsum(block.source_lengths + 1) - (block.source_lengths + 1)


def words_per_sentence(ids: IntArray, lengths: IntArray) -> IntArray:
    """The ids of the words of each sentence, each word once."""
    return ids[_is_first_in_sentence(ids, lengths)]


def _is_first_in_sentence(ids: IntArray, lengths: IntArray) -> npt.NDArray[np.bool_]:
    """[token]: whether no earlier token of the sentence is the same word."""
    sentence = np.repeat(np.arange(len(lengths)), lengths)
    _, first = np.unique(sentence << TARGET_BITS | ids, return_index=True)
    is_first = np.zeros(len(ids), dtype=np.bool_)
    is_first[first] = True
    return is_first
