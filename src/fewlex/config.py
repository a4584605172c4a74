"""Every setting of a run, with its default, as frozen dataclasses that check themselves.

`config_layers.py` builds them from presets, files and single settings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from fewlex.errors import ConfigError


@dataclass(frozen=True)
class DataConfig:
    """How raw text becomes examples."""

    source_tokenizer: str = "whitespace"
    target_tokenizer: str = "whitespace"
    notation: str = "flat"
    """How targets are written for the network, undone before scoring (docs/notations.md); flat = as published."""
    truecase: bool = False
    """Read the first word of a source as it is written within sentences."""
    validation_share: float = 0.01
    """Share of the training data set aside where the corpus brings no validation split; 0 = none."""

    def __post_init__(self) -> None:
        _require(0 <= self.validation_share < 1, "data.validation_share must be in [0, 1)")


@dataclass(frozen=True)
class LexiconConfig:
    """Which lexicon the model translates with, and how it becomes the matrix L (§3, §4)."""

    method: str = "simple"
    """A learner's name, or a path to a lexicon file (.json, .tsv)."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """The learner's own settings, such as `max_competitors`."""
    temperature: float = 0.0
    """τ of the softmax over the entries of a row; 0 = argmax."""
    mutual_exclusivity: bool = True
    """Translate a word without an entry uniformly to the target words that nothing maps to (§4.1); else to nothing."""
    identity_weight: float = 0.0
    """Authors' code: weight of v ↦ v for every v that is also a target word."""
    exact_rows: bool = False
    """Give a word without entry the target word of the same sentences (C1), if there is one; it is never anonymous."""
    trained: bool = False
    """Fine-tune L with the network."""
    end_mark: bool = False
    """Authors' code: the end of the source translates to the end of the target, so a network can end an output by
    looking there (docs/lab/end_mark.md); also with model.output = 'copy'."""

    def __post_init__(self) -> None:
        _require(self.temperature >= 0, "lexicon.temperature must not be negative")
        _require(
            not (self.trained and self.temperature == 0),
            "lexicon.trained needs lexicon.temperature > 0: a hard row has one entry and nothing to train",
        )


@dataclass(frozen=True)
class ModelConfig:
    """The network (§3). `output` picks the mixture: write alone, with copying, or with the lexicon."""

    backbone: Literal["lstm", "transformer", "syntactic_attention"] = "lstm"
    """Encoder and decoder (docs/backbones.md)."""
    output: Literal["write", "copy", "lexical"] = "lexical"
    hidden: int = 512
    embedding: int = 512
    layers: int = 2
    bidirectional: bool = False
    dropout: float = 0.4
    word_dropout: float = 0.0
    """In training, read this share of the words of source and target as unknown."""
    write_sample: int = 0
    """In training, compute the write distribution for the batch's own words and this many others; 0 = for all."""
    write_dropout: float = 0.0
    """Extra dropout on what the write distribution is projected from (appendix C)."""
    tied: bool = False
    """Write with the vectors that the decoder reads target words with."""
    features: Literal["concat", "tanh", "linear_with_input"] = "concat"
    """What is projected: [c, h] (eq. 5); tanh of a layer over [c, h]; authors: a layer over [input, h, c]."""
    input_feeding: bool = False
    """Feed the features of a step into the next one. Costs the fused pass over the whole target."""
    gate: Literal["sigmoid", "copy_token"] = "sigmoid"
    """σ(w·h) (eq. 6); authors: the mass that the write softmax gives to a special token."""
    heads: int = 4
    """Transformer: attention heads; each has hidden / heads dimensions."""
    feedforward: int = 256
    """Transformer: width of the layer between attentions."""
    lexical_head: Literal["first", "mean"] = "first"
    """Transformer: the attention that translates, from the last layer: its first head, or the mean of all."""
    position_skips: float = 0.0
    """Transformer: chance that a position is left out before a source word in training; distances then vary."""
    syntax_action: bool = False
    """Syntactic Attention: write from the attended syntax too, not from the attended words alone."""
    scaled_scores: bool = False
    """Syntactic Attention: divide scores by the root of their width, so that attention does not settle too soon."""

    def __post_init__(self) -> None:
        for name in ("hidden", "embedding", "layers", "heads", "feedforward"):
            _require(getattr(self, name) > 0, f"model.{name} must be positive")
        for name in ("dropout", "word_dropout", "write_dropout", "position_skips"):
            _require(0 <= getattr(self, name) < 1, f"model.{name} must be in [0, 1)")
        _require(self.write_sample >= 0, "model.write_sample must not be negative")
        _require(
            not self.write_sample or self.gate == "sigmoid",
            "model.write_sample needs model.gate = 'sigmoid': a gate inside the softmax would be sampled with it",
        )
        if self.tied:
            fits = self.features != "concat" and self.embedding == self.hidden and self.gate == "sigmoid"
            _require(
                fits and self.backbone != "syntactic_attention",
                "model.tied needs model.embedding = model.hidden, model.gate = 'sigmoid', features other than "
                "'concat' and a backbone that reads target words",
            )
        if self.backbone == "transformer":
            _require(
                self.embedding == self.hidden,
                "model.backbone = 'transformer' needs model.embedding = model.hidden: it has one width",
            )
            _require(
                self.hidden % (2 * self.heads) == 0,
                "model.backbone = 'transformer' needs model.hidden to be a multiple of 2 · model.heads",
            )
        if self.backbone == "syntactic_attention":
            _require(
                self.hidden % 2 == 0,
                "model.backbone = 'syntactic_attention' needs an even model.hidden: half for each direction",
            )
        _require(
            not self.input_feeding or self.backbone == "lstm",
            "model.input_feeding needs model.backbone = 'lstm'",
        )
        _require(
            not self.position_skips or self.backbone == "transformer",
            "model.position_skips needs model.backbone = 'transformer'",
        )
        _require(
            not (self.syntax_action or self.scaled_scores) or self.backbone == "syntactic_attention",
            "model.syntax_action and scaled_scores need model.backbone = 'syntactic_attention'",
        )


