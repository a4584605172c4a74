"""Bars of scores: what is drawn, with what beside it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fewlex.errors import DataError
from fewlex.evaluation import Scores
from fewlex.evaluation_view import plot_categories

SCORES = Scores(
    examples=4,
    exact_match=0.25,
    by_category={"cp_recursion": 0.125, "odd_$one": 1.0},
    bleu=0.5,
    token_f1=0.5,
    by_group={"recursion": 0.375},
)


def labels(path: Path) -> list[str]:
    """The texts of an SVG, which matplotlib notes beside the glyphs it draws."""
    return [text.strip() for text in re.findall(r"<!-- (.*?) -->", path.read_text(encoding="utf-8"))]


def test_all_groups_categories_and_references_are_drawn(tmp_path: Path) -> None:
    path = tmp_path / "bars.svg"
    reference = {"paper, simple": {"all": 0.82, "recursion": 0.01, "a group that was not evaluated": 0.5}}
    plot_categories(SCORES, path, name="mine", reference=reference)
    drawn = labels(path)
    for text in ("all", "recursion", "cp_recursion", "odd_$one", "mine", "paper, simple"):
        assert text in drawn
    for number in ("0.25", "0.38", "0.12", "0.82", "0.01", "1.00"):
        assert number in drawn
    assert "a group that was not evaluated" not in drawn


def test_scores_without_categories(tmp_path: Path) -> None:
    plot_categories(Scores(1, 0.5, {}, 0.5, 0.5), tmp_path / "bars.png")
    assert (tmp_path / "bars.png").read_bytes().startswith(b"\x89PNG")


def test_a_plot_needs_the_ending_of_an_image(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"bars\.txt: a plot is a png, svg, pdf file"):
        plot_categories(SCORES, tmp_path / "bars.txt")
