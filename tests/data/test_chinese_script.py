"""Chinese in one script: what is written comes back, and only the tag tells the scripts apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewlex.data.chinese_script import KEPT, TRADITIONAL, decode, encode, in_simplified
from fewlex.data.codec import Pointed
from fewlex.errors import NotationError

WORDS = [
    "我",
    "喜歡",
    "喜欢",
    "這裡",
    "这里",
    "隻",
    "只",
    "了解",
    "瞭解",
    "頭髮",
    "发",
    "Tom",
    ".",
    "台",
    "让",
]


def test_a_traditional_sentence_is_written_in_simplified_characters_behind_a_tag() -> None:
    assert encode(("我", "喜歡", "這裡", ".")).tokens == (TRADITIONAL, "我", "喜欢", "这里", ".")
    assert decode(Pointed((TRADITIONAL, "我", "喜欢", "这里", "."), ())) == ("我", "喜歡", "這裡", ".")


def test_a_sentence_without_traditional_characters_stays_as_it_is() -> None:
    for sentence in (("我", "喜欢", "这里"), ("我", "吃"), ()):
        assert encode(sentence).tokens == sentence == decode(Pointed(sentence, ()))


def test_a_token_that_would_not_come_back_is_kept() -> None:
    """OpenCC makes 只 of 隻, which stays 只 on the way back; a simplified word among traditional ones needs a mark."""
    assert encode(("這裡", "隻")).tokens == (TRADITIONAL, "这里", "隻")
    assert encode(("這裡", "让")).tokens == (TRADITIONAL, "这里", f"{KEPT}让")


@given(st.lists(st.sampled_from(WORDS)).map(tuple))
def test_every_sentence_comes_back(target: tuple[str, ...]) -> None:
    assert decode(encode(target)) == target


@pytest.mark.parametrize("word", [TRADITIONAL, f"{KEPT}我"])
def test_words_that_mean_something_else_are_refused(word: str) -> None:
    with pytest.raises(NotationError, match="a meaning of their own"):
        encode(("我", word))


def test_in_simplified_converts_each_token_and_keeps_their_number() -> None:
    assert in_simplified(["我", "喜歡", "這裡"]) == ("我", "喜欢", "这里")
