"""Both directions of IBM Model 2 on a corpus: word alignments, kept parameters, and the lexicon (§4.1).

A `Bitext` is the corpus, read once and kept as cells out of memory; an `Aligner` is what was learned from it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from fewlex.errors import LexiconError
from fewlex.files import atomic_write
from fewlex.lexicon.cells import TARGET_BITS, Block, Chunk, blocks, make_chunk, row_ranges, words_per_sentence
from fewlex.lexicon.counts import FloatArray, IntArray, Tally
from fewlex.lexicon.entry import Entry, Line
from fewlex.lexicon.execution import Execution, Store
from fewlex.lexicon.ibm2 import Ibm2, Ibm2Settings, fit, viterbi
from fewlex.lexicon.symmetrize import Link, Links, check_heuristic, symmetrize

if TYPE_CHECKING:
    from fewlex.data.example import Example

FORMAT = "fewlex aligner 1"
DIRECTIONS = ("forward", "reverse")


class Aligner:
    """IBM Model 2 in one direction or both, with the words it knows; aligns any text."""

    def __init__(
        self, source_ids: Mapping[str, int], target_ids: Mapping[str, int], models: Mapping[str, Ibm2]
    ) -> None:
        """`models` has `forward`, which gives p(target | source), `reverse`, or both."""
        self.source_ids = dict(source_ids)
        self.target_ids = dict(target_ids)
        self.models = dict(models)

    @classmethod
    def fit(
        cls,
        examples: Iterable[Example],
        settings: Ibm2Settings | None = None,
        execution: Execution | None = None,
    ) -> Aligner:
        """Learn both directions from examples, read once."""
        with Bitext(examples, execution=execution) as bitext:
            return bitext.fit(settings or Ibm2Settings())

    def align(self, examples: Iterable[Example], heuristic: str = "intersect") -> Iterator[list[Link]]:
        """The links of each example, in order; a side without words has none."""
        check_directions(heuristic, self.models)
        known = [_numbered(self.source_ids), _numbered(self.target_ids)]
        for block in blocks(examples, *known):
            links = [self._block_links(block, direction) for direction in DIRECTIONS]
            yield from symmetrize(*links, heuristic).by_sentence(len(block.source_lengths))

    def translation_prob(self, source: str, target: str, direction: str = "forward") -> float:
        """θ(target | source), or θ(source | target) of the reverse model."""
        v, w = self.source_ids.get(source, -1), self.target_ids.get(target, -1)
        if direction == "reverse":
            v, w = w, v
        known = np.array([v << TARGET_BITS | w if v > 0 and w > 0 else -1])
        return float(self.models[direction].translation_probs(known)[0])

    def save(self, path: Path | str) -> None:
        """Keep the parameters in a `.safetensors` file, whole or not at all."""
        from safetensors.numpy import save

        tensors = {}
        for direction, model in self.models.items():
            tensors |= {f"{direction}.pairs": model.pairs, f"{direction}.probs": model.probs}
        metadata = {
            "format": FORMAT,
            "source_words": json.dumps(list(self.source_ids), ensure_ascii=False),
            "target_words": json.dumps(list(self.target_ids), ensure_ascii=False),
            "settings": json.dumps({name: asdict(model.settings) for name, model in self.models.items()}),
        }
        with atomic_write(path) as file:
            file.write(save(tensors, metadata))

    @classmethod
    def load(cls, path: Path | str) -> Aligner:
        """Read what `save` has written."""
        from safetensors import SafetensorError, safe_open

        try:
            with safe_open(path, framework="numpy") as file:
                metadata = file.metadata() or {}
                tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  # no mapping
        except (OSError, SafetensorError) as error:
            raise LexiconError(f"{path}: the parameters cannot be read ({error}). Align and save again.") from error
        if metadata.get("format") != FORMAT:
            raise LexiconError(f"{path}: these are not the parameters of an aligner. Align and save again.")
        words = [json.loads(metadata[f"{side}_words"]) for side in ("source", "target")]
        models = {
            name: Ibm2(Ibm2Settings(**settings), tensors[f"{name}.pairs"], tensors[f"{name}.probs"])
            for name, settings in json.loads(metadata["settings"]).items()
        }
        return cls(*({word: v for v, word in enumerate(side, start=1)} for side in words), models)

    def _block_links(self, block: Block, direction: str) -> Links:
        if direction not in self.models:
            return _gathered([], direction)
        model = self.models[direction]
        block = block if direction == "forward" else block.reversed()
        chunks = (make_chunk(block, 0, *rows) for rows in row_ranges(block))
        found = [viterbi(chunk, model.translation_probs(chunk.pairs), model.settings) for chunk in chunks]
        return _gathered([links for _, *links in found], direction)


class Bitext:
    """A corpus in cells, for one direction or both; a context that ends with the temporary files."""

    def __init__(
        self,
        examples: Iterable[Example],
        directions: Iterable[str] = DIRECTIONS,
        execution: Execution | None = None,
    ) -> None:
        self.execution = execution or Execution()
        self.source_ids, self.target_ids = _numbered({}), _numbered({})
        self.sentences = 0
        self._stack = ExitStack()
        self._blocks: Store[Block] = self._stack.enter_context(self.execution.store())
        self._directions: dict[str, _Direction] = {}
        for name in directions:
            self._directions[name] = _Direction(name, self._stack.enter_context(self.execution.store()))
        self._shapes, self._source_tally, self._target_tally = Tally(), Tally(), Tally()
        try:
            self._read(examples)
        except BaseException:
            self._stack.close()
            raise

    def __enter__(self) -> Bitext:
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def fit(self, settings: Ibm2Settings) -> Aligner:
        shapes, sentences = self._shapes.totals()
        n, m = shapes >> TARGET_BITS, shapes & ((1 << TARGET_BITS) - 1)
        models = {}
        for name, direction in self._directions.items():
            lengths = (n, m, sentences) if name == "forward" else (m, n, sentences)
            models[name] = fit(direction.store, direction.pairs, lengths, settings, self.execution, name)
        return Aligner(self.source_ids, self.target_ids, models)

    def links(self, aligner: Aligner, heuristic: str = "intersect") -> Iterator[tuple[Block, Links]]:
        """The likeliest links of the corpus, block by block, in the order in which it was read."""
        check_directions(heuristic, self._directions)
        streams = {name: direction.links(aligner.models[name]) for name, direction in self._directions.items()}
        for number, block in enumerate(self._blocks.map(_itself)):
            both = [_gathered(next(streams[name], []), name) if name in streams else _gathered([], name)
                    for name in DIRECTIONS]
            yield block, symmetrize(*both, heuristic)
            self.execution.report("aligning", number + 1, len(self._blocks))

    def align(self, aligner: Aligner, heuristic: str = "intersect") -> Iterator[list[Link]]:
        """The likeliest links of each example, in the order in which they were read."""
        for block, links in self.links(aligner, heuristic):
            yield from links.by_sentence(len(block.source_lengths))

    def lexicon_lines(self, aligner: Aligner, heuristic: str, origin: str) -> Iterator[Line]:
        """How often words are linked (§4.1, eq. 12), with the Dice coefficients of the pairs."""
        tally = Tally()
        for block, links in self.links(aligner, heuristic):
            source_start = np.cumsum(block.source_lengths) - block.source_lengths
            target_start = np.cumsum(block.target_lengths) - block.target_lengths
            sources = block.source_ids[source_start[links.sentence] + links.source_position]
            targets = block.target_ids[target_start[links.sentence] + links.target_position]
            tally.add(sources << TARGET_BITS | targets)
        pairs, linked = tally.totals()
        source_words, target_words = list(self.source_ids), list(self.target_ids)
        columns = (pairs.tolist(), linked.tolist(), self._dice(pairs).tolist())
        for pair, weight, dice in zip(*columns, strict=True):
            v, w = pair >> TARGET_BITS, pair & ((1 << TARGET_BITS) - 1)
            yield source_words[v - 1], target_words[w - 1], Entry(float(weight), origin, dice)

    def _dice(self, pairs: IntArray) -> FloatArray:
        """2 #(v, w) / (#(v) + #(w)) of pairs that occur."""
        v, w = pairs >> TARGET_BITS, pairs & ((1 << TARGET_BITS) - 1)
        name, direction = next(iter(self._directions.items()))
        keys = pairs if name == "forward" else w << TARGET_BITS | v
        together = direction.cooccurrence[np.searchsorted(direction.pairs, keys)]
        dice: FloatArray = 2 * together / (self._source_tally.totals()[1][v - 1] + self._target_tally.totals()[1][w - 1])
        return dice

    def _read(self, examples: Iterable[Example]) -> None:
        for number, block in enumerate(blocks(examples, self.source_ids, self.target_ids)):
            self.sentences += len(block.source_lengths)
            self._blocks.add(_itself, block)
            self._source_tally.add(words_per_sentence(block.source_ids, block.source_lengths))
            self._target_tally.add(words_per_sentence(block.target_ids, block.target_lengths))
            self._shapes.add(block.source_lengths << TARGET_BITS | block.target_lengths)
            for direction in self._directions.values():
                direction.add(block, number)
            self.execution.report("reading", self.sentences)
        for direction in self._directions.values():
            direction.number_pairs()
            if len(direction.pairs) == 0:
                raise LexiconError("no example has words on both sides. Give at least one to learn from.")


class _Direction:
    """The chunks of a corpus in one direction, and the pairs of words that occur in them."""

    def __init__(self, name: str, store: Store[Chunk]) -> None:
        self.name = name
        self.store = store

    def add(self, block: Block, number: int) -> None:
        block = block if self.name == "forward" else block.reversed()
        for rows in row_ranges(block):
            self.store.add(make_chunk, block, number, *rows)

    def number_pairs(self) -> None:
        tally = Tally()
        for pairs, cooccurrence in self.store.map(_pairs_of):
            tally.add(pairs, cooccurrence)
        self.pairs, self.cooccurrence = tally.totals()
        self.store.replace(_numbered_pairs, self.pairs)

    def links(self, model: Ibm2) -> Iterator[list[list[IntArray]]]:
        """The links of the chunks of each block that has any."""
        ...


def learn(examples, settings, heuristic, execution):  # placeholder
    ...
