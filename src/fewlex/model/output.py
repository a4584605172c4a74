"""This module turns a decoder state into the distribution over the next token (§3, eqs. 5 to 10).

The distribution mixes writing with translating by the lexicon. Copying is the lexical mechanism with the identity as
lexicon (§3), so one code path serves both.
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

    The gate is kept apart from the write distribution, because training needs only the gold token of each position,
    and adding the gate to a whole vocabulary would cost as much as the softmax.
    """

    log_write: Float[Tensor, "batch target target_vocab"]
    """log p_write. In the authors' variant, where gate and write share one softmax, it is log p_gate · p_write."""
    log_write_gate: Float[Tensor, "batch target"] | None
    """log p_gate; None where `log_write` contains it already."""
    log_lexical_gate: Float[Tensor, "batch target"] | None
    """log (1 − p_gate); None where there is no lexical path."""


class WrittenWords(NamedTuple):
    """A part of the target vocabulary: the write distribution is computed for these words alone."""

    ids: Int[Tensor, " words"]
    log_weight: Float[Tensor, " words"]
    """The weight is the number of words in the vocabulary that each of them represents, so that the sum
    Σ weight · exp(logit) estimates the denominator of the softmax."""
    column: Int[Tensor, " target_vocab"]
    """For each word of the vocabulary, its place among these words."""


class TiedProjection(nn.Module):
    """Multiplies features with the vectors of the first words of an embedding (Press & Wolf 2017)."""

    def __init__(self, embedding: nn.Embedding, words: int) -> None:
        super().__init__()
        self._embedding = (embedding,)  # A tuple hides it, so that its weights are not saved twice.
        self.bias = nn.Parameter(torch.zeros(words))
        nn.init.normal_(embedding.weight, std=embedding.embedding_dim**-0.5)

    @property
    def table(self) -> Float[Tensor, "rows features"]:
        """All vectors, also those of anonymous words: choosing rows from a slice would cost a second gradient."""
        return self._embedding[0].weight

    @property
    def weight(self) -> Float[Tensor, "words features"]:
        return self.table[: len(self.bias)]

    def forward(self, features: Float[Tensor, "*batch features"]) -> Float[Tensor, "*batch words"]:
        return F.linear(features, self.weight, self.bias)


class Output(nn.Module):
    """Computes the write distribution from the features of a step, and the gate from its state."""

    project: nn.Linear | TiedProjection

    def __init__(
        self,
        config: ModelConfig,
        features_size: int,
        state_size: int,
        target_size: int,
        embedding: nn.Embedding | None = None,
    ) -> None:
        """`embedding` is the one with which the decoder reads target words; None if it reads none."""
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
        """The words that a training batch computes probabilities for: its own and a sample of the others; None = all.

        Most of the time of a large vocabulary goes into words that are not in the batch, so the settings can ask for a
        sample of them. A sampled word represents several words (Botev et al. 2017, complementary sum sampling), so that
        the expected denominator is the true one.
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
        if self.gate_in_softmax:  # In the authors' code, gate and write share one softmax.
            return Mixture(log_write[..., :-1], None, log_write[..., -1])
        gate = self.gate(state).squeeze(-1)  # eq. 6, as log σ(w·h) and log(1 − σ(w·h)), all in log space
        return Mixture(log_write, F.logsigmoid(gate), F.logsigmoid(-gate))

    def step(
        self,
        features: Float[Tensor, "rows 1 features"],
        state: Float[Tensor, "rows 1 state"],
        forbidden: Bool[Tensor, "rows target_vocab"] | None,
    ) -> tuple[Float[Tensor, "rows words"], Float[Tensor, " rows"] | None]:
        """p_gate · p_write of every word at a single step of a search, and 1 − p_gate where there is a lexical path.

        These are probabilities and not logarithms, because a search takes the logarithm only of the few words that it
        chooses. A step makes as few passes over the vocabulary as possible, and nothing here is differentiated.
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
            with (
                torch.no_grad()
            ):  # The gradient of a logit at −∞ is 0 anyway, so no copy of all logits is needed.
                logits.masked_fill_(forbidden[:, None, :], float("-inf"))
        # Products may be bfloat16, but a sum over a whole vocabulary needs the precision of float32.
        return logits.float() if logits.dtype == torch.bfloat16 else logits


def gold_log_probs(
    mixture: Mixture,
    target: Int[Tensor, "batch target"],
    lexical_prob: Float[Tensor, "batch target"] | None,
    is_required: Bool[Tensor, "batch target"] | None = None,
) -> Float[Tensor, "batch target"]:
    """log p(y_i | x) of the gold tokens (eq. 10), computed from the lexical probability of those tokens alone.

    `target` names columns of the write distribution. Where the distribution covers all words, these are word ids. A
    word that was taught after training has no column there. Where `is_required`, the token must come from the lexicon.
    """
    is_taught = target >= mixture.log_write.shape[-1]
    written = target.masked_fill(is_taught, PAD)
    log_write = mixture.log_write.gather(-1, written[..., None]).squeeze(-1)
    is_unwritten = is_taught if is_required is None else is_taught | is_required
    log_write = log_write.masked_fill(is_unwritten, float("-inf"))
    if mixture.log_write_gate is not None:
        log_write = log_write + mixture.log_write_gate
    if mixture.log_lexical_gate is None or lexical_prob is None:
        return log_write
    return torch.logaddexp(log_write, mixture.log_lexical_gate + safe_log(lexical_prob))


def uniform_log_probs(
    mixture: Mixture, words: WrittenWords | None, size: int
) -> Float[Tensor, "batch target"]:
    """The mean of log p_write over all `size` words; where only a sample was computed, the sample estimates it.

    Words that must not be written (fast mapping) are left out, because nothing can make them likely.
    """
    log_write = mixture.log_write
    if words is None:
        log_write = log_write.masked_fill(log_write.isinf(), 0.0)
        return log_write.sum(-1) / size
    log_write = log_write - words.log_weight
    log_write = log_write.masked_fill(log_write.isinf(), 0.0)
    return (log_write @ words.log_weight.exp()).float() / size


def safe_log(probs: Tensor) -> Tensor:
    """log p, where p is at least the smallest normal number; below that, the gradient is zero."""
    return probs.clamp_min(torch.finfo(probs.dtype).tiny).log()
