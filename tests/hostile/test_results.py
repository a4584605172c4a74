"""A result file of any shape is counted, or listed as damaged; the report is made in every case."""

from __future__ import annotations

import random
import re
from pathlib import Path

from fewlex.experiments.render_html import render_html
from fewlex.experiments.render_text import render_latex, render_markdown
from fewlex.experiments.report import make_report
from fewlex.experiments.results import read_results, result_path
from tests.experiments.fabricated import fabricate
from torture.mutation import json_mutation

EXAMPLE = {
    "word": "dax",
    "step": 0,
    "learned_from": {"source": "dax", "target": "RED"},
    "source": ["dax"],
    "tokens": ["RED"],
    "reference": ["RED"],
    "attention": [[1.0]],
    "write_gate": [0.1],
    "lexicon": {"dax": {"RED": 1.0}},
}


def test_results_of_another_shape_never_end_a_report(tmp_path: Path) -> None:
    for seed in (0, 1):
        fabricate(tmp_path, "colors-simple", seed, 0.8, examples=10, lexicon={"dax": {"RED": 1.0}})
        counts = [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]] * 4
        fabricate(
            tmp_path,
            "eng-cmn-simple",
            seed,
            0.5,
            examples=4,
            example=EXAMPLE,
            bleu_counts=counts,
            one_shot="0101",
        )
    rng, refused = random.Random(3), 0
    for name in ("colors-simple", "eng-cmn-simple"):
        path = result_path(tmp_path, name, 0)
        whole = path.read_bytes()
        for _ in range(25):
            path.write_bytes(json_mutation(whole, rng))
            results = read_results(tmp_path)
            refused += len(results.damaged)
            report = make_report(results)
            for render in (render_html, render_latex, render_markdown):
                assert render(report)
        path.write_bytes(whole)
    assert 5 < refused < 50


def test_figures_out_of_all_bounds_are_damaged(tmp_path: Path) -> None:
    """Their sums and squares would not be finite, and so no mean of them either."""
    fabricate(tmp_path, "colors-simple", 0, 0.8, examples=10)
    path = result_path(tmp_path, "colors-simple", 0)
    path.write_text(re.sub(r'("bleu": )[0-9.]+', r"\g<1>1e300", path.read_text(), count=1))
    (damaged,) = read_results(tmp_path).damaged
    assert "out of all bounds" in str(damaged)
