"""What a network must offer to carry the output mixture: an encoder, and a decoder that can go step by step.

Outside the files of a network nobody knows what its memory or its cache is made of (docs/backbones.md).
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, runtime_checkable

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from fewlex.model.output import Output


@dataclass(frozen=True)
class Sizes:
    """Vocabulary sizes at training time, and the number of anonymous embeddings on each side."""

    source: int
    target: int
    anonymous: int


@runtime_checkable
class Cache(Protocol):
    """What a decoder remembers of the source and of the target so far; a row for each hypothesis."""

    def select(self, rows: Int[Tensor, " kept"]) -> Cache:
        """The given rows, in that order; rows may repeat or be left out."""
        ...


class Decoded(NamedTuple):
    """What the output layer needs of each target position, and where to go on from."""

    features: Float[Tensor, "batch target features"]
    """What the write distribution is projected from."""
    state: Float[Tensor, "batch target state"]
    """What the gate looks at."""
    attention: Float[Tensor, "batch target source"]
    """Which source word each position would translate: α of eq. 3."""
    cache: Cache


class Decoder(nn.Module):
    """Reads a target, all at once or a token at a time, with the same result."""

    output: Output

    @abstractmethod
    def start(self, memory: Any, mask: Bool[Tensor, "batch source"]) -> Cache:
        """From what the encoder has left of the source to a cache for which nothing has been read."""

    @abstractmethod
    def forward(self, read_ids: Int[Tensor, "batch target"], cache: Any) -> Decoded:
        """All positions of `read_ids`, which follow what `cache` has seen."""


class Backbone(NamedTuple):
    """`encoder(read_ids, mask)` leaves a memory of the source, which only its own decoder understands."""

    encoder: nn.Module
    decoder: Decoder
