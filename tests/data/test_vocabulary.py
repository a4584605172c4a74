from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewlex.data.vocabulary import SPECIALS, UNK, Vocabulary
from fewlex.errors import DataError

WORDS = st.text(min_size=1).filter(lambda word: word not in SPECIALS)
SENTENCES = st.lists(st.lists(WORDS, min_size=1), min_size=1)


@given(SENTENCES)
def test_decode_undoes_encode(sentences: list[list[str]]) -> None:
    vocabulary = Vocabulary.from_sentences(sentences, "source")
    for sentence in sentences:
        assert vocabulary.decode(vocabulary.encode(sentence)) == tuple(sentence)


@given(SENTENCES, st.lists(WORDS))
def test_extending_keeps_known_ids(sentences: list[list[str]], new_words: list[str]) -> None:
    vocabulary = Vocabulary.from_sentences(sentences, "source")
    extended = vocabulary.extended(new_words)
    assert all(extended.id(word) == vocabulary.id(word) for word in vocabulary.words)
    assert all(word in extended for word in new_words)
    assert len(extended) == len(vocabulary) + len(set(new_words) - set(vocabulary.words))


def test_words_sort_by_frequency_then_alphabet() -> None:
    assert Vocabulary.from_sentences([["b", "c"], ["a", "c"]], "source").words == ("c", "a", "b")


def test_unknown_words_have_the_unknown_id() -> None:
    vocabulary = Vocabulary(["a"])
    assert vocabulary.encode(["a", "zup"]) == [len(SPECIALS), UNK]
    assert "zup" not in vocabulary
    assert vocabulary.token(UNK) == "<unk>"


def test_equal_words_make_equal_vocabularies() -> None:
    assert Vocabulary(["a", "b"]) == Vocabulary(["a", "b"])
    assert len({Vocabulary(["a", "b"]), Vocabulary(["a", "b"]), Vocabulary(["b", "a"])}) == 2


def test_an_empty_vocabulary_is_an_error() -> None:
    with pytest.raises(DataError, match="the target vocabulary is empty"):
        Vocabulary.from_sentences([], "target")


def test_a_reserved_word_in_the_data_is_an_error() -> None:
    with pytest.raises(DataError, match="holds '<pad>' twice"):
        Vocabulary.from_sentences([["<pad>", "a"]], "source")
