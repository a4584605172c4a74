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

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy.typing import NDArray
from torch import Tensor

from fewlex.config import MemoryConfig
from fewlex.data.similar import SimilarSources
from fewlex.model.batch import Batch, Encoded, make_batch

BATCH = 256
"""Remembered sentences that go through the network together."""

FeaturesOf = Callable[[Batch], Float[Tensor, "batch target features"]]
"""What gives the features of a network at each place of some targets."""


@dataclass(frozen=True)
class Trust:
    """How far the memory is trusted; learned from validation examples (`training/remembering.py`)."""

    share: float
    """The part of the probability that is the memory's."""
    temperature: float
    """A place counts exp(−d² / temperature), where d is its distance."""


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
        self, features: Float[Tensor, "rows features"], trust: Trust, columns: int
    ) -> Float[Tensor, "rows columns"]:
        """The memory's part of the probability of each token; all zero in rows whose source is like no sentence."""
        probs = features.new_zeros(len(features), columns)
        for rows, near, tokens in self.nearest(features):
            weight = trust.share * (-near / trust.temperature).softmax(-1)
            probs[rows] = probs[rows].scatter_add(1, tokens, weight)
        return probs


class Memory:
    """Training sentences, and how to find those that are like a source."""

    def __init__(self, examples: Sequence[Encoded], config: MemoryConfig, trust: Trust | None = None) -> None:
        self.examples = [Encoded(example.source, example.target) for example in examples]
        self.config, self.trust = config, trust
        self._similar = SimilarSources([example.source for example in examples])
        self._hidden: NDArray[np.bool_] | None = None

    def without(self, words: Iterable[int]) -> Memory:
        """The same memory without the sentences that have these source words: somebody has taught them anew."""
        other = copy(self)
        other._hidden = self._similar.holding(words)
        return other

    def trusted(self, trust: Trust) -> Memory:
        """The same memory, trusted so far."""
        other = copy(self)
        other.trust = trust
        return other

    def places(self, source: Int[Tensor, "rows source"], features_of: FeaturesOf) -> Places:
        """The places of the sentences that are most like each source."""
        wanted = [self._similar.nearest(row, self.config.sentences, self._hidden) for row in source.tolist()]
        distinct = sorted({i for found in wanted for i in found}, key=lambda i: len(self.examples[i].target))
        features: dict[int, Tensor] = {}
        tokens: dict[int, Tensor] = {}
        for first in range(0, len(distinct), BATCH):
            chunk = distinct[first : first + BATCH]
            batch = make_batch([self.examples[i] for i in chunk]).to(source.device)
            known = features_of(batch)
            for row, i in enumerate(chunk):
                length = len(self.examples[i].target) + 1  # with the end marker
                features[i], tokens[i] = known[row, :length], batch.target[row, :length]
        nothing, no_tokens = torch.zeros(0, 0, device=source.device), source.new_zeros(0)
        return Places(
            tuple(torch.cat([features[i] for i in found]) if found else nothing for found in wanted),
            tuple(torch.cat([tokens[i] for i in found]) if found else no_tokens for found in wanted),
            torch.arange(len(source), device=source.device),
            self.config.neighbours,
        )
