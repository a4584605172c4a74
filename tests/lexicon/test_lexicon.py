from __future__ import annotations

import math
from typing import Any

import pytest

from fewlex.errors import LexiconError
from fewlex.lexicon import PERSON, Difference, Entry, Lexicon


@pytest.fixture
def lexicon() -> Lexicon:
    return Lexicon(
        [("dax", "RED", Entry(6, "simple", 1.0)), ("dax", "PINK", Entry(1)), ("lug", "BLUE", Entry(9))]
    )


def test_reading(lexicon: Lexicon) -> None:
    assert lexicon.sources == ("dax", "lug")
    assert lexicon.targets == ("RED", "PINK", "BLUE")
    assert len(lexicon) == 3
    assert "dax" in lexicon
    assert "RED" not in lexicon
    assert lexicon.row("dax")["RED"] == Entry(6, "simple", 1.0)
    assert lexicon.row("unknown") == {}
    assert [(source, target) for source, target, _ in lexicon] == [
        ("dax", "RED"),
        ("dax", "PINK"),
        ("lug", "BLUE"),
    ]


def test_a_row_cannot_be_edited_behind_the_lexicons_back(lexicon: Lexicon) -> None:
    row: Any = lexicon.row("dax")
    with pytest.raises(TypeError):
        row["RED"] = Entry(1)


def test_editing(lexicon: Lexicon) -> None:
    lexicon.set("zup", "YELLOW", 2)
    assert lexicon.row("zup") == {"YELLOW": Entry(2, PERSON)}
    lexicon.set("dax", "RED", -1.5, origin="pmi", dice=0.5)
    assert lexicon.row("dax")["RED"] == Entry(-1.5, "pmi", 0.5)
    lexicon.replace_row("dax", {"CRIMSON": Entry(1)})
    assert lexicon.row("dax") == {"CRIMSON": Entry(1)}
    lexicon.remove("dax", "CRIMSON")
    lexicon.remove("lug")
    assert lexicon.sources == ("zup",)


def test_terms_of_several_tokens_are_words(lexicon: Lexicon) -> None:
    lexicon.set("New York", "纽约 市")
    assert lexicon.row("New York") == {"纽约 市": Entry(1.0)}


@pytest.mark.parametrize("word", ["", " ", " dax", "dax ", "a\tb", "a\nb", "a\rb", "a\0b", "\ud800"])
def test_words_that_make_no_sense(lexicon: Lexicon, word: str) -> None:
    before = lexicon.copy()
    for source, target, origin in ((word, "RED", PERSON), ("dax", word, PERSON), ("dax", "RED", word)):
        with pytest.raises(LexiconError):
            lexicon.update([("new", "NEW", Entry(1)), (source, target, Entry(1, origin))])
    with pytest.raises(LexiconError):
        lexicon.replace_row("dax", {word: Entry(1)})
    assert lexicon == before


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_numbers_that_make_no_sense(lexicon: Lexicon, number: float) -> None:
    with pytest.raises(LexiconError, match="not finite"):
        lexicon.set("dax", "RED", number)
    with pytest.raises(LexiconError, match="not finite"):
        lexicon.set("dax", "RED", dice=number)


def test_edits_that_make_no_sense(lexicon: Lexicon) -> None:
    with pytest.raises(LexiconError, match="no entry for 'zup'"):
        lexicon.remove("zup")
    with pytest.raises(LexiconError, match=r"does not mean 'BLUE'.*RED, PINK"):
        lexicon.remove("dax", "BLUE")
    with pytest.raises(LexiconError, match="empty row"):
        lexicon.replace_row("dax", {})


def test_copy_and_merge_leave_the_original_alone(lexicon: Lexicon) -> None:
    before = lexicon.copy()
    other = Lexicon([("dax", "RED", Entry(2)), ("zup", "YELLOW", Entry(1))])
    merged = lexicon.merge(other)
    assert lexicon == before
    assert merged.row("dax") == {"RED": Entry(2), "PINK": Entry(1)}
    assert merged.sources == ("dax", "lug", "zup")


def test_equality_is_about_entries(lexicon: Lexicon) -> None:
    reordered = Lexicon(reversed(list(lexicon)), provenance={"method": "by hand"})
    assert reordered == lexicon
    reordered.set("dax", "RED", 7)
    assert reordered != lexicon


def test_diff(lexicon: Lexicon) -> None:
    other = lexicon.copy()
    other.set("dax", "RED", 7)
    other.remove("lug")
    other.set("zup", "YELLOW")
    assert lexicon.diff(other) == Difference(
        added=(("zup", "YELLOW", Entry(1.0)),),
        removed=(("lug", "BLUE", Entry(9)),),
        changed=(("dax", "RED", Entry(6, "simple", 1.0), Entry(7)),),
    )
    assert lexicon.diff(lexicon.copy()) == Difference((), (), ())


def test_ten_thousand_entries_at_once(lexicon: Lexicon) -> None:
    """How long it takes is measured by benchmarks/teaching.py."""
    lexicon.update((f"source{i}", f"TARGET{i}", Entry(1.0)) for i in range(10_000))
    assert len(lexicon) == 10_003
