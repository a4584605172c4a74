"""The README's small table: right numbers, and a clear word where it has no place."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from fewlex.cli import app
from fewlex.errors import ConfigError
from fewlex.experiments.readme_table import BEGIN, END, HEADS, readme_table, with_table
from fewlex.experiments.results import read_results
from tests.experiments.fabricated import fabricate


def row(table: str, label: str) -> dict[str, str]:
    (line,) = [line for line in table.splitlines() if line.startswith(f"| {label} |")]
    return dict(zip(HEADS, [cell.strip() for cell in line.strip("|").split("|")], strict=True))


def test_numbers_stand_beside_the_papers(tmp_path: Path) -> None:
    for seed in range(3):
        fabricate(tmp_path, "jump-simple", seed, 1.0)
    fabricate(tmp_path, "jump", 0, 1.0)
    fabricate(tmp_path, "eng-cmn-lstm", 0, 0.5)
    table = readme_table(read_results(tmp_path))
    assert row(table, "SCAN jump") == {
        "": "SCAN jump",
        "LSTM": "–",
        "+ lexicon": "1.00 ± 0.00 (3)",
        "+ fast mapping": "1.00 (1)",
        "rules; memory": "–",
        "paper: LSTM": "0.00",
        "paper: + lexicon": "0.92",
    }
    assert row(table, "English–Chinese, BLEU")["LSTM"] == "25.0 (1)"


def test_the_rest_of_the_readme_stays_as_it_is(tmp_path: Path) -> None:
    before = f"above\n{BEGIN}\nan old table\n{END}\nbelow\n"
    after = with_table(before, read_results(tmp_path))
    assert after.startswith(f"above\n{BEGIN}\n")
    assert after.endswith(f"{END}\nbelow\n")
    assert "an old table" not in after
    assert with_table(after, read_results(tmp_path)) == after


def test_a_readme_without_the_comments_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="has no place for the table"):
        with_table(f"no end {BEGIN}", read_results(tmp_path))


def test_the_command_writes_the_readme_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    fabricate(tmp_path / "results", "colors", 0, 0.8)
    readme = tmp_path / "README.md"
    readme.write_text(f"{BEGIN}\n{END}\n", encoding="utf-8")
    assert CliRunner().invoke(app, ["report", "--readme", "README.md"]).exit_code == 0
    assert "| Colors |" in readme.read_text(encoding="utf-8")
    assert not (tmp_path / "report.html").exists()


def test_a_readme_in_another_encoding_is_named(tmp_path: Path) -> None:
    (tmp_path / "latin.md").write_bytes("naïve".encode("latin-1"))
    result = CliRunner().invoke(app, ["report", "--readme", str(tmp_path / "latin.md")])
    assert isinstance(result.exception, ConfigError)
    assert "latin.md: byte 3 is not UTF-8" in str(result.exception)


def test_a_readme_that_is_not_there_is_named(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["report", "--readme", str(tmp_path / "none.md")])
    assert isinstance(result.exception, ConfigError)
    assert "none.md" in str(result.exception)
