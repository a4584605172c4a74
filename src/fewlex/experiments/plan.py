"""A plan says which runs are wanted, which of them exist already, and how long the others will take."""

from __future__ import annotations

import heapq
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fewlex.errors import ConfigError, did_you_mean
from fewlex.experiments.experiment import Experiment
from fewlex.experiments.paper import EXPERIMENTS, METHODS, PRESETS, TABLE_2_METHODS, TASKS
from fewlex.experiments.paper_tables import tables
from fewlex.experiments.results import Results, State, state_of
from fewlex.experiments.ruled import RULED_METHODS
from fewlex.experiments.runner import run_folder
from fewlex.metrics import read_metrics

OWN_METHODS = (*METHODS, "teach", *RULED_METHODS)
"""The methods that `--method` can name."""

QUICK_TASKS = ("colors", "jump")
QUICK_METHODS = (*TABLE_2_METHODS, "fast-mapping")

KEPT: dict[State, str] = {
    "done": "are done",
    "older": "were made by another fewlex version, or do not record their settings (--again repeats them)",
    "failed": "failed before (--again repeats them)",
}
"""The states of runs that are not repeated unless the user asks for it, and the note about each of them."""


@dataclass(frozen=True)
class Job:
    """One run of the plan."""

    experiment: Experiment
    seed: int
    state: State
    is_begun: bool
    """True if the folder has an interrupted run, which will be continued."""
    seconds: float
    """The estimated time on one core, without the time that an interrupted run has trained already."""

    @property
    def name(self) -> str:
        return f"{self.experiment.name} seed {self.seed}"


@dataclass(frozen=True)
class Plan:
    jobs: tuple[Job, ...]
    """The runs to make, in this order: all rows with the first seed, then all rows with the second, and so on."""
    kept: tuple[Job, ...]

    def wall_seconds(self, slots: int) -> float:
        """The time that all jobs take if `slots` of them run at a time and each starts when a slot is free."""
        free = [0.0] * slots
        for job in self.jobs:
            heapq.heappush(free, heapq.heappop(free) + job.seconds)
        return max(free)


def select(
    preset: str = "fast",
    *,
    table_keys: Sequence[str] = (),
    task_names: Sequence[str] = (),
    method_names: Sequence[str] = (),
    settings: Sequence[str] = (),
    is_quick: bool = False,
) -> list[Experiment]:
    """The experiments behind some tables, tasks and methods. A filter that names nothing selects everything."""
    _check("preset", [preset], PRESETS)
    all_tables = {table.key: table for table in tables(preset)}
    _check("table", table_keys, all_tables)
    _check("task", task_names, TASKS)
    _check("method", method_names, OWN_METHODS)
    if is_quick:
        task_names, method_names = task_names or QUICK_TASKS, method_names or QUICK_METHODS
    names = dict.fromkeys(n for key in table_keys or all_tables for n in all_tables[key].experiments())
    found = [
        replace(experiment, settings=(*experiment.settings, *settings))
        for name in names
        if (experiment := EXPERIMENTS.get(name)) is not None
        and experiment.task in (task_names or TASKS)
        and experiment.method in (method_names or OWN_METHODS)
    ]
    if not found:
        raise ConfigError("no row of the tables fits all of that. Leave out one of the filters.")
    return found


def make_plan(
    experiments: Iterable[Experiment], seeds: int, results: Results, runs: Path, *, is_again: bool = False
) -> Plan:
    """A plan for every experiment with the seeds 0, 1, and so on. If `seeds` is 0, each has as many as in the paper."""
    jobs = [
        _job(experiment, seed, results, runs)
        for experiment in experiments
        for seed in range(seeds or TASKS[experiment.task].seeds)
    ]
    jobs.sort(key=lambda job: job.seed)
    wanted = tuple(job for job in jobs if job.state not in KEPT or (is_again and job.state != "done"))
    return Plan(wanted, tuple(job for job in jobs if job not in wanted))


def _job(experiment: Experiment, seed: int, results: Results, runs: Path) -> Job:
    state, folder = state_of(experiment, seed, results), run_folder(experiment, seed, runs)
    is_begun = state != "done" and (folder / "config.toml").exists()
    whole = estimate(experiment, results)
    left = max(0.0, whole - _seconds_behind(folder / "metrics.jsonl")) if is_begun else whole
    return Job(experiment, seed, state, is_begun, left)


def _seconds_behind(metrics: Path) -> float:
    """The seconds that an interrupted run has trained, according to its last milestone."""
    milestones = list(read_metrics(metrics))
    return milestones[-1].get("seconds", 0.0) if milestones else 0.0


def estimate(experiment: Experiment, results: Results) -> float:
    """The median time of earlier runs of the row, else of runs of its task with that preset, else the task's guess."""
    preset = experiment.preset.partition("+")[0]
    earlier = [result.seconds for result in results.runs.get(experiment.name, ())]
    if not earlier:
        akin = [e for e in EXPERIMENTS.values() if (e.task, e.preset) == (experiment.task, experiment.preset)]
        earlier = [result.seconds for e in akin for result in results.runs.get(e.name, ())]
    return statistics.median(earlier) if earlier else 60 * TASKS[experiment.task].minutes.get(preset, 1)


def duration(seconds: float) -> str:
    """A time as text, such as `42 s`, `2.5 min` or `1.6 h`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.1f} min" if seconds < 90 * 60 else f"{seconds / 3600:.1f} h"


def _check(what: str, names: Iterable[str], known: Iterable[str]) -> None:
    for name in names:
        if name not in known:
            raise ConfigError(f"there is no {what} {name!r}. {did_you_mean(name, known)}")
