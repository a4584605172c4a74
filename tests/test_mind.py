"""Who answers: the rules, checked on held-out templates, or a network that nobody has checked on such sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import pytest

import fewlex
from fewlex.grammar import Grammar, nobody
from fewlex.mind import Advance, Mind
from fewlex.rules.book import Calibration

VERBS = {"walk": "WALK", "run": "RUN", "look": "LOOK", "hop": "HOP"}
PAIRS = [
    pair
    for verb, token in VERBS.items()
    for pair in (
        (verb, token),
        (f"{verb} twice", f"{token} {token}"),
        (f"{verb} thrice", f"{token} {token} {token}"),
    )
]


class Wrong:
    """A network that is wrong, and as sure of it as was measured."""

    def __init__(self, confidence: float | None) -> None:
        self.confidence = confidence

    def answer(
        self, sources: Sequence[Sequence[str]], beam: int | None, on_batch: Advance
    ) -> list[list[Any]]:
        return [
            [replace(nobody(source), text="WRONG", by="network", confidence=self.confidence)]
            for source in sources
        ]


def who_answers(precision: dict[int, float], network: float | None, source: str) -> str:
    knowledge = fewlex.fit([*PAIRS, ("jump", "JUMP")])._mind.knowledge
    assert knowledge.rules is not None
    calibration = Calibration(precision, 100, 0.98, 1.0)
    knowledge = replace(knowledge, rules=replace(knowledge.rules, calibration=calibration))
    mind = Mind(knowledge, cast(Any, Wrong(network)), Grammar.of(knowledge))
    return mind.answer([tuple(source.split())], None, "both", lambda n: None)[0][0].by


@pytest.mark.parametrize(
    ("rules", "network", "source", "wanted"),
    [
        (0.97, None, "jump twice", "rules"),  # not sure, but a network is worse at words in new places
        (0.97, 0.99, "jump twice", "rules"),
        (0.40, 0.99, "jump twice", "network"),
        (0.48, 0.90, "jump twice", "rules"),  # half of the network's confidence is less
        (0.00, 0.01, "jump twice", "rules"),  # the network itself says that it is wrong
        (0.97, None, "run twice", "rules"),
        (
            0.60,
            None,
            "run twice",
            "network",
        ),  # like training, where networks are good even if nobody measures it
        (0.97, 0.99, "run twice", "network"),
    ],
)
def test_where_the_rules_are_not_sure(rules: float, network: float | None, source: str, wanted: str) -> None:
    assert who_answers(dict.fromkeys(range(12), rules), network, source) == wanted
