from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewlex.data.terms import TermMatcher, as_term
from fewlex.data.tokenizers import Whitespace
from fewlex.errors import LexiconError

tokens = st.sampled_from(["New", "York", "City", "a", "b"])
sentences = st.lists(tokens, max_size=12)
terms = st.lists(st.lists(tokens, min_size=1, max_size=4).map(" ".join), max_size=8)


def test_the_longest_term_is_one_unit() -> None:
    matcher = TermMatcher(["New York", "New York City", "City Hall", "cat"])
    assert matcher.segment(("a", "cat", "in", "New", "York", "City", "Hall")) == (
        "a",
        "cat",
        "in",
        "New York City",
        "Hall",
    )
    assert matcher.segment(("New", "York", "New", "York", "New")) == ("New York", "New York", "New")


def test_a_beginning_of_a_longer_term_is_no_match() -> None:
    matcher = TermMatcher(["a b", "a b c d"])
    assert matcher.segment(("a", "b", "c", "e")) == ("a b", "c", "e")
    assert matcher.segment(("a", "b", "c")) == ("a b", "c")


def test_case_counts() -> None:
    assert TermMatcher(["New York"]).segment(("new", "York")) == ("new", "York")


def test_nothing_to_match() -> None:
    assert TermMatcher([]).segment(("a", "b")) == ("a", "b")
    assert TermMatcher(["a b"]).segment(()) == ()


@given(sentence=sentences, terms=terms)
def test_units_are_the_sentence_again_and_only_terms_are_joined(
    sentence: list[str], terms: list[str]
) -> None:
    units = TermMatcher(terms).segment(sentence)
    assert " ".join(units).split() == sentence
    assert all(unit in terms for unit in units if " " in unit)


@given(sentence=sentences, terms=terms)
def test_the_longest_match_wins_from_left_to_right(sentence: list[str], terms: list[str]) -> None:
    start, expected = 0, []
    while start < len(sentence):
        lengths = range(len(sentence) - start, 1, -1)
        length = next((n for n in lengths if " ".join(sentence[start : start + n]) in terms), 1)
        expected.append(" ".join(sentence[start : start + length]))
        start += length
    assert TermMatcher(terms).segment(sentence) == tuple(expected)


def test_as_term_joins_tokens() -> None:
    tokenize = Whitespace().tokenize
    assert as_term(" New   York ", tokenize) == "New York"
    assert as_term("ten-minute", lambda text: tuple(text.replace("-", " @-@ ").split())) == "ten @-@ minute"


@pytest.mark.parametrize("text", ["", "  ", "a <unk>", "<pad>"])
def test_texts_that_are_no_terms(text: str) -> None:
    with pytest.raises(LexiconError):
        as_term(text, Whitespace().tokenize)
