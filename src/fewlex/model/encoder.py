"""The encoder of §3, eq. 1. It knows nothing of targets, lexicons or attention."""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from fewlex.config import ModelConfig
from fewlex.data.vocabulary import PAD

Recurrent = tuple[Tensor, Tensor]
"""Hidden and cell state of an LSTM, each (layers, batch, hidden)."""


POSITIONS = 256
"""So many positions have a vector; all words behind them share the last one."""


class LSTMEncoder(nn.Module):
    """Reads the source once and returns one vector for each token (`memory`) and the first state of the decoder."""

    def __init__(self, config: ModelConfig, source_size: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(source_size, config.embedding, padding_idx=PAD)
        self.positions = nn.Embedding(POSITIONS, config.embedding) if config.lstm.positions else None
        if self.positions is not None:
            nn.init.normal_(self.positions.weight, std=0.5)
        self.dropout = nn.Dropout(config.dropout)
        self.lstm = nn.LSTM(
            config.embedding,
            config.hidden,
            config.layers,
            batch_first=True,
            bidirectional=config.lstm.bidirectional,
            dropout=config.dropout if config.layers > 1 else 0.0,
        )
        self.bridge = (
            nn.Linear(2 * config.hidden, config.hidden) if config.lstm.bidirectional else nn.Identity()
        )
        self.is_residual = config.lstm.residual
        self.directions = 2 if config.lstm.bidirectional else 1

    def forward(
        self, read_ids: Int[Tensor, "batch source"], mask: Bool[Tensor, "batch source"]
    ) -> tuple[Float[Tensor, "batch source hidden"], Recurrent]:
        embedded = self.dropout(self._embed(read_ids))
        lengths = mask.sum(1).cpu()
        if bool(
            (lengths == read_ids.shape[1]).all()
        ):  # no padding: one fused call in place of one for each step
            memory, (hidden, cell) = self.lstm(embedded)
        else:
            packed = pack_padded_sequence(embedded, lengths, batch_first=True, enforce_sorted=False)
            output, (hidden, cell) = self.lstm(packed)
            memory, _ = pad_packed_sequence(output, batch_first=True, total_length=read_ids.shape[1])
        memory = self.bridge(memory)
        if self.is_residual:
            memory = memory + embedded
        return memory, (self._join(hidden), self._join(cell))

    def _embed(self, read_ids: Int[Tensor, "batch source"]) -> Float[Tensor, "batch source embedding"]:
        """The vectors of the words, each with that of its position where the settings ask for it."""
        words: Tensor = self.embedding(read_ids)
        if self.positions is None:
            return words
        places = torch.arange(read_ids.shape[1], device=read_ids.device).clamp_max(POSITIONS - 1)
        placed: Tensor = self.positions(places)
        return words + placed

    def _join(
        self, state: Float[Tensor, "layers_and_directions batch hidden"]
    ) -> Float[Tensor, "layers batch hidden"]:
        """The sum of the last states of both directions, because the decoder has only one direction."""
        if self.directions == 1:
            return state
        layers = torch.unflatten(state, 0, (-1, self.directions))
        return layers.sum(1)
