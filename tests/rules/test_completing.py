"""Words that were seen once are read off sentences in which everything else is known."""

from __future__ import annotations

import random

import pytest

from fewlex.rules import RuleBook, learn_rules
from fewlex.rules.book import Word
from fewlex.rules.learning.completing import PLACEHOLDER, stands_for_placeholder
from fewlex.rules.parsing.parser import RuleParser
from tests.rules.test_learner import answer, commands, examples

ONCE = [
    ("hop twice and walk", "SPRING SPRING WALK"),
    ("leave after look", "LOOK GO OUT"),
    ("pull up around", "LEFT HEAVE LEFT HEAVE"),
]


@pytest.fixture(scope="module")
def book() -> RuleBook:
    pairs = random.Random(1).sample(commands(), 250)
    return learn_rules(examples([*pairs, *ONCE]))


@pytest.mark.parametrize(
    ("sentence", "target"),
    [
        ("run after hop around", "LEFT SPRING LEFT SPRING RUN"),
        ("leave twice", "GO OUT GO OUT"),
        ("pull up and leave", "HEAVE GO OUT"),
    ],
    ids=["one token", "two tokens", "two words"],
)
def test_a_word_that_was_seen_once_works_in_every_rule(book: RuleBook, sentence: str, target: str) -> None:
    assert answer(book, sentence) == target


def test_the_rules_stay_the_same(book: RuleBook) -> None:
    without = learn_rules(examples(random.Random(1).sample(commands(), 250)))
    assert {str(rule) for rule in book.rules} == {str(rule) for rule in without.rules}


@pytest.mark.parametrize(
    ("tokens", "target", "meaning"),
    [
        ("A ? B", "A X Y B", "X Y"),
        ("? A ?", "X A X", "X"),
        ("? A ?", "X A Y", ""),
        ("A ?", "A", ""),
        ("A B", "A B", ""),
    ],
)
def test_what_stands_for_the_placeholder(tokens: str, target: str, meaning: str) -> None:
    with_placeholder = tuple(tokens.replace("?", PLACEHOLDER).split())
    assert stands_for_placeholder(with_placeholder, tuple(target.split())) == tuple(meaning.split())


def test_a_supposition_does_not_change_the_parser(book: RuleBook) -> None:
    parser = RuleParser(book)
    kind = next(word.kind for word in book.words if word.term == "run")
    supposing = parser.supposing([Word(("walk",), ("STROLL",), kind)], {"walk"})
    for asked, target in ((supposing, ("STROLL", "STROLL")), (parser, ("WALK", "WALK"))):
        derivation = asked.parse(("walk", "twice"))
        assert derivation is not None
        assert derivation.tokens == target
