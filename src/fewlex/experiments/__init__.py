"""The paper's experiments as data, the runner that turns them into results, and the report that shows the results."""

from fewlex.experiments.experiment import Experiment
from fewlex.experiments.runner import run_one

__all__ = ["Experiment", "run_one"]
