"""`fewlex reproduce` makes those runs behind the paper's tables that are still missing."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from fewlex.cli.screen import note, resumable, say

if TYPE_CHECKING:
    from fewlex.experiments.backends import Backend, Outcome
    from fewlex.experiments.plan import Job, Plan
    from fewlex.experiments.results import Results

RESULTS = Path("results")
ResultsOption = Annotated[Path, typer.Option("--results", help="The folder with one JSON file for each run.")]


def reproduce(
    table: Annotated[
        list[str] | None,
        typer.Option(help="2, 3, 4, 5, 7, rules, little, script or taught; may be repeated. Default: all."),
    ] = None,
    task: Annotated[
        list[str] | None,
        typer.Option(
            help="colors, jump, around-right, length, cogs, eng-cmn; may be repeated. Default: all."
        ),
    ] = None,
    method: Annotated[
        list[str] | None,
        typer.Option(help="lstm, geca, simple, fast-mapping …; may be repeated. Default: all."),
    ] = None,
    seeds: Annotated[
        int,
        typer.Option(min=0, help="Seeds for each row; 0 = as many as in the paper (Colors 16, others 10)."),
    ] = 0,
    preset: Annotated[
        str, typer.Option(help="`fast`: this project's network. `paper`: the settings of appendix C.")
    ] = "fast",
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="SECTION.NAME=VALUE", help="A setting for every row, for trials with --results."
        ),
    ] = None,
    backend: Annotated[
        Literal["local", "ray"], typer.Option(help="Processes here, or a Ray cluster.")
    ] = "local",
    address: Annotated[
        str, typer.Option(help="The Ray cluster; default: RAY_ADDRESS, else one on this machine.")
    ] = "",
    budget: Annotated[
        str,
        typer.Option(help="Start only runs that will end within this time, such as 2h.", show_default=False),
    ] = "",
    quick: Annotated[
        bool, typer.Option("--quick", help="Only Colors and jump, with every method of Table 2 and one seed.")
    ] = False,
    again: Annotated[
        bool,
        typer.Option("--again", help="Also repeat runs that failed or that another fewlex version made."),
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the plan and stop.")] = False,
    processes: Annotated[int, typer.Option(min=0, help="Runs at a time; 0 = one for each core.")] = 0,
    threads: Annotated[int, typer.Option(min=1, help="CPU threads of a run.")] = 1,
    results: ResultsOption = RESULTS,
    runs: Annotated[Path, typer.Option(help="The folder for the runs themselves.")] = Path("runs"),
) -> None:
    """Make those runs behind the paper's tables that are still missing. You can stop and continue at any time.

    `fewlex reproduce --quick`, `fewlex reproduce --table 2 --task colors --seeds 16 --budget 1h`; then
    `fewlex report`. A run whose result is in results/ is not repeated, and an interrupted run is continued.
    """
    from fewlex.durations import parse_duration
    from fewlex.experiments.backends import LocalBackend, RayBackend, carry_out
    from fewlex.experiments.plan import make_plan, select
    from fewlex.experiments.results import read_results

    _check_folders(results, runs, is_trial=bool(settings))
    seconds = parse_duration(budget) if budget else None
    experiments = select(
        preset,
        table_keys=table or (),
        task_names=task or (),
        method_names=method or (),
        settings=settings or (),
        is_quick=quick,
    )
    found = read_results(results)
    plan = make_plan(experiments, seeds or (1 if quick else 0), found, runs, is_again=again)
    _warn(found)
    _show(plan)
    if dry_run:
        note(_time_of(plan, processes or _cores(threads)))
        return
    if not plan.jobs:
        note("nothing to do. `fewlex report` shows the tables.")
        return
    where: Backend = (
        RayBackend(results, runs, address, processes, threads)
        if backend == "ray"
        else LocalBackend(results, runs, processes, threads)
    )
    note(_time_of(plan, where.slots))
    outcomes: list[Outcome] = []

    def tell(outcome: Outcome) -> None:
        outcomes.append(outcome)
        say(f"{outcome.job.name}: {_said(outcome, results)}")

    with resumable("Every run"):
        left = carry_out(plan.jobs, where, budget=seconds, tell=tell)
    if left and seconds is not None:
        _tell_left(left, seconds, budget)
    if busy := sum(outcome.is_busy for outcome in outcomes):
        note(f"{busy} runs were left to another process, which will write their results.")
    note(f"results are in {results}. `fewlex report` shows the tables.")
    if any(outcome.error for outcome in outcomes):
        sys.exit(1)


def _check_folders(results: Path, runs: Path, *, is_trial: bool) -> None:
    from fewlex.errors import ConfigError

    for folder in (results, runs):
        if folder.exists() and not folder.is_dir():
            raise ConfigError(f"{folder} is a file. Name a folder.")
    if is_trial and results == RESULTS:
        raise ConfigError(
            f"--set makes trials, and they would replace the results in {RESULTS}. Give --results too."
        )


def _tell_left(left: Sequence[Job], seconds: float, budget: str) -> None:
    """Say which runs did not fit into the budget, and which of them would not fit even if they were alone."""
    from fewlex.experiments.plan import duration

    note(f"{len(left)} runs did not fit into the budget. The same command continues with them.")
    if too_long := [job for job in left if job.seconds > seconds]:
        longest = duration(max(job.seconds for job in too_long))
        note(
            f"{len(too_long)} of them will probably take longer than {budget}, up to {longest}. "
            "Give them a larger budget."
        )


def _said(outcome: Outcome, folder: Path) -> str:
    from fewlex.experiments.plan import duration
    from fewlex.experiments.results import read_result

    if outcome.is_busy:
        return "left to another process that works on it"
    if outcome.error:
        return f"FAILED: {outcome.error}"
    result = read_result(folder, outcome.job.experiment.name, outcome.job.seed)
    figures = (
        f"{name} {exact_match:.4f}"
        for name in result.scores
        if (exact_match := result.figure(f"{name}.exact_match")) is not None
    )
    return f"{', '.join(figures)} ({duration(result.seconds)})"


def _warn(found: Results) -> None:
    for damaged in found.damaged:
        note(f"cannot read {found.folder / damaged}. The run counts as missing.")


def _show(plan: Plan) -> None:
    from rich.console import Console
    from rich.table import Table

    from fewlex.experiments.plan import KEPT, duration

    jobs: dict[str, list[Job]] = {}
    for job in plan.jobs:
        jobs.setdefault(job.experiment.name, []).append(job)
    table = Table("run", "seeds", "each about", "", box=None, header_style="bold", pad_edge=False)
    for name, group in jobs.items():
        begun = sum(job.is_begun for job in group)
        other = sum(job.state == "other settings" for job in group)
        remarks = [f"{begun} begun"] if begun else []
        remarks += [f"{other} replace results with other settings"] if other else []
        seeds = ", ".join(str(job.seed) for job in group)
        table.add_row(name, seeds, duration(group[0].seconds), "; ".join(remarks))
    if jobs:
        Console(stderr=True).print(table)
    for state, meaning in KEPT.items():
        if number := sum(job.state == state for job in plan.kept):
            note(f"{number} runs {meaning}")


def _time_of(plan: Plan, slots: int) -> str:
    from fewlex.experiments.plan import duration

    total = duration(sum(job.seconds for job in plan.jobs))
    wall = duration(plan.wall_seconds(slots))
    return f"{len(plan.jobs)} runs, about {total} in all, {wall} with {slots} at a time"


def _cores(threads: int) -> int:
    import os

    return max(1, (os.cpu_count() or 1) // threads)
