"""From training data to a model ready to train, and from what a run has kept to the same model again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from fewlex.config import Config, LexiconConfig, ModelConfig
from fewlex.data.example import Example
from fewlex.data.vocabulary import Vocabulary
from fewlex.lexicon import (
    GLOSSARY,
    PERSON,
    FinishedLexicon,
    Lexicon,
    best_translations,
    both_classes,
    class_by_place,
    finish,
    learn_lexicon,
    with_exact_rows,
    word_classes,
)
from fewlex.model.backbone import Backbone, Sizes
from fewlex.model.decoder import lstm_backbone
from fewlex.model.fast_mapping import Anonymizer, Familiarity
from fewlex.model.lexicon_matrix import LexiconMatrix
from fewlex.model.seq2seq import Seq2Seq
from fewlex.model.syntactic_attention import syntactic_attention_backbone
from fewlex.model.transformer import transformer_backbone

BACKBONES: dict[str, Callable[[ModelConfig, Sizes], Backbone]] = {
    "lstm": lstm_backbone,
    "transformer": transformer_backbone,
    "syntactic_attention": syntactic_attention_backbone,
}
"""The networks, by the name of the setting (docs/backbones.md)."""

CLASSES: dict[str, Callable[[Sequence[Example], Mapping[str, str]], dict[str, int]]] = {
    "one": lambda examples, translations: {},
    "target": word_classes,
    "both": both_classes,
}
"""How lexicon words are sorted into classes, by the name of the setting."""

TAUGHT = (PERSON, GLOSSARY)
"""Origins of rows that the network was not trained with."""


@dataclass(frozen=True)
class Knowledge:
    """What a run knows from its training data besides weights: words, lexicon, and how familiar words are."""

    source_vocab: Vocabulary
    target_vocab: Vocabulary
    lexicon: Lexicon
    familiarity: Familiarity
    longest_target: int
    truecase: Mapping[str, str] = field(default_factory=dict)
    """What the first word of a source is read as."""

    @classmethod
    def learn(
        cls, examples: Sequence[Example], config: Config, truecase: Mapping[str, str] | None = None
    ) -> Knowledge:
        """Everything comes from `examples`, the training split, whose sources are `truecase`d already."""
        source_vocab = Vocabulary.from_sentences((e.source for e in examples), "source")
        target_vocab = Vocabulary.from_sentences((e.target for e in examples), "target")
        lexicon, familiarity = Lexicon(), Familiarity()
        if config.model.output == "lexical":
            lexicon = _lexicon(examples, config.lexicon)
        if config.fast_mapping.is_on:
            translations = best_translations(lexicon, target_vocab.words)
            classes = CLASSES[config.fast_mapping.classes](examples, translations)
            familiarity = Familiarity.collect(examples, lexicon.sources, classes)
        if config.lexicon.exact_rows:
            lexicon = with_exact_rows(lexicon, examples)
        if config.lexicon.exact_rows and config.fast_mapping.is_on:
            rest = [word for word in source_vocab.words if word not in translations]
            found = best_translations(lexicon, target_vocab.words)
            # A word without a row stands for itself, if that is a target.
            others = {word: found.get(word, word) for word in rest}
            stand_ins = class_by_place(examples, others, translations, familiarity.classes)
            familiarity = replace(familiarity, stand_ins=stand_ins)
        longest = max(len(example.target) for example in examples)
        return cls(source_vocab, target_vocab, lexicon, familiarity, longest, truecase or {})

    def with_taught_words(self) -> tuple[Vocabulary, Vocabulary]:
        """The vocabularies with the words that only the lexicon knows."""
        return (
            self.source_vocab.extended(self.lexicon.sources),
            self.target_vocab.extended(self.lexicon.targets),
        )


def _lexicon(examples: Sequence[Example], config: LexiconConfig) -> Lexicon:
    if Path(config.method).suffix in (".json", ".tsv"):
        return Lexicon.load(config.method)
    return learn_lexicon(examples, config.method, **config.parameters)


def build_model(config: Config, knowledge: Knowledge, *, for_training: bool = False) -> Seq2Seq:
    """The model of `config` over what `knowledge` knows; weights are random until trained or loaded."""
    anonymous = knowledge.familiarity.class_count if config.fast_mapping.is_on else 0
    sizes = Sizes(len(knowledge.source_vocab), len(knowledge.target_vocab), anonymous)
    backbone = BACKBONES[config.model.backbone](config.model, sizes)
    parts = lexical_parts(config, knowledge, for_training=for_training)
    return Seq2Seq(backbone, sizes, *parts, config.model.word_dropout, config.training.label_smoothing)


def lexical_parts(
    config: Config, knowledge: Knowledge, *, for_training: bool = False
) -> tuple[LexiconMatrix | None, Anonymizer | None]:
    """What of a model follows from the lexicon alone, and is made anew when a word is taught.

    A lexicon that was trained is kept in its rows, like any other: only training itself needs a parameter.
    """
    source_vocab, target_vocab = knowledge.with_taught_words()
    trained_sizes = len(knowledge.source_vocab), len(knowledge.target_vocab)
    finished = finished_lexicon(config, knowledge)
    anonymizer = None
    if config.fast_mapping.is_on:
        taught = {source for source, _, entry in knowledge.lexicon if entry.origin in TAUGHT}
        best = best_translations(knowledge.lexicon, target_vocab.words)
        familiar = taught | knowledge.familiarity.sentences.keys()
        anonymizer = Anonymizer(
            config.fast_mapping,
            knowledge.familiarity,
            {
                **{word: best.get(word, word) for word in knowledge.familiarity.stand_ins},
                **{word: target for word, target in best.items() if word in familiar},
            },
            taught,
            {source: entry.like for source, _, entry in knowledge.lexicon if entry.like},
            (source_vocab, target_vocab),
            trained_sizes,
        )
    if finished is None:
        return None, anonymizer
    trained = for_training and config.lexicon.trained
    return LexiconMatrix(finished, source_vocab, target_vocab, trained, config.lexicon.end_mark), anonymizer


def finished_lexicon(config: Config, knowledge: Knowledge) -> FinishedLexicon | None:
    """The matrix L that the output mixture needs (§3); copying is the case L = I."""
    if config.model.output == "write":
        return None
    if config.model.output == "copy":
        shared = [word for word in knowledge.source_vocab.words if word in knowledge.target_vocab]
        return FinishedLexicon({word: {word: 1.0} for word in shared}, frozenset(), ())
    return finish(
        knowledge.lexicon,
        knowledge.source_vocab.words,
        knowledge.target_vocab.words,
        config.lexicon.temperature,
        config.lexicon.identity_weight,
        config.lexicon.mutual_exclusivity,
    )
