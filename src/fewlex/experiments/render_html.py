"""A report as one HTML page without scripts and without other files. It suits a phone and a dark screen."""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib import resources

from fewlex.experiments import cell_text
from fewlex.experiments.charts import bar_chart, heat_map, line_chart, reliability_diagram
from fewlex.experiments.figures import WorkedExample
from fewlex.experiments.report import Report, ReportCell, ReportTable, Times
from fewlex.printable import as_html


def render_html(report: Report) -> str:
    style = (resources.files("fewlex.experiments") / "report.css").read_text(encoding="utf-8")
    parts = [
        "<h1>Lexicon learning, reproduced</h1>",
        "<p>The tables and figures of <i>Lexicon Learning for Few-Shot Neural Sequence Modeling</i> (Akyürek &amp; "
        "Andreas, ACL 2021) beside what fewlex measured. Made by <code>fewlex report</code> from result files "
        "alone.</p>",
        *(f'<p class="note">{_inline(note)}</p>' for note in report.notes),
        f"<p>{as_html(cell_text.METHOD_OF_NUMBERS)}</p>",
        *(_table(made) for made in report.tables),
        *_figures(report),
    ]
    if report.failures:
        rows = ([f.experiment, str(f.seed), f.error] for f in report.failures)
        parts.append(_section("Runs that failed", _plain_table(["run", "seed", "error"], rows)))
    if report.times:
        parts.append(_section("Time and memory", _times(report.times)))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<title>fewlex: the paper, reproduced</title>\n'
        f"<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(parts)
        + "\n</main>\n</body>\n</html>\n"
    )


def _section(title: str, *content: str) -> str:
    return f"<section>\n<h2>{as_html(title)}</h2>\n" + "\n".join(content) + "\n</section>"


def _inline(text: str) -> str:
    """Text with `code` and *emphasis* marked up."""
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", as_html(text))
    return re.sub(r"\*([^*]+)\*", r"<i>\1</i>", text)


def _table(made: ReportTable) -> str:
    letters = cell_text.remarks(made)
    head = "".join(f'<th scope="col">{as_html(column)}</th>' for column in made.table.columns)
    rows = []
    for row in made.rows:
        cells = "".join(_cell(row.cells.get(column), made, letters) for column in made.table.columns)
        kind = ' class="ours"' if row.is_ours else ""
        rows.append(f'<tr{kind}><th scope="row">{as_html(row.label)}</th>{cells}</tr>')
    notes = [*cell_text.legend(made), *(f"({letter}) {remark}." for remark, letter in letters.items())]
    return _section(
        made.title,
        f'<div class="wide"><table><thead><tr><th></th>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>',
        *(f'<p class="legend-text">{as_html(note)}</p>' for note in notes),
    )


def _cell(cell: ReportCell | None, made: ReportTable, letters: dict[str, str]) -> str:
    if cell is None:
        return '<td class="empty"></td>'
    text = as_html(cell_text.ours(cell, made))
    mean, space, rest = text.partition(" ")
    mean = f"<b>{mean}</b>" if cell_text.is_bold(cell) else mean
    marks = cell_text.sign(cell, made) + "".join(letters[remark] for remark in cell.remarks)
    marks = f"<sup>{marks}</sup>" if marks else ""
    told = cell_text.how_compared(cell)
    tip = f' title="{told}"' if told else ""
    paper = f'<span class="paper">{as_html(cell_text.theirs(cell, made))}</span>'
    return f'<td{tip}>{mean}{marks}<span class="more">{space}{rest}</span>{paper}</td>'


def _figures(report: Report) -> Iterable[str]:
    figures = report.figures
    if report.bars:
        chart = _figure(
            "bar: fewlex, stroke: the paper", bar_chart("COGS by kind of generalization", report.bars)
        )
        yield _section("Table 3 drawn: COGS by kind of generalization", f'<div class="chart">{chart}</div>')
    if figures.curves:
        charts = "".join(_figure(curves.title, line_chart(curves)) for curves in figures.curves)
        yield _section("Learning curves, mean over seeds", f'<div class="charts">{charts}</div>')
    for task, maps in figures.lexicons.items():
        charts = "".join(_figure(map_.title, heat_map(map_)) for map_ in maps)
        yield _section(f"Lexicons at τ = 0.1: {task}", f'<div class="charts">{charts}</div>')
    if figures.trust:
        charts = "".join(
            _figure(task, reliability_diagram(task, rows)) for task, rows in figures.trust.items()
        )
        yield _section(
            "Can its confidence be believed?",
            f"<p>{as_html(cell_text.TRUST_TEXT)}</p>",
            f'<div class="charts">{charts}</div>',
            _plain_table(cell_text.TRUST_HEADS, cell_text.trust_rows(figures.trust)),
        )
    if figures.example:
        yield _example(figures.example)


def _figure(caption: str, chart: str) -> str:
    return f"<figure><figcaption>{as_html(caption)}</figcaption>{chart}</figure>"


def _example(example: WorkedExample) -> str:
    columns = list(example.attention.columns)
    framed = (example.step, columns.index(example.word)) if example.word in columns else None
    source, target = map(as_html, example.learned_from)
    rows = (
        [word, ", ".join(f"{target} ({prob:.2f})" for target, prob in row.items())]
        for word, row in example.lexicon.items()
    )
    return _section(
        f"Figure 2: {example.word}, learned from one sentence",
        f"<p>The one training sentence with it: <q>{source}</q> → {target}. Output tokens go down, source words "
        "across; the last column is the weight of the lexicon, 1 − p<sub>gate</sub>. Reference: "
        f"{as_html(example.reference)}</p>",
        f'<div class="charts">{_figure("attention", heat_map(example.attention, framed))}</div>',
        _plain_table(["source word", "lexicon"], rows),
    )


def _times(times: Iterable[Times]) -> str:
    return _plain_table(cell_text.TIMES_HEADS, (cell_text.times_row(row) for row in times))


def _plain_table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = "".join(f'<th scope="col">{as_html(name)}</th>' for name in heads)
    body = "".join("<tr>" + "".join(f"<td>{as_html(text)}</td>" for text in row) + "</tr>" for row in rows)
    table = f'<table class="plain"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    return f'<div class="wide">{table}</div>'
