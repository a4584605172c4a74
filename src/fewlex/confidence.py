"""How sure a network's answer is: its log probability, turned into the probability that the answer is right.

A network that was trained to be certain is certain of its mistakes too. So its log probabilities are compared with what
was right on the validation examples, by logistic regression (Platt 1999). Needs no torch.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

MIN_CHECKED = 10
"""With fewer validation examples nothing can be said."""
STEPS = 50
RIDGE = 1e-2
"""Keeps the curve from becoming a step where right and wrong answers can be told apart perfectly."""
LONGEST = -100.0
"""Answers below this log probability are all as unlikely."""


@dataclass(frozen=True)
class Confidence:
    """A logistic curve over the log probability of an answer."""

    slope: float
    intercept: float
    checked: int
    """The number of validation examples that it was fitted to."""

    def of(self, log_prob: float) -> float:
        """The estimated probability that an answer with this log probability is right."""
        return _logistic(self.slope * max(log_prob, LONGEST) + self.intercept)


def fit_confidence(log_probs: Sequence[float], hits: Sequence[bool]) -> Confidence | None:
    """The curve that fits best; None where there are too few answers to fit one to.

    As in Platt's method, a right answer counts a little less than right and a wrong one a little more than wrong, so
    that a network without a mistake in 30 examples is not certain of everything.
    """
    if len(hits) < MIN_CHECKED:
        return None
    right = sum(hits)
    of_right, of_wrong = (right + 1) / (right + 2), 1 / (len(hits) - right + 2)
    goals = [of_right if hit else of_wrong for hit in hits]
    scores = [max(log_prob, LONGEST) for log_prob in log_probs]
    slope, intercept = 0.0, 0.0
    for _ in range(STEPS):
        slope, intercept = _newton(scores, goals, slope, intercept)
    # A likelier answer is never less sure: where the examples say otherwise, they are too few to tell.
    if slope < 0:
        share = sum(goals) / len(goals)
        slope, intercept = 0.0, math.log(share / (1 - share))
    return Confidence(slope, intercept, len(hits))


def _newton(
    scores: Sequence[float], goals: Sequence[float], slope: float, intercept: float
) -> tuple[float, float]:
    """One step of Newton's method, half-way, which converges for these two parameters."""
    g_slope, g_intercept = RIDGE * slope, 0.0
    h_ss, h_si, h_ii = RIDGE, 0.0, 1e-9
    for score, goal in zip(scores, goals, strict=True):
        p = _logistic(slope * score + intercept)
        weight = max(p * (1 - p), 1e-6)
        g_slope += (p - goal) * score
        g_intercept += p - goal
        h_ss += weight * score * score
        h_si += weight * score
        h_ii += weight
    determinant = max(h_ss * h_ii - h_si * h_si, 1e-12)
    step_slope = (h_ii * g_slope - h_si * g_intercept) / determinant
    step_intercept = (h_ss * g_intercept - h_si * g_slope) / determinant
    return slope - 0.5 * step_slope, intercept - 0.5 * step_intercept


def _logistic(value: float) -> float:
    return 1 / (1 + math.exp(-value)) if value > -700 else 0.0


@dataclass(frozen=True)
class Bin:
    """Answers of similar confidence."""

    confidence: float
    accuracy: float
    count: int


@dataclass(frozen=True)
class Reliability:
    """How confidence and accuracy go together."""

    bins: tuple[Bin, ...]

    @property
    def answers(self) -> int:
        return sum(bin_.count for bin_ in self.bins)

    @property
    def error(self) -> float:
        """The expected calibration error: how far confidence is from accuracy, on average over all answers."""
        return sum(bin_.count * abs(bin_.confidence - bin_.accuracy) for bin_ in self.bins) / self.answers


def reliability(confidences: Sequence[float], hits: Sequence[bool], bins: int = 10) -> Reliability | None:
    """Compare confidence with accuracy in bins of equal width; None without answers."""
    if not confidences:
        return None
    members: list[list[tuple[float, bool]]] = [[] for _ in range(bins)]
    for confidence, hit in zip(confidences, hits, strict=True):
        members[min(int(confidence * bins), bins - 1)].append((confidence, hit))
    found = tuple(
        Bin(sum(c for c, _ in group) / len(group), sum(h for _, h in group) / len(group), len(group))
        for group in members
        if group
    )
    return Reliability(found)
