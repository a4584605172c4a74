"""Training: the loop, its checkpoints, and the run folder that it leaves."""

from fewlex.training.distributed import is_first_worker
from fewlex.training.progress import Progress, Validation
from fewlex.training.run_folder import RunFolder
from fewlex.training.train import max_output_length, train

__all__ = ["Progress", "RunFolder", "Validation", "is_first_worker", "max_output_length", "train"]
