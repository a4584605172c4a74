"""Rules with holes beside networks (docs/rules.md): experiments on clean data, on spoilt data and on little data."""

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
"""The data of each task."""

WAYS = {"rules": "rules.exact_match", "network": "test.exact_match", "both": "both.exact_match"}
"""Who answers, and the figure of a result that says how well."""

CURVES = {"jump": (100, 300, 1000), "cogs": (1000, 3000, 10000)}
"""Numbers of training pairs, by task."""

_NETWORK = {"cogs": "fast+nested"}
_WITH_RULES = ("rules.learn=true",)
_SAMPLES = (*_WITH_RULES, "augmentation.method=rules", "augmentation.ratio=0.5")


@dataclass(frozen=True)
class FewPairs:
    """Train on some of the training pairs, drawn by seed."""

    number: int

    def __call__(self, corpus: Corpus, seed: int) -> Corpus:
        drawn = random.Random(seed).sample(corpus["train"], self.number)
        return _with_training(corpus, tuple(drawn), f"{self.number} pairs")


@dataclass(frozen=True)
class ExchangedTargets:
    """Train with the targets of a share of the pairs dealt out among them anew."""

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
    """Train with one wrong token in a share of the targets: another token of the same vocabulary in its place."""

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
"""How training data is spoilt, and on which tasks."""


def rules_name(task: str, way: str) -> str:
    """The experiment in which someone answers: a network and both answer in the one that is trained with samples."""
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
