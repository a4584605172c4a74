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
    "MOST_NETWORKS",
    "AugmentationConfig",
    "Config",
    "DataConfig",
    "DecodingConfig",
    "FastMappingConfig",
    "LSTMConfig",
    "LexiconConfig",
    "MemoryConfig",
    "ModelConfig",
    "RulesConfig",
    "SyntacticAttentionConfig",
    "TrainingConfig",
    "TransformerConfig",
]


@dataclass(frozen=True)
class DataConfig:
    """How raw text becomes examples."""

    source_tokenizer: str = "whitespace"
    """How sources are cut into tokens: `whitespace`, `marks`, `characters`, `moses`, `moses:de` or `jieba`
    (docs/data.md)."""
    target_tokenizer: str = "whitespace"
    """The same for targets."""
    notation: str = "flat"
    """How targets are written for the network (docs/notations.md); outputs are turned back before they are scored.
    `flat` is the published form."""
    truecase: bool = False
    """The first word of a source is read as it is written in the middle of other sentences."""
    mark_repeats: bool = False
    """A source word that repeats the word before it is read as a mark that is the same for all words, so that what a
    repetition means is learned once for all words."""
    copies: str = ""
    """What is copied from source to target whatever it is, so that 17 works if pairs show it for other numbers:
    `numbers`, `codes`, `names`, `quotations`, several with a + between them (docs/recipe.md)."""
    validation_share: float = 0.01
    """The share of the training examples that is set aside for validation where the corpus has no validation split;
    0 = none. Of few examples more are taken: every tenth one, up to 50."""

    validation_keeps_words: bool = False
    """No word is left to validation alone: what is set aside leaves at least two training sentences to each of its
    words."""

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
    """A source word without an entry translates to all target words that no entry has, each with the same probability
    (§4.1). Without it, such a word translates to nothing."""
    identity_weight: float = 0.0
    """The weight of v ↦ v for every source word v that is also a target word, as in the authors' code; 0 = off."""
    exact_rows: bool = False
    """A source word without an entry gets the target word that occurs in exactly the same sentences (C1), if there is
    one. Such a word is never read as anonymous."""
    trained: bool = False
    """L is trained together with the network."""
    end_mark: bool = False
    """The end of a source translates to the end of a target, as in the authors' code. A network can then end an output
    by looking at the end of the source (docs/lab/end_mark.md). This also holds with model.output = 'copy'."""

    reliance: float = 0.0
    """In training, this share of the target tokens that the lexicon could give must come from it: writing them does not
    count. So the network looks up what it could as well write, and does so for other words too
    (docs/lab/reliance.md). This also holds with model.output = 'copy'."""
    dropout: float = 0.0
    """In training, this share of the target tokens must be written: the lexicon does not count. A lexicon that was
    learned from the same sentences is right there more often than elsewhere, and what it gives, the network does not
    learn to write (docs/lab/lexicon_dropout.md). This also holds with model.output = 'copy'."""

    def __post_init__(self) -> None:
        require(self.temperature >= 0, "lexicon.temperature must not be negative")
        require(0 <= self.reliance <= 1, "lexicon.reliance must be in [0, 1]")
        require(0 <= self.dropout < 1, "lexicon.dropout must be in [0, 1)")
        require(
            not (self.reliance and self.dropout),
            "lexicon.reliance and lexicon.dropout ask for the opposite. Set one of them to 0.",
        )
        require(
            not (self.trained and self.temperature == 0),
            "lexicon.trained needs lexicon.temperature > 0: a hard row has one entry and nothing to train",
        )


