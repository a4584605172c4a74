"""New examples from old ones, for training on both. Needs no torch."""

from fewlex.augment.geca import augment_geca
from fewlex.augment.mixing import EpochSampler, synthetic_count, synthetic_examples
from fewlex.augment.registry import AUGMENTERS, augment

__all__ = [
    "AUGMENTERS",
    "EpochSampler",
    "augment",
    "augment_geca",
    "synthetic_count",
    "synthetic_examples",
]
