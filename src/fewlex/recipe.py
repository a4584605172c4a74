"""What to train on data that nobody has seen: every setting that depends on the data follows from the data.

`choose` looks at the pairs (`traits.py`), learns rules and tries them on pairs that it has set aside, and then decides
whether a network is needed, how large it is and how long it is trained. It knows no data set by name. docs/recipe.md
says what is decided from what, and how well it works. Needs no torch.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fewlex.config import Config
from fewlex.config_layers import AUTO, build_config
from fewlex.data.copies import Copies
from fewlex.data.corpus import Corpus
from fewlex.data.form import Form
from fewlex.data.scripts import SIDES, cut_as_it_needs
from fewlex.processor import multiplies_bfloat16
from fewlex.rules import RuleBook, learn_rules
from fewlex.rules.book import Calibration
from fewlex.rules.trial import Trial, try_rules
from fewlex.tables import Layer
from fewlex.traits import Traits, traits_of

FEW_PAIRS = 60
"""With fewer pairs none are set aside: each of them may be the only one that shows something."""
MAX_VALIDATION = 500
MIN_VALIDATION = 5
MIN_REPEATS = 3
VALIDATION_SHARE = 0.1
MAX_RULE_PAIRS = 50_000
"""With more pairs than this, learning rules takes minutes."""
TRUSTED = 0.95
"""Rules that were right this often on new combinations are asked before the network. A network that has learned from
hundreds of pairs is seldom as good there, and the trial is severe: its rules had fewer pairs to learn from."""
TRUSTED_ALONE = 0.5
"""Rules answer alone if they had so many right of the held-out sentences of words that were seen once or taught. The
trial is severe, since it takes several words from a small language at once.
Otherwise a network is trained beside them."""
DERIVES_ALL = 0.99
"""Rules that derive this share of the training pairs need no network beside them, if they are also sure."""
UPDATES = range(1500, 9001)
"""The least and the most optimiser steps of a training."""
SIMILAR_SENTENCES = 64
"""Of text, the network recalls so many training sentences for each source. A language with a grammar is not to be
remembered but understood: there, sentences that look alike mislead."""
LEXICON_DROPOUT = 0.5
"""Of text, the network learns to write so many of the words that it could look up. A lexicon of text is right in the
sentences that it was learned from, and less often elsewhere."""
MANY_TARGET_WORDS = 500
HUGE_VOCABULARY = 5000


@dataclass(frozen=True)
class Recipe:
    """Settings for some data, the reasons for them, and the rules that were learned on the way."""

    settings: Layer
    reasons: tuple[str, ...]
    rules: RuleBook | None = None
    """None where rules were not learned, or are not worth keeping."""


@dataclass(frozen=True)
class Plan:
    """The settings of a run before it begins, and why they are what they are."""

    config: Config
    corpus: Corpus
    """The data, cut into tokens as the settings say."""
    recipe: Recipe | None = None
    """None if a preset has decided all."""

    @property
    def rules(self) -> RuleBook | None:
        return None if self.recipe is None else self.recipe.rules


def plan(
    corpus: Corpus,
    preset: str = AUTO,
    *,
    like: str = "",
    file: Path | None = None,
    settings: Iterable[str] = (),
    seed: int | None = None,
) -> Plan:
    """All settings for a corpus: what the preset `auto` follows from the data, with the user's settings over it."""
    settings = list(settings)
    recipe = None
    if AUTO in preset.split("+"):
        corpus = cut_as_it_needs(
            corpus, {side for side in SIDES if f"data.{side}_tokenizer" in "".join(settings)}
        )
        recipe = choose(corpus)
    layer = None if recipe is None else recipe.settings
    config = build_config(
        preset, corpus.name, like=like, file=file, settings=settings, seed=seed, recipe=layer
    )
    return Plan(config, corpus, recipe)


def choose(corpus: Corpus) -> Recipe:
    """The settings for a corpus, from its training split alone."""
    seen = traits_of(corpus["train"], has_validation=bool(corpus.splits.get("validation")))
    book, trial = _rules(corpus, seen)
    has_rules, alone = _who_answers(seen, book)
    validation = 0 if alone else _validation_size(corpus, seen)
    settings: dict[str, Any] = {
        "data": _data(seen, validation),
        "rules": {"learn": has_rules, "alone": alone, "precision": TRUSTED},
    }
    if not alone:
        settings |= {
            "model": _model(seen),
            "lexicon": {"dropout": LEXICON_DROPOUT if seen.is_text else 0.0},
            "fast_mapping": _fast_mapping(seen),
            "training": _training(seen, validation),
            "decoding": _decoding(seen),
            "memory": {"sentences": SIMILAR_SENTENCES if seen.is_text and validation else 0},
        }
    reasons = (
        _say_data(seen, corpus),
        _say_rules(book, trial, seen, alone),
        *(
            ()
            if alone
            else (
                _say_network(seen, settings),
                _say_words(seen, settings),
                _say_length(seen, settings, validation),
            )
        ),
    )
    return Recipe(settings, reasons, book if has_rules else None)