@dataclass(frozen=True)
class FastMappingConfig:
    """The network learns to use lexicon words without knowing which words they are, so that a new word needs nothing
    but a row of the lexicon (docs/fast_mapping.md)."""

    probability: float = 0.0
    """The chance that a lexicon word is read as anonymous in a training example; it is drawn once for all its
    occurrences there. 0 = off."""
    policy: Literal["never", "rare", "word", "sentence", "always"] = "sentence"
    """Which lexicon words are read as anonymous when translating. `rare`: those that training has rarely shown. `word`:
    also those beside a neighbour that training never showed them with. `sentence`: all of a sentence in which `word`
    finds one."""
    max_rare_sentences: int = 1
    """A word is rare if training showed it in at most this many different sentences. Rare words are always anonymous in
    training, and when translating too unless `policy` is `never`."""
    classes: Literal["one", "target"] = "one"
    """How many anonymous embeddings there are: one for all words, or one for each class of words. Two words are in one
    class if their translations stand between the same neighbours in the target."""
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
    """Training on synthetic examples beside the real ones (docs/augmentation.md)."""

    method: str = ""
    """A method's name, or a path to a file of pairs (.tsv, .jsonl); '' = off."""
    ratio: float = 0.0
    """The share of synthetic examples in an epoch. Every epoch has all real examples."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """The method's own settings, such as `window`."""

    def __post_init__(self) -> None:
        require(0 <= self.ratio < 1, "augmentation.ratio must be in [0, 1)")
        both_or_none = (self.method != "") == (self.ratio > 0)
        require(both_or_none, "augmentation needs both a method and a ratio > 0, or neither")

    @property
    def is_on(self) -> bool:
        return self.method != ""


MOST_NETWORKS = 100
"""A run with more networks than this was not meant."""


@dataclass(frozen=True)
class TrainingConfig:
    """How the network is optimised, and when training stops."""

    epochs: int = 0
    """Training stops after this many passes over the training examples; 0 = no limit."""
    updates: int = 8000
    """Training stops after this many optimiser steps; 0 = no limit."""
    seconds: float = 0.0
    """Training stops after this much time, which includes validations and what a killed run has used before it was
    resumed; 0 = no limit (docs/training.md)."""
    batch_examples: int = 128
    """A batch has at most this many examples."""
    batch_tokens: int = 0
    """A batch has at most this many target tokens, counted with padding; 0 = no limit."""
    accumulate: int = 1
    """One optimiser step uses the summed gradients of this many batches."""
    normalize: Literal["tokens", "examples"] = "tokens"
    """The loss of an optimiser step is summed over its target tokens and divided by the number of these."""
    schedule: Literal["constant", "linear", "noam"] = "constant"
    """How the learning rate changes: not at all, falling to 0 at the end, or as in Vaswani et al. (2017)."""
    learning_rate: float = 1e-3
    """The highest rate; with `noam`, the factor in front of the schedule."""
    warmup_updates: int = 0
    """The rate rises from 0 during this many updates."""
    warmup_epochs: int = 0
    """The warm-up counted in epochs instead of updates, as appendix C does for Colors."""
    adam_beta2: float = 0.999
    """How slowly Adam forgets the squares of old gradients."""
    embedding_decay: float = 0.0
    """Every update multiplies the embeddings by 1 − rate · this. Differences between words that the outputs do not
    depend on get no gradient, so they fade away (docs/training.md)."""
    clip: float = 5.0
    """Gradients longer than this are shortened to it."""
    validate_every: int = 0
    """The number of updates between two validations; 0 = validate after every epoch."""
    stop_on: Literal["loss", "accuracy", "never"] = "never"
    """The validation figure that must go on improving, else training stops."""
    patience: int = 10
    """Training stops after this many validations in a row without an improvement of `stop_on`."""
    keep: Literal["best", "last"] = "last"
    """Which weights the run ends with: those with the best `stop_on`, or the last ones."""
    average_decay: float = 0.0
    """The run validates and ends with a running average of the weights. Each update keeps this share of the average;
    0 = off."""
    precision: Literal["auto", "float32", "bfloat16"] = "auto"
    """The number format of matrix products in training; `auto` is bfloat16 on a GPU that has it, float32 elsewhere."""
    equal_sources: bool = False
    """All sources of a batch have the same length, so that an LSTM reads them in one call (docs/lab/speed.md)."""
    networks: int = 1
    """So many networks are trained, one after the other, and answer together (docs/training.md)."""
    label_smoothing: float = 0.0
    """The share of the training loss that asks the write distribution to be uniform (Szegedy et al. 2016)."""

    def __post_init__(self) -> None:
        longest = max(self.epochs, self.updates, self.seconds)
        require(longest > 0, "training needs epochs, updates or seconds to be positive")
        for name in ("adam_beta2", "average_decay", "label_smoothing"):
            require(0 <= getattr(self, name) < 1, f"training.{name} must be in [0, 1)")
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
        positive = ("batch_examples", "accumulate", "patience", "learning_rate", "clip", "networks")
        require_positive(self, "training", positive)
        require(self.networks <= MOST_NETWORKS, f"training.networks must be at most {MOST_NETWORKS}")
        limits = ("epochs", "updates", "seconds", "batch_tokens", "validate_every")
        for name in (*limits, "warmup_updates", "warmup_epochs", "embedding_decay"):
            require(getattr(self, name) >= 0, f"training.{name} must not be negative")


