"""The settings of the network: what all backbones share, and one section for each backbone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

from fewlex.config.checks import require, require_positive, require_share

BackboneName = Literal["lstm", "transformer", "syntactic_attention"]
BACKBONE_NAMES: tuple[str, ...] = get_args(BackboneName)


@dataclass(frozen=True)
class LSTMConfig:
    """The paper's network (§3)."""

    bidirectional: bool = False
    """The encoder also reads the source from right to left."""
    features: Literal["concat", "tanh", "linear_with_input"] = "concat"
    """What the write distribution is projected from: [c, h] (eq. 5), the tanh of a layer over [c, h], or, as in the
    authors' code, a layer over [input, h, c]."""
    input_feeding: bool = False
    """Each step also reads the features of the step before. The target then cannot go through the LSTM in one call,
    so training is slower."""
    scaled_scores: bool = False
    """Attention scores are divided by the square root of their width, so that attention does not settle on one place
    before anything is learnt."""
    positions: bool = False
    """The encoder reads with each word the vector of its position, so no state has to count words
    (docs/lab/cogs.md)."""
    residual: bool = False
    """What the encoder remembers of a word is its state plus what it has read, so the word itself can be told from
    what surrounds it (docs/lab/cogs.md)."""
    state_dropout: float = 0.0
    """In training, this share of the target tokens is written from the attended words alone, without the decoder's
    state (docs/lab/cogs.md)."""

    def __post_init__(self) -> None:
        require_share(self, "model.lstm", ("state_dropout",))


@dataclass(frozen=True)
class TransformerConfig:
    heads: int = 4
    """The number of attention heads; each has `hidden / heads` dimensions."""
    feedforward: int = 256
    """The width of the layer between two attentions."""
    position_skips: float = 0.0
    """The chance that, in training, one position is skipped before a source word. Distances between words then vary,
    and the network cannot rely on one of them."""

    def __post_init__(self) -> None:
        require_positive(self, "model.transformer", ("heads", "feedforward"))
        require_share(self, "model.transformer", ("position_skips",))


@dataclass(frozen=True)
class SyntacticAttentionConfig:
    syntax_action: bool = False
    """The output is written from the attended syntax as well as from the attended words."""
    scaled_scores: bool = False
    """Attention scores are divided by the square root of their width, so that attention does not settle on one word
    before anything is learnt."""


@dataclass(frozen=True)
class ModelConfig:
    """The network. The section of a backbone counts only where `backbone` names it, so a preset can choose another
    backbone than the preset below it without undoing that one's section."""

    backbone: BackboneName = "lstm"
    """The encoder and the decoder (docs/backbones.md)."""
    output: Literal["write", "copy", "lexical"] = "lexical"
    """The output mixture of §3: writing alone, writing and copying, or writing and the lexicon."""
    hidden: int = 512
    """The width of the hidden states."""
    embedding: int = 512
    """The width of the vectors of words."""
    layers: int = 2
    """The number of layers of encoder and decoder."""
    dropout: float = 0.4
    """The share of units that are switched off at random in training."""
    word_dropout: float = 0.0
    """In training, this share of the words of source and target is read as unknown."""
    write_sample: int = 0
    """In training, the write distribution is computed for the words of the batch and this many others; 0 = for all."""
    write_dropout: float = 0.0
    """More dropout on the features that the write distribution is projected from (appendix C)."""
    tied: bool = False
    """The write distribution uses the same vectors of target words as the decoder reads."""
    gate: Literal["sigmoid", "copy_token"] = "sigmoid"
    """p_gate is σ(w·h) (eq. 6) or, as in the authors' code, what the write softmax gives to a special token."""
    lstm: LSTMConfig = field(default_factory=LSTMConfig)
    transformer: TransformerConfig = field(default_factory=TransformerConfig)
    syntactic_attention: SyntacticAttentionConfig = field(default_factory=SyntacticAttentionConfig)

    def __post_init__(self) -> None:
        require_positive(self, "model", ("hidden", "embedding", "layers"))
        require_share(self, "model", ("dropout", "word_dropout", "write_dropout"))
        require(self.write_sample >= 0, "model.write_sample must not be negative")
        require(
            not self.write_sample or self.gate == "sigmoid",
            "model.write_sample needs model.gate = 'sigmoid': a gate inside the softmax would be sampled with it",
        )
        require(
            not self.tied or self._can_be_tied(),
            "model.tied needs model.embedding = model.hidden, model.gate = 'sigmoid' and a backbone that reads target "
            "words; the LSTM also needs model.lstm.features other than 'concat'",
        )
        require(
            not self.lstm.residual or self.embedding == self.hidden,
            "model.lstm.residual needs model.embedding = model.hidden: it adds a word's vector to the encoder's state",
        )
        if self.backbone == "transformer":
            require(
                self.embedding == self.hidden,
                "model.backbone = 'transformer' needs model.embedding = model.hidden: it has one width",
            )
            require(
                self.hidden % (2 * self.transformer.heads) == 0,
                "model.backbone = 'transformer' needs model.hidden to be a multiple of 2 · model.transformer.heads",
            )
        if self.backbone == "syntactic_attention":
            require(
                self.hidden % 2 == 0,
                "model.backbone = 'syntactic_attention' needs an even model.hidden: half for each direction",
            )

    def _can_be_tied(self) -> bool:
        has_one_width = self.backbone != "lstm" or self.lstm.features != "concat"
        reads_targets = self.backbone != "syntactic_attention"
        return has_one_width and reads_targets and self.embedding == self.hidden and self.gate == "sigmoid"
