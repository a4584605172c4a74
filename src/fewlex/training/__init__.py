"""Training: the loop, its checkpoints, and the run folder that it leaves."""

from fewlex.training.run_folder import RunFolder
from fewlex.training.train import max_output_length, train
from fewlex.training.trainer import Progress, Validation

__all__ = ["Progress", "RunFolder", "Validation", "max_output_length", "train"]
