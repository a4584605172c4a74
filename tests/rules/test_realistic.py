"""Hand-written languages with nested conditions, optional arguments and articles, which were learned as flat rules."""

from __future__ import annotations

import random

from fewlex.rules.learning.counting import Effort
from fewlex.rules.learning.learner import best_hypothesis
from fewlex.rules.words.function_words import operators
from fewlex.rules.words.templates import Lexis, count_templates
from tests.rules.test_factoring import learned, right

COLUMNS = ("age", "city", "height", "name", "team")
VALUES = {"red": "red", "ten": "10", "bob": "bob", "fifty": "50", "paris": "paris"}
TESTS = {"is": "=", "above": ">", "below": "<", "is not": "!="}
TABLES = {"players": "player", "orders": "order", "clients": "client"}
THINGS = ("task", "note", "event", "alarm")
ARGUMENTS = {
    "to": ("receiver", ("ann", "bob", "cid", "dot")),
    "about": ("subject", ("rent", "lunch", "yoga", "taxes")),
    "on": ("day", ("monday", "friday", "sunday")),
    "near": ("place", ("home", "gym", "beach")),
    "as": ("tone", ("polite", "funny", "short")),
}


def condition(rng: random.Random, depth: int) -> tuple[str, str]:
    if depth == 0:
        (test, symbol), (value, token) = rng.choice(list(TESTS.items())), rng.choice(list(VALUES.items()))
        column = rng.choice(COLUMNS)
        return f"{column} {test} {value}", f"{column} {symbol} {token}"
    one, first = condition(rng, depth - 1)
    other, second = condition(rng, rng.randrange(depth))
    return rng.choice(
        [
            (f"both {one} and {other}", f"( {first} AND {second} )"),
            (f"either {one} or {other}", f"( {first} OR {second} )"),
            (f"not {one}", f"NOT {first}"),
        ]
    )


def query(rng: random.Random, depth: int) -> tuple[str, str]:
    words, meaning = condition(rng, depth)
    table, symbol = rng.choice(list(TABLES.items()))
    column = rng.choice(COLUMNS)
    what, token = rng.choice([("all", "*"), (f"the {column}", column)])
    return f"show {what} of {table} where {words}", f"SELECT {token} FROM {symbol} WHERE {meaning}"


def request(rng: random.Random, depth: int) -> tuple[str, str]:
    if depth:
        words, meaning = request(rng, depth - 1)
        verb = rng.choice(("save", "preview"))
        return f"{verb} {words}", f"{verb} ( {meaning} )"
    verb, symbol = rng.choice([("find", "search"), ("delete", "delete"), ("create", "create")])
    thing = rng.choice(THINGS)
    words, tokens = f"{verb} a {thing}", f"{symbol} ( type = {thing}"
    for marker, (key, values) in ARGUMENTS.items():
        if rng.random() < 0.4:
            value = rng.choice(values)
            words, tokens = f"{words} {marker} {value}", f"{tokens} , {key} = {value}"
    return words, f"{tokens} )"


def test_a_condition_is_one_part_although_it_never_stands_alone() -> None:
    rng = random.Random(3)
    drawn = dict(query(rng, depth) for depth in (0, 1, 2) for _ in range(50))
    pairs = [(tuple(source.split()), tuple(target.split())) for source, target in drawn.items()]
    found = best_hypothesis(pairs, is_open_ended=False, effort=Effort())
    assert not isinstance(found, str)
    assert right(found.book, [query(rng, 4) for _ in range(40)]) == 1.0


def test_arguments_that_may_be_left_out_need_one_rule_each() -> None:
    rng = random.Random(0)
    book = learned([request(rng, depth) for depth in (0, 1, 2) for _ in range(40)])
    assert len(book.rules) <= 12, [str(rule) for rule in book.rules]
    assert right(book, [request(rng, depth) for depth in (0, 3) for _ in range(40)]) >= 0.97


def test_an_article_between_two_words_belongs_to_neither() -> None:
    rng = random.Random(1)
    book = learned([request(rng, 0) for _ in range(150)])
    terms = {word.term for word in book.words}
    assert terms >= {"find", "task"}
    assert not any(" a" in term or "a " in term for term in terms)


def test_words_that_agree_by_chance_are_no_operators() -> None:
    """A few odd targets must not make all nouns words of rules because the sentences with the same nouns agree."""
    nouns = {f"n{i}": f"N{i}" for i in range(5)}
    usual = [
        (one, other) for one in nouns for other in nouns if one != other and (one, other) != ("n4", "n0")
    ]
    pairs = [((one, "and", other), (nouns[one], nouns[other])) for one, other in usual + usual[:4]]
    pairs += [(("n4", "and", "n0"), (nouns["n0"], nouns["n4"]))] * 2
    lexis = Lexis({noun: (token,) for noun, token in nouns.items()}, dict.fromkeys(nouns, "C0"))
    assert operators(count_templates(lexis.read(pairs), lexis), lexis.classes) == set()
