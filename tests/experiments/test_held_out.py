"""Which words are held out, and what is measured of them."""

from __future__ import annotations

from pathlib import Path

import fewlex
from fewlex.data.corpus import Corpus
from fewlex.data.example import Example
from fewlex.experiments.held_out import Taught, cogs_words, held_out, measure, translation_words
from fewlex.translator import Translator


def test_translation_words_have_one_frequent_translation() -> None:
    """`dog` is 狗 in 5 of 6 sentences; `run` is something else each time; `the` is too frequent."""
    pairs = [("the dog sleeps", "狗 睡")] * 5 + [("the dog", "犬")]
    pairs += [(f"the run a{i}", f"跑{i} b{i}") for i in range(6)] + [("the", "x")] * 20
    corpus = Corpus("t", {"train": tuple(Example(tuple(s.split()), tuple(t.split())) for s, t in pairs)})
    found = translation_words(corpus, seed=0, number=2)
    assert found["dog"] == Taught("狗")
    assert set(found) == {"dog", "sleeps"}


def test_cogs_words_are_all_forms_of_nouns_and_verbs(published: Path) -> None:
    corpus = fewlex.load("cogs")
    words = cogs_words(corpus, seed=0)
    assert len({taught.target for taught in words.values()}) == 40
    assert not any(taught.like in words for taught in words.values())
    assert words == cogs_words(corpus, seed=0)
    assert {"throw", "threw", "thrown"} <= words.keys()
    rest = held_out(corpus, words)
    assert len(rest["train"]) < len(corpus["train"])
    assert not any(words.keys() & set(e.source) for e in (*rest["train"], *rest["validation"]))
    assert rest["test"] == corpus["test"]


def test_measuring_untaught_taught_and_required(tmp_path: Path) -> None:
    colors = fewlex.load("colors")
    words = {"zup": Taught("YELLOW")}
    corpus = held_out(colors, words)
    assert len(corpus["train"]) == 13
    run = fewlex.train(corpus, fewlex.build_config("fast", "colors"), tmp_path / "run")
    figures = measure(Translator.load(run.path), corpus, words)
    assert figures["sentences"] == 10
    assert figures["untaught"]["term_share"] == 0.0
    assert figures["taught"]["term_share"] >= 0.9
    assert figures["required"]["term_share"] == 1.0
    assert figures["taught"]["bleu"] > figures["untaught"]["bleu"]
