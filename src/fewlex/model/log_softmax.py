"""A few log-probabilities out of a softmax over many words, as training needs them.

Training asks for the probability of the gold token alone, so the log-probabilities of all other words need not be kept.
Forward and backward pass go through the logits in blocks that stay in the processor's cache.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

BLOCK = 2**18
"""So many logits are worked on at a time; as float32 they take a megabyte."""


class Averaged(NamedTuple):
    """What a mean over the vocabulary is taken with (label smoothing)."""

    weight: Float[Tensor, " columns"]
    """The number of words that each column represents; 0 for a column that is no word."""
    log_weight: Float[Tensor, " columns"]
    """What the logit of a column has in it because of that number."""


def log_softmax_at(
    logits: Float[Tensor, "*tokens columns"],
    wanted: Int[Tensor, "*tokens wanted"],
    averaged: Averaged | None = None,
) -> tuple[Float[Tensor, "*tokens wanted"], Float[Tensor, "*tokens"]]:
    """The log-probabilities of the wanted columns, and the mean over all words that `averaged` asks for, else 0.

    Columns at −∞ are left out of the mean, because nothing can make them likely.
    """
    chosen, mean = _LogSoftmaxAt.apply(  # type: ignore[no-untyped-call]
        logits.flatten(0, -2), wanted.flatten(0, -2), *(averaged or (None, None))
    )
    return chosen.view(wanted.shape), mean.view(wanted.shape[:-1])


class _LogSoftmaxAt(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, logits: Tensor, wanted: Tensor, weight: Tensor | None, log_weight: Tensor | None
    ) -> tuple[Tensor, Tensor]:
        total = _summable(logits.new_empty(len(logits)))
        mean = torch.zeros_like(total)
        for rows in _blocks(logits):
            block = _summable(logits[rows])
            total[rows] = block.logsumexp(-1)
            if weight is not None and log_weight is not None:
                log_probs = block - total[rows, None] - log_weight
                mean[rows] = log_probs.masked_fill_(block.isinf(), 0.0) @ weight / weight.sum()
        ctx.save_for_backward(logits, wanted, total, weight)
        return _summable(logits.gather(-1, wanted)) - total[:, None], mean

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> tuple[Tensor, None, None, None]:
        """∂ log p_k / ∂ logit_w = [k = w] − p_w."""
        of_wanted, of_mean = gradients
        logits, wanted, total, weight = ctx.saved_tensors
        gradient = torch.empty_like(logits)
        for rows in _blocks(logits):
            block = _summable(logits[rows])
            of_total = of_wanted[rows].sum(-1)
            if weight is not None:
                of_word = (of_mean[rows] / weight.sum())[:, None] * weight.masked_fill(block.isinf(), 0.0)
                of_total = of_total + of_word.sum(-1)
            block = (block - total[rows, None]).exp_().mul_(-of_total[:, None])
            if weight is not None:
                block += of_word
            gradient[rows] = block.scatter_add_(-1, wanted[rows], of_wanted[rows])
        return gradient, None, None, None


def _summable(logits: Tensor) -> Tensor:
    """Products may be bfloat16, but a sum over a whole vocabulary needs the precision of float32."""
    return logits.float() if logits.dtype == torch.bfloat16 else logits


def _blocks(logits: Tensor) -> Iterator[slice]:
    """Slices of the rows. A GPU takes all of them at once."""
    rows, columns = logits.shape
    size = max(1, BLOCK // columns) if logits.device.type == "cpu" else max(1, rows)
    return (slice(first, first + size) for first in range(0, rows, size))
