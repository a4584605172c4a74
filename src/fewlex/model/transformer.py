"""A Transformer (Vaswani et al. 2017) as backbone: norms before each part, rotary positions (docs/backbones.md).

The lexical mechanism (eq. 9) translates with the attention of the last layer over the source, and there with the first
head alone: the other heads are then free to look elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from fewlex.config import ModelConfig
from fewlex.data.vocabulary import PAD
from fewlex.model.backbone import Backbone, Decoded, Decoder, Sizes
from fewlex.model.output import Output

KeysValues = tuple[Tensor, Tensor]
"""Keys and values for attention, each of shape (batch, heads, length, head)."""

FIRST_HEAD = 0

LONGEST_WAVE = 10_000.0
"""The slowest rotary frequency turns once in 2π times as many positions."""


def transformer_backbone(config: ModelConfig, sizes: Sizes) -> Backbone:
    return Backbone(
        TransformerEncoder(config, sizes.source + sizes.anonymous),
        TransformerDecoder(config, sizes.target + sizes.anonymous, write_size=sizes.target),
    )


class Rotation:
    """Rotary positions (Su et al. 2021): queries and keys are turned by their place, so scores depend on distances
    alone."""

    def __init__(self, places: Int[Tensor, " length"], head: int) -> None:
        wave = torch.arange(0, head, 2, device=places.device) / head
        angles = places[:, None] / LONGEST_WAVE**wave
        self.turn = torch.polar(torch.ones_like(angles), angles)

    def __call__(self, vectors: Float[Tensor, "*many length head"]) -> Float[Tensor, "*many length head"]:
        """Two neighbouring dimensions are one complex number, so that a single product turns all of them."""
        exact = vectors.to(torch.promote_types(vectors.dtype, torch.float32))
        turned = torch.view_as_complex(torch.unflatten(exact, -1, (-1, 2))) * self.turn
        return torch.view_as_real(turned).flatten(-2).to(vectors.dtype)


def split_heads(
    vectors: Float[Tensor, "batch length several_hidden"], parts: int, heads: int
) -> Float[Tensor, "parts batch heads length head"]:
    """Split the result of one product into several projections, and each of these into heads."""
    batch, length, _ = vectors.shape
    return vectors.view(batch, length, parts, heads, -1).permute(2, 0, 3, 1, 4)


def join_heads(
    vectors: Float[Tensor, "batch heads length head"],
) -> Float[Tensor, "batch length hidden"]:
    return vectors.transpose(1, 2).flatten(2)


class SelfAttention(nn.Module):
    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.heads = config.transformer.heads
        self.project = nn.Linear(config.hidden, 3 * config.hidden, bias=False)
        self.join = nn.Linear(config.hidden, config.hidden, bias=False)

    def forward(
        self,
        states: Float[Tensor, "batch length hidden"],
        allowed: Bool[Tensor, "#batch 1 #length read"],
        rotate: Rotation,
        before: KeysValues | None = None,
    ) -> tuple[Float[Tensor, "batch length hidden"], KeysValues]:
        """`before` has the keys and values of the tokens read earlier; `allowed` says which tokens each one may look
        at."""
        parts = split_heads(self.project(states), 3, self.heads)
        (query, key), value = rotate(parts[:2]), parts[2]
        if before is not None:
            key, value = torch.cat([before[0], key], 2), torch.cat([before[1], value], 2)
        mixed = F.scaled_dot_product_attention(query, key, value, allowed)
        return self.join(join_heads(mixed)), (key, value)


class SourceAttention(nn.Module):
    """Attention over the memory of the encoder. It needs no positions, because the memory contains them."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.heads = config.transformer.heads
        self.query = nn.Linear(config.hidden, config.hidden, bias=False)
        self.join = nn.Linear(config.hidden, config.hidden, bias=False)

    def forward(
        self,
        states: Float[Tensor, "batch target hidden"],
        source: KeysValues,
        allowed: Bool[Tensor, "batch 1 1 source"],
    ) -> tuple[Float[Tensor, "batch target hidden"], Float[Tensor, "batch heads target source"]]:
        """The attended values, and how much each head attends to each source word."""
        (query,) = split_heads(self.query(states), 1, self.heads)
        key, value = source
        scores = query @ key.transpose(-1, -2) / query.shape[-1] ** 0.5
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(-1)
        found: Tensor = self.join(join_heads(weights @ value))
        return found, weights


def feedforward(config: ModelConfig) -> nn.Sequential:
    return nn.Sequential(
        nn.Linear(config.hidden, config.transformer.feedforward),
        nn.ReLU(),
        nn.Linear(config.transformer.feedforward, config.hidden),
    )


class EncoderLayer(nn.Module):
    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.self_norm, self.self_attention = nn.LayerNorm(config.hidden), SelfAttention(config)
        self.feedforward_norm, self.feedforward = nn.LayerNorm(config.hidden), feedforward(config)
        self.dropout = nn.Dropout(config.dropout)

    def forward(
        self,
        states: Float[Tensor, "batch source hidden"],
        allowed: Bool[Tensor, "batch 1 1 source"],
        rotate: Rotation,
    ) -> Float[Tensor, "batch source hidden"]:
        found, _ = self.self_attention(self.self_norm(states), allowed, rotate)
        states = states + self.dropout(found)
        thought: Tensor = self.dropout(self.feedforward(self.feedforward_norm(states)))
        return states + thought


