"""What the network remembers of its training sentences, place by place (Khandelwal et al. 2021).

At each step of a translation, the features of the network are compared with those that it had at the places of the
training sentences most like the source. What came next at the nearest places becomes more likely. A network of
little data forgets what it has seen once or twice; this gives it back, in the places where it fits.

Only sentences that share words with the source are compared (Deguchi et al. 2023), so their features are computed when
they are needed, and a run keeps nothing but the sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from numpy.typing import NDArray
from torch import Tensor

from fewlex.config import MemoryConfig
from fewlex.data.similar import SimilarSources
from fewlex.model.batch import Batch, Encoded, make_batch
from fewlex.model.trust import Trust, clues

BATCH = 256
"""Remembered sentences that go through the network together."""
MAX_KEPT = 1 << 26
"""Features that are kept once they are computed, as a number of floats: 256 MiB. The others are computed again."""

FeaturesOf = Callable[[Batch], tuple[Float[Tensor, "batch target features"], Bool[Tensor, "batch target"]]]
"""What gives the features of a network at each place of some targets, and which places are worth remembering."""


class SentencePlaces(NamedTuple):
    """The places of one sentence: the features there, and the token that followed."""

    features: Float[Tensor, "places features"]
    tokens: Int[Tensor, " places"]


@dataclass(frozen=True)
class Places:
    """The places of the sentences that are like each source: the features there, and the token that followed."""

    features: tuple[Float[Tensor, "_places _features"], ...]
    """For each source, which may have more or fewer places than the next one."""
    tokens: tuple[Int[Tensor, " _places"], ...]
    source: Int[Tensor, " rows"]
    """The number of the source that each row of a search translates."""
    neighbours: int

    def select(self, rows: Int[Tensor, " kept"]) -> Places:
        return replace(self, source=self.source[rows])

    def nearest(
        self, features: Float[Tensor, "rows features"]
    ) -> list[tuple[Int[Tensor, " some"], Float[Tensor, "some near"], Int[Tensor, "some near"]]]:
        """For the rows of each source: which rows, the squared distances of the nearest places, and their tokens."""
        found = []
        for number in self.source.unique().tolist():
            if len(self.tokens[number]):
                rows = (self.source == number).nonzero()[:, 0]
                distance = torch.cdist(features[rows], self.features[number]).square()
                near, place = distance.topk(min(self.neighbours, distance.shape[1]), largest=False)
                found.append((rows, near, self.tokens[number][place]))
        return found

    def recalled(
        self, features: Float[Tensor, "rows features"], trust: Trust, probs: Float[Tensor, "rows columns"]
    ) -> Float[Tensor, "rows columns"]:
        """The memory's part of the probability of each token; all zero in rows whose source is like no sentence.

        `probs` is what the network thinks of each token without the memory.
        """
        recalled = torch.zeros_like(probs)
        for rows, near, tokens in self.nearest(features):
            share, temperature = trust(clues(near, tokens, probs[rows]))
            vote = share * (-near / temperature).softmax(-1)
            recalled[rows] = recalled[rows].scatter_add(1, tokens, vote)
        return recalled


class Memory:
    """Training sentences, and how to find those that are like a source."""

    def __init__(self, examples: Sequence[Encoded], config: MemoryConfig, trust: Trust | None = None) -> None:
        self.examples = [Encoded(example.source, example.target) for example in examples]
        self.config, self.trust = config, trust
        self._similar = SimilarSources([example.source for example in examples])
        self._hidden: NDArray[np.bool_] | None = None
        self._kept: dict[int, SentencePlaces] = {}

    def without(self, words: Iterable[int]) -> Memory:
        """The same memory without the sentences that have these source words: somebody has taught them anew."""
        other = copy(self)
        other._hidden = self._similar.holding(words)
        other._kept = {}  # what was taught may change what the network sees in other sentences, too
        return other

    def trusted(self, trust: Trust) -> Memory:
        """The same memory, trusted so far."""
        other = copy(self)
        other.trust = trust
        return other

    def places(self, source: Int[Tensor, "rows source"], features_of: FeaturesOf) -> Places:
        """The places of the sentences that are most like each source."""
        wanted = [self._similar.nearest(row, self.config.sentences, self._hidden) for row in source.tolist()]
        known = self._look_at({i for found in wanted for i in found}, features_of, source.device)
        nothing, no_tokens = torch.zeros(0, 0, device=source.device), source.new_zeros(0)
        return Places(
            tuple(torch.cat([known[i].features for i in found]) if found else nothing for found in wanted),
            tuple(torch.cat([known[i].tokens for i in found]) if found else no_tokens for found in wanted),
            torch.arange(len(source), device=source.device),
            self.config.neighbours,
        )

    def _look_at(
        self, wanted: set[int], features_of: FeaturesOf, device: torch.device
    ) -> dict[int, SentencePlaces]:
        """The places of some sentences. What is computed is kept as long as there is room."""
        known = {i: self._kept[i] for i in wanted if i in self._kept}
        missing = sorted(wanted - known.keys(), key=lambda i: (len(self.examples[i].target), i))
        for first in range(0, len(missing), BATCH):
            chunk = missing[first : first + BATCH]
            batch = make_batch([self.examples[i] for i in chunk]).to(device)
            features, is_word = features_of(batch)
            has_room = (len(self._kept) + len(chunk)) * features[0].numel() <= MAX_KEPT
            for row, i in enumerate(chunk):
                places = SentencePlaces(features[row, is_word[row]], batch.target[row, is_word[row]])
                known[i] = places
                if has_room:
                    self._kept[i] = places
        return known
