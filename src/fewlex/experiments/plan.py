"""Which runs are wanted, which are there already, and how long the others will take."""

from __future__ import annotations

import heapq
import json
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

OWN_METHODS = (*METHODS, "teach", *RULED_METHODS)
"""What `--method` can name."""

QUICK_TASKS = ("colors", "jump")
QUICK_METHODS = (*TABLE_2_METHODS, "fast-mapping")

KEPT: dict[State, str] = {
    "done": "done",
    "older": "of another fewlex version, or do not record their settings (--again makes them anew)",
    "failed": "failed before (--again tries them again)",
}
"""What is not run unless it is asked for again, and what is said about it."""


@dataclass(frozen=True)
class Job:
    """One run of the plan."""

    experiment: Experiment
    seed: int
    state: State
    is_begun: bool
    """Whether an interrupted run waits in its folder."""
    seconds: float
    """What it is thought to take on one core, less what an interrupted run has behind it."""

    @property
    def name(self) -> str:
        return f"{self.experiment.name} seed {self.seed}"


@dataclass(frozen=True)
class Plan:
    jobs: tuple[Job, ...]
    """What is to be run, in this order: all rows with the first seed, then all with the second …"""
    kept: tuple[Job, ...]

    def wall_seconds(self, slots: int) -> float:
        """How long the jobs take with so many at a time, each started when a slot is free."""
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
    """The experiments behind some tables, tasks and methods; where one of them is not narrowed, behind all."""
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
        raise ConfigError("no row of the paper's tables is all of that. Leave out one of the filters.")
    return found


def make_plan(
    experiments: Iterable[Experiment], seeds: int, results: Results, runs: Path, *, is_again: bool = False
) -> Plan:
    """Every experiment with the seeds 0, 1, …; `seeds` = 0 means as many as in the paper."""
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
    """How long an interrupted run has trained, as its last milestone tells."""
    lines = metrics.read_text(encoding="utf-8").splitlines() if metrics.exists() else []
    try:
        return float(json.loads(lines[-1])["seconds"])
    except (IndexError, ValueError, KeyError, TypeError):
        return 0.0


def estimate(experiment: Experiment, results: Results) -> float:
    """The median of what earlier runs of the row took, else of its task with that preset, else a stated guess."""
    preset = experiment.preset.partition("+")[0]
    earlier = [result.seconds for result in results.runs.get(experiment.name, ())]
    if not earlier:
        akin = [e for e in EXPERIMENTS.values() if (e.task, e.preset) == (experiment.task, experiment.preset)]
        earlier = [result.seconds for e in akin for result in results.runs.get(e.name, ())]
    return statistics.median(earlier) if earlier else 60 * TASKS[experiment.task].minutes.get(preset, 1)


def duration(seconds: float) -> str:
    """`42 s`, `2.5 min`, `1.6 h`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.1f} min" if seconds < 90 * 60 else f"{seconds / 3600:.1f} h"


def _check(what: str, names: Iterable[str], known: Iterable[str]) -> None:
    for name in names:
        if name not in known:
            raise ConfigError(f"there is no {what} {name!r}. {did_you_mean(name, known)}")