@dataclass(frozen=True)
class FastMappingConfig:
    """Hiding the identity of lexicon words, so that a new word needs only a lexicon row (docs/fast_mapping.md)."""

    probability: float = 0.0
    """Chance, per example and word type, that a lexicon word is read as anonymous in training; 0 = off."""
    policy: Literal["never", "rare", "word", "sentence", "always"] = "sentence"
    """Which lexicon words are read as anonymous when translating: those in a context never seen, alone (`word`) or
    with all others of their sentence (`sentence`)."""
    max_rare_sentences: int = 1
    """A word seen in at most this many distinct sentences is always anonymous."""
    classes: Literal["one", "target", "both"] = "one"
    """Anonymous embeddings: one for all words, or one for each class of words that stand beside the same neighbours
    in the target, or in target and source."""
    halves: bool = False
    """In training, translate a token in one half of a target from the same half of its source alone, where an example
    is two examples put together (data/parts.py): which of two equal words was meant."""

    def __post_init__(self) -> None:
        _require(0 <= self.probability <= 1, "fast_mapping.probability must be in [0, 1]")
        _require(self.max_rare_sentences >= 0, "fast_mapping.max_rare_sentences must not be negative")

    @property
    def is_on(self) -> bool:
        return self.probability > 0

    @property
    def uses_halves(self) -> bool:
        return self.is_on and self.halves


@dataclass(frozen=True)
class AugmentationConfig:
    """Synthetic examples beside the real ones (docs/augmentation.md)."""

    method: str = ""
    """A method's name, or a path to a file of pairs (.tsv, .jsonl); '' = off."""
    ratio: float = 0.0
    """Share of an epoch's examples that are synthetic; all real ones are in every epoch."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """The method's own settings, such as `window`."""

    def __post_init__(self) -> None:
        _require(0 <= self.ratio < 1, "augmentation.ratio must be in [0, 1)")
        both_or_none = (self.method != "") == (self.ratio > 0)
        _require(both_or_none, "augmentation needs both a method and a ratio > 0, or neither")

    @property
    def is_on(self) -> bool:
        return self.method != ""


