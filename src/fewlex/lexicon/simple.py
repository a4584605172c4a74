"""The paper's own learner: pairs whose words imply each other, weighted by their co-occurrence (§4.2)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fewlex.errors import LexiconError, did_you_mean
from fewlex.lexicon.lexicon import Lexicon

if TYPE_CHECKING:
    from fewlex.data.example import Example
    from fewlex.lexicon.counts import BoolArray, Counts

RULES = ("C1", "C2", "C3")


def learn_simple(
    examples: Iterable[Example],
    *,
    rule: str = "C3",
    max_competitors: int = 3,
    identity_bonus: bool = False,
) -> Lexicon:
    """The pairs that satisfy a rule of §4.2, weighted by #(v, w).

    `max_competitors` is ε of C3. `identity_bonus` adds 1 to pairs of identical words, as the authors' code.
    """
    from fewlex.lexicon.counts import Counts  # numpy loads when something is counted

    if rule not in RULES:
        raise LexiconError(f"simple has no rule {rule!r}. {did_you_mean(rule, RULES)}")
    if max_competitors < 1:
        raise LexiconError(f"max_competitors = {max_competitors} excludes every pair. Give at least 1.")
    counts = Counts.from_examples(examples)
    weights = counts.cooccurrence + counts.is_identity * float(identity_bonus)
    return Lexicon(counts.lines(satisfies(rule, counts, max_competitors), weights, origin="simple"))


def satisfies(rule: str, counts: Counts, max_competitors: int) -> BoolArray:
    """[k]: whether the rule holds for the pair (§4.2, C1 to C3)."""
    if rule == "C1":
        return is_winner(counts)
    c2 = is_sufficient(counts) & (is_necessary(counts) | has_no_winner(counts))
    return c2 if rule == "C2" else c2 & has_few_competitors(counts, max_competitors)


def is_necessary(counts: Counts) -> BoolArray:
    """[k]: w occurs only where v does (§4.2, nec.)."""
    necessary: BoolArray = counts.cooccurrence == counts.target_count_of_pair
    return necessary


def is_sufficient(counts: Counts) -> BoolArray:
    """[k]: w occurs wherever v does (§4.2, suff.)."""
    sufficient: BoolArray = counts.cooccurrence == counts.source_count_of_pair
    return sufficient


def is_winner(counts: Counts) -> BoolArray:
    """[k]: v and w occur in the same sentences (§4.2, C1)."""
    return is_necessary(counts) & is_sufficient(counts)


def has_no_winner(counts: Counts) -> BoolArray:
    """[k]: no source word is necessary and sufficient for w (§4.2, no-winner)."""
    no_winner: BoolArray = counts.sharing_target(is_winner(counts)) == 0
    return no_winner


def has_few_competitors(counts: Counts, max_competitors: int) -> BoolArray:
    """[k]: at most ε source words are sufficient for w (§4.2, C3)."""
    return counts.sharing_target(is_sufficient(counts)) <= max_competitors
