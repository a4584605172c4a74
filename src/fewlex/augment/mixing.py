"""Real and synthetic examples in one training: how many of which, and which of them in an epoch."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from fewlex.augment.registry import augment, check_parameters
from fewlex.augment.rules_sampling import RuleSampler
from fewlex.config import AugmentationConfig
from fewlex.data.example import Example
from fewlex.data.readers import SUFFIXES, read_examples
from fewlex.errors import ConfigError, DataError
from fewlex.rules import RuleBook, learn_rules
from fewlex.rules.storage import load_rules

FRESH = "rules"
"""The method that makes other examples for every epoch."""

OfEpoch: TypeAlias = Callable[[int], tuple[Example, ...]]
"""The synthetic examples of an epoch: the same for the same epoch, however often asked."""


def synthetic_examples(
    examples: Sequence[Example], config: AugmentationConfig, seed: int
) -> tuple[Example, ...]:
    """What a run mixes with its training examples: made by the configured method, or read from a file of pairs.

    Nothing where the method makes other examples for every epoch; `fresh_examples` gives those.
    """
    if not config.is_on or config.method == FRESH:
        return ()
    if Path(config.method).suffix in SUFFIXES:
        new = read_examples(config.method)
        _require_known_words(config.method, new, examples)
        return new
    new = augment(examples, config.method, config.parameters, seed=seed)
    if not new:
        raise ConfigError(
            f"augmentation.method = {config.method!r} makes no new example of this data. Set other "
            "augmentation.parameters (docs/augmentation.md), or augmentation.method = ''."
        )
    return new


def fresh_examples(
    examples: Sequence[Example], config: AugmentationConfig, seed: int, book: RuleBook | None = None
) -> OfEpoch | None:
    """What gives an epoch its synthetic examples, where the method makes other ones for every epoch; else None.

    The rules are those of the run (`book`), unless the settings name a file. Without either they are learned here.
    """
    if config.method != FRESH:
        return None
    parameters = dict(config.parameters)
    check_parameters(FRESH, parameters)
    if "limit" in parameters:
        raise ConfigError(
            "augmentation.parameters.limit: rules make other examples for every epoch, and augmentation.ratio "
            "says how many. Leave the limit out."
        )
    if path := parameters.pop("rules", ""):
        book = load_rules(path)
    sampler = RuleSampler(book or learn_rules(examples), examples, seed=seed, **parameters)
    count = synthetic_count(len(examples), config.ratio)
    if not sampler.of_epoch(0, 1):
        raise ConfigError(
            "augmentation.method = 'rules': the rules derive no new sentence. Set augmentation.parameters.depth "
            "or length to more than the data have, or augmentation.method = ''."
        )
    return lambda epoch: sampler.of_epoch(epoch, count)


def synthetic_count(real: int, ratio: float) -> int:
    """How many synthetic examples make up `ratio` of them and `real` others together."""
    return round(real * ratio / (1 - ratio))


@dataclass(frozen=True)
class EpochSampler:
    """Which examples an epoch has: all real ones, which come first, and in each epoch other synthetic ones."""

    real: int
    synthetic: int = 0
    ratio: float = 0.0
    seed: int = 0

    def of_epoch(self, epoch: int) -> list[int]:
        """The examples of an epoch by number: the same for the same seed, however often asked.

        A synthetic example comes again only when there are too few of them.
        """
        pool = range(self.real, self.real + self.synthetic)
        wanted = synthetic_count(self.real, self.ratio) if pool else 0
        rounds, rest = divmod(wanted, len(pool)) if pool else (0, 0)
        drawn = random.Random(f"{self.seed}/{epoch}/synthetic").sample(pool, rest)
        return [*range(self.real), *list(pool) * rounds, *drawn]


def _require_known_words(path: str, new: Sequence[Example], real: Sequence[Example]) -> None:
    """The vocabularies come from the real examples, and a word that is in none of them cannot be trained."""
    sources = {word for example in real for word in example.source}
    targets = {word for example in real for word in example.target}
    for line, example in enumerate(new, start=1):
        unknown = [word for word in example.source if word not in sources]
        unknown += [word for word in example.target if word not in targets]
        if unknown:
            raise DataError.at(
                path,
                line,
                f"{unknown[0]!r} is in no training example",
                "Augment the data that you train on, or remove the line.",
            )
