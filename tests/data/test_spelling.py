"""People do not type as the training data is written."""

from __future__ import annotations

import pytest

import fewlex
from fewlex.data.spelling import Spelling

PAIRS = [(f"{verb} the {thing}", f"{verb} ( {thing} )") for verb in ("open", "lock") for thing in "abcdef"]


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("open the Lamp", "open the lamp"),
        ("OPEN THE LAMP!", "open the lamp"),
        ('open the "lamp".', "open the lamp ."),
        ("open the Bank", "open the Bank"),
        ("open the blender", "open the blender"),
        ("?", "?"),
    ],
)
def test_unknown_words_are_read_as_known_ones(typed: str, read: str) -> None:
    spelling = Spelling(frozenset({"open", "the", "lamp", "Bank", "bank", "."}))
    assert " ".join(spelling.read(typed.split())) == read


def test_other_ends_of_a_sentence() -> None:
    spelling = Spelling(frozenset({"go", ".", "!"}))
    assert list(spelling.other_ends(("go",))) == [("go", "."), ("go", "!")]
    assert list(spelling.other_ends(("go", "."))) == [("go",), ("go", "!")]
    assert list(spelling.other_ends(())) == []


def test_a_run_understands_sentences_that_are_typed_otherwise() -> None:
    translator = fewlex.fit(PAIRS)
    assert translator.predict(["Open the a.", "LOCK THE F!", "lock the, b"]) == [
        "open ( a )",
        "lock ( f )",
        "lock ( b )",
    ]
    dotted = fewlex.fit([(f"{source.capitalize()}.", target) for source, target in PAIRS])
    assert dotted.predict(["open the a", "Open the a.", "open the a!"]) == ["open ( a )"] * 3


def test_words_that_are_known_only_with_a_mark() -> None:
    assert Spelling(frozenset({"go", "home."})).read(("GO", "home")) == ("go", "home.")
