"""How far rules can be trusted: they are learned again without some pairs, and asked for these.

The pairs that are set aside have two neighbouring words that the remaining ones never have side by side. So the trial
asks what users ask: is a new combination right? Sentences that the rules do not derive count as unanswered, not as
wrong.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fewlex.data.example import Example
from fewlex.rules.book import RuleBook
from fewlex.rules.evaluation import parse_or_none
from fewlex.rules.parsing.parser import RuleParser

Learner = Callable[[Sequence[Example]], RuleBook]

SHARE = 1 / 4
"""Each trial sets about this share of the pairs aside."""

TRIALS = range(3, 13)
"""How many trials there are: more with few pairs, so that enough questions are asked."""
QUESTIONS = 600
ENOUGH_ANSWERS, HOPELESS = 20, 0.94
"""After so many answers, of which fewer than this share are right, further trials would not change the verdict."""


@dataclass(frozen=True)
class Trial:
    """What the rules said to pairs that they had not seen."""

    asked: int = 0
    answered: int = 0
    right: int = 0

    @property
    def precision(self) -> float:
        """A cautious estimate of how often an answer is right (Laplace's rule of succession)."""
        return (self.right + 1) / (self.answered + 2)

    @property
    def coverage(self) -> float:
        return self.answered / max(1, self.asked)


def try_rules(examples: Sequence[Example], learn: Learner, seed: int = 0) -> Trial:
    """Learn rules several times without some combinations of words, and ask them for the sentences that have these."""
    asked = answered = right = 0
    trials = round(QUESTIONS / (SHARE * len(examples)))
    for number in range(min(max(trials, TRIALS[0]), TRIALS[-1])):
        kept, aside = _split(examples, random.Random(f"{seed}/{number}"))
        parser = RuleParser(learn(kept))
        for example in aside:
            derivation = parse_or_none(parser, example.source)
            asked += 1
            answered += derivation is not None
            right += derivation is not None and derivation.tokens == example.target
        if answered >= ENOUGH_ANSWERS and right < HOPELESS * answered:
            break
    return Trial(asked, answered, right)


def _split(examples: Sequence[Example], rng: random.Random) -> tuple[list[Example], list[Example]]:
    """Set whole combinations of two words aside, in random order, until there are enough sentences."""
    holders: dict[tuple[str, str], list[int]] = {}
    for i, example in enumerate(examples):
        for pair in set(zip(example.source, example.source[1:], strict=False)):
            holders.setdefault(pair, []).append(i)
    wanted = max(1, round(SHARE * len(examples)))
    aside: set[int] = set()
    for pair in rng.sample(list(holders), len(holders)):
        # A combination that half of the sentences have is the language, and not a combination.
        if len(aside | set(holders[pair])) <= wanted:
            aside.update(holders[pair])
    if not aside:
        aside = set(rng.sample(range(len(examples)), wanted))
    kept = [example for i, example in enumerate(examples) if i not in aside]
    return kept, [example for i, example in enumerate(examples) if i in aside]
