"""Examples as padded tensors. Batch first; PAD is 0, so a mask is `ids != PAD`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Int
from torch import Tensor

from fewlex.data.vocabulary import BOS, EOS, PAD, Vocabulary


@dataclass(frozen=True)
class Batch:
    """Sources as `<s> x </s>`; targets shifted for teacher forcing: `<s> y` is read, `y </s>` is predicted."""

    source: Int[Tensor, "batch source"]
    target_read: Int[Tensor, "batch target"]
    target: Int[Tensor, "batch target"]

    def to(self, device: torch.device) -> Batch:
        return Batch(self.source.to(device), self.target_read.to(device), self.target.to(device))


def encode_source(words: Sequence[str], vocab: Vocabulary) -> list[int]:
    return [BOS, *vocab.encode(words), EOS]


def pad(rows: Sequence[Sequence[int]]) -> Int[Tensor, "batch length"]:
    width = max(len(row) for row in rows)
    return torch.tensor([[*row, *[PAD] * (width - len(row))] for row in rows], dtype=torch.long)


def make_batch(sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]) -> Batch:
    """From encoded sources (with boundaries) and encoded targets (without)."""
    return Batch(
        source=pad(sources),
        target_read=pad([[BOS, *row] for row in targets]),
        target=pad([[*row, EOS] for row in targets]),
    )