def _rules(corpus: Corpus, seen: Traits) -> tuple[RuleBook | None, Trial]:
    """Rules of all training pairs, calibrated on trials; None where the data are too many or a natural language."""
    if seen.is_text or seen.pairs > MAX_RULE_PAIRS:
        return None, Trial()
    form = Form.learn(
        corpus,
        notation=seen.notation or "flat",
        truecase=seen.truecase,
        mark_repeats=_marks_repeats(seen),
        copies=seen.copies,
    )
    examples = form.prepare(replace(corpus, splits={"train": corpus["train"]}))["train"]
    book = learn_rules(examples)
    if not book.rules or book.calibration.n_checked or book.measured.derived < 1 / 2:
        return book, Trial()
    trial = try_rules(examples, learn_rules)
    # Only derivations in which every filler was seen are tried often enough to be trusted.
    calibration = Calibration(
        {0: trial.precision}, trial.answered, TRUSTED, trial.right / max(1, trial.asked)
    )
    return replace(book, calibration=calibration), trial


def _who_answers(seen: Traits, book: RuleBook | None) -> tuple[bool, bool]:
    """Whether the run has rules, and whether they answer alone."""
    if book is None or not book.rules or book.measured.derived < 1 / 2:
        return False, False
    derives_all = book.measured.derived >= DERIVES_ALL
    if seen.pairs < FEW_PAIRS:
        return True, derives_all
    calibration = book.calibration
    return True, derives_all and calibration.is_sure(0) and calibration.new_words >= TRUSTED_ALONE


def _validation_size(corpus: Corpus, seen: Traits) -> int:
    """How many pairs can be set aside without taking a word from training; 0 where too few can."""
    if seen.has_validation:
        return len(corpus["validation"])
    if seen.pairs < FEW_PAIRS:
        return 0
    split = corpus.with_validation(_share(seen), seed=0, keeps_words=True, copies=Copies.named(seen.copies))
    size = len(split["validation"])
    return size if size >= MIN_VALIDATION else 0


def _marks_repeats(seen: Traits) -> bool:
    """One word that repeats itself is an accident, several are a construction."""
    return seen.repeats >= MIN_REPEATS and not seen.is_text


def _share(seen: Traits) -> float:
    return min(VALIDATION_SHARE, MAX_VALIDATION / seen.pairs)


def _data(seen: Traits, validation: int) -> dict[str, Any]:
    share = _share(seen) if validation and not seen.has_validation else 0.0
    found = {
        "validation_share": share,
        "truecase": seen.truecase,
        "mark_repeats": _marks_repeats(seen),
        "copies": seen.copies,
    }
    return found | ({"notation": seen.notation} if seen.notation else {})


def _model(seen: Traits) -> dict[str, Any]:
    if seen.is_text:
        sample = 1000 if seen.target_words > HUGE_VOCABULARY else 0
        return {
            "hidden": 256,
            "embedding": 256,
            "tied": True,
            "dropout": 0.3,
            "word_dropout": 0.05,
            "write_sample": sample,
            "lstm": {"scaled_scores": True},
        }
    if seen.target_words > MANY_TARGET_WORDS:
        return {"hidden": 256, "embedding": 256, "dropout": 0.3}
    if seen.pairs < FEW_PAIRS:
        return {"dropout": 0.2, "lstm": {"bidirectional": False}}
    return {}


def _fast_mapping(seen: Traits) -> dict[str, Any]:
    if seen.lexicon_rows < 2:
        return {"probability": 0.0, "limit_sources": False}
    if seen.is_text:
        return {"probability": 0.3, "policy": "rare", "max_rare_sentences": 2, "classes": "one"}
    if seen.pairs < FEW_PAIRS:
        return {"probability": 0.5}
    return {}


def _batch(seen: Traits) -> int:
    if seen.is_text:
        return 64
    if seen.pairs < FEW_PAIRS:
        return 5
    return 16 if seen.pairs < 400 else 32


