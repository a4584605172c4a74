"""Experiments that compare rules with holes and networks (docs/rules.md), on clean, on noisy and on little data."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from fewlex.data.corpus import Corpus
from fewlex.data.example import Example
from fewlex.experiments.experiment import Experiment

TASKS_OF_RULES = {
    "colors": "colors",
    "jump": "scan:jump",
    "around-right": "scan:around_right",
    "length": "scan:length",
    "cogs": "cogs",
}
"""The data set of each task."""

WAYS = {"rules": "rules.exact_match", "network": "test.exact_match", "both": "both.exact_match"}
"""Who answers, and the figure of a result that measures the answers."""

CURVES = {"jump": (100, 300, 1000), "cogs": (1000, 3000, 10000)}
"""The numbers of training pairs that are tried, by task."""

_NETWORK = {"cogs": "fast+nested"}
_WITH_RULES = ("rules.learn=true",)
_SAMPLES = (*_WITH_RULES, "augmentation.method=rules", "augmentation.ratio=0.5")


@dataclass(frozen=True)
class FewPairs:
    """Train on a few of the training pairs, which are drawn by seed."""

    number: int

    def __call__(self, corpus: Corpus, seed: int) -> Corpus:
        drawn = random.Random(seed).sample(corpus["train"], self.number)
        return _with_training(corpus, tuple(drawn), f"{self.number} pairs")


@dataclass(frozen=True)
class ExchangedTargets:
    """Train with a share of the pairs in which the targets have been shuffled among these pairs."""

    share: float

    def __call__(self, corpus: Corpus, seed: int) -> Corpus:
        rng, train = random.Random(seed), list(corpus["train"])
        chosen = rng.sample(range(len(train)), round(self.share * len(train)))
        targets = [train[i].target for i in chosen]
        rng.shuffle(targets)
        for i, target in zip(chosen, targets, strict=True):
            train[i] = replace(train[i], target=target)
        return _with_training(corpus, tuple(train), f"{self.share:g} of the targets exchanged")


@dataclass(frozen=True)
class WrongTokens:
    """Train with a share of the targets in which another token of the vocabulary replaces one token."""

    share: float

    def __call__(self, corpus: Corpus, seed: int) -> Corpus:
        rng, train = random.Random(seed), list(corpus["train"])
        tokens = sorted({token for example in train for token in example.target})
        for i in rng.sample(range(len(train)), round(self.share * len(train))):
            target = list(train[i].target)
            place = rng.randrange(len(target))
            target[place] = rng.choice([token for token in tokens if token != target[place]])
            train[i] = replace(train[i], target=tuple(target))
        return _with_training(corpus, tuple(train), f"a wrong token in {self.share:g} of the targets")


def _with_training(corpus: Corpus, train: tuple[Example, ...], how: str) -> Corpus:
    return replace(corpus, name=f"{corpus.name}, {how}", splits={**corpus.splits, "train": train})


NOISE: dict[str, tuple[str, Callable[[Corpus, int], Corpus], tuple[str, ...]]] = {
    "exchanged": (
        "Rules, 5 % of the targets exchanged",
        ExchangedTargets(0.05),
        ("jump", "around-right", "length", "cogs"),
    ),
    "wrong-tokens": ("Rules, one wrong token in 20 % of the targets", WrongTokens(0.2), ("jump",)),
}
"""The kinds of noise in training data, with the tasks that each is tried on."""


def rules_name(task: str, way: str) -> str:
    """The experiment of one way to answer. Network and both share the experiment that trains with samples of rules."""
    return f"{task}-rules" if way == "rules" else f"{task}-samples"


def noisy_name(task: str, noise: str) -> str:
    return f"{task}-rules-{noise}"


def curve_name(task: str, number: int) -> str:
    return f"{task}-{number}-pairs"


RULED = (
    *(
        Experiment(rules_name(task, "rules"), data, task, "rules", "rules")
        for task, data in TASKS_OF_RULES.items()
    ),
    *(
        Experiment(rules_name(task, "both"), data, task, "samples", _NETWORK.get(task, "fast"), _SAMPLES)
        for task, data in TASKS_OF_RULES.items()
    ),
    *(
        Experiment(noisy_name(task, noise), TASKS_OF_RULES[task], task, "rules", "rules", prepare=spoil)
        for noise, (_, spoil, tasks) in NOISE.items()
        for task in tasks
    ),
    *(
        Experiment(
            curve_name(task, number),
            TASKS_OF_RULES[task],
            task,
            "little-data",
            _NETWORK.get(task, "fast"),
            _WITH_RULES,
            prepare=FewPairs(number),
        )
        for task, numbers in CURVES.items()
        for number in numbers
    ),
)
RULED_METHODS = ("rules", "samples", "little-data")
