"""The steps before a network is trained: bring the data into form, learn lexicon and rules, begin the run folder.

A run of rules alone is finished after these steps. This module needs no torch.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from fewlex.config import Config, DataConfig
from fewlex.data.copies import Copies
from fewlex.data.corpus import Corpus
from fewlex.data.form import Form
from fewlex.errors import ConfigError
from fewlex.identity import training_identity
from fewlex.knowledge import Knowledge
from fewlex.lexicon import Lexicon
from fewlex.rules import RuleBook
from fewlex.run import Run


@dataclass(frozen=True)
class Prepared:
    """The data of a run in the form that the run learns from."""

    run: Run
    config: Config
    corpus: Corpus
    form: Form
    lexicon: Lexicon | None
    """The lexicon that was given; None if the run learns its own."""
    identity: Mapping[str, str]
    rules: RuleBook | None = None
    """The rules that were given; None where the run learns its own, or has none."""

    def begin(self) -> None:
        """Learn the knowledge of the run and write it. If the run has begun already, only check that it is the same."""
        started = time.monotonic()
        if self.run.exists():
            self.run.require_same(self.config, self.identity)
        else:
            learned = Knowledge.learn(self.corpus["train"], self.config, self.form, self.lexicon, self.rules)
            self.run.write_start(self.config, learned, self.identity)
        if self.config.rules.alone and not self.run.is_finished:
            book = self.run.learned_knowledge().rules
            self.run.write_result(
                {
                    "data": self.corpus.name,
                    "preset": self.config.preset,
                    "seed": self.config.seed,
                    "seconds": round(time.monotonic() - started, 1),
                    "rules": 0 if book is None else len(book.rules),
                }
            )


def prepare(
    corpus: Corpus,
    config: Config,
    out: Path | str,
    lexicon: Lexicon | None = None,
    rules: RuleBook | None = None,
) -> Prepared:
    """Set validation examples aside and bring the corpus into the form that the config asks for."""
    config = _in_the_form_of(corpus, config)
    if lexicon is not None and config.model.output != "lexical":
        raise ConfigError(
            f"a lexicon was given, but model.output = {config.model.output!r} does not use one. "
            "Leave the lexicon out, or set model.output to 'lexical'."
        )
    corpus = corpus.with_validation(
        config.data.validation_share,
        config.seed,
        keeps_words=config.data.validation_keeps_words,
        copies=Copies.named(config.data.copies),
    )
    form = Form.learn(
        corpus,
        notation=config.data.notation,
        truecase=config.data.truecase,
        mark_repeats=config.data.mark_repeats,
        copies=config.data.copies,
    )
    corpus = form.prepare(corpus)
    if config.training.stop_on != "never" and not corpus.splits.get("validation"):
        raise ConfigError(
            f"training.stop_on = {config.training.stop_on!r} needs validation examples, but {corpus.name} has none. "
            "Set data.validation_share above 0, or training.stop_on to 'never'."
        )
    identity = training_identity(corpus.name, corpus["train"], lexicon)
    return Prepared(Run(Path(out)), config, corpus, form, lexicon, identity, rules)


def _in_the_form_of(corpus: Corpus, config: Config) -> Config:
    """The config with the tokenizers that the corpus was read with, so that the run reads text in the same way."""
    default = DataConfig()
    for side in ("source_tokenizer", "target_tokenizer"):
        asked, used = getattr(config.data, side), getattr(corpus, side)
        if asked not in (used, getattr(default, side)):
            raise ConfigError(
                f"data.{side} = {asked!r}, but {corpus.name} was read with {used!r}. "
                f"Load the data with {side}={asked!r}, or leave the setting out."
            )
    data = dataclasses.replace(
        config.data, source_tokenizer=corpus.source_tokenizer, target_tokenizer=corpus.target_tokenizer
    )
    return dataclasses.replace(config, data=data)
