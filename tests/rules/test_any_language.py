"""The learner on languages that nobody chose: `python -m tests.rules.any_language` reports them by construction."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules.any_language import HELD_OUT_SEEDS, summary, try_all, try_language
from tests.rules.hand_written import assistant, queries
from tests.rules.notebook import draw_user_language
from tests.rules.random_grammars import Language, draw_language


@settings(max_examples=2, derandomize=True)
@given(st.integers(0, 9_999))
def test_a_drawn_language_is_learned(seed: int) -> None:
    outcome = try_language(draw_language(seed))
    assert outcome.score.accuracy >= 0.9, outcome


LEARN = """
from fewlex.rules.storage import to_json
from tests.rules.any_language import try_language
from tests.rules.random_grammars import Language, draw_language
print(to_json(try_language(draw_language(26)).book))
"""


def test_the_same_pairs_give_the_same_rules_in_any_process() -> None:
    """Words are hashed differently in every process, and nothing may depend on it."""
    books = {
        subprocess.run(
            [sys.executable, "-c", LEARN],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(books) == 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 2, 7, 10, 17, 26, 127, 20_001, 20_004, 20_017])
def test_languages_that_were_not_learned_once(seed: int) -> None:
    """Each of these has shown a mistake of the learner, with as little as 0.02 of its sentences right."""
    assert try_language(draw_language(seed)).score.accuracy >= 0.97


@pytest.mark.slow
def test_two_hundred_languages_that_development_never_saw() -> None:
    mean, total = summary(try_all(HELD_OUT_SEEDS))
    assert mean >= 0.97, total.by_tag()


@pytest.mark.slow
@pytest.mark.parametrize("make", [assistant, queries])
def test_the_languages_that_users_bring(make: Callable[[], Language]) -> None:
    assert try_language(make()).score.accuracy >= 0.97


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "seed"), [("sql", 4), ("gloss", 1), ("robot", 1), ("arithmetic", 0), ("dates", 1)]
)
def test_families_that_users_bring_with_words_seen_once(family: str, seed: int) -> None:
    assert try_language(draw_user_language(family, seed)).score.accuracy >= 0.95
