"""This module builds the network of a run from its configuration and its knowledge.

The weights are random at first; they are trained or loaded afterwards.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fewlex.config import Config, ModelConfig
from fewlex.knowledge import Knowledge
from fewlex.lexicon import FinishedLexicon, best_translations, finish
from fewlex.model.backbone import Backbone, Sizes
from fewlex.model.decoder import lstm_backbone
from fewlex.model.fast_mapping import Anonymizer
from fewlex.model.lexicon_matrix import LexiconMatrix
from fewlex.model.seq2seq import Regularization, Seq2Seq
from fewlex.model.syntactic_attention import syntactic_attention_backbone
from fewlex.model.transformer import transformer_backbone

BACKBONES: dict[str, Callable[[ModelConfig, Sizes], Backbone]] = {
    "lstm": lstm_backbone,
    "transformer": transformer_backbone,
    "syntactic_attention": syntactic_attention_backbone,
}
"""The networks by the name that the setting has for them (docs/backbones.md)."""


@dataclass(frozen=True)
class LexicalParts:
    """The parts of a model that depend on the lexicon alone. They are built again when a word is taught."""

    finished: FinishedLexicon | None
    """The matrix L as rows of words; None if the output mixture does not use L."""
    matrix: LexiconMatrix | None
    anonymizer: Anonymizer | None

    @classmethod
    def of(cls, config: Config, knowledge: Knowledge, *, for_training: bool = False) -> LexicalParts:
        """The parts for this configuration and this knowledge.

        Only training makes the lexicon a parameter. Afterwards a trained lexicon is kept in its rows, like any other.
        """
        finished = finished_lexicon(config, knowledge)
        matrix = None
        if finished is not None:
            trained = for_training and config.lexicon.trained
            matrix = LexiconMatrix(finished, *knowledge.extended_vocabs, trained, config.lexicon.end_mark)
        anonymizer = _anonymizer(config, knowledge) if config.fast_mapping.is_on else None
        return cls(finished, matrix, anonymizer)


def build_model(
    config: Config,
    knowledge: Knowledge,
    parts: LexicalParts | None = None,
    *,
    for_training: bool = False,
) -> Seq2Seq:
    """The model of `config` for the words of `knowledge`. Its weights are random until they are trained or loaded."""
    anonymous = knowledge.familiarity.class_count if config.fast_mapping.is_on else 0
    sizes = Sizes(len(knowledge.source_vocab), len(knowledge.target_vocab), anonymous)
    backbone = BACKBONES[config.model.backbone](config.model, sizes)
    parts = parts or LexicalParts.of(config, knowledge, for_training=for_training)
    return Seq2Seq(
        backbone,
        sizes,
        parts.matrix,
        parts.anonymizer,
        Regularization.of(config),
    )


def finished_lexicon(config: Config, knowledge: Knowledge) -> FinishedLexicon | None:
    """The matrix L that the output mixture needs (§3). Copying is the case L = I."""
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


def _anonymizer(config: Config, knowledge: Knowledge) -> Anonymizer:
    taught = knowledge.taught_terms
    best = best_translations(knowledge.lexicon, knowledge.extended_vocabs[1].words)
    familiar = taught | knowledge.familiarity.sentences.keys()
    return Anonymizer(
        config.fast_mapping,
        knowledge.familiarity,
        {
            **{word: best.get(word, word) for word in knowledge.familiarity.stand_ins},
            **{word: target for word, target in best.items() if word in familiar},
        },
        taught,
        {source: entry.like for source, _, entry in knowledge.lexicon if entry.like},
        knowledge.extended_vocabs,
        (len(knowledge.source_vocab), len(knowledge.target_vocab)),
    )
