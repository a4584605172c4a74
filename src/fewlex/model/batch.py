"""Examples as padded tensors. Batch first; PAD is 0, so a mask is `ids != PAD`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from fewlex.data.example import Example
from fewlex.data.parts import NEITHER, Halves
from fewlex.data.vocabulary import BOS, EOS, PAD, Vocabulary


class Encoded(NamedTuple):
    """One example: source ids with boundaries, target ids without."""

    source: list[int]
    target: list[int]
    halves: Halves | None = None


@dataclass(frozen=True)
class Batch:
    """Sources as `<s> x </s>`; targets shifted for teacher forcing: `<s> y` is read, `y </s>` is predicted."""

    source: Int[Tensor, "batch source"]
    target_read: Int[Tensor, "batch target"]
    target: Int[Tensor, "batch target"]
    is_same_half: Bool[Tensor, "batch target source"] | None = None
    """Whether two tokens are in halves that belong together; None where no example has halves."""

    def to(self, device: torch.device) -> Batch:
        same = None if self.is_same_half is None else self.is_same_half.to(device)
        return Batch(self.source.to(device), self.target_read.to(device), self.target.to(device), same)


def encode_source(words: Sequence[str], vocab: Vocabulary) -> list[int]:
    return [BOS, *vocab.encode(words), EOS]


def encode(examples: Sequence[Example], source_vocab: Vocabulary, target_vocab: Vocabulary) -> list[Encoded]:
    return [Encoded(encode_source(e.source, source_vocab), target_vocab.encode(e.target)) for e in examples]


def pad(rows: Sequence[Sequence[int]]) -> Int[Tensor, "batch length"]:
    width = max(len(row) for row in rows)
    return torch.tensor([[*row, *[PAD] * (width - len(row))] for row in rows], dtype=torch.long)


def make_batch(examples: Sequence[Encoded]) -> Batch:
    return Batch(
        source=pad([e.source for e in examples]),
        target_read=pad([[BOS, *e.target] for e in examples]),
        target=pad([[*e.target, EOS] for e in examples]),
        is_same_half=_is_same_half(examples),
    )


def _is_same_half(examples: Sequence[Encoded]) -> Bool[Tensor, "batch target source"] | None:
    if not any(e.halves for e in examples):
        return None
    source = pad(
        [[NEITHER, *e.halves.source, NEITHER] if e.halves else [NEITHER] * len(e.source) for e in examples]
    )
    target = pad(
        [[*e.halves.target, NEITHER] if e.halves else [NEITHER] * (len(e.target) + 1) for e in examples]
    )
    return source[:, None, :] == target[:, :, None]
