"""From a decoder state to the distribution over the next token: write, copy and lexical (§3, eqs. 5 to 10).

Copying is the lexical mechanism with the identity as lexicon (§3), so there is one code path for both.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from fewlex.config import ModelConfig
from fewlex.data.vocabulary import PAD


class Mixture(NamedTuple):
    """The two sides of eq. 10 in log space, before the lexical part is known.

    The gate is kept apart from the write distribution: training needs only the gold token of each position, and
    adding it to a whole vocabulary would cost as much as the softmax.
    """

    log_write: Float[Tensor, "batch target target_vocab"]
    """log p_write; in the authors' variant, which has gate and write in one softmax, log p_gate · p_write."""
    log_write_gate: Float[Tensor, "batch target"] | None
    """log p_gate, where it is not part of `log_write` already."""
    log_lexical_gate: Float[Tensor, "batch target"] | None
    """log (1 − p_gate); None where there is no lexical path."""


class WrittenWords(NamedTuple):
    """The target words that the write distribution is computed for, where it is not all of them."""

    ids: Int[Tensor, " words"]
    log_weight: Float[Tensor, " words"]
    """How many words of the vocabulary each stands for: Σ weight · exp(logit) estimates the softmax's denominator."""
    column: Int[Tensor, " target_vocab"]
    """Where a word is among them."""


class TiedProjection(nn.Module):
    """Features times the vectors of an embedding's first words (Press & Wolf 2017)."""

    def __init__(self, embedding: nn.Embedding, words: int) -> None:
        super().__init__()
        self._embedding = (embedding,)  # in a tuple, so that its weights are not counted and saved twice
        self.bias = nn.Parameter(torch.zeros(words))
        nn.init.normal_(embedding.weight, std=embedding.embedding_dim**-0.5)

    @property
    def table(self) -> Float[Tensor, "rows features"]:
        """All vectors, those of anonymous words too: choosing rows from a slice would cost a second gradient."""
        return self._embedding[0].weight

    @property
    def weight(self) -> Float[Tensor, "words features"]:
        return self.table[: len(self.bias)]

    def forward(self, features: Float[Tensor, "*batch features"]) -> Float[Tensor, "*batch words"]:
        return F.linear(features, self.weight, self.bias)


