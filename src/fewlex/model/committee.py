"""Several networks that answer together: the probability of a token is the mean of what they give it.

Networks that began with other weights make different mistakes and agree on what the data has taught them, so their mean
is better than each of them. They have one lexicon, and what one of them is taught all of them know.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from fewlex.model.batch import Batch
from fewlex.model.fast_mapping import Anonymizer
from fewlex.model.lexicon_matrix import LexiconMatrix
from fewlex.model.seq2seq import DecoderState, Seq2Seq, Step

States = tuple[DecoderState, ...]
"""The state of each network."""


@dataclass(frozen=True)
class CommitteeStep:
    """The steps of all networks, and the mean of what they say."""

    steps: tuple[Step, ...]
    probs: Float[Tensor, "rows columns"]

    @property
    def output_ids(self) -> Int[Tensor, " columns"]:
        """The target id that each column of `probs` stands for. One lexicon makes it the same for all networks."""
        return self.steps[0].output_ids

    @property
    def attention(self) -> Float[Tensor, "rows source"]:
        return _mean([step.attention for step in self.steps])

    @property
    def write_gate(self) -> Float[Tensor, " rows"]:
        return _mean([step.write_gate for step in self.steps])

    @property
    def state(self) -> States:
        return tuple(step.state for step in self.steps)

    def lexical(
        self, rows: Int[Tensor, " chosen"], columns: Int[Tensor, " chosen"]
    ) -> Float[Tensor, " chosen"]:
        return _mean([step.lexical(rows, columns) for step in self.steps])

    def remembered(
        self, rows: Int[Tensor, " chosen"], columns: Int[Tensor, " chosen"]
    ) -> Float[Tensor, " chosen"]:
        return _mean([step.remembered(rows, columns) for step in self.steps])


class Committee(nn.Module):
    """Networks of one vocabulary and one lexicon, which translate as if they were one network."""

    def __init__(self, members: Sequence[Seq2Seq]) -> None:
        super().__init__()
        self.members = members
        self.networks = nn.ModuleList(members)

    def knowing(
        self, lexicon: LexiconMatrix | None, anonymizer: Anonymizer | None, taught: Sequence[int]
    ) -> Committee:
        """The same networks with another lexicon."""
        other = Committee([member.knowing(lexicon, anonymizer, taught) for member in self.members])
        other.training = self.training
        return other

    def log_probs(self, batch: Batch) -> Float[Tensor, "batch target"]:
        """log p(y_i | y_<i, x) of the gold tokens, and 0 at padding."""
        each = torch.stack([member.log_probs(batch) for member in self.members])
        return each.logsumexp(0) - math.log(len(self.members))

    def start(self, source: Int[Tensor, "rows source"]) -> States:
        return tuple(member.start(source) for member in self.members)

    def step(self, state: States, previous: Int[Tensor, " rows"]) -> CommitteeStep:
        steps = tuple(member.step(one, previous) for member, one in zip(self.members, state, strict=True))
        return CommitteeStep(steps, _mean([step.probs for step in steps]))

    @staticmethod
    def reorder(state: States, rows: Int[Tensor, " kept"]) -> States:
        """The states of the given rows, in that order. Rows may be repeated or left out."""
        return tuple(Seq2Seq.reorder(one, rows) for one in state)


def _mean(parts: Sequence[Tensor]) -> Tensor:
    return torch.stack(list(parts)).mean(0)
