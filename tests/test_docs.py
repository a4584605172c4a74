"""docs/paper_map.md names files and functions that exist; docs/report.md has the numbers of results/."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fewlex.experiments.render_text import render_markdown
from fewlex.experiments.report import make_report
from fewlex.experiments.results import read_results

ROOT = Path(__file__).parent.parent
MAP = (ROOT / "docs" / "paper_map.md").read_text(encoding="utf-8")
PLACES = sorted(set(re.findall(r"`([\w/]+\.(?:py|toml))(?:: ([\w.]+))?`", MAP)))


@pytest.mark.parametrize(("path", "name"), PLACES, ids=str)
def test_the_place_exists(path: str, name: str) -> None:
    text = (ROOT / "src" / "fewlex" / path).read_text(encoding="utf-8")
    for part in filter(None, name.split(".")):
        assert re.search(rf"(def|class) {part}\b", text), f"{path} has no {part}"


def test_the_map_names_something() -> None:
    assert len(PLACES) > 15


def test_links_between_documents_lead_somewhere() -> None:
    for document in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        for target in re.findall(r"\]\(([\w./]+)\)", document.read_text(encoding="utf-8")):
            assert (document.parent / target).exists(), f"{document.name} → {target}"


def test_the_committed_report_is_that_of_the_committed_results() -> None:
    report = render_markdown(make_report(read_results(ROOT / "results")))
    committed = (ROOT / "docs" / "report.md").read_text(encoding="utf-8")
    assert committed == report, "make it anew: fewlex report --out docs/report.html --out docs/report.md"
