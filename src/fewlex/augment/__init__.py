"""Augmentation makes new examples from old ones, for training on both. It needs no torch."""

from fewlex.augment.geca import augment_geca
from fewlex.augment.mixing import EpochSampler, OfEpoch, fresh_examples, synthetic_count, synthetic_examples
from fewlex.augment.registry import AUGMENTERS, augment
from fewlex.augment.rules_sampling import RuleSampler, augment_rules

__all__ = [
    "AUGMENTERS",
    "EpochSampler",
    "OfEpoch",
    "RuleSampler",
    "augment",
    "augment_geca",
    "augment_rules",
    "fresh_examples",
    "synthetic_count",
    "synthetic_examples",
]
