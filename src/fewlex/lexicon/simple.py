"""The paper's own learner, Simple: pairs of words that imply each other, weighted by how often they co-occur (§4.2)."""

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
    candidates: bool = False,
    execution: Execution | None = None,
) -> Lexicon:
    """The pairs that satisfy a rule of §4.2, weighted by #(v, w).

    `max_competitors` is ε of C3. `identity_bonus` adds 1 to the weight of pairs of identical words, as the authors'
    code does. `tolerance` is the share of sentences in which a condition may fail, so that one typo does not cost a
    word its row; the paper has 0. Pairs with #(v, w) below `min_count` count neither as entries nor as competitors.

    `candidates` adds, with weight 0, the other target words that a word with an entry was seen with. At τ = 0 they
    change nothing. A lexicon that is trained can move to them, as the authors' dense matrix can.
    """
    from fewlex.lexicon.counts import Counts  # so that numpy loads only when needed

    if rule not in RULES:
        raise LexiconError(f"simple has no rule {rule!r}. {did_you_mean(rule, RULES)}")
    if max_competitors < 1:
        raise LexiconError(f"max_competitors = {max_competitors} excludes every pair. Give at least 1.")
    if not 0 <= tolerance < 1:
        raise LexiconError(
            f"tolerance = {tolerance} is not a share of sentences. Give 0, or a number such as 0.1."
        )
    if min_count < 1:
        raise LexiconError(f"min_count = {min_count} makes no sense. Give at least 1.")
    counts = Counts.from_examples(examples, execution).at_least(min_count)
    weights = counts.cooccurrence + counts.is_identity * float(identity_bonus)
    chosen = satisfies(rule, counts, max_competitors, tolerance)
    if candidates:
        weights = weights * chosen
        chosen = counts.sharing_source(chosen) > 0
    return Lexicon(counts.lines(chosen, weights, origin="simple"))


def satisfies(rule: str, counts: Counts, max_competitors: int, tolerance: float = 0.0) -> BoolArray:
    """[k]: whether the rule holds for the pair (§4.2, C1 to C3)."""
    if rule == "C1":
        return is_winner(counts, tolerance)
    is_explained = is_necessary(counts, tolerance) | has_no_winner(counts, tolerance)
    c2 = is_sufficient(counts, tolerance) & is_explained
    return c2 if rule == "C2" else c2 & has_few_competitors(counts, max_competitors, tolerance)


def is_necessary(counts: Counts, tolerance: float = 0.0) -> BoolArray:
    """[k]: whether w occurs only where v does (§4.2, nec.), except for the share `tolerance`."""
    necessary: BoolArray = _failures(counts.target_count_of_pair, counts) <= tolerance
    return necessary


def is_sufficient(counts: Counts, tolerance: float = 0.0) -> BoolArray:
    """[k]: whether w occurs wherever v does (§4.2, suff.), except for the share `tolerance`."""
    sufficient: BoolArray = _failures(counts.source_count_of_pair, counts) <= tolerance
    return sufficient


def is_winner(counts: Counts, tolerance: float = 0.0) -> BoolArray:
    """[k]: whether v and w occur in the same sentences (§4.2, C1)."""
    return is_necessary(counts, tolerance) & is_sufficient(counts, tolerance)


def has_no_winner(counts: Counts, tolerance: float = 0.0) -> BoolArray:
    """[k]: whether no source word is both necessary and sufficient for w (§4.2, no-winner)."""
    no_winner: BoolArray = counts.sharing_target(is_winner(counts, tolerance)) == 0
    return no_winner


def has_few_competitors(counts: Counts, max_competitors: int, tolerance: float = 0.0) -> BoolArray:
    """[k]: whether at most ε source words are sufficient for w (§4.2, C3)."""
    return counts.sharing_target(is_sufficient(counts, tolerance)) <= max_competitors


def _failures(count: IntArray, counts: Counts) -> FloatArray:
    """[k]: of the sentences with one of the words, the share that lacks the other. `count` counts the former."""
    failures: FloatArray = (count - counts.cooccurrence) / count
    return failures
