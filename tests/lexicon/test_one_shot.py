from __future__ import annotations

import pytest

from fewlex.errors import LexiconError
from fewlex.lexicon import Entry, Lexicon, infer_entry

KNOWN_SOURCES = frozenset({"dax", "lug", "fep", "kiki", "town"})
KNOWN_TARGETS = frozenset({"RED", "BLUE", "YELLOW", "town", "("})


@pytest.fixture
def lexicon() -> Lexicon:
    return Lexicon(
        [
            ("dax", "RED", Entry(6)),
            ("lug", "BLUE", Entry(9)),
            ("New York", "纽约 市", Entry(1)),
            ("blick", "PURPLE", Entry(1)),
        ]
    )


def infer(lexicon: Lexicon, source: str, target: str) -> tuple[str, str]:
    return infer_entry(source.split(), target.split(), lexicon, KNOWN_SOURCES, KNOWN_TARGETS)


@pytest.mark.parametrize(
    ("source", "target", "entry"),
    [
        ("zup fep", "YELLOW YELLOW YELLOW", ("zup", "YELLOW")),
        ("dax kiki zup", "YELLOW RED", ("zup", "YELLOW")),
        ("zup fep", "( GREEN", ("zup", "GREEN")),  # a word never seen comes before one that was
        ("zup New York", "纽约 市 YELLOW", ("zup", "YELLOW")),
        ("zup blick", "YELLOW PURPLE", ("zup", "YELLOW")),
        ("zup town", "town YELLOW", ("zup", "YELLOW")),  # words without a row may stand for themselves
        ("zup fep", "zup zup zup", ("zup", "zup")),
        ("fep dax", "YELLOW RED", ("fep", "YELLOW")),  # all were seen in training: the one without a row
    ],
)
def test_the_entry_that_an_example_implies(
    lexicon: Lexicon, source: str, target: str, entry: tuple[str, str]
) -> None:
    assert infer(lexicon, source, target) == entry


@pytest.mark.parametrize(
    ("source", "target", "message"),
    [
        ("zup blork", "YELLOW", "several source words .*: zup, blork.*Teach the pair"),
        ("fep kiki", "YELLOW", "several source words .*: fep, kiki"),
        ("zup", "YELLOW (", r"several target words .*: YELLOW, \(.*Teach the pair"),
        ("zup", "GREEN PINK YELLOW", "several target words .*: GREEN, PINK"),
        ("dax lug", "RED BLUE", "every source word .* already"),
        ("zup dax", "RED RED", "every target word .* than 'zup'"),
        ("", "RED", "every source word"),
        ("zup", "", "every target word"),
    ],
)
def test_examples_that_do_not_say_enough(lexicon: Lexicon, source: str, target: str, message: str) -> None:
    with pytest.raises(LexiconError, match=message):
        infer(lexicon, source, target)
