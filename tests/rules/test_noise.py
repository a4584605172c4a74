"""Wrong pairs: how many of them there are says how many pairs a rule needs, wherever they were noticed."""

from __future__ import annotations

import pytest

from fewlex.data import load
from fewlex.experiments.ruled import ExchangedTargets
from fewlex.rules import RuleParser
from fewlex.rules.evaluation import evaluate_rules
from fewlex.rules.learning.counting import Effort
from fewlex.rules.learning.learner import best_hypothesis
from fewlex.rules.learning.noise import Trust
from fewlex.rules.learning.search import Hypothesis

RULES_OF_SCAN = 9


def support(noise: float, n_pairs: int, n_set_aside: int) -> int:
    return Trust([], noise, n_pairs, [], n_set_aside).support


def test_pairs_that_were_set_aside_count_among_the_wrong_ones() -> None:
    assert support(0.006, 16_000, 0) == 2
    assert support(0.006, 16_000, 700) == 4  # 0.5 % of 796
    assert support(0.0, 16_000, 1_000) == 5
    assert support(0.05, 16_000, 0) == 4  # 0.5 % of 800


def test_a_few_pairs_that_were_set_aside_change_nothing() -> None:
    assert support(0.0, 16_000, 100) == 2
    assert support(0.0, 200, 20) == 2


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_exchanged_targets_leave_the_rules_of_scan_as_they_are(seed: int) -> None:
    """Each had other rules once: some that nobody needed, some of two wrong pairs, and *left* as a word of rules."""
    corpus = ExchangedTargets(0.05)(load("scan:length"), seed)
    found = best_hypothesis([(e.source, e.target) for e in corpus["train"]], False, Effort())
    assert isinstance(found, Hypothesis)
    assert len(found.book.rules) == RULES_OF_SCAN
    assert evaluate_rules(RuleParser(found.book), corpus["test"][::10]).exact_match == 1
