"""The form of text: what goes in comes out again, and a corpus is read in the form of its run."""

from __future__ import annotations

from pathlib import Path

import pytest

from fewlex.data import Corpus, Example, Form, load
from fewlex.data.codec import Pointed
from fewlex.errors import ConfigError, LexiconError


def test_a_form_is_that_of_the_corpus(tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text("Don't go.\t不要走。\n", encoding="utf-8")
    corpus = load(tmp_path / "pairs.tsv", source_tokenizer="moses", target_tokenizer="jieba")
    form = Form.learn(corpus)
    assert (form.source_tokenizer, form.target_tokenizer) == ("moses", "jieba")
    assert form.source_tokens("Don't go.") == corpus["train"][0].source == ("Don", "'t", "go", ".")
    assert form.text(corpus["train"][0].target) == "不要走。"


def test_the_first_word_is_read_as_elsewhere() -> None:
    train = (
        Example(("The", "cat", "saw", "the", "dog"), ("y",)),
        Example(("Emma", "saw", "the", "cat"), ("z",)),
    )
    corpus = Corpus("own", {"train": train})
    form = Form.learn(corpus, truecase=True)
    assert form.read(("The", "dog")) == ("the", "dog")
    assert form.read(("Emma", "The")) == ("Emma", "The")
    assert form.prepare(corpus)["train"][0].source[0] == "the"
    assert Form.learn(corpus).prepare(corpus) == corpus


def test_a_notation_is_undone() -> None:
    text = "* cat ( x _ 1 ) ; see . agent ( x _ 2 , x _ 1 )"
    flat = tuple(text.split())
    form = Form(notation="nested")
    tree = form.in_notation(flat)
    assert tree != flat
    positions = {"see": 2, "cat": 1}
    assert form.published(Pointed(tree, tuple(positions.get(token) for token in tree))) == flat
    assert Form().in_notation(flat) == flat
    assert Form().published(Pointed(flat, (None,) * len(flat))) == flat


def test_a_data_set_without_the_notation_is_told_so() -> None:
    with pytest.raises(ConfigError, match="colors has no notation 'nested'"):
        Form.learn(load("colors"), notation="nested")


def test_words_are_cut_as_text_is() -> None:
    form = Form(source_tokenizer="moses", target_tokenizer="jieba")
    assert form.source_term("ten-minute") == "ten @-@ minute"
    assert form.target_term("不要走") == "不要 走"
    with pytest.raises(LexiconError, match="'<unk>' in '<unk>' is one of fewlex's own symbols"):
        Form().source_term("<unk>")
