"""`fewlex reproduce` and `fewlex report` from the outside: plan, kill, go on, report."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from fewlex.cli import app
from fewlex.errors import ConfigError
from fewlex.experiments.paper import METHODS, OURS
from tests.experiments.fabricated import fabricate

SMALL = ("--task", "colors", "--set", "training.epochs=3", "--set", "model.hidden=8")


def command(folder: Path, *options: str) -> list[str]:
    places = ("--results", str(folder / "results"), "--runs", str(folder / "runs"))
    return [sys.executable, "-m", "fewlex", "reproduce", *SMALL, *options, *places]


def reports(folder: Path) -> list[str]:
    names = [f"report{ending}" for ending in (".html", ".md", ".tex")]
    wanted = [option for name in names for option in ("--out", str(folder / name))]
    subprocess.run(
        [
            sys.executable,
            "-m",
            "fewlex",
            "report",
            "--without-times",
            "--results",
            str(folder / "results"),
            *wanted,
        ],
        check=True,
        capture_output=True,
    )
    return [(folder / name).read_text() for name in names]


def test_a_dry_run_shows_the_plan_and_does_nothing(tmp_path: Path) -> None:
    results = tmp_path / "results"
    fabricate(results, "colors-lstm", 0, 0.5)
    options = ["--quick", "--dry-run", "--results", str(results), "--runs", str(tmp_path / "runs")]
    shown = CliRunner().invoke(app, ["reproduce", *options])
    assert shown.exit_code == 0
    assert "jump-bayesian" in shown.output
    assert "1 runs are done" in shown.output
    assert "15 runs, about" in shown.output
    assert not (tmp_path / "runs").exists()


def test_a_report_has_a_known_ending(tmp_path: Path) -> None:
    failed = CliRunner().invoke(app, ["report", "--results", str(tmp_path), "--out", "report.doc"])
    assert isinstance(failed.exception, ConfigError)
    assert ".html, .md, .tex" in str(failed.exception)


def test_the_report_of_an_empty_folder_says_so(tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    told = CliRunner().invoke(app, ["report", "--results", str(tmp_path), "--out", str(out)])
    assert told.exit_code == 0
    assert "There are no results" in told.output
    assert "There are no results" in out.read_text()


@pytest.mark.slow
def test_all_methods_on_colors(tmp_path: Path) -> None:
    """`--quick` in a smaller form: every method of Table 2, one seed, few epochs."""
    done = subprocess.run(command(tmp_path, "--quick"), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("test 0.") == 8, done.stdout
    again = subprocess.run(command(tmp_path, "--quick"), capture_output=True, text=True)
    assert "nothing to do" in again.stderr
    _, markdown, _ = reports(tmp_path)
    rows = [line for line in markdown.partition("## Table 3")[0].splitlines() if line.startswith("| ")]
    without_run = [row for row in rows if row.split(" | ")[1].startswith("–")]
    ours = [f"| *{METHODS[method].label}*" for method in OURS["colors"] if method != "fast-mapping"]
    assert [row.partition(" |")[0] for row in without_run] == ours, "which are not of the paper"


@pytest.mark.slow
def test_killed_at_ten_random_moments_the_report_is_the_same(tmp_path: Path) -> None:
    options = ("--method", "lstm", "--method", "simple", "--seeds", "2")
    undisturbed, killed = tmp_path / "undisturbed", tmp_path / "killed"
    started = time.monotonic()
    subprocess.run(command(undisturbed, *options), check=True, capture_output=True)
    whole = time.monotonic() - started

    rng = random.Random(0)
    for _ in range(10):
        process = subprocess.Popen(
            command(killed, *options), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(rng.uniform(0.1, 0.5) * whole)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    for _ in range(3):  # a process of the last killed command may be about to notice
        last = subprocess.run(command(killed, *options), check=True, capture_output=True, text=True)
    assert "nothing to do" in last.stderr
    assert reports(killed) == reports(undisturbed)
    assert not list((killed / "results").rglob("*.failed.json"))
