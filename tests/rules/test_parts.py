"""What small languages that nobody had tuned on have taught the learner: parts within parts, edges, lists, and tokens
that words and rules share."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from fewlex.rules import Rule, RuleBook, RuleParser, Word
from fewlex.rules.brackets import common_edges
from fewlex.rules.learning.series import price_of_longer_lists
from tests.rules.test_small_languages import learned, said

Pair = tuple[str, str]
Language = Callable[[random.Random, int], Pair]

NUMBERS = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6"}
UNITS = {"miles": "mi", "feet": "ft", "grams": "g", "pounds": "lb"}
PEOPLE = ("guests", "admins", "owners", "editors", "bots")


def chosen(rng: random.Random, words: dict[str, str]) -> Pair:
    return rng.choice(list(words.items()))


def amount(rng: random.Random, depth: int) -> Pair:
    (number, value), (unit, sign) = chosen(rng, NUMBERS), chosen(rng, UNITS)
    if depth == 0:
        return f"{number} {unit}", f"Q ( {value} , {sign} )"
    one, first = amount(rng, depth - 1)
    if rng.random() < 0.5:
        return f"the {unit} in {one}", f"{first} . to ( {sign} )"
    return f"the sum of {one} and {number} {unit}", f"( {first} + Q ( {value} , {sign} ) )"


def question(rng: random.Random, depth: int) -> Pair:
    one, first = amount(rng, depth)
    other, second = amount(rng, 0)
    return rng.choice(
        [(f"what is {one}", f"print ( {first} )"), (f"is {one} more than {other}", f"{first} > {second}")]
    )


def formula(rng: random.Random, depth: int) -> Pair:
    words, meaning = term(rng, depth)
    return words, f"= {meaning}"


def term(rng: random.Random, depth: int) -> Pair:
    if depth == 0:
        column = rng.choice("abcd")
        number, value = chosen(rng, NUMBERS)
        name, sign = rng.choice([("sum", "SUM"), ("mean", "AVERAGE"), ("largest", "MAX")])
        return f"the {name} of {column} up to {number}", f"{sign} ( {column.upper()} : {value} )"
    one, first = term(rng, depth - 1)
    other, second = term(rng, 0)
    return rng.choice(
        [
            (f"round {one}", f"ROUND ( {first} )"),
            (f"if {other} exceeds {one} yes", f"IF ( {second} > {first} )"),
        ]
    )


def square(rng: random.Random, depth: int) -> Pair:
    """The token `2` is said by *two*, and by *the square of _*."""
    if depth == 0:
        return chosen(rng, NUMBERS)
    one, first = square(rng, depth - 1)
    other, second = square(rng, 0)
    return rng.choice(
        [
            (f"the square of {one}", f"( {first} ^ 2 )"),
            (f"the sum of {other} and {one}", f"( {second} + {first} )"),
        ]
    )


def permission(rng: random.Random, depth: int) -> Pair:
    names = rng.sample(PEOPLE, rng.randint(1, 3) if depth < 2 else 4)
    who = " and ".join([" , ".join(names[:-1]), names[-1]] if names[1:] else names)
    act = rng.choice(("read", "write", "share"))
    return f"{who} may {act}", f"allow ( [ {' , '.join(names)} ] , {act} )"


@pytest.mark.parametrize(
    ("language", "depths", "deep", "most_rules"),
    [
        (question, (0, 1), 3, 5),
        (formula, (0, 1), 3, 4),
        (square, (0, 1, 2), 4, 2),
        (permission, (0, 1), 2, 3),
    ],
)
def test_deeper_sentences_need_no_more_rules(
    language: Language, depths: tuple[int, ...], deep: int, most_rules: int
) -> None:
    rng = random.Random(1)
    book = learned(dict(language(rng, depth) for depth in depths for _ in range(60)))
    assert len(book.rules) <= most_rules, [str(rule) for rule in book.rules]
    asked = [language(rng, deep) for _ in range(30)]
    assert [said(book, source) for source, _ in asked] == [target for _, target in asked]


@pytest.mark.parametrize(
    ("targets", "edges"),
    [
        (("answer ( a )", "answer ( f ( b ) )"), ("answer (", ")")),
        (("f ( a ) ;", "g ( b , c ) ;"), ("", ";")),
        (("f ( a )", "g ( b )"), ("", "")),
        (("a", "a"), ("", "")),
    ],
)
def test_edges_hold_whole_pairs_of_brackets(targets: tuple[str, ...], edges: tuple[str, str]) -> None:
    before, after = common_edges([tuple(target.split()) for target in targets])
    assert (" ".join(before), " ".join(after)) == edges


def test_a_list_at_two_lengths_is_going_to_need_a_third_rule() -> None:
    words = ({"C0": 1},) * 3
    two = Rule("R1", (0, "and", 1), ("[", 0, ",", 1, "]"), words[:2])
    three = Rule("R2", (0, ",", 1, "and", 2), ("[", 0, ",", 1, ",", 2, "]"), words)
    other = Rule("R3", (0, "may", 1), ("allow", 0, 1), words[:2])
    assert price_of_longer_lists([two, other]) == 0
    assert price_of_longer_lists([two, three, other]) > 0


def test_a_rule_around_the_whole_sentence_is_said_once() -> None:
    book = RuleBook(
        rules=(
            Rule("TOP", (0,), ("=", 0), ({"ADD": 3, "C0": 1},)),
            Rule("ADD", (0, "plus", 1), ("(", 0, "+", 1, ")"), ({"C0": 3}, {"C0": 3, "ADD": 1})),
        ),
        words=(Word(("two",), ("2",), "C0"), Word(("six",), ("6",), "C0")),
        sentences={"TOP": 4},
    )
    assert said(book, "two plus six plus two") == "= ( 2 + ( 6 + 2 ) )"
    assert said(book, "six") == "= 6"
    assert RuleParser(book).parse(["plus"]) is None


def test_a_part_that_several_rules_have_in_common_becomes_a_rule() -> None:
    rng = random.Random(1)
    pairs = []
    for _ in range(60):
        (one, first), (other, second) = amount(rng, 0), amount(rng, 0)
        pairs += [(f"show {one}", f"show [ {first} ]"), (f"add {one} to {other}", f"{second} += {first}")]
    book = learned(dict(pairs))
    assert sorted(map(str, book.rules)) == [
        "_ _ ↦ Q ( #0 , #1 )",
        "add _ to _ ↦ #1 += #0",
        "show _ ↦ show [ #0 ]",
    ]
