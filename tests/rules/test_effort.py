"""Learning ends: what it may cost is counted, and then nothing else is tried."""

from __future__ import annotations

import random

from fewlex.rules.learning.counting import MAX_WORK, Effort
from fewlex.rules.learning.learner import best_hypothesis
from fewlex.rules.learning.search import Hypothesis

ONSETS = {"c": "k", "p": "p", "t": "t", "ch": "C", "qu": "k", "ll": "L", "rr": "r", "j": "x"}


def spelled(n: int) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Spellings and sounds: letters whose sound depends on the next letter never come out all right."""
    rng, pairs = random.Random(0), []
    for _ in range(n):
        letters, sounds = "", []
        for _ in range(rng.choice([2, 3])):
            onset, vowel = rng.choice(list(ONSETS)), rng.choice("aeiou")
            soft = onset == "c" and vowel in "ei"
            letters += onset + vowel
            sounds += ["T" if soft else ONSETS[onset], vowel]
        pairs.append((tuple(letters), tuple(sounds)))
    return pairs


def test_nothing_else_is_tried_once_the_effort_is_spent() -> None:
    pairs = spelled(60)
    little, plenty = Effort(limit=0), Effort()
    first, best = (best_hypothesis(pairs, False, effort) for effort in (little, plenty))
    assert isinstance(first, Hypothesis)
    assert isinstance(best, Hypothesis)
    assert 0 < little.spent < plenty.spent / 2
    assert best.cost <= first.cost


def test_an_effort_is_spent_only_beyond_its_limit() -> None:
    assert not Effort(spent=MAX_WORK).is_spent
    assert Effort(spent=MAX_WORK + 1).is_spent
