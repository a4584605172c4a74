"""Syntactic Attention (Russin et al. 2019) as backbone. It separates where to look from what to write.

The syntax of a word, which is what surrounds it, decides where the decoder looks. The semantics of a word, which is the
word alone, decides what is written there. The decoder reads no target: its next state follows from where it has looked
(docs/backbones.md).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from fewlex.config import ModelConfig
from fewlex.data.vocabulary import PAD
from fewlex.model.backbone import Backbone, Decoded, Decoder, Sizes
from fewlex.model.encoder import Recurrent
from fewlex.model.output import Output


def syntactic_attention_backbone(config: ModelConfig, sizes: Sizes) -> Backbone:
    return Backbone(
        SyntacticEncoder(config, sizes.source + sizes.anonymous), SyntacticDecoder(config, sizes.target)
    )


class Streams(NamedTuple):
    """The two views of a source, and the first query of the decoder."""

    semantics: Float[Tensor, "batch source embedding"]
    """m_j, which depends on the word alone."""
    syntax: Float[Tensor, "batch source annotation"]
    """h_j, which depends on what surrounds the word."""
    query: Float[Tensor, "batch annotation"]
    """s_1."""


class SyntacticEncoder(nn.Module):
    def __init__(self, config: ModelConfig, source_size: int) -> None:
        super().__init__()
        between = config.dropout if config.layers > 1 else 0.0
        half, whole = config.hidden // 2, config.hidden
        self.semantics = nn.Embedding(source_size, config.embedding, padding_idx=PAD)
        self.embedding = nn.Embedding(source_size, half, padding_idx=PAD)
        self.dropout = nn.Dropout(config.dropout)
        settings = {"batch_first": True, "bidirectional": True}
        self.neighbours = nn.LSTM(half, half, config.layers, dropout=between, **settings)
        self.boundaries = nn.Parameter(torch.randn(2, whole))
        self.syntax = nn.LSTM(whole, whole, config.layers, dropout=between, **settings)
        self.first_query = nn.Linear(2 * whole, 2 * whole)

    def forward(self, read_ids: Int[Tensor, "batch source"], mask: Bool[Tensor, "batch source"]) -> Streams:
        semantics = self.dropout(self.semantics(read_ids))
        lengths = mask.sum(1).cpu()
        states, _ = read_padded(self.neighbours, self.dropout(self.embedding(read_ids)), lengths)
        syntax, (last, _) = read_padded(self.syntax, self._surroundings(states, mask), lengths)
        query = self.first_query(torch.cat([last[-2], last[-1]], -1)).relu()
        return Streams(semantics, syntax, query)

    def _surroundings(
        self, states: Float[Tensor, "batch source hidden"], mask: Bool[Tensor, "batch source"]
    ) -> Float[Tensor, "batch source hidden"]:
        """For each word, what was read before it and after it, but not the word itself. Boundaries have vectors of
        their own."""
        from_left, from_right = states.chunk(2, -1)
        before, after = F.pad(from_left[:, :-1], (0, 0, 1, 0)), F.pad(from_right[:, 1:], (0, 0, 0, 1))
        surroundings = torch.cat([before, after], -1)
        is_last = mask & ~F.pad(mask[:, 1:], (0, 1))
        surroundings = torch.where(is_last[:, :, None], self.boundaries[1], surroundings)
        first = self.boundaries[:1].expand(len(states), 1, -1)
        return torch.cat([first, surroundings[:, 1:]], 1)


def read_padded(
    lstm: nn.LSTM, vectors: Float[Tensor, "batch source input"], lengths: Int[Tensor, " batch"]
) -> tuple[Float[Tensor, "batch source both_directions"], Recurrent]:
    """The states of an LSTM, which are zero at padding, and its last states."""
    packed = pack_padded_sequence(vectors, lengths, batch_first=True, enforce_sorted=False)
    states, last = lstm(packed)
    padded, _ = pad_packed_sequence(states, batch_first=True, total_length=vectors.shape[1])
    return padded, last


@dataclass(frozen=True)
class SyntacticCache:
    """The source, and the query with which the decoder looks at it next."""

    semantics: Float[Tensor, "rows source embedding"]
    syntax: Float[Tensor, "rows source annotation"]
    gates: Float[Tensor, "rows source gates"]
    """What each annotation adds to the gates of the first layer if the decoder looks at it alone."""
    mask: Bool[Tensor, "rows source"]
    query: Float[Tensor, "rows annotation"]
    recurrent: tuple[Recurrent, ...]
    """The recurrent state of each layer; here its shape is (rows, annotation)."""

    def select(self, rows: Int[Tensor, " kept"]) -> SyntacticCache:
        return SyntacticCache(
            self.semantics[rows],
            self.syntax[rows],
            self.gates[rows],
            self.mask[rows],
            self.query[rows],
            tuple((state[rows], cell[rows]) for state, cell in self.recurrent),
        )


class SyntacticDecoder(Decoder):
    def __init__(self, config: ModelConfig, write_size: int) -> None:
        super().__init__()
        annotation = 2 * config.hidden
        self.layers = config.layers
        self.from_input = nn.ModuleList(nn.Linear(annotation, 4 * annotation) for _ in range(self.layers))
        self.from_state = nn.ModuleList(
            nn.Linear(annotation, 4 * annotation, bias=False) for _ in range(self.layers)
        )
        self.dropout = nn.Dropout(config.dropout)
        self.score_scale = annotation**-0.5 if config.syntactic_attention.scaled_scores else 1.0
        self.syntax_action = config.syntactic_attention.syntax_action
        features = config.embedding + (annotation if config.syntactic_attention.syntax_action else 0)
        self.output = Output(config, features, features, write_size)

    def start(self, memory: Streams, mask: Bool[Tensor, "batch source"]) -> SyntacticCache:
        zero = torch.zeros_like(memory.query)
        gates = self.from_input[0](memory.syntax)
        recurrent = ((zero, zero),) * self.layers
        return SyntacticCache(memory.semantics, memory.syntax, gates, mask, memory.query, recurrent)

    def forward(self, read_ids: Int[Tensor, "batch target"], cache: SyntacticCache) -> Decoded:
        """Make one step for each token of `read_ids`. It does not matter which tokens these are."""
        query, recurrent, steps = cache.query, cache.recurrent, []
        keys = cache.syntax.transpose(1, 2)
        for _ in range(read_ids.shape[1]):
            scores = query[:, None] @ keys * self.score_scale
            attention = scores.masked_fill(~cache.mask[:, None], float("-inf")).softmax(-1)
            query, recurrent = self._move(attention, cache.gates, recurrent)
            steps.append(attention)
        attention = torch.cat(steps, 1)
        features = attention @ cache.semantics
        if self.syntax_action:
            features = torch.cat([features, attention @ cache.syntax], -1)
        return Decoded(features, features, attention, replace(cache, query=query, recurrent=recurrent))

    def _move(
        self,
        attention: Float[Tensor, "batch 1 source"],
        gates_of: Float[Tensor, "batch source gates"],
        recurrent: tuple[Recurrent, ...],
    ) -> tuple[Float[Tensor, "batch annotation"], tuple[Recurrent, ...]]:
        """s_{i+1} = LSTM(Σ_j α_ij h_j). The weights sum to 1, so the gates of the sum are the sum of the weighted
        gates."""
        moved: list[Recurrent] = []
        gates = (attention @ gates_of)[:, 0]
        for layer, (state, cell) in enumerate(recurrent):
            if layer > 0:
                gates = self.from_input[layer](self.dropout(moved[-1][0]))
            enter, keep, new, leave = (gates + self.from_state[layer](state)).chunk(4, -1)
            cell = keep.sigmoid() * cell + enter.sigmoid() * new.tanh()
            moved.append((leave.sigmoid() * cell.tanh(), cell))
        return moved[-1][0], tuple(moved)
