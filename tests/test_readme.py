"""The README is short and true: its Python runs, its output is real, its table has the numbers of results/."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from fewlex.cli import app
from fewlex.experiments.readme_table import with_table
from fewlex.experiments.results import read_results

README = Path(__file__).parent.parent / "README.md"
TEXT = README.read_text(encoding="utf-8")
LONGEST = 900
"""Words, counted as `wc -w` does: a reader has five minutes."""


def block(language: str) -> str:
    (found,) = re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)
    return str(found)


def test_it_is_short() -> None:
    assert len(TEXT.split()) <= LONGEST


def test_the_four_lines_do_what_they_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code = block("python")
    promised = re.findall(r"print\(.*\)  # (.*)", code)
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "README.md", "exec"), {})
    assert capsys.readouterr().out.splitlines() == promised


@pytest.mark.slow
def test_the_demo_prints_what_the_readme_shows(tmp_path: Path) -> None:
    """Wrong outputs (`said: …`) are left out of the README, since they may differ from one processor to another."""
    printed = CliRunner().invoke(app, ["demo", "--out", str(tmp_path)]).stdout.splitlines()
    shown = [line for line in block("text").splitlines() if line]
    assert [line for line in printed if line in shown] == shown


def test_the_table_is_that_of_the_results() -> None:
    fresh = with_table(TEXT, read_results(README.parent / "results"))
    assert fresh == TEXT, "write it again: fewlex report --readme README.md"


def test_every_folder_of_the_tree_exists() -> None:
    tree = TEXT[TEXT.index("src/fewlex/\n") : TEXT.index("## Where to go on")]
    package = README.parent / "src" / "fewlex"
    for name in re.findall(r"^  (\S+)", tree, re.MULTILINE):
        assert (package / name).exists(), name
    for name in re.findall(r"^(\w+/)", tree, re.MULTILINE):
        assert (README.parent / name).exists(), name
