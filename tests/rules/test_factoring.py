"""Parts that never stand alone as a sentence become rules of their own, and special cases of other rules go."""

from __future__ import annotations

import random

from fewlex.data.example import Example
from fewlex.rules import RuleBook, RuleParser, learn_rules

RELATIONS = {"the mother of": "mother", "the oldest friend of": "oldest ( friend", "whoever met": "met"}
PEOPLE = ("ann", "bob", "cid", "dot", "eve", "fay")
TRAITS = ("kind", "loud", "shy", "tall")


def person(rng: random.Random, depth: int) -> tuple[str, str]:
    if depth == 0:
        name = rng.choice(PEOPLE)
        return name, f"id ( {name} )"
    words, symbol = rng.choice(list(RELATIONS.items()))
    inner, meaning = person(rng, depth - 1)
    return f"{words} {inner}", f"{symbol} ( {meaning} )" + " )" * symbol.count("(")


def question(rng: random.Random, depth: int) -> tuple[str, str]:
    who, meaning = person(rng, depth)
    if rng.random() < 0.5:
        return f"where does {who} live", f"ask ( home ( {meaning} ) )"
    return f"how old is {who}", f"ask ( age ( {meaning} ) )"


def formula(rng: random.Random, depth: int) -> tuple[str, str]:
    def claim(left: int) -> tuple[str, str]:
        trait = rng.choice(TRAITS)
        if left == 0:
            return trait, f"{trait} ( x )"
        rest, meaning = claim(left - 1)
        if rng.random() < 0.5:
            return f"{trait} or {rest}", f"or ( {trait} ( x ) , {meaning} )"
        return f"not {trait} but {rest}", f"and ( not ( {trait} ( x ) ) , {meaning} )"

    words, meaning = claim(depth)
    quantifier, symbol = rng.choice([("every", "all"), ("some", "some")])
    name = rng.choice(PEOPLE)
    return f"{quantifier} {name} is {words}", f"{symbol} x ( {name} ( x ) , {meaning} )"


def learned(pairs: list[tuple[str, str]]) -> RuleBook:
    return learn_rules([Example(tuple(s.split()), tuple(t.split())) for s, t in dict(pairs).items()])


def right(book: RuleBook, pairs: list[tuple[str, str]]) -> float:
    parser = RuleParser(book)
    answers = [parser.parse(source.split()) for source, _ in pairs]
    said = [" ".join(answer.tokens) if answer else "" for answer in answers]
    return sum(answer == target for answer, (_, target) in zip(said, pairs, strict=True)) / len(pairs)


def test_a_noun_phrase_that_is_never_a_sentence_is_a_rule_of_its_own() -> None:
    rng = random.Random(0)
    book = learned([question(rng, depth) for depth in (0, 1, 2) for _ in range(60)])
    assert len(book.rules) <= 8, [str(rule) for rule in book.rules]
    assert right(book, [question(rng, 4) for _ in range(40)]) == 1.0


def test_a_rule_for_words_goes_where_a_rule_for_phrases_says_the_same() -> None:
    rng = random.Random(0)
    book = learned([formula(rng, depth) for depth in (0, 1, 2) for _ in range(60)])
    assert len(book.rules) <= 6, [str(rule) for rule in book.rules]
    assert right(book, [formula(rng, 4) for _ in range(40)]) == 1.0
