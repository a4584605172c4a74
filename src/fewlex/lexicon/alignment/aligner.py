"""A trained IBM Model 2 that can align any text, and that can be saved and loaded (§4.1)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fewlex.errors import ConfigError, LexiconError
from fewlex.files import atomic_write
from fewlex.lexicon.alignment.bitext import (
    DIRECTIONS,
    NO_LINKS,
    Bitext,
    check_directions,
    gathered,
    new_ids,
)
from fewlex.lexicon.alignment.cells import TARGET_BITS, Block, blocks, make_chunk, row_ranges
from fewlex.lexicon.alignment.em import Ibm2, viterbi
from fewlex.lexicon.alignment.links import Link, Links, symmetrize
from fewlex.lexicon.alignment.settings import Ibm2Settings
from fewlex.lexicon.execution import Execution
from fewlex.strict import checked, parse_json

if TYPE_CHECKING:
    from fewlex.data.example import Example

FORMAT = "fewlex aligner 1"


class Aligner:
    """IBM Model 2 in one direction or both, together with the words that it knows."""

    def __init__(
        self, source_ids: Mapping[str, int], target_ids: Mapping[str, int], models: Mapping[str, Ibm2]
    ) -> None:
        """`models` has a model `forward` of p(target | source), a model `reverse` of p(source | target), or both."""
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
        """Learn both directions from examples, which are read only once."""
        with Bitext(examples, execution=execution) as bitext:
            return cls(bitext.source_ids, bitext.target_ids, bitext.fit(settings or Ibm2Settings()))

    def align(self, examples: Iterable[Example], heuristic: str = "intersect") -> Iterator[list[Link]]:
        """The links of each example, in order. An example without words on one side has no links."""
        check_directions(heuristic, self.models)
        for block in blocks(examples, new_ids(self.source_ids), new_ids(self.target_ids)):
            forward, reverse = (self._block_links(block, direction) for direction in DIRECTIONS)
            yield from symmetrize(forward, reverse, heuristic).by_sentence(len(block.source_lengths))

    def translation_prob(self, source: str, target: str, direction: str = "forward") -> float:
        """θ(target | source) or, of the reverse model, θ(source | target)."""
        v, w = self.source_ids.get(source, -1), self.target_ids.get(target, -1)
        if direction == "reverse":
            v, w = w, v
        known = np.array([v << TARGET_BITS | w if v > 0 and w > 0 else -1])
        return float(self.models[direction].translation_probs(known)[0])

    def save(self, path: Path | str) -> None:
        """Write the parameters to a `.safetensors` file; the file is written as a whole or not at all."""
        from safetensors.numpy import save

        tensors: dict[str, npt.NDArray[Any]] = {}
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
        """Read a file that `save` has written."""
        from safetensors import SafetensorError, safe_open

        try:
            with safe_open(path, framework="numpy") as file:
                metadata = file.metadata() or {}
                tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  # `file` is not a mapping
        except (OSError, SafetensorError) as error:
            raise LexiconError(
                f"{path}: the parameters of the aligner cannot be read ({error}). Align and save again."
            ) from error
        if metadata.get("format") != FORMAT:
            raise LexiconError(f"{path}: these are not the parameters of an aligner. Align and save again.")
        try:
            return cls(*_read_parts(metadata, tensors))
        except (KeyError, ValueError, ConfigError) as error:
            raise LexiconError(
                f"{path}: the parameters of the aligner are damaged ({error}). Align and save again."
            ) from error

    def _block_links(self, block: Block, direction: str) -> Links:
        """The links of a block in one direction; none if the aligner does not have that direction."""
        if direction not in self.models:
            return NO_LINKS
        model = self.models[direction]
        block = block if direction == "forward" else block.reversed()
        chunks = (make_chunk(block, 0, *rows) for rows in row_ranges(block))
        found = [viterbi(chunk, model.translation_probs(chunk.pairs), model.settings) for chunk in chunks]
        return gathered(found, direction)


def _read_parts(
    metadata: Mapping[str, str], tensors: Mapping[str, npt.NDArray[Any]]
) -> tuple[dict[str, int], dict[str, int], dict[str, Ibm2]]:
    """The words and the models of a file, each of which fits the others."""
    words = [checked(parse_json(metadata[f"{side}_words"]), list[str], side) for side in ("source", "target")]
    ids = [{word: v for v, word in enumerate(side, start=1)} for side in words]
    models = {}
    for name, settings in checked(parse_json(metadata["settings"]), dict[str, Ibm2Settings]).items():
        if name not in DIRECTIONS:
            raise ValueError(f"there is no direction {name!r}")
        pairs, probs = tensors[f"{name}.pairs"], tensors[f"{name}.probs"]
        if (
            pairs.dtype != np.int64
            or probs.dtype != np.float64
            or pairs.ndim != 1
            or pairs.shape != probs.shape
        ):
            raise ValueError(f"{name}.pairs and {name}.probs do not belong together")
        if len(pairs) == 0 or not (np.diff(pairs) > 0).all():
            raise ValueError(f"{name}.pairs are not in order")
        if not ((probs >= 0) & (probs <= 1 + 1e-9)).all():
            raise ValueError(f"{name}.probs are no probabilities")
        models[name] = Ibm2(settings, pairs, probs)
    return ids[0], ids[1], models