@dataclass(frozen=True)
class TrainingConfig:
    """Optimisation and when to stop."""

    epochs: int = 0
    """Passes over the training data at most; 0 = no limit."""
    updates: int = 8000
    """Optimiser steps at most; 0 = no limit."""
    seconds: float = 0.0
    """Time for training at most, with validations and over all resumptions; 0 = no limit (docs/training.md)."""
    batch_examples: int = 128
    batch_tokens: int = 0
    """Padded target tokens of a batch at most; 0 = no limit."""
    accumulate: int = 1
    """Batches summed into one optimiser step."""
    normalize: Literal["tokens", "examples"] = "tokens"
    """The loss is the sum over target tokens divided by this."""
    schedule: Literal["constant", "linear", "noam"] = "constant"
    learning_rate: float = 1e-3
    """The peak rate; for noam, the factor in front."""
    warmup_updates: int = 0
    warmup_epochs: int = 0
    """The same, counted in epochs (Colors, appendix C)."""
    adam_beta2: float = 0.999
    embedding_decay: float = 0.0
    """Every update shrinks the vectors of words by this times the rate: what tells words apart and no output needs is
    forgotten (docs/reproduction.md)."""
    clip: float = 5.0
    validate_every: int = 0
    """Updates between validations; 0 = after every epoch."""
    stop_on: Literal["loss", "accuracy", "never"] = "never"
    patience: int = 10
    """Validations without improvement before stopping."""
    keep: Literal["best", "last"] = "last"
    """Which weights the run ends with; best by `stop_on`."""
    average_decay: float = 0.0
    """Validate and end with a running average of the weights, of which each update keeps this share; 0 = off."""
    precision: Literal["auto", "float32", "bfloat16"] = "auto"
    """Of the network's products in training; auto = bfloat16 on GPUs that have it."""
    equal_sources: bool = False
    """Batches of sources of one length: an LSTM then reads them in one call (docs/speed.md)."""
    label_smoothing: float = 0.0
    """Share of the loss that asks the write distribution to be uniform (Szegedy et al. 2016); not in validation."""

    def __post_init__(self) -> None:
        longest = max(self.epochs, self.updates, self.seconds)
        _require(longest > 0, "training needs epochs, updates or seconds to be positive")
        for name in ("average_decay", "label_smoothing"):
            _require(0 <= getattr(self, name) < 1, f"training.{name} must be in [0, 1)")
        _require(
            self.schedule != "noam" or self.warmup_updates > 0 or self.warmup_epochs > 0,
            "training.schedule = 'noam' needs warmup_updates or warmup_epochs",
        )
        _require(
            not (self.warmup_updates and self.warmup_epochs),
            "training.warmup_updates and training.warmup_epochs exclude each other",
        )
        _require(
            self.keep == "last" or self.stop_on != "never",
            "training.keep = 'best' needs training.stop_on to say what is best",
        )
        for name in ("batch_examples", "accumulate", "patience", "learning_rate", "clip"):
            _require(getattr(self, name) > 0, f"training.{name} must be positive")
        limits = ("epochs", "updates", "seconds", "batch_tokens", "validate_every")
        for name in (*limits, "warmup_updates", "warmup_epochs", "embedding_decay"):
            _require(getattr(self, name) >= 0, f"training.{name} must not be negative")


@dataclass(frozen=True)
class DecodingConfig:
    """From a model to an output."""

    beam: int = 1
    """1 = greedy."""
    max_length: int = 0
    """Output tokens at most; 0 = twice the longest training target, and ten."""
    length_penalty: float = 0.0
    """Exponent of the length that a beam's score is divided by; 0 = the plain log probability."""

    def __post_init__(self) -> None:
        _require(self.beam > 0, "decoding.beam must be positive")
        _require(self.max_length >= 0, "decoding.max_length must not be negative")


@dataclass(frozen=True)
class Config:
    """All settings of one run."""

    preset: str = ""
    seed: int = 0
    data: DataConfig = field(default_factory=DataConfig)
    lexicon: LexiconConfig = field(default_factory=LexiconConfig)
    model: ModelConfig = field(default_factory=ModelConfig)
    fast_mapping: FastMappingConfig = field(default_factory=FastMappingConfig)
    augmentation: AugmentationConfig = field(default_factory=AugmentationConfig)
    training: TrainingConfig = field(default_factory=TrainingConfig)
    decoding: DecodingConfig = field(default_factory=DecodingConfig)

    def __post_init__(self) -> None:
        _require(
            not self.fast_mapping.is_on or self.model.output == "lexical",
            "fast_mapping needs model.output = 'lexical': a hidden word can only come through the lexicon",
        )


def _require(holds: bool, problem: str) -> None:
    if not holds:
        raise ConfigError(f"{problem}.")
