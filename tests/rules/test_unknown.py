"""Words that a book does not have."""

from __future__ import annotations

import pytest

from fewlex.rules import RuleParser
from fewlex.rules.book import Word
from fewlex.rules.parsing.unknown import Manner, manners_of
from fewlex.rules.text import from_text

CITIES = ("Tokyo", "Oslo", "Rome", "Lima", "Paris", "New York")


def words(write: str, sources: tuple[str, ...] = CITIES) -> list[Word]:
    return [Word(tuple(s.split()), tuple(write.format(s, s.upper()).split()), "C0") for s in sources]


@pytest.mark.parametrize(
    ("write", "manner"),
    [
        ("{0}", Manner("", "as it is", "")),
        ("'{0}'", Manner("'", "as it is", "'")),
        ("city = {0}", Manner("city = ", "as it is", "")),
        ("I_{1}", Manner("I_", "large", "")),
    ],
)
def test_the_manner_of_a_class(write: str, manner: Manner) -> None:
    assert manners_of(words(write)) == {"C0": manner}
    assert manner.translate(("San", "Diego")) == tuple(write.format("San Diego", "SAN DIEGO").split(" "))


def test_a_class_needs_several_words_of_one_manner() -> None:
    assert manners_of(words("'{0}'", CITIES[:5])) == {}
    others = [Word((f"w{i}",), (f"T{i + 1}",), "C0") for i in range(7)]
    assert manners_of([*words("'{0}'"), *others]) == {}


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("find from Zurich", "city = 'Zurich'"),
        ("find from San Francisco", "city = 'San Francisco'"),
        ("find from Oslo", "city = 'Oslo'"),
    ],
)
def test_unknown_words_are_translated_as_those_of_their_class(source: str, target: str) -> None:
    rows = "\n".join(f"{city} -> '{city}'" for city in CITIES)
    book = from_text(f"find from _ -> city = #0\n[city]\n{rows}\n", "test")
    derivation = RuleParser(book).parse(source.split())
    assert derivation is not None
    assert " ".join(derivation.tokens) == target