def _training(seen: Traits, validation: int) -> dict[str, Any]:
    """More pairs need more updates, but not in proportion: each update then learns from fresh pairs."""
    updates = round(min(max(90 * math.sqrt(seen.pairs), UPDATES[0]), UPDATES[-1]))
    found: dict[str, Any] = {"updates": updates, "batch_examples": _batch(seen)}
    found["validate_every"] = max(1, updates // 20)
    if validation and not seen.is_text:  # The loss of text rises long before its translations get worse.
        found |= {"stop_on": "loss", "patience": 8}
    if seen.is_text:  # Twice as fast with both, on a processor that can (docs/lab/speed.md).
        precision = "bfloat16" if multiplies_bfloat16() else "float32"
        found |= {
            "equal_sources": True,
            "precision": precision,
            "label_smoothing": 0.1,
            "learning_rate": 4e-3,
        }
    return found


def _decoding(seen: Traits) -> dict[str, Any]:
    if seen.is_text:
        return {"beam": 5, "length_penalty": 1.0}
    if not seen.has_brackets:
        return {}
    # Outputs may be nested more deeply than in training. Another notation may leave closing brackets out.
    return {"max_length": 4 * seen.longest_target + 10, "balanced": seen.is_balanced and not seen.notation}


def _say_data(seen: Traits, corpus: Corpus) -> str:
    kind = (
        "a natural language"
        if seen.is_text
        else "a formal language"
        if seen.has_brackets
        else "a small language"
    )
    return (
        f"data: {seen.pairs:,} pairs, {seen.source_words:,} source words ({seen.seen_once:,} in one sentence only), "
        f"{seen.target_words:,} target words, targets of up to {seen.longest_target} tokens: {kind}"
        + "".join(
            f"; {side}s are cut by `{tokenizer}`"
            for side in SIDES
            if (tokenizer := getattr(corpus, f"{side}_tokenizer")) != "whitespace"
        )
        + (f"; targets are written as {seen.notation!r}" if seen.notation else "")
        + ("; words that repeat themselves are marked" if _marks_repeats(seen) else "")
        + (f"; {seen.copies.replace('+', ', ')} are copied, whatever they are" if seen.copies else "")
    )


def _say_rules(book: RuleBook | None, trial: Trial, seen: Traits, alone: bool) -> str:
    if book is None:
        return (
            "rules: none, because a natural language has no small grammar"
            if seen.is_text
            else "rules: none, too many pairs"
        )
    if not book.rules or book.measured.derived < 1 / 2:
        why = book.measured.silence or f"they derive {book.measured.derived:.0%} of the pairs"
        return f"rules: none, {why}"
    found = f"rules: {len(book.rules)}, which derive {book.measured.derived:.1%} of the pairs"
    if trial.asked:
        found += f"; of {trial.answered} answers to new combinations {trial.right} were right"
    if alone and seen.pairs < FEW_PAIRS:
        return f"{found}; they answer alone, because there are too few pairs for a network"
    if alone:
        return f"{found}; they answer alone, so no network is trained"
    if book.calibration.is_sure(0):
        return f"{found}; they are asked first, and the network where they derive nothing"
    return f"{found}; that is not sure enough, so a network is asked too, and the surer of the two answers"


def _say_network(seen: Traits, settings: Layer) -> str:
    width = settings["model"].get("hidden", 128)
    why = f"{seen.target_words:,} target words"
    memory = "; it recalls similar training sentences" if settings["memory"]["sentences"] else ""
    return f"network: an LSTM of width {width} for {why}, batches of {settings['training']['batch_examples']}{memory}"


def _say_words(seen: Traits, settings: Layer) -> str:
    if settings["fast_mapping"].get("probability", 1.0) == 0:
        return "words: no fast mapping, because the lexicon has hardly a row; new words cannot be taught to the network"
    classes = len(seen.class_sizes)
    kinds = "of one class" if classes < 2 else f"of {classes} classes by the places of their translations"
    return (
        f"words: {seen.lexicon_rows:,} have a translation, {kinds}; "
        "fast mapping teaches the network to use words that it has hardly seen"
    )


def _say_length(seen: Traits, settings: Layer, validation: int) -> str:
    updates = settings["training"]["updates"]
    epochs = updates * settings["training"]["batch_examples"] / seen.pairs
    if not validation:
        return f"training: {updates:,} updates, about {epochs:.0f} epochs; no validation, because no pair can be spared"
    if seen.is_text:
        return f"training: {updates:,} updates, about {epochs:.0f} epochs"
    whose = "of the data" if seen.has_validation else "set aside; each of their words stays in training"
    return (
        f"training: at most {updates:,} updates, about {epochs:.0f} epochs; it ends earlier if the loss of "
        f"{validation} validation pairs ({whose}) stops falling"
    )
