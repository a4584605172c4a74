"""Examples as padded tensors, with the batch as first dimension. PAD is 0, so a mask is `ids != PAD`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Int
from torch import Tensor

from fewlex.data.example import Example
from fewlex.data.parts import AllowedSources
from fewlex.data.vocabulary import BOS, EOS, PAD, Vocabulary


class Encoded(NamedTuple):
    """One example: source ids with boundaries, target ids without."""

    source: list[int]
    target: list[int]
    allowed_sources: AllowedSources | None = None
    """The source words that each target token may be translated from (data/parts.py); None allows all of them."""


@dataclass(frozen=True)
class Batch:
    """Sources as `<s> x </s>`, and targets in two forms: the decoder reads `<s> y` and predicts `y </s>`."""

    source: Int[Tensor, "batch source"]
    target_read: Int[Tensor, "batch target"]
    target: Int[Tensor, "batch target"]
    allowed_sources: Bool[Tensor, "batch target source"] | None = None
    """The source positions that each target position may be translated from; None if no example limits them."""

    def to(self, device: torch.device) -> Batch:
        allowed = None if self.allowed_sources is None else self.allowed_sources.to(device)
        return Batch(self.source.to(device), self.target_read.to(device), self.target.to(device), allowed)


def encode_source(words: Sequence[str], vocab: Vocabulary) -> list[int]:
    return [BOS, *vocab.encode(words), EOS]


def encode(examples: Sequence[Example], source_vocab: Vocabulary, target_vocab: Vocabulary) -> list[Encoded]:
    return [Encoded(encode_source(e.source, source_vocab), target_vocab.encode(e.target)) for e in examples]


def pad(rows: Sequence[Sequence[int]]) -> Int[Tensor, "batch length"]:
    width = max(len(row) for row in rows)
    return torch.tensor([[*row, *[PAD] * (width - len(row))] for row in rows], dtype=torch.long)


def make_batch(examples: Sequence[Encoded]) -> Batch:
    source, target = pad([e.source for e in examples]), pad([[*e.target, EOS] for e in examples])
    return Batch(
        source=source,
        target_read=pad([[BOS, *e.target] for e in examples]),
        target=target,
        allowed_sources=_allowed_sources(examples, (*target.shape, source.shape[1])),
    )


def _allowed_sources(
    examples: Sequence[Encoded], shape: tuple[int, ...]
) -> Bool[Tensor, "batch target source"] | None:
    """The masks of all examples as one tensor. A token with limited sources never comes from a sentence boundary."""
    if all(e.allowed_sources is None for e in examples):
        return None
    masks = np.ones(shape, dtype=np.bool_)
    for mask, example in zip(masks, examples, strict=True):
        if example.allowed_sources is not None:
            tokens, words = example.allowed_sources.shape
            mask[:tokens] = False
            mask[:tokens, 1 : words + 1] = example.allowed_sources  # position 0 is the boundary <s>
    return torch.from_numpy(masks)
