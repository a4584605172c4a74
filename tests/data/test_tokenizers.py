from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewlex.data.tokenizers import TOKENIZERS, Jieba, Moses, make_tokenizer
from fewlex.errors import DataError

MOSES = Moses()
JIEBA = Jieba()

WORDS = st.sampled_from(["Tom", "is", "the", "ten-minute", "break", "3.50", "don't", "Mary's", "&"])
CHINESE_WORDS = st.sampled_from(["我们", "试试", "汤姆", "喜欢", "，", "。", "10", "Tom", "的"])


@given(st.lists(st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1)))
def test_whitespace_round_trip(tokens: list[str]) -> None:
    whitespace = make_tokenizer("whitespace")
    assert whitespace.tokenize(whitespace.detokenize(tokens)) == tuple(tokens)


@given(st.lists(WORDS, min_size=1, max_size=6), st.sampled_from([".", "!", "?", ", please."]))
def test_moses_round_trip(words: list[str], end: str) -> None:
    text = " ".join(words) + end
    assert MOSES.detokenize(MOSES.tokenize(text)) == text


@pytest.mark.parametrize(
    "text", ['"Yes," he said (twice).', "I can't... really?", "a < b & c | d", "50% of $5.20"]
)
def test_moses_round_trip_of_punctuation(text: str) -> None:
    assert MOSES.detokenize(MOSES.tokenize(text)) == text


def test_moses_tokens_stay_readable() -> None:
    assert MOSES.tokenize("Tom's ten-minute break.") == ("Tom", "'s", "ten", "@-@", "minute", "break", ".")


def test_moses_knows_other_languages() -> None:
    text = "Das ist z.B. gut."
    german = make_tokenizer("moses:de")
    assert "z.B." in german.tokenize(text)
    assert german.detokenize(german.tokenize(text)) == text


@given(st.lists(CHINESE_WORDS, min_size=1, max_size=8))
def test_jieba_round_trip(words: list[str]) -> None:
    text = JIEBA.detokenize(words)
    tokens = JIEBA.tokenize(text)
    assert "".join(tokens) == text.replace(" ", "")
    assert JIEBA.detokenize(tokens) == text


def test_jieba_splits_words_and_drops_blanks() -> None:
    assert JIEBA.tokenize("我们 喜欢 Tom Smith。") == ("我们", "喜欢", "Tom", "Smith", "。")
    assert JIEBA.detokenize(["我们", "喜欢", "Tom", "Smith", "。"]) == "我们喜欢Tom Smith。"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("mose", "no tokenizer 'mose'. Did you mean 'moses'"),
        ("jieba:de", "no tokenizer 'jieba:de'. Did you mean 'jieba'"),
        ("moses:xx", "no language 'xx'. Known: .*de, "),
        ("moses:", "no language ''"),
    ],
)
def test_unknown_names(name: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        make_tokenizer(name)


@pytest.mark.parametrize(("name", "module"), [("moses", "sacremoses"), ("jieba", "jieba")])
def test_a_missing_dependency_names_its_cure(monkeypatch: pytest.MonkeyPatch, name: str, module: str) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(DataError, match=rf'needs {module}.*pip install "fewlex\[text\]"'):
        make_tokenizer(name)


def test_every_registered_name_makes_a_tokenizer() -> None:
    for name in TOKENIZERS:
        tokenizer = make_tokenizer(name)
        assert tokenizer.detokenize(tokenizer.tokenize("Tom")) == "Tom"


def test_characters_keep_blanks() -> None:
    characters = make_tokenizer("characters")
    assert characters.tokenize(" a  bc ") == ("a", "␣", "b", "c")
    assert characters.detokenize(("a", "␣", "b", "c")) == "a bc"


@given(st.text(alphabet="ab1é .,\"'()[]{}=-<>!?:;@_%$", max_size=20))
def test_marks_are_cut_off_and_put_back(text: str) -> None:
    for name in ("marks", "parts", "codes"):
        tokenizer = make_tokenizer(name)
        assert tokenizer.detokenize(tokenizer.tokenize(text)) == " ".join(text.split())


def test_parts_are_the_same_wherever_they_stand() -> None:
    parts = make_tokenizer("parts")
    assert parts.tokenize("house.PL.1SG dog_PL-in 3.5 3-5.") == (
        *("house", "￭.￭", "PL", "￭.￭", "1SG"),
        *("dog", "￭_￭", "PL", "￭-￭", "in", "3.5", "3", "￭-￭", "5", "￭."),
    )


def test_letters_are_cut_from_digits_and_numbers_look_alike() -> None:
    codes = make_tokenizer("codes")
    assert codes.tokenize("=SUM(A2:B10) 2 PT2H30M") == (
        *("=￭", "SUM", "￭(￭", "A￭", "2", "￭:￭", "B￭", "10", "￭)"),
        *("2", "PT￭", "2", "￭H￭", "30", "￭M"),
    )


@pytest.mark.parametrize(
    ("inner", "outer"),
    [("(a + b)", "f((a + b))"), ("'mi'", "to('mi')"), ('"a"', '["a","b"]'), ("{x}", "k={x}"), ("-a", "(-a)")],
)
def test_a_phrase_is_the_same_tokens_wherever_it_stands(inner: str, outer: str) -> None:
    marks = make_tokenizer("marks")
    assert " ".join(marks.tokenize(inner)) in " ".join(marks.tokenize(outer))


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ('on("lamp").', 'on ￭(￭ "￭ lamp ￭" ￭) ￭.'),
        ('{"room":dev.lamp}', '{￭ "￭ room ￭" ￭:￭ dev.lamp ￭}'),
        ("it's 12:30, or 1,000 > 3.5", "it's 12:30 ￭, or 1,000 > 3.5"),
        ("on ( device = lamp )", "on ( device = lamp )"),
    ],
)
def test_what_marks_are(text: str, tokens: str) -> None:
    assert " ".join(make_tokenizer("marks").tokenize(text)) == tokens
