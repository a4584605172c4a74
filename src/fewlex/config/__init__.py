"""Every setting of a run, with its default, as frozen dataclasses that check themselves.

`config_layers.py` builds them from presets, files and single settings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from fewlex.config.checks import require, require_positive
from fewlex.config.model import LSTMConfig, ModelConfig, SyntacticAttentionConfig, TransformerConfig

__all__ = [
    "AugmentationConfig",
    "Config",
    "DataConfig",
    "DecodingConfig",
    "FastMappingConfig",
    "LSTMConfig",
    "LexiconConfig",
    "ModelConfig",
    "SyntacticAttentionConfig",
    "TrainingConfig",
    "TransformerConfig",
]


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
        require(0 <= self.validation_share < 1, "data.validation_share must be in [0, 1)")


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

    def __post_init__(self) -> None:
        require(self.temperature >= 0, "lexicon.temperature must not be negative")
        require(
            not (self.trained and self.temperature == 0),
            "lexicon.trained needs lexicon.temperature > 0: a hard row has one entry and nothing to train",
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
    classes: Literal["one", "target"] = "one"
    """Anonymous embeddings: one for all words, or one for each class of words that stand beside the same neighbours
    in the target."""
    limit_sources: bool = False
    """In training, a target token is translated only from the source words that it can come from, where the other
    examples tell which these are (data/parts.py). This says which of two equal source words was meant."""

    def __post_init__(self) -> None:
        require(0 <= self.probability <= 1, "fast_mapping.probability must be in [0, 1]")
        require(self.max_rare_sentences >= 0, "fast_mapping.max_rare_sentences must not be negative")

    @property
    def is_on(self) -> bool:
        return self.probability > 0

    @property
    def limits_sources(self) -> bool:
        return self.is_on and self.limit_sources


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
        require(0 <= self.ratio < 1, "augmentation.ratio must be in [0, 1)")
        both_or_none = (self.method != "") == (self.ratio > 0)
        require(both_or_none, "augmentation needs both a method and a ratio > 0, or neither")

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

    def __post_init__(self) -> None:
        longest = max(self.epochs, self.updates, self.seconds)
        require(longest > 0, "training needs epochs, updates or seconds to be positive")
        require(0 <= self.average_decay < 1, "training.average_decay must be in [0, 1)")
        require(
            self.schedule != "noam" or self.warmup_updates > 0 or self.warmup_epochs > 0,
            "training.schedule = 'noam' needs warmup_updates or warmup_epochs",
        )
        require(
            not (self.warmup_updates and self.warmup_epochs),
            "training.warmup_updates and training.warmup_epochs exclude each other",
        )
        require(
            self.keep == "last" or self.stop_on != "never",
            "training.keep = 'best' needs training.stop_on to say what is best",
        )
        positive = ("batch_examples", "accumulate", "patience", "learning_rate", "clip")
        require_positive(self, "training", positive)
        limits = ("epochs", "updates", "seconds", "batch_tokens", "validate_every")
        for name in (*limits, "warmup_updates", "warmup_epochs", "embedding_decay"):
            require(getattr(self, name) >= 0, f"training.{name} must not be negative")


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
        require(self.beam > 0, "decoding.beam must be positive")
        require(self.max_length >= 0, "decoding.max_length must not be negative")


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
        require(
            not self.fast_mapping.is_on or self.model.output == "lexical",
            "fast_mapping needs model.output = 'lexical': a hidden word can only come through the lexicon",
        )
