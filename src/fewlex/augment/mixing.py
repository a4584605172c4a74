"""Training on real and synthetic examples together: how many of each, and which ones an epoch contains."""

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
"""The name of the method that makes new examples for every epoch."""

OfEpoch: TypeAlias = Callable[[int], tuple[Example, ...]]
"""A function from the number of an epoch to its synthetic examples. The same epoch always gets the same examples."""


def synthetic_examples(
    examples: Sequence[Example], config: AugmentationConfig, seed: int
) -> tuple[Example, ...]:
    """The examples that a run mixes with its training examples: the configured method makes them, or a file has them.

    There are none if the method makes new examples for every epoch; `fresh_examples` gives those.
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
            f"augmentation.method = {config.method!r} makes no new example from this data. Set other "
            "augmentation.parameters (docs/augmentation.md), or set augmentation.method = ''."
        )
    return new


def fresh_examples(
    examples: Sequence[Example], config: AugmentationConfig, seed: int, book: RuleBook | None = None
) -> OfEpoch | None:
    """The function that makes the synthetic examples of an epoch; None if the method does not make new ones each time.

    The rules come from the file that the settings name, else from the run (`book`), else they are learned here.
    """
    if config.method != FRESH:
        return None
    parameters = dict(config.parameters)
    check_parameters(FRESH, parameters)
    if "limit" in parameters:
        raise ConfigError(
            "augmentation.parameters.limit: rules make new examples for every epoch, and augmentation.ratio "
            "says how many. Leave the limit out."
        )
    if path := parameters.pop("rules", ""):
        book = load_rules(path)
    sampler = RuleSampler(book or learn_rules(examples), examples, seed=seed, **parameters)
    count = synthetic_count(len(examples), config.ratio)
    if not sampler.of_epoch(0, 1):
        raise ConfigError(
            "augmentation.method = 'rules': the rules derive no new sentence. Set augmentation.parameters.depth "
            "or length higher than in the data, or set augmentation.method = ''."
        )
    return lambda epoch: sampler.of_epoch(epoch, count)


def synthetic_count(real: int, ratio: float) -> int:
    """The number of synthetic examples that are a share of `ratio` in a mixture with `real` real ones."""
    return round(real * ratio / (1 - ratio))


@dataclass(frozen=True)
class EpochSampler:
    """Chooses the examples of an epoch: all real ones, which come first, and other synthetic ones in each epoch."""

    real: int
    synthetic: int = 0
    ratio: float = 0.0
    seed: int = 0

    def of_epoch(self, epoch: int) -> list[int]:
        """The numbers of an epoch's examples, which depend on the seed and the epoch alone.

        A synthetic example is repeated only when there are too few of them.
        """
        pool = range(self.real, self.real + self.synthetic)
        wanted = synthetic_count(self.real, self.ratio) if pool else 0
        rounds, rest = divmod(wanted, len(pool)) if pool else (0, 0)
        drawn = random.Random(f"{self.seed}/{epoch}/synthetic").sample(pool, rest)
        return [*range(self.real), *list(pool) * rounds, *drawn]


def _require_known_words(path: str, new: Sequence[Example], real: Sequence[Example]) -> None:
    """Refuse words that no real example has: vocabularies come from the real examples, so they could not be trained."""
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
