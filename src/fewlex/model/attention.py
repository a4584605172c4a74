"""Attention over the source, §3, eqs. 3 and 4."""

from __future__ import annotations

from jaxtyping import Bool, Float
from torch import Tensor, nn


class Attention(nn.Module):
    """α_i^j ∝ exp(h_iᵀ W_att e_j) and c_i = Σ_j α_i^j e_j.

    With `is_scaled`, scores are divided by √hidden. W_att could do that itself, but it would begin with large scores,
    and attention that has settled on one place hardly learns any more (docs/lab/attention.md).
    """

    def __init__(self, hidden: int, *, is_scaled: bool = False) -> None:
        super().__init__()
        self.query = nn.Linear(hidden, hidden, bias=False)
        self.scale = hidden**-0.5 if is_scaled else 1.0

    def forward(
        self,
        state: Float[Tensor, "batch target hidden"],
        memory: Float[Tensor, "batch source hidden"],
        mask: Bool[Tensor, "batch source"],
    ) -> tuple[Float[Tensor, "batch target source"], Float[Tensor, "batch target hidden"]]:
        scores = self.scale * self.query(state) @ memory.transpose(1, 2)
        attention = scores.masked_fill(~mask[:, None, :], float("-inf")).softmax(-1)
        return attention, attention @ memory
