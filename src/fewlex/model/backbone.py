"""What a network must offer to the output mixture: an encoder, and a decoder that can go step by step.

Only the files of a network know what its memory and its cache consist of (docs/backbones.md).
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
    """What a decoder remembers of the source and of the target so far. It has one row for each hypothesis."""

    def select(self, rows: Int[Tensor, " kept"]) -> Cache:
        """A cache with the given rows in the given order. Rows may be repeated or left out."""
        ...


class Decoded(NamedTuple):
    """What the output layer needs for each target position, and the cache for the next step."""

    features: Float[Tensor, "batch target features"]
    """The write distribution is a projection of these."""
    state: Float[Tensor, "batch target state"]
    """The gate is computed from this."""
    attention: Float[Tensor, "batch target source"]
    """How much each target position attends to each source word: α of eq. 3."""
    cache: Cache


class Decoder(nn.Module):
    """Reads a target. Reading it at once and token by token gives the same result."""

    output: Output

    @abstractmethod
    def start(self, memory: Any, mask: Bool[Tensor, "batch source"]) -> Cache:
        """The cache before the first target token, made from the memory of the encoder."""

    @abstractmethod
    def forward(self, read_ids: Int[Tensor, "batch target"], cache: Any) -> Decoded:
        """Read the tokens `read_ids`, which follow those that the cache has read."""


class Backbone(NamedTuple):
    """An encoder and its decoder. `encoder(read_ids, mask)` returns a memory that only this decoder understands."""

    encoder: nn.Module
    decoder: Decoder
