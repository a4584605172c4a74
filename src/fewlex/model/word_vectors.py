"""The vectors that words are read as, and that tied networks also write with."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from fewlex.data.letter_groups import Spelling
from fewlex.data.vocabulary import PAD


class WordVectors(nn.Embedding):
    """One vector for each word and, where the spelling is known, the vectors of its letter groups on top.

    The sum of the groups is divided by the root of their number, so that long words are not larger than short ones.
    """

    spelled: Tensor
    """The numbers of the groups of each word, with 0 behind the last."""
    scale: Tensor
    """1 / √n for each word of n groups."""

    def __init__(self, size: int, width: int, spelling: Spelling | None = None) -> None:
        super().__init__(size, width, padding_idx=PAD)
        self.groups: nn.Embedding | None = None
        if spelling is not None and spelling.count:
            self.groups = nn.Embedding(spelling.count + 1, width, padding_idx=0)
            nn.init.normal_(self.groups.weight, std=width**-0.5)
            spelled, scale = _padded(spelling, size)
            self.register_buffer("spelled", spelled, persistent=False)
            self.register_buffer("scale", scale, persistent=False)
        self._table: tuple[tuple[int, int], Tensor] | None = None

    def forward(self, ids: Int[Tensor, "*shape"]) -> Float[Tensor, "*shape width"]:
        if self.groups is None:
            return super().forward(ids)
        if not torch.is_grad_enabled():
            return F.embedding(ids, self.table())
        distinct, places = torch.unique(ids, return_inverse=True)
        return F.embedding(places, self._spelled_out(distinct))

    def table(self) -> Float[Tensor, "size width"]:
        """The vectors of all words. Where nothing is trained, they are computed once."""
        if self.groups is None:
            return self.weight
        if torch.is_grad_enabled():
            return self._spelled_out(torch.arange(self.num_embeddings, device=self.weight.device))
        version = (self.weight._version, self.groups.weight._version)
        if self._table is None or self._table[0] != version:
            everyone = torch.arange(self.num_embeddings, device=self.weight.device)
            self._table = version, self._spelled_out(everyone)
        return self._table[1]

    def _spelled_out(self, ids: Int[Tensor, " words"]) -> Float[Tensor, "words width"]:
        assert self.groups is not None
        groups = F.embedding_bag(self.spelled[ids], self.groups.weight, mode="sum", padding_idx=0)
        return F.embedding(ids, self.weight, PAD) + groups * self.scale[ids]


def _padded(spelling: Spelling, size: int) -> tuple[Int[Tensor, "size most"], Float[Tensor, "size 1"]]:
    """The groups of all words in one table, and 1 / √n for each word of n groups.

    Anonymous words, which come after the vocabulary, have no groups.
    """
    most = max(map(len, spelling.groups))
    rows = [[*groups, *[0] * (most - len(groups))] for groups in spelling.groups]
    rows += [[0] * most for _ in range(size - len(rows))]
    spelled = torch.tensor(rows)
    return spelled, (spelled > 0).sum(1, keepdim=True).clamp_min(1).float().rsqrt()
