"""The LSTM decoder of §3: from what was read so far to a state, its attention and its features.

Without input feeding the whole target goes through the LSTM in one fused call; with it, step by step, because
each step needs the features of the one before.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from fewlex.config import ModelConfig
from fewlex.data.vocabulary import PAD
from fewlex.model.attention import Attention
from fewlex.model.encoder import Recurrent
from fewlex.model.output import Output, features_size


class Decoded(NamedTuple):
    """What the output layer needs of each target position, and where to go on from."""

    state: Float[Tensor, "batch target hidden"]
    attention: Float[Tensor, "batch target source"]
    features: Float[Tensor, "batch target features"]
    recurrent: Recurrent


class LSTMDecoder(nn.Module):
    def __init__(self, config: ModelConfig, target_size: int, write_size: int) -> None:
        super().__init__()
        self.input_feeding = config.input_feeding
        self.features_size = features_size(config)
        input_size = config.embedding + (self.features_size if config.input_feeding else 0)
        self.embedding = nn.Embedding(target_size, config.embedding, padding_idx=PAD)
        self.dropout = nn.Dropout(config.dropout)
        self.lstm = nn.LSTM(
            input_size,
            config.hidden,
            config.layers,
            batch_first=True,
            dropout=config.dropout if config.layers > 1 else 0.0,
        )
        self.attention = Attention(config.hidden)
        self.output = Output(config, input_size, write_size)

    def first_features(
        self, memory: Float[Tensor, "batch source hidden"]
    ) -> Float[Tensor, "batch 1 features"]:
        """What the first step is fed where nothing was computed yet."""
        return memory.new_zeros(memory.shape[0], 1, self.features_size)

    def forward(
        self,
        read_ids: Int[Tensor, "batch target"],
        memory: Float[Tensor, "batch source hidden"],
        mask: Bool[Tensor, "batch source"],
        recurrent: Recurrent,
        fed: Float[Tensor, "batch 1 features"] | None = None,
    ) -> Decoded:
        """All positions of `read_ids`, starting from `recurrent` (and `fed`, the features before the first)."""
        embedded = self.dropout(self.embedding(read_ids))
        if not self.input_feeding:
            return self._advance(embedded, memory, mask, recurrent)
        steps: list[Decoded] = []
        fed = self.first_features(memory) if fed is None else fed
        for token in embedded.split(1, dim=1):
            step = self._advance(torch.cat([token, fed], -1), memory, mask, recurrent)
            recurrent, fed = step.recurrent, step.features
            steps.append(step)
        return Decoded(
            torch.cat([step.state for step in steps], 1),
            torch.cat([step.attention for step in steps], 1),
            torch.cat([step.features for step in steps], 1),
            recurrent,
        )

    def _advance(
        self,
        decoder_input: Float[Tensor, "batch target input"],
        memory: Float[Tensor, "batch source hidden"],
        mask: Bool[Tensor, "batch source"],
        recurrent: Recurrent,
    ) -> Decoded:
        state, recurrent = self.lstm(decoder_input, recurrent)
        attention, context = self.attention(state, memory, mask)
        return Decoded(state, attention, self.output.features(decoder_input, state, context), recurrent)
