"""The page about reliability has the figures that the torture has written, and all of them held."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from torture import __main__ as torture
from torture import figures
from torture.figures import BEGIN, END, JSON, PAGE, Row, with_figures


def test_the_page_has_the_figures_of_the_last_torture() -> None:
    page = PAGE.read_text(encoding="utf-8")
    known = json.loads(JSON.read_text(encoding="utf-8"))
    assert page == with_figures(page, known)
    assert set(known) <= set(torture.PARTS)
    assert all(Row(**row).is_good for part in known.values() for row in part["rows"])


def _part(row: Row) -> torture.Part:
    return torture.Part(lambda seconds, rng: [row], weight=1)


def test_what_did_not_hold_ends_with_exit_code_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page, told = tmp_path / "page.md", tmp_path / "figures.json"
    page.write_text(f"# Page\n\n{BEGIN}\nold\n{END}\nafter\n", encoding="utf-8")
    monkeypatch.setattr(figures, "PAGE", page)
    monkeypatch.setattr(figures, "JSON", told)
    rows = {"good": Row("a cut", 3, 3), "bad": Row("a bit", 3, 2, "one was used"), "idle": Row("none", 0, 0)}
    monkeypatch.setattr(torture, "PARTS", {name: _part(row) for name, row in rows.items()})
    monkeypatch.setattr("sys.argv", ["torture", "--minutes", "0.1", "--record"])
    assert torture.main() == 1
    assert "did not hold:\nbad: a bit\nidle: none\n" in capsys.readouterr().out
    assert "| a bit | 3 | 2 | one was used |" in page.read_text(encoding="utf-8")
    assert page.read_text(encoding="utf-8").endswith(f"{END}\nafter\n")
    monkeypatch.setattr("sys.argv", ["torture", "--minutes", "0.1", "--only", "good"])
    assert torture.main() == 0