class TransformerEncoder(nn.Module):
    def __init__(self, config: ModelConfig, source_size: int) -> None:
        super().__init__()
        self.head, self.skips = config.hidden // config.transformer.heads, config.transformer.position_skips
        self.embedding = nn.Embedding(source_size, config.hidden, padding_idx=PAD)
        self.dropout = nn.Dropout(config.dropout)
        self.layers = nn.ModuleList(EncoderLayer(config) for _ in range(config.layers))
        self.norm = nn.LayerNorm(config.hidden)
        initialize(self)

    def forward(
        self, read_ids: Int[Tensor, "batch source"], mask: Bool[Tensor, "batch source"]
    ) -> Float[Tensor, "batch source hidden"]:
        rotate = Rotation(self._places(read_ids), self.head)
        states: Tensor = self.dropout(self.embedding(read_ids))
        for layer in self.layers:
            states = layer(states, mask[:, None, None, :], rotate)
        normed: Tensor = self.norm(states)
        return normed

    def _places(self, read_ids: Int[Tensor, "batch source"]) -> Int[Tensor, " source"]:
        """The positions of the words. In training some are skipped, the same for a whole batch, so that the network
        cannot rely on exact distances."""
        places = torch.arange(read_ids.shape[1], device=read_ids.device)
        if not self.training or self.skips == 0:
            return places
        return (
            places + torch.bernoulli(torch.full_like(places, self.skips, dtype=torch.float)).cumsum(0).long()
        )


class DecoderLayer(nn.Module):
    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.self_norm, self.self_attention = nn.LayerNorm(config.hidden), SelfAttention(config)
        self.source_norm, self.source_attention = nn.LayerNorm(config.hidden), SourceAttention(config)
        self.feedforward_norm, self.feedforward = nn.LayerNorm(config.hidden), feedforward(config)
        self.dropout = nn.Dropout(config.dropout)

    def forward(
        self,
        states: Float[Tensor, "batch target hidden"],
        target_allowed: Bool[Tensor, "1 1 target read"],
        source_allowed: Bool[Tensor, "batch 1 1 source"],
        rotate: Rotation,
        before: KeysValues | None,
        source: KeysValues,
    ) -> tuple[Float[Tensor, "batch target hidden"], KeysValues, Float[Tensor, "batch heads target source"]]:
        """The states, the keys and values of the whole target so far, and the attention to the source."""
        found, target = self.self_attention(self.self_norm(states), target_allowed, rotate, before)
        states = states + self.dropout(found)
        found, attention = self.source_attention(self.source_norm(states), source, source_allowed)
        states = states + self.dropout(found)
        return states + self.dropout(self.feedforward(self.feedforward_norm(states))), target, attention


@dataclass(frozen=True)
class TransformerCache:
    """The keys and values of each layer, for the source and for the target so far (empty before the first step)."""

    mask: Bool[Tensor, "rows source"]
    source: tuple[KeysValues, ...]
    target: tuple[KeysValues, ...]

    @property
    def length(self) -> int:
        return self.target[0][0].shape[2] if self.target else 0

    def select(self, rows: Int[Tensor, " kept"]) -> TransformerCache:
        return TransformerCache(
            self.mask[rows],
            tuple((key[rows], value[rows]) for key, value in self.source),
            tuple((key[rows], value[rows]) for key, value in self.target),
        )


class TransformerDecoder(Decoder):
    def __init__(self, config: ModelConfig, target_size: int, write_size: int) -> None:
        super().__init__()
        self.heads, self.head = config.transformer.heads, config.hidden // config.transformer.heads
        self.embedding = nn.Embedding(target_size, config.hidden, padding_idx=PAD)
        self.dropout = nn.Dropout(config.dropout)
        self.read_memory = nn.Linear(config.hidden, config.layers * 2 * config.hidden, bias=False)
        self.layers = nn.ModuleList(DecoderLayer(config) for _ in range(config.layers))
        self.norm = nn.LayerNorm(config.hidden)
        self.output = Output(config, config.hidden, config.hidden, write_size, self.embedding)
        initialize(self)

    def start(
        self, memory: Float[Tensor, "batch source hidden"], mask: Bool[Tensor, "batch source"]
    ) -> TransformerCache:
        parts = split_heads(self.read_memory(memory), 2 * len(self.layers), self.heads)
        source = tuple(zip(parts[::2], parts[1::2], strict=True))
        return TransformerCache(mask, source, ())

    def forward(self, read_ids: Int[Tensor, "batch target"], cache: TransformerCache) -> Decoded:
        length, before = read_ids.shape[1], cache.length
        rotate = Rotation(torch.arange(before, before + length, device=read_ids.device), self.head)
        past = torch.ones(length, before + length, dtype=torch.bool, device=read_ids.device).tril(before)
        mask = cache.mask[:, None, None, :]
        states, target = self.dropout(self.embedding(read_ids)), []
        before_of = cache.target or [None] * len(self.layers)
        for layer, earlier, source in zip(self.layers, before_of, cache.source, strict=True):
            states, keys_values, attention = layer(states, past[None, None], mask, rotate, earlier, source)
            target.append(keys_values)
        states = self.norm(states)
        read = TransformerCache(cache.mask, cache.source, tuple(target))
        return Decoded(states, states, attention[:, FIRST_HEAD], read)


def initialize(module: nn.Module) -> None:
    """Draw all matrices anew but the embeddings. These keep variance 1, so that they are longer than what the first
    layers add to them."""
    for name, parameter in module.named_parameters():
        if parameter.dim() == 2 and "embedding" not in name:
            nn.init.xavier_uniform_(parameter)