class Output(nn.Module):
    """The write distribution over the features of a step, and the gate over its state."""

    project: nn.Linear | TiedProjection

    def __init__(
        self,
        config: ModelConfig,
        features_size: int,
        state_size: int,
        target_size: int,
        embedding: nn.Embedding | None = None,
    ) -> None:
        """`embedding` is what the decoder reads target words with, if it does."""
        super().__init__()
        self.target_size = target_size
        self.has_lexical_path = config.output != "write"
        self.gate_in_softmax = self.has_lexical_path and config.gate == "copy_token"
        if config.tied and embedding is not None:
            self.project = TiedProjection(embedding, target_size)
        else:
            self.project = nn.Linear(features_size, target_size + self.gate_in_softmax)
        if self.has_lexical_path and not self.gate_in_softmax:
            self.gate = nn.Linear(state_size, 1)
        self.write_dropout = nn.Dropout(config.write_dropout)
        self.write_sample = config.write_sample

    def words_for(self, target: Int[Tensor, "batch target"]) -> WrittenWords | None:
        """In training, if so configured: the batch's own words and a sample of all others; None = all words.

        A sampled word stands for several (Botev et al. 2017, complementary sum sampling), so that the expected
        denominator is the true one. Most of the time of a large vocabulary goes into words that are not in the batch.
        """
        if not (self.training and 0 < self.write_sample < self.target_size):
            return None
        own = torch.unique(target)
        is_other = torch.ones(self.target_size, dtype=torch.bool, device=target.device)
        is_other[own] = False
        others = is_other.nonzero().squeeze(1)
        drawn = others[torch.randperm(len(others), device=target.device)[: self.write_sample]]
        log_weight = torch.zeros(len(own) + len(drawn), device=target.device)
        log_weight[len(own) :] = math.log(max(len(others), 1) / max(len(drawn), 1))
        ids = torch.cat([own, drawn])
        column = target.new_zeros(self.target_size)
        column[ids] = torch.arange(len(ids), device=target.device)
        return WrittenWords(ids, log_weight, column)

    def forward(
        self,
        features: Float[Tensor, "batch target features"],
        state: Float[Tensor, "batch target state"],
        forbidden: Bool[Tensor, "batch target_vocab"] | None,
        words: WrittenWords | None = None,
    ) -> Mixture:
        """`forbidden` marks words that may only come through the lexicon (fast mapping)."""
        log_write = self._logits(features, forbidden, words).log_softmax(-1)
        if not self.has_lexical_path:
            return Mixture(log_write, None, None)
        if self.gate_in_softmax:  # the authors' code: gate and write share one softmax
            return Mixture(log_write[..., :-1], None, log_write[..., -1])
        gate = self.gate(state).squeeze(-1)  # eq. 6: log σ(w·h) and log(1 − σ(w·h)) without leaving log space
        return Mixture(log_write, F.logsigmoid(gate), F.logsigmoid(-gate))

    def step(
        self,
        features: Float[Tensor, "rows 1 features"],
        state: Float[Tensor, "rows 1 state"],
        forbidden: Bool[Tensor, "rows target_vocab"] | None,
    ) -> tuple[Float[Tensor, "rows words"], Float[Tensor, " rows"] | None]:
        """p_gate · p_write of every word at a single step of a search, and 1 − p_gate where there is a lexical path.

        Not in log space, and in as few passes over the vocabulary as can be: a search takes the logarithm of the few
        words it chooses. Nothing here is differentiated.
        """
        write = self._logits(features, forbidden, None).squeeze(1).softmax(-1)
        if not self.has_lexical_path:
            return write, None
        if self.gate_in_softmax:
            return write[:, :-1], write[:, -1]
        gate = self.gate(state).flatten()
        return write.mul_(gate.sigmoid()[:, None]), (-gate).sigmoid()

    def _logits(
        self,
        features: Float[Tensor, "batch target features"],
        forbidden: Bool[Tensor, "batch target_vocab"] | None,
        words: WrittenWords | None,
    ) -> Float[Tensor, "batch target words"]:
        features = self.write_dropout(features)
        if words is None:
            logits: Tensor = self.project(features)
        else:
            table = self.project.table if isinstance(self.project, TiedProjection) else self.project.weight
            weight = F.embedding(words.ids, table)
            logits = F.linear(features, weight, self.project.bias[words.ids] + words.log_weight)
        if forbidden is not None:
            columns = forbidden[:, : self.target_size] if words is None else forbidden[:, words.ids]
            forbidden = F.pad(columns, (0, int(self.gate_in_softmax)))
            with torch.no_grad():  # the gradient of a logit at −∞ is 0 as it is: save a copy of all logits
                logits.masked_fill_(forbidden[:, None, :], float("-inf"))
        # Products may be bfloat16; what is summed over a vocabulary must not be.
        return logits.float() if logits.dtype == torch.bfloat16 else logits


def gold_log_probs(
    mixture: Mixture,
    target: Int[Tensor, "batch target"],
    lexical_prob: Float[Tensor, "batch target"] | None,
) -> Float[Tensor, "batch target"]:
    """log p(y_i | x) of the gold tokens (eq. 10), from the lexical probability of those tokens alone.

    `target` are columns of the write distribution: word ids, where it is over all words. A word taught after
    training has no place there.
    """
    is_taught = target >= mixture.log_write.shape[-1]
    written = target.masked_fill(is_taught, PAD)
    log_write = mixture.log_write.gather(-1, written[..., None]).squeeze(-1)
    log_write = log_write.masked_fill(is_taught, float("-inf"))
    if mixture.log_write_gate is not None:
        log_write = log_write + mixture.log_write_gate
    if mixture.log_lexical_gate is None or lexical_prob is None:
        return log_write
    return torch.logaddexp(log_write, mixture.log_lexical_gate + safe_log(lexical_prob))


def uniform_log_probs(
    mixture: Mixture, words: WrittenWords | None, size: int
) -> Float[Tensor, "batch target"]:
    """The mean of log p_write over all `size` words, estimated from a sample where there is one.

    Words that must not be written (fast mapping) are left out: nothing can make them likely.
    """
    log_write = mixture.log_write
    if words is None:
        log_write = log_write.masked_fill(log_write.isinf(), 0.0)
        return log_write.sum(-1) / size
    log_write = log_write - words.log_weight
    log_write = log_write.masked_fill(log_write.isinf(), 0.0)
    return (log_write @ words.log_weight.exp()).float() / size


def safe_log(probs: Tensor) -> Tensor:
    """log p with a floor at the smallest normal number, where its gradient is zero."""
    return probs.clamp_min(torch.finfo(probs.dtype).tiny).log()
