"""Phrases that never stand alone as a sentence are found by comparing rules that differ in one part."""

from __future__ import annotations

import random

from fewlex.rules import learn_rules
from tests.rules.test_learner import answer, examples

NAMES = {"france": "FR", "rome": "RO", "anna": "AN", "peru": "PE", "tom": "TO"}


def name(rng: random.Random) -> tuple[str, str]:
    return rng.choice(list(NAMES.items()))


def phrase(rng: random.Random, depth: int) -> tuple[str, str]:
    if not depth:
        return name(rng)
    source, target = phrase(rng, depth - 1)
    other, said_other = name(rng)
    return rng.choice(
        [
            (f"the twin of {source}", f"pair ( {target} , {target} )"),
            (f"the back of {source}", f"rev ( {target} )"),
            (f"both {source} and {other}", f"set ( {target} , {said_other} )"),
        ]
    )


def question(rng: random.Random, depth: int) -> tuple[str, str]:
    source, target = phrase(rng, depth)
    other, said_other = name(rng)
    return rng.choice(
        [
            (f"what is {source}", f"ask ( {target} )"),
            (f"how many {source} are there", f"count ( {target} )"),
            (f"does {source} like {other}", f"like ( {target} , {said_other} )"),
        ]
    )


def test_each_phrase_and_each_question_is_one_rule() -> None:
    """`what is _` and `what is the back of _` end alike, and still differ in the phrase at their end."""
    rng = random.Random(0)
    pairs = [question(rng, rng.choice((1, 1, 2))) for _ in range(150)]
    book = learn_rules(examples(pairs))
    deep = [question(rng, 5) for _ in range(20)]
    assert [answer(book, source) for source, _ in deep] == [target for _, target in deep]
    assert len(book.rules) == 6
