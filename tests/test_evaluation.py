"""Scores with hand-computed numbers, and BLEU beside NLTK's."""

from __future__ import annotations

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewlex.data.example import Corpus, Example
from fewlex.evaluation import corpus_bleu, exact_match_by_example, references_of, score, token_f1

EXAMPLES = (
    Example(("a",), ("A", "B"), "easy"),
    Example(("b",), ("B",), "easy"),
    Example(("c",), ("C", "C"), "hard"),
)


def test_scores_by_hand() -> None:
    scores = score(EXAMPLES, [("A", "B"), ("A",), ("C",)])
    assert scores.examples == 3
    assert scores.exact_match == pytest.approx(1 / 3)
    assert scores.by_category == {"easy": 0.5, "hard": 0.0}
    assert scores.token_f1 == pytest.approx((1 + 0 + 2 / 3) / 3)


def test_accuracy_of_each_example_over_seeds() -> None:
    seeds = [[("A", "B"), ("B",), ("C",)], [("A", "B"), ("A",), ("C",)]]
    assert [share for _, share in exact_match_by_example(EXAMPLES, seeds)] == [1.0, 0.5, 0.0]


def test_outputs_must_match_examples() -> None:
    with pytest.raises(ValueError, match="1 outputs for 3 examples"):
        score(EXAMPLES, [("A",)])


def test_all_splits_give_references() -> None:
    corpus = Corpus("test", {"train": (Example(("a",), ("X",)),), "test": EXAMPLES})
    assert references_of(EXAMPLES[:1], corpus) == [[("A", "B"), ("X",)]]


def test_empty_outputs() -> None:
    assert token_f1((), ()) == 1.0
    assert corpus_bleu([[("A",)]], [()]) == 0.0


sentences = st.lists(st.sampled_from("abcd"), min_size=1, max_size=12)


@given(st.lists(st.tuples(st.lists(sentences, min_size=1, max_size=3), sentences), min_size=1, max_size=8))
def test_bleu_is_that_of_nltk(pairs: list[tuple[list[list[str]], list[str]]]) -> None:
    from nltk.translate.bleu_score import corpus_bleu as nltk_bleu

    references, outputs = zip(*pairs, strict=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NLTK warns where an order has no match; both then give (nearly) 0
        expected = nltk_bleu(references, outputs)
    assert corpus_bleu(references, outputs) == pytest.approx(expected, abs=1e-12)
