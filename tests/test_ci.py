"""What CI runs works with and without the folder of published data, and GitHub runs the same script."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def told_by_make(checkout: Path, **environment: str) -> list[str]:
    """What `make` is asked for by .ci/run, with the FEWLEX_DATA that it sees; `make` itself is a stand-in."""
    (checkout / ".ci").mkdir(parents=True)
    shutil.copy(ROOT / ".ci" / "run", checkout / ".ci" / "run")
    make = checkout / "make"
    make.write_text('#!/bin/sh\necho "$1 ${FEWLEX_DATA-unset}"\n', encoding="utf-8")
    make.chmod(0o755)
    inherited = {name: value for name, value in os.environ.items() if name != "FEWLEX_DATA"}
    path = f"{checkout}:{os.environ['PATH']}"
    done = subprocess.run(
        [checkout / ".ci" / "run"],
        env={**inherited, **environment, "PATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def targets_with(data: object) -> list[str]:
    return [f"{target} {data}" for target in ("lint", "test", "test-slow", "torture-short", "demo")]


def test_without_published_data(tmp_path: Path) -> None:
    assert told_by_make(tmp_path / "checkout") == targets_with("unset")


def test_with_published_data_beside_the_checkout(tmp_path: Path) -> None:
    data = tmp_path / "shared" / "data"
    data.mkdir(parents=True)
    assert told_by_make(tmp_path / "checkout") == targets_with(data)


def test_with_published_data_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "shared" / "data").mkdir(parents=True)
    assert told_by_make(tmp_path / "checkout", FEWLEX_DATA="/mine") == targets_with("/mine")


@pytest.mark.parametrize("name", ["ruff check", "ruff format", "mypy"])
def test_hooks_are_the_checks_of_make_lint(name: str) -> None:
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert f"entry: .venv/bin/{name}" in hooks
    assert f"$(BIN)/{name}" in makefile


def test_github_runs_the_same_script() -> None:
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    assert "- run: .ci/run" in workflow
    assert "- run: make audit" in workflow
    assert "-r tests.lock" in (ROOT / "Makefile").read_text(encoding="utf-8").partition("\naudit:")[2]


def test_every_requirement_of_the_tests_is_locked() -> None:
    """A requirement that is not in tests.lock is installed in whichever version is newest on that day."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [
        *project["dependencies"],
        *(line for name in ("cluster", "dev", "studio", "text") for line in extras[name]),
    ]
    names = {re.split(r"[\[<>=;]", line)[0].strip() for line in wanted} - {"fewlex"}
    lines = (ROOT / "tests.lock").read_text(encoding="utf-8").splitlines()
    assert names <= {line.partition("==")[0] for line in lines if "==" in line and not line.startswith("#")}
