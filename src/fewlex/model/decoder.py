"""The LSTM decoder of §3. From the tokens read so far it computes a state, its attention and its features.

Without input feeding, the whole target goes through the LSTM in one fused call. With it, the decoder goes step by step,
because each step needs the features of the step before.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from fewlex.config import ModelConfig
from fewlex.data.vocabulary import PAD
from fewlex.model.attention import Attention
from fewlex.model.backbone import Backbone, Decoded, Decoder, Sizes
from fewlex.model.encoder import LSTMEncoder, Recurrent
from fewlex.model.output import Output


def lstm_backbone(config: ModelConfig, sizes: Sizes) -> Backbone:
    return Backbone(
        LSTMEncoder(config, sizes.source + sizes.anonymous),
        LSTMDecoder(config, sizes.target + sizes.anonymous, write_size=sizes.target),
    )


@dataclass(frozen=True)
class LSTMCache:
    memory: Float[Tensor, "rows source hidden"]
    mask: Bool[Tensor, "rows source"]
    recurrent: Recurrent
    fed: Float[Tensor, "rows 1 features"]
    """The features of the last step, which input feeding reads; zero before the first step."""

    def select(self, rows: Int[Tensor, " kept"]) -> LSTMCache:
        hidden, cell = self.recurrent
        return LSTMCache(self.memory[rows], self.mask[rows], (hidden[:, rows], cell[:, rows]), self.fed[rows])


class FeaturesOutput(Output):
    """The output layer with the LSTM's features in front of it (eq. 5 and its variants)."""

    def __init__(
        self, config: ModelConfig, input_size: int, target_size: int, embedding: nn.Embedding
    ) -> None:
        both = 2 * config.hidden
        layer = None
        if config.lstm.features == "tanh":
            layer = nn.Linear(both, config.hidden)
        elif config.lstm.features == "linear_with_input":
            layer = nn.Linear(input_size + both, config.hidden)
        super().__init__(config, features_size(config), config.hidden, target_size, embedding)
        self.layer = layer
        self.features_kind = config.lstm.features
        self.dropout = config.dropout
        self.state_dropout = config.lstm.state_dropout

    def features(
        self,
        decoder_input: Float[Tensor, "batch target input"],
        state: Float[Tensor, "batch target hidden"],
        context: Float[Tensor, "batch target hidden"],
    ) -> Float[Tensor, "batch target features"]:
        if self.training and self.state_dropout:
            is_dropped = torch.rand_like(state[..., :1]) < self.state_dropout
            state = state.masked_fill(is_dropped, 0.0)
        parts = [decoder_input] if self.features_kind == "linear_with_input" else []
        joined = torch.cat([*parts, context, state], -1)
        if self.layer is None:
            return joined
        hidden: Tensor = self.layer(joined)
        return torch.dropout(
            hidden.tanh() if self.features_kind == "tanh" else hidden, self.dropout, self.training
        )


def features_size(config: ModelConfig) -> int:
    return 2 * config.hidden if config.lstm.features == "concat" else config.hidden


class LSTMDecoder(Decoder):
    def __init__(self, config: ModelConfig, target_size: int, write_size: int) -> None:
        super().__init__()
        self.input_feeding = config.lstm.input_feeding
        self.features_size = features_size(config)
        input_size = config.embedding + (self.features_size if config.lstm.input_feeding else 0)
        self.embedding = nn.Embedding(target_size, config.embedding, padding_idx=PAD)
        self.dropout = nn.Dropout(config.dropout)
        self.lstm = nn.LSTM(
            input_size,
            config.hidden,
            config.layers,
            batch_first=True,
            dropout=config.dropout if config.layers > 1 else 0.0,
        )
        self.attention = Attention(config.hidden, is_scaled=config.lstm.scaled_scores)
        self.output: FeaturesOutput = FeaturesOutput(config, input_size, write_size, self.embedding)

    def start(
        self,
        memory: tuple[Float[Tensor, "batch source hidden"], Recurrent],
        mask: Bool[Tensor, "batch source"],
    ) -> LSTMCache:
        encoded, recurrent = memory
        return LSTMCache(encoded, mask, recurrent, encoded.new_zeros(len(encoded), 1, self.features_size))

    def forward(self, read_ids: Int[Tensor, "batch target"], cache: LSTMCache) -> Decoded:
        embedded = self.dropout(self.embedding(read_ids))
        if not self.input_feeding:
            features, state, attention, recurrent = self._advance(embedded, cache)
            return Decoded(features, state, attention, replace(cache, recurrent=recurrent))
        steps = []
        for token in embedded.split(1, dim=1):
            features, state, attention, recurrent = self._advance(torch.cat([token, cache.fed], -1), cache)
            cache = replace(cache, recurrent=recurrent, fed=features)
            steps.append((features, state, attention))
        features, state, attention = (torch.cat(parts, 1) for parts in zip(*steps, strict=True))
        return Decoded(features, state, attention, cache)

    def _advance(
        self, decoder_input: Float[Tensor, "batch target input"], cache: LSTMCache
    ) -> tuple[Tensor, Tensor, Tensor, Recurrent]:
        """Features, state and attention of each position, and the recurrent state after the last."""
        state, recurrent = self.lstm(decoder_input, cache.recurrent)
        attention, context = self.attention(state, cache.memory, cache.mask)
        return self.output.features(decoder_input, state, context), state, attention, recurrent
