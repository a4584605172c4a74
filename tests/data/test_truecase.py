"""Capitals that are due to the beginning of a sentence."""

from __future__ import annotations

from fewlex.data.corpus import Corpus
from fewlex.data.example import Example
from fewlex.data.truecase import learn_truecase, truecased

SENTENCES = ["A girl saw a cat", "A cat saw Emma", "Emma saw a girl", "Paula", "The end"]
TRUECASE = learn_truecase(sentence.split() for sentence in SENTENCES)


def test_only_words_written_otherwise_within_sentences_change() -> None:
    assert TRUECASE == {"A": "a"}


def test_the_usual_form_within_sentences_wins() -> None:
    assert learn_truecase([["x", "May"], ["x", "May"], ["x", "may"], ["may", "x"]]) == {"may": "May"}


def test_only_the_first_word_changes() -> None:
    assert truecased(("A", "A", "b"), TRUECASE) == ("a", "A", "b")
    assert truecased((), TRUECASE) == ()


def test_a_corpus_changes_in_all_splits() -> None:
    example = Example(("A", "cat"), ("cat",))
    corpus = Corpus("c", {"train": (example,), "test": (example,)}).truecased(TRUECASE)
    assert [split[0].source for split in corpus.splits.values()] == [("a", "cat")] * 2
    assert corpus["test"][0].target == ("cat",)
