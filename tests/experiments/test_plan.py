"""Which runs are planned, in which order, and for how long."""

from __future__ import annotations

from pathlib import Path

import pytest

from fewlex.errors import ConfigError
from fewlex.experiments.paper import EXPERIMENTS, TASKS
from fewlex.experiments.plan import duration, estimate, make_plan, select
from fewlex.experiments.results import read_results
from fewlex.experiments.runner import run_folder, write_failure
from tests.experiments.fabricated import fabricate


def names(*filters: str, **more: object) -> list[str]:
    return [experiment.name for experiment in select(*filters, **more)]  # type: ignore[arg-type]


def test_selection() -> None:
    assert names(task_names=["colors"], method_names=["lstm"]) == ["colors-lstm"]
    assert names("paper", task_names=["colors"], method_names=["simple", "geca"]) == [
        "colors-paper-geca",
        "colors-paper",
    ]
    assert names(table_keys=["5"]) == [
        f"cogs-flat-{m}" for m in ("lstm", "uniform", "simple", "soft", "learned", "random")
    ]
    assert len(names(is_quick=True)) == 2 * 8, "seven methods and fast mapping; copying is for COGS"
    assert names(table_keys=["taught"]) == [
        f"teach-{what}" for what in ("jump", "run", "look", "cogs", "cogs-nested", "eng-cmn")
    ]
    assert len(names()) == len(set(names()))


@pytest.mark.parametrize(
    ("filters", "message"),
    [
        ({"table_keys": ["22"]}, "no table '22'"),
        ({"task_names": ["color"]}, "Did you mean 'colors'"),
        ({"method_names": ["simpel"]}, "Did you mean 'simple'"),
        ({"preset": "fats"}, "Did you mean 'fast'"),
        ({"table_keys": ["4"], "task_names": ["colors"]}, "Leave out one of the filters"),
    ],
)
def test_mistakes_in_a_selection(filters: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        select(**filters)  # type: ignore[arg-type]


def test_what_is_done_is_not_planned(tmp_path: Path) -> None:
    experiments = [EXPERIMENTS["colors-lstm"], EXPERIMENTS["colors-simple"]]
    fabricate(tmp_path, "colors-lstm", 0, 0.5)
    fabricate(tmp_path, "colors-lstm", 1, 0.5, fewlex="0.0.1")
    fabricate(tmp_path, "colors-simple", 0, 0.5, identity="another")
    write_failure(tmp_path, experiments[1], 1, "out of luck")
    results = read_results(tmp_path)
    plan = make_plan(experiments, 3, results, tmp_path / "runs")
    assert [(job.name, job.state) for job in plan.jobs] == [
        ("colors-simple seed 0", "other settings"),
        ("colors-lstm seed 2", "missing"),
        ("colors-simple seed 2", "missing"),
    ]
    assert [job.state for job in plan.kept] == ["done", "older", "failed"]
    again = make_plan(experiments, 2, results, tmp_path / "runs", is_again=True)
    assert [job.state for job in again.jobs] == ["other settings", "older", "failed"], "but not what is done"


def test_as_many_seeds_as_in_the_paper(tmp_path: Path) -> None:
    experiments = [EXPERIMENTS["colors-lstm"], EXPERIMENTS["jump-lstm"]]
    plan = make_plan(experiments, 0, read_results(tmp_path), tmp_path)
    assert [job.seed for job in plan.jobs] == sorted([*range(16), *range(10)]), "breadth first"


def test_a_begun_run_is_known(tmp_path: Path) -> None:
    folder = run_folder(EXPERIMENTS["colors-lstm"], 1, tmp_path)
    folder.mkdir(parents=True)
    (folder / "config.toml").touch()
    plan = make_plan([EXPERIMENTS["colors-lstm"]], 2, read_results(tmp_path / "none"), tmp_path)
    assert [job.is_begun for job in plan.jobs] == [False, True]
    whole = plan.jobs[0].seconds
    assert [job.seconds for job in plan.jobs] == [whole, whole]
    for line, left in (('{"seconds": 10.0}', whole - 10), ('{"seconds": 1e9}', 0.0), ('{"secon', whole - 1)):
        (folder / "metrics.jsonl").write_text(f'{{"seconds": 1.0}}\n{line}\n')
        plan = make_plan([EXPERIMENTS["colors-lstm"]], 2, read_results(tmp_path / "none"), tmp_path)
        assert [job.seconds for job in plan.jobs] == [whole, left]


def test_estimates(tmp_path: Path) -> None:
    experiment = EXPERIMENTS["jump-lstm"]
    assert estimate(experiment, read_results(tmp_path)) == 60 * TASKS["jump"].minutes["fast"]
    fabricate(tmp_path, "jump-simple", 0, 0.5, training={"seconds": 70.0}, evaluation_seconds=7)
    assert estimate(experiment, read_results(tmp_path)) == 77, "of the same task"
    for seed, seconds in enumerate((10.0, 20.0, 90.0)):
        fabricate(tmp_path, "jump-lstm", seed, 0.5, training={"seconds": seconds}, evaluation_seconds=0)
    assert estimate(experiment, read_results(tmp_path)) == 20, "the median of its own"


def test_wall_time(tmp_path: Path) -> None:
    plan = make_plan([EXPERIMENTS["jump-lstm"]], 3, read_results(tmp_path), tmp_path)
    one = plan.jobs[0].seconds
    assert [plan.wall_seconds(slots) for slots in (1, 2, 3, 9)] == [3 * one, 2 * one, one, one]


def test_durations() -> None:
    assert [duration(seconds) for seconds in (42, 150, 5760)] == ["42 s", "2.5 min", "1.6 h"]
