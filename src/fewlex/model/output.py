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
from fewlex.model.log_softmax import Averaged, log_softmax_at


class Mixture(NamedTuple):
    """The two sides of eq. 10, before they are normalized and mixed, for each target token.

    Training needs only the probability of the gold token, so the logits are not normalized here.
    """

    write_logits: Float[Tensor, "*tokens columns"]
    """What p_write is a softmax of. In the authors' variant the last column is that of the gate, which shares it."""
    gate_logit: Float[Tensor, "*tokens"] | None
    """w · h of eq. 6; None where the gate shares the softmax, or where there is no lexical path."""
    gate_in_softmax: bool
    written: WrittenWords | None
    """The words of the columns; None if there is a column for each word of the vocabulary."""

    @property
    def words(self) -> int:
        """The number of columns that are words."""
        return self.write_logits.shape[-1] - self.gate_in_softmax

    def averaged(self) -> Averaged:
        """A mean over the vocabulary gives each word the same weight, and the gate's column none."""
        size, device = self.write_logits.shape[-1], self.write_logits.device
        weight, log_weight = torch.zeros(size, device=device), torch.zeros(size, device=device)
        weight[: self.words] = 1.0
        if self.written is not None:
            log_weight[: self.words] = self.written.log_weight
            weight[: self.words] = self.written.log_weight.exp()
        return Averaged(weight, log_weight)


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
        features: Float[Tensor, "*tokens features"],
        state: Float[Tensor, "*tokens state"],
        forbidden: Bool[Tensor, "*tokens target_vocab"] | None,
        words: WrittenWords | None = None,
    ) -> Mixture:
        """`forbidden` marks words that may only come through the lexicon (fast mapping)."""
        logits = self._logits(features, forbidden, words)
        has_gate = self.has_lexical_path and not self.gate_in_softmax
        return Mixture(
            logits, self.gate(state).squeeze(-1) if has_gate else None, self.gate_in_softmax, words
        )

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
        if forbidden is not None:
            forbidden = forbidden[:, None]
        write = self._logits(features, forbidden, None).squeeze(1).float().softmax(-1)
        if not self.has_lexical_path:
            return write, None
        if self.gate_in_softmax:
            return write[:, :-1], write[:, -1]
        gate = self.gate(state).flatten()
        return write.mul_(gate.sigmoid()[:, None]), (-gate).sigmoid()

    def _logits(
        self,
        features: Float[Tensor, "*tokens features"],
        forbidden: Bool[Tensor, "*tokens target_vocab"] | None,
        words: WrittenWords | None,
    ) -> Float[Tensor, "*tokens columns"]:
        features = self.write_dropout(features)
        if words is None:
            logits: Tensor = self.project(features)
        else:
            table = self.project.table if isinstance(self.project, TiedProjection) else self.project.weight
            weight = F.embedding(words.ids, table)
            logits = F.linear(features, weight, self.project.bias[words.ids] + words.log_weight)
        if forbidden is not None:
            columns = forbidden[..., : self.target_size] if words is None else forbidden[..., words.ids]
            forbidden = F.pad(columns, (0, int(self.gate_in_softmax)))
            with (
                torch.no_grad()
            ):  # The gradient of a logit at −∞ is 0 anyway, so no copy of all logits is needed.
                logits.masked_fill_(forbidden, float("-inf"))
        return logits


def gold_log_probs(
    mixture: Mixture,
    target: Int[Tensor, "*tokens"],
    lexical_prob: Float[Tensor, "*tokens"] | None,
    is_required: Bool[Tensor, "*tokens"] | None = None,
    smoothing: float = 0.0,
) -> Float[Tensor, "*tokens"]:
    """log p(y_i | x) of the gold tokens (eq. 10), computed from the lexical probability of those tokens alone.

    `target` names columns of the write distribution. Where the distribution covers all words, these are word ids. A
    word that was taught after training has no column there. Where `is_required`, the token must come from the lexicon.
    With `smoothing`, that share of the result is the mean of log p_write over the vocabulary.
    """
    is_taught = target >= mixture.words
    wanted = target.masked_fill(is_taught, PAD)[..., None]
    if mixture.gate_in_softmax:
        wanted = torch.cat([wanted, torch.full_like(wanted, mixture.words)], -1)
    chosen, uniform = log_softmax_at(mixture.write_logits, wanted, mixture.averaged() if smoothing else None)
    is_unwritten = is_taught if is_required is None else is_taught | is_required
    gold = chosen[..., 0].masked_fill(is_unwritten, float("-inf"))
    log_lexical_gate = None
    if mixture.gate_in_softmax:  # In the authors' code, gate and write share one softmax.
        log_lexical_gate = chosen[..., 1]
    elif mixture.gate_logit is not None:  # eq. 6, as log σ(w·h) and log(1 − σ(w·h)), all in log space
        gold = gold + F.logsigmoid(mixture.gate_logit)
        log_lexical_gate = F.logsigmoid(-mixture.gate_logit)
    if log_lexical_gate is not None and lexical_prob is not None:
        gold = torch.logaddexp(gold, log_lexical_gate + safe_log(lexical_prob))
    return torch.lerp(gold, uniform, smoothing) if smoothing else gold


def safe_log(probs: Tensor) -> Tensor:
    """log p, where p is at least the smallest normal number; below that, the gradient is zero."""
    return probs.clamp_min(torch.finfo(probs.dtype).tiny).log()
