"""The paper's own learner: pairs whose words imply each other, weighted by their co-occurrence (§4.2)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fewlex.errors import LexiconError, did_you_mean
from fewlex.lexicon.lexicon import Lexicon

if TYPE_CHECKING:
    from fewlex.data.example import Example
    from fewlex.lexicon.counts import BoolArray, Counts, FloatArray, IntArray
    from fewlex.lexicon.execution import Execution

RULES = ("C1", "C2", "C3")


def learn_simple(
    examples: Iterable[Example],
    *,
    rule: str = "C3",
    max_competitors: int = 3,
    identity_bonus: bool = False,
    tolerance: float = 0.0,
    min_count: int = 1,
    execution: Execution | None = None,
) -> Lexicon:
    """The pairs that satisfy a rule of §4.2, weighted by #(v, w).

    `max_competitors` is ε of C3. `identity_bonus` adds 1 to pairs of identical words, as the authors' code.
    `tolerance` is the share of sentences in which a condition may fail, so that one typo does not empty a row; 0 is
    the paper. Pairs with #(v, w) below `min_count` do not count, neither as entries nor as competitors.
    """
    from fewlex.lexicon.counts import Counts  # numpy loads when something is counted

    if rule not in RULES:
        raise LexiconError(f"simple has no rule {rule!r}. {did_you_mean(rule, RULES)}")
    if max_competitors < 1:
        raise LexiconError(f"max_competitors = {max_competitors} excludes every pair. Give at least 1.")
    if not 0 <= tolerance < 1:
        raise LexiconError(f"tolerance = {tolerance} is no share of sentences. Give 0, or such as 0.1.")
    if min_count < 1:
        raise LexiconError(f"min_count = {min_count} makes no sense. Give at least 1.")
    counts = Counts.from_examples(examples, execution).at_least(min_count)
    weights = counts.cooccurrence + counts.is_identity * float(identity_bonus)
    return Lexicon(
        counts.lines(satisfies(rule, counts, max_competitors, tolerance), weights, origin="simple")
    )


def satisfies(rule: str, counts: Counts, max_competitors: int, tolerance: float = 0.0) -> BoolArray:
    """[k]: whether the rule holds for the pair (§4.2, C1 to C3)."""
    if rule == "C1":
        return is_winner(counts, tolerance)
    is_explained = is_necessary(counts, tolerance) | has_no_winner(counts, tolerance)
    c2 = is_sufficient(counts, tolerance) & is_explained
    return c2 if rule == "C2" else c2 & has_few_competitors(counts, max_competitors, tolerance)


def is_necessary(counts: Counts, tolerance: float = 0.0) -> BoolArray:
    """[k]: w occurs only where v does (§4.2, nec.), but for a share of `tolerance`."""
    necessary: BoolArray = _failures(counts.target_count_of_pair, counts) <= tolerance
    return necessary


def is_sufficient(counts: Counts, tolerance: float = 0.0) -> BoolArray:
    """[k]: w occurs wherever v does (§4.2, suff.), but for a share of `tolerance`."""
    sufficient: BoolArray = _failures(counts.source_count_of_pair, counts) <= tolerance
    return sufficient


def is_winner(counts: Counts, tolerance: float = 0.0) -> BoolArray:
    """[k]: v and w occur in the same sentences (§4.2, C1)."""
    return is_necessary(counts, tolerance) & is_sufficient(counts, tolerance)


def has_no_winner(counts: Counts, tolerance: float = 0.0) -> BoolArray:
    """[k]: no source word is necessary and sufficient for w (§4.2, no-winner)."""
    no_winner: BoolArray = counts.sharing_target(is_winner(counts, tolerance)) == 0
    return no_winner


def has_few_competitors(counts: Counts, max_competitors: int, tolerance: float = 0.0) -> BoolArray:
    """[k]: at most ε source words are sufficient for w (§4.2, C3)."""
    return counts.sharing_target(is_sufficient(counts, tolerance)) <= max_competitors


def _failures(count: IntArray, counts: Counts) -> FloatArray:
    """[k]: the share of the sentences with one of the words that are without the other."""
    failures: FloatArray = (count - counts.cooccurrence) / count
    return failures
