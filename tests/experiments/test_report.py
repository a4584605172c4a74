"""The report: right numbers, honest tests, and a clear word about whatever is wrong with the results."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from fewlex.experiments.charts import colour, dash
from fewlex.experiments.paper import EXPERIMENTS, METHODS
from fewlex.experiments.render_html import render_html
from fewlex.experiments.render_text import render_latex, render_markdown
from fewlex.experiments.report import Report, ReportCell, make_report
from fewlex.experiments.results import read_results, result_path
from fewlex.experiments.runner import write_failure
from tests.experiments.fabricated import fabricate


def report_of(folder: Path) -> Report:
    return make_report(read_results(folder))


def cell(report: Report, key: str, label: str, column: str) -> ReportCell:
    table = next(made for made in report.tables if made.table.key == key and made.preset == "fast")
    return next(row for row in table.rows if row.label == label).cells[column]


def rendered(report: Report) -> list[str]:
    return [render_html(report), render_markdown(report), render_latex(report)]


class Checker(HTMLParser):
    """Every tag is closed in its order, and nothing is fetched."""

    open_tags: list[str]

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        assert not {"src", "href"} & {name for name, _ in attributes}
        assert tag != "script"
        if tag != "meta":
            self.open_tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open_tags.pop() == tag


def check_html(page: str) -> None:
    checker = Checker()
    checker.open_tags = []
    checker.feed(re.sub(r"<(line|rect|circle|polyline)([^>]*)/>", r"<\1\2></\1>", page))
    assert checker.open_tags == []


def test_of_nothing(tmp_path: Path) -> None:
    report = report_of(tmp_path / "nowhere")
    (note,) = report.notes
    assert "no results" in note
    assert "fewlex reproduce" in note
    page, markdown, _ = rendered(report)
    check_html(page)
    assert "no results" in page
    assert "| LSTM | –<br>paper 0.00 ± 0.00 |" in markdown


def test_of_a_part(tmp_path: Path) -> None:
    fabricate(tmp_path, "colors-simple", 0, 0.8, examples=10)
    assert any("Partial: 11 of the " in note for note in report_of(tmp_path).notes), (
        "one of Table 2, ten of Table 7"
    )


def test_of_damaged_results(tmp_path: Path) -> None:
    fabricate(tmp_path, "colors-simple", 0, 0.8, examples=10)
    result_path(tmp_path, "colors-simple", 1).write_text('{"seed": 1')
    report = report_of(tmp_path)
    assert any("cannot be read: colors-simple/seed1.json: not JSON" in note for note in report.notes)
    assert cell(report, "2", "LSTM + Lex.: Simple", "Colors").summary is not None


def test_of_several_versions(tmp_path: Path) -> None:
    fabricate(tmp_path, "jump-simple", 0, 0.8)
    fabricate(tmp_path, "jump-simple", 1, 0.8, fewlex="0.0.1")
    report = report_of(tmp_path)
    assert any("made by 0.0.1 (1 runs), " in note for note in report.notes)
    there = cell(report, "2", "LSTM + Lex.: Simple", "jump (SCAN)")
    assert there.summary is not None
    assert there.summary.seeds == 2
    assert there.remarks == ("made by several versions of fewlex",)


def test_of_one_other_version(tmp_path: Path) -> None:
    fabricate(tmp_path, "jump-simple", 0, 0.8, fewlex="0.0.1")
    assert any("made by 0.0.1 (1 runs). " in note for note in report_of(tmp_path).notes)


def test_figures_and_times_are_of_the_results_that_count(tmp_path: Path) -> None:
    long = {"epoch": list(range(99)), "loss": [1.0] * 99}
    fabricate(tmp_path, "jump-simple", 0, 0.8, identity="older", curve=long, training={"seconds": 9999.0})
    fabricate(tmp_path, "jump-simple", 1, 0.8)
    report = report_of(tmp_path)
    assert max(x for curves in report.figures.curves for line in curves.lines for x in line.x) == 8
    (times,) = report.times
    assert (times.seeds, times.training.mean, times.threads) == (1, 101.0, "1")


def test_times_tell_how_many_workers_trained(tmp_path: Path) -> None:
    """Two hours of two cores must not look like two hours of one."""
    fabricate(tmp_path, "jump-simple", 0, 0.8, training={"seconds": 9.0, "threads": 1, "workers": 2})
    (times,) = report_of(tmp_path).times
    assert times.threads == "2 × 1"


def test_of_other_settings(tmp_path: Path) -> None:
    for seed in range(3):
        fabricate(tmp_path, "jump-simple", seed, 0.8, identity="older")
    there = cell(report_of(tmp_path), "2", "LSTM + Lex.: Simple", "jump (SCAN)")
    assert there.summary is not None
    assert there.summary.seeds == 3
    assert there.remarks == ("made with settings other than this row has now",)
    fabricate(tmp_path, "jump-simple", 0, 0.8)
    there = cell(report_of(tmp_path), "2", "LSTM + Lex.: Simple", "jump (SCAN)")
    assert there.summary is not None
    assert there.summary.seeds == 1
    assert there.remarks == ("results with other settings are left out",)


def test_of_failures(tmp_path: Path) -> None:
    write_failure(tmp_path, EXPERIMENTS["jump-geca"], 4, "ValueError: <odd> & $100\n\n  at a|b > c")
    report = report_of(tmp_path)
    assert any("1 run failed" in note for note in report.notes)
    page, markdown, latex = rendered(report)
    check_html(page)
    assert "ValueError: &lt;odd&gt; &amp; $100" in page
    assert "| jump-geca | 4 | ValueError: &lt;odd> & $100 at a\\|b > c |" in markdown
    assert r"jump-geca & 4 & ValueError: $<$odd$>$ \& \$100 at a$|$b $>$ c \\" in latex
    assert "Time and memory" not in latex
    assert cell(report, "2", "GECA", "jump (SCAN)").failed == 1


def test_numbers_beside_the_papers(tmp_path: Path) -> None:
    made = [fabricate(tmp_path, "cogs-flat-simple", seed, 0.8) for seed in range(3)]
    means = [result["scores"]["test"]["exact_match"] for result in made]
    there = cell(report_of(tmp_path), "5", "LSTM + Lex.: Simple", "COGS")
    assert there.summary is not None
    assert there.summary.mean == pytest.approx(sum(means) / 3)
    assert there.summary.maximum == max(means)
    assert f"paper 0.82 ± 0.01, {sum(means) / 3 - 0.82:+.2f}" in render_markdown(report_of(tmp_path))
    recursion = cell(report_of(tmp_path), "3", "recursion", "LSTM + Lex.: Simple")
    assert recursion.summary is not None


def test_a_verdict_is_of_the_seeds_that_both_have(tmp_path: Path) -> None:
    fabricate(tmp_path, "jump-simple", 0, 0.8)
    for seed, accuracy in enumerate((0.2, 1.0, 1.0, 1.0)):
        fabricate(tmp_path, "jump", seed, accuracy)
    report = report_of(tmp_path)
    there = cell(report, "2", "LSTM + Lex.: Simple + fast mapping", "jump (SCAN)")
    assert there.summary is not None
    assert there.summary.mean > 0.79, "in the mean of all its seeds it does not look worse"
    assert there.verdict == "worse"
    assert there.comparison is not None
    assert there.comparison.seeds == 1
    assert ", 1 seed" in render_html(report)


def test_verdicts(tmp_path: Path) -> None:
    for name, accuracy in (("jump-simple", 0.9), ("jump-pmi", 0.89), ("jump-lstm", 0.5), ("jump", 1.0)):
        for seed in range(2):
            fabricate(tmp_path, name, seed, accuracy)
    fabricate(tmp_path, "jump-geca", 5, 0.7)
    labels = ("LSTM + Lex.: Simple", "LSTM + Lex.: PMI", "LSTM", "LSTM + Lex.: Simple + fast mapping", "GECA")
    report = report_of(tmp_path)
    verdicts = [cell(report, "2", label, "jump (SCAN)").verdict for label in labels]
    assert verdicts == ["best", "as good", "worse", "better", ""], "GECA has no seed in common with the best"
    assert "exact McNemar" in report.tables[0].test
    assert "**1.00**▲" in render_markdown(report)


def test_bleu_is_compared_by_bootstrap(tmp_path: Path) -> None:
    good, bad = [[8, 7, 6, 5, 8, 9]] * 60, [[5, 3, 1, 0, 8, 9], [4, 2, 1, 1, 8, 9]] * 30
    fabricate(tmp_path, "eng-cmn-ibm2", 0, 0.5, bleu_counts=good, one_shot="10" * 30)
    fabricate(tmp_path, "eng-cmn-lstm", 0, 0.4, bleu_counts=bad, one_shot="10" * 30)
    report = report_of(tmp_path)
    for column in ("full", "1-shot"):
        assert cell(report, "4", "LSTM", column).verdict == "worse"
    table = next(made for made in report.tables if made.table.key == "4")
    assert "paired bootstrap" in table.test


def test_old_results_are_read_but_not_tested(tmp_path: Path) -> None:
    for name in ("jump-simple", "jump-lstm"):
        result = fabricate(tmp_path, name, 0, 0.5)
        del result["identity"], result["curve"], result["machine"], result["date"]
        del result["evaluation_seconds"], result["scores"]["test"]["hits"]
        result_path(tmp_path, name, 0).write_text(__import__("json").dumps(result))
    report = report_of(tmp_path)
    assert cell(report, "2", "LSTM", "jump (SCAN)").summary is not None
    assert report.tables[0].test == ""
    for text in rendered(report):
        assert "an older kind of result" in text


def test_a_report_needs_no_times(tmp_path: Path) -> None:
    fabricate(tmp_path, "jump-simple", 0, 0.8)
    before = rendered(make_report(read_results(tmp_path), with_times=False))
    fabricate(
        tmp_path,
        "jump-simple",
        0,
        0.8,
        training={"seconds": 1.0},
        machine={"cpu": "other"},
        date="2030-01-01",
    )
    assert rendered(make_report(read_results(tmp_path), with_times=False)) == before
    assert "other" in render_html(report_of(tmp_path)).partition("Time and memory")[2]
    assert "& other & 2030-01-01 \\\\" in render_latex(report_of(tmp_path)).partition("training, mean")[2]


def test_a_full_page_is_well_formed(tmp_path: Path) -> None:
    example = {
        "word": "Saturn",
        "step": 1,
        "learned_from": {"source": "Saturn is <big>", "target": "土星 大"},
        "source": ["near", "Saturn"],
        "tokens": ["在", "土星"],
        "reference": ["土星"],
        "attention": [[0.9, 0.1], [0.1, 0.9]],
        "write_gate": [0.9, 0.1],
        "lexicon": {"Saturn": {"土星": 1.0}},
    }
    fabricate(tmp_path, "eng-cmn-simple", 0, 0.5, example=example)
    fabricate(tmp_path, "jump-pmi", 0, 0.5, lexicon={"jump": {"I_JUMP": 0.9, "I_RUN": 0.1}, "and": {}})
    fabricate(tmp_path, "cogs-flat-simple", 0, 0.5)
    page, markdown, latex = rendered(report_of(tmp_path))
    check_html(page)
    for said in ("Figure 2: Saturn", "Lexicons at τ = 0.1: jump", "Learning curves", "Table 3 drawn", "土星"):
        assert said in page
    assert "| jump | I_JUMP (0.90), I_RUN (0.10) |" in markdown
    assert latex.count("\\begin{") == latex.count("\\end{")
    body = re.sub(r"\\[{}]", "", "".join(line for line in latex.splitlines() if not line.startswith("%")))
    assert body.count("{") == body.count("}")


def test_a_lexicon_is_told_in_full(tmp_path: Path) -> None:
    whole = {
        "<unk>": {"b": 0.25, "x_1": 0.25, "c": 0.25, "x_2": 0.25},
        **{str(i): {str(i): 1.0} for i in range(9)},
    }
    cut = {"long": {"d": 0.3, "e": 0.2}, "faint": {"d": 0.997, "e": 0.003}}
    fabricate(tmp_path, "cogs-flat-simple", 0, 0.5, lexicon=whole | cut)
    markdown = render_markdown(report_of(tmp_path))
    assert "| &lt;unk> | b (0.25), x_1 (0.25), c (0.25), x_2 (0.25) |" in markdown, (
        "no column is clipped here"
    )
    assert "| 8 | 8 (1.00) |" in markdown
    assert "| long | d (0.30), e (0.20), … |" in markdown
    assert "| faint | d (1.00), … |" in markdown


def test_no_entry_is_not_the_same_as_not_recorded(tmp_path: Path) -> None:
    """Results of before leave out words without entry, and have others for them at the end."""
    fabricate(tmp_path, "cogs-flat-simple", 0, 0.5, lexicon={"hippo": {"h": 1}, "baked": {}, "tub": {"t": 1}})
    fabricate(
        tmp_path, "cogs-flat-pmi", 0, 0.5, lexicon={"hippo": {"h": 1}, "tub": {"t": 1}, "pod": {"p": 1}}
    )
    report = report_of(tmp_path)
    markdown = render_markdown(report)
    assert "| baked | no entry | no entry |" in markdown
    assert "| pod | not recorded | p (1.00) |" in markdown
    assert [map_.rows for map_ in report.figures.lexicons["COGS"]] == [
        ("hippo", "baked", "tub"),
        ("hippo", "baked", "tub", "pod"),
    ]


def test_a_damaged_example_or_curve_is_left_out(tmp_path: Path) -> None:
    fabricate(tmp_path, "eng-cmn-simple", 0, 0.5, example={"word": 3}, curve={"epoch": [1], "loss": [1, 2]})
    report = report_of(tmp_path)
    assert report.figures.example is None
    assert report.figures.curves == ()


def test_confidence_is_compared_with_accuracy_over_all_seeds(tmp_path: Path) -> None:
    fabricate(tmp_path, "jump-simple", 0, 0.5, reliability=[[0.15, 0.0, 10], [0.9, 0.5, 30]])
    fabricate(tmp_path, "jump-simple", 1, 0.5, reliability=[[0.98, 1.0, 60], [2.0, 1.0, 5], [0.5, 0.5, 0]])
    report = report_of(tmp_path)
    (trust,) = report.figures.trust["jump (SCAN)"]
    (low, high) = trust.reliability.bins
    assert (low.accuracy, low.count) == (0, 10)
    assert (high.confidence, high.accuracy, high.count) == pytest.approx((0.953333, 0.833333, 90))
    assert trust.reliability.error == pytest.approx(0.1 * 0.15 + 0.9 * 0.12)
    page, markdown, _ = rendered(report)
    check_html(page)
    assert "| jump (SCAN) | LSTM + Lex.: Simple | 100 | 0.123 |" in markdown
    assert page.count("right answers over confidence") == 1


def test_every_method_has_a_line_of_its_own() -> None:
    looks = {(colour(number), dash(number)) for number in range(len(METHODS))}
    assert len(looks) == len(METHODS)
