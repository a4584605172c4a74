"""Experiments as data, and the runner that turns them into result files."""

from fewlex.experiments.experiment import Experiment
from fewlex.experiments.runner import run_all, run_one

__all__ = ["Experiment", "run_all", "run_one"]
