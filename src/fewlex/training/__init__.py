"""Training: the loop, its checkpoints, and the way from a corpus to a finished run."""

from fewlex.training.distributed import is_first_worker
from fewlex.training.pipeline import train
from fewlex.training.progress import Progress, Validation

__all__ = ["Progress", "Validation", "is_first_worker", "train"]