@dataclass(frozen=True)
class DecodingConfig:
    """How an output is searched for."""

    beam: int = 1
    """How many hypotheses the search keeps; 1 = greedy search."""
    max_length: int = 0
    """An output has at most this many tokens; 0 = `2 * longest_target + 10`, where `longest_target` is the length of
    the longest training target."""
    balanced: bool = False
    """Every output closes the brackets that it opens, each with its fellow."""
    length_penalty: float = 0.0
    """The score of a hypothesis is its log probability divided by its length to the power of this; 0 = the plain log
    probability."""

    def __post_init__(self) -> None:
        require(self.beam > 0, "decoding.beam must be positive")
        require(self.max_length >= 0, "decoding.max_length must not be negative")


@dataclass(frozen=True)
class MemoryConfig:
    """What the network recalls of training sentences while it translates (docs/memory.md)."""

    sentences: int = 0
    """Each step is compared with all places of this many training sentences, those most like the source; 0 = none."""
    neighbours: int = 8
    """The number of places, those most like the step, that count."""

    def __post_init__(self) -> None:
        require(self.sentences >= 0, "memory.sentences must not be negative")
        require_positive(self, "memory", ("neighbours",))


@dataclass(frozen=True)
class RulesConfig:
    """Rules with holes, which are asked before the network is (docs/rules.md)."""

    learn: bool = False
    """Learn rules from the training examples."""
    precision: float = 0.98
    """The rules answer only where their answers to held-out training sentences were right at least this often."""
    alone: bool = False
    """Train no network: the rules answer alone, whether they are sure or not."""

    def __post_init__(self) -> None:
        require(0 <= self.precision <= 1, "rules.precision must be in [0, 1]")
        require(
            self.learn or not self.alone, "rules.alone needs rules.learn = true: nobody else would answer"
        )


@dataclass(frozen=True)
class Config:
    """All settings of one run."""

    preset: str = ""
    """The names of the presets that the settings come from, joined with +."""
    seed: int = 0
    """The seed of everything random."""
    data: DataConfig = field(default_factory=DataConfig)
    lexicon: LexiconConfig = field(default_factory=LexiconConfig)
    rules: RulesConfig = field(default_factory=RulesConfig)
    model: ModelConfig = field(default_factory=ModelConfig)
    fast_mapping: FastMappingConfig = field(default_factory=FastMappingConfig)
    augmentation: AugmentationConfig = field(default_factory=AugmentationConfig)
    training: TrainingConfig = field(default_factory=TrainingConfig)
    decoding: DecodingConfig = field(default_factory=DecodingConfig)
    memory: MemoryConfig = field(default_factory=MemoryConfig)

    def __post_init__(self) -> None:
        require(
            not self.fast_mapping.is_on or self.model.output == "lexical",
            "fast_mapping needs model.output = 'lexical': a hidden word can only come through the lexicon",
        )
        require(
            self.training.networks == 1 or not self.lexicon.trained,
            "training.networks needs lexicon.trained = false: the networks share one lexicon",
        )
