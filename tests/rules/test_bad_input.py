"""Grammars and sentences that nobody should give to a parser: each gets a clear error, or an answer in bounded time.

test_storage.py has rules that are written wrongly, test_edits.py has rules that contradict each other.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator

import pytest

from fewlex.data.example import Example
from fewlex.errors import ParseBudgetError, RuleError
from fewlex.rules import Derivation, RuleBook, RuleParser, learn_rules
from fewlex.rules.text import from_text

WORDS = "[C]\na ↦ A\nb ↦ B\n"
MOST_SECONDS = 20
"""A sentence may take this long on a busy machine; what is unbounded takes hours."""
MOST_KIBIBYTES = 500_000


@pytest.fixture(autouse=True)
def _bounded() -> Iterator[None]:
    started, memory = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield
    assert time.process_time() - started < MOST_SECONDS
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory < MOST_KIBIBYTES


def parse(rules: str, sentence: str) -> Derivation | None:
    return RuleParser(from_text(f"{rules}\n{WORDS}", "bad")).parse(sentence.split())


def test_a_rule_that_is_only_a_hole_cannot_be_written() -> None:
    with pytest.raises(RuleError, match="for ever"):
        from_text("_ ↦ #0", "bad")


@pytest.mark.parametrize(
    "rules",
    [
        "_ ↦ f ( #0 )",
        "R1\t_ ↦ f ( #0 )\t#0: R1 C",
        "R1\t_ ↦ f ( #0 )\t#0: R2 C\nR2\t_ ↦ g ( #0 )\t#0: R1 C",
        "R1\t_ ↦ f ( #0 )\t#0: R2\nR2\t_ ↦ g ( #0 )\t#0: R1",
    ],
)
def test_rules_that_could_be_applied_for_ever_are_not(rules: str) -> None:
    derivation = parse(f"{rules}\nR9\t_ and _ ↦ #0 #1", "a and b")
    assert derivation is not None
    assert len(derivation.tokens) < 20


def test_a_grammar_with_a_billion_derivations() -> None:
    """Twenty words in all binary trees: 1,767,263,190 of them, and each has another target."""
    derivation = parse("R1\t_ _ ↦ ( #0 #1 )", " ".join(["a"] * 20))
    assert derivation is not None
    assert derivation.tokens.count("A") == 20
    assert derivation.tokens.count("(") == 19


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ("R1\t_ and _ ↦ #0 #1\t#0: C\t#1: C R1", " and ".join(["a"] * 1000)),
        ("R1\t_ twice ↦ #0 .\t#0: C R1", "a" + " twice" * 1999),
        ("R1\tthe _ ↦ #0\t#0: C R1", "the " * 1999 + "a"),
        ("R1\t_ and _ ↦ #0 #1", "x " * 2000),
        ("R1\t_ _ ↦ #1 #0", "a " * 2000),
        ("R1\t_ twice ↦ #0 #0", "a" + " twice" * 60),
    ],
    ids=["right", "left", "prefix", "unknown words", "ambiguous", "exponential target"],
)
def test_a_sentence_of_two_thousand_words_is_answered_or_refused(rules: str, sentence: str) -> None:
    try:
        derivation = parse(rules, sentence)
    except ParseBudgetError as error:
        assert "Split the sentence" in str(error)  # noqa: PT017  # refusing is fine, too
    else:
        assert derivation is None or derivation.source == tuple(sentence.split())


def many_rules(count: int) -> RuleBook:
    return from_text("\n".join(f"_ w{i} _ ↦ #1 T{i} #0" for i in range(count)) + f"\n{WORDS}", "many")


def test_ten_thousand_rules_with_words_of_their_own() -> None:
    derivation = RuleParser(many_rules(10_000)).parse(("a", "w17", "b"))
    assert derivation is not None
    assert derivation.tokens == ("B", "T17", "A")


@pytest.mark.slow
def test_ten_thousand_rules_that_all_fit_everywhere() -> None:
    rules = "\n".join(f"_ _ _ ↦ #1 T{i} #0 #2" for i in range(10_000))
    try:
        derivation = parse(rules, "a b a b a")
    except ParseBudgetError as error:
        assert "Split the sentence" in str(error)  # noqa: PT017
    else:
        assert derivation is not None


@pytest.mark.parametrize("times", [1, 2, 50])
@pytest.mark.parametrize("source", ["dax", "dax dax", "a b a"])
def test_all_examples_the_same(source: str, times: int) -> None:
    """A sentence of one word that is there twice was once read as one of silent words alone, and ended in an error."""
    book = learn_rules([Example(tuple(source.split()), ("RED", "RED"))] * times)
    assert all(rule.source for rule in book.rules)
