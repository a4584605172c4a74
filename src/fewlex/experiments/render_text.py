"""A report as Markdown and as LaTeX: the tables with their remarks, the failures and the times."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fewlex.experiments import cell_text
from fewlex.experiments.figures import Rows
from fewlex.experiments.report import Report, ReportCell, ReportTable
from fewlex.printable import one_line

LEXICON_PROB = 0.005
"""Smaller probabilities are not shown, because they would be written as 0.00."""
FAILURE_HEADS = ("run", "seed", "error")


def render_markdown(report: Report) -> str:
    parts = [
        "# Lexicon learning, reproduced",
        "Made by `fewlex report` from result files alone.",
        *(f"> {_markdown(note)}" for note in report.notes),
        cell_text.METHOD_OF_NUMBERS,
    ]
    for made in report.tables:
        letters = cell_text.remarks(made)
        rows = [
            [
                f"*{_markdown(row.label)}*" if row.is_ours else _markdown(row.label),
                *(_markdown_cell(row.cells.get(column), made, letters) for column in made.table.columns),
            ]
            for row in made.rows
        ]
        parts += [f"## {made.title}", markdown_table(("", *map(_markdown, made.table.columns)), rows)]
        parts += cell_text.legend(made)
        parts += [f"({letter}) {remark}." for remark, letter in letters.items()]
    for task, learners in report.figures.excerpts.items():
        words = dict.fromkeys(word for rows in learners.values() for word in rows)
        lines = [[word, *(_translations(rows, word) for rows in learners.values())] for word in words]
        parts += [f"## Lexicons at τ = 0.1: {task}", _plain_markdown_table(("word", *learners), lines)]
    if trust := report.figures.trust:
        table = _plain_markdown_table(cell_text.TRUST_HEADS, cell_text.trust_rows(trust))
        parts += ["## Can its confidence be believed?", cell_text.TRUST_TEXT, table]
    if report.failures:
        parts += ["## Runs that failed", _plain_markdown_table(FAILURE_HEADS, _failure_rows(report))]
    if report.times:
        parts += ["## Time and memory", _plain_markdown_table(cell_text.TIMES_HEADS, _times_rows(report))]
    return "\n\n".join(parts) + "\n"


def _failure_rows(report: Report) -> list[list[str]]:
    return [[failure.experiment, str(failure.seed), failure.error] for failure in report.failures]


def _times_rows(report: Report) -> list[list[str]]:
    return [cell_text.times_row(times) for times in report.times]


def _markdown(text: str) -> str:
    """Text for a cell or a note: on one line, since a line break would end it, and without HTML, links and images."""
    return one_line(text).replace("|", "\\|").replace("<", "&lt;").replace("](", "]\\(")


def _markdown_cell(cell: ReportCell | None, made: ReportTable, letters: dict[str, str]) -> str:
    if cell is None:
        return ""
    mean, space, rest = cell_text.ours(cell, made).partition(" ")
    marks = cell_text.sign(cell, made) + "".join(f"({letters[remark]})" for remark in cell.remarks)
    text = (f"**{mean}**" if cell_text.is_bold(cell) else mean) + marks + space + rest
    paper = cell_text.theirs(cell, made)
    return f"{text}<br>{paper}" if paper else text


def _translations(rows: Rows, word: str) -> str:
    if word not in rows:
        return "not recorded"
    if not (row := rows[word]):
        return "no entry"
    shown = [f"{target} ({prob:.2f})" for target, prob in row.items() if prob >= LEXICON_PROB]
    has_more = (
        len(shown) < len(row) or sum(row.values()) < 0.99
    )  # A result keeps only the best of a long row.
    return ", ".join([*shown, "…"] if has_more else shown)


def _plain_markdown_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return markdown_table(heads, ([_markdown(text) for text in row] for row in rows))


def markdown_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}", "$": r"\$",
    "±": r"$\pm$", "→": r"$\rightarrow$", "↔": r"$\leftrightarrow$", "−": "$-$", "–": "--", "▲": r"$\blacktriangle$",
    "<": "$<$", ">": "$>$", "|": "$|$", "τ": r"$\tau$", "×": r"$\times$", "^": r"\^{}", "~": r"\~{}",
}  # fmt: skip


def render_latex(report: Report) -> str:
    """Tables for LaTeX's \\input. They need the packages booktabs and amssymb."""
    parts = ["% Made by `fewlex report`. Needs \\usepackage{booktabs,amssymb}."]
    parts += [f"% {one_line(note)}" for note in report.notes]
    for made in report.tables:
        letters = cell_text.remarks(made)
        lines = []
        was_ours = False
        for row in made.rows:
            if row.is_ours and not was_ours and row is not made.rows[0]:
                lines.append("\\midrule")
            was_ours = row.is_ours
            cells = [row.cells.get(column) for column in made.table.columns]
            label = f"\\emph{{{_latex(row.label)}}}" if row.is_ours else _latex(row.label)
            lines.append(_latex_line([label, *(_latex_cell(c, made, letters) for c in cells)]))
            if any(papers := [_latex_paper(c, made) for c in cells]):
                lines.append(_latex_line(["", *papers]))
        notes = [*cell_text.legend(made), *(f"({letter}) {remark}." for remark, letter in letters.items())]
        columns = "l" * (1 + len(made.table.columns))
        caption = " ".join([f"{made.title}.", *notes])
        parts.append(_latex_table(columns, ("", *made.table.columns), lines, caption))
    if report.failures:
        lines = [_latex_line(map(_latex, row)) for row in _failure_rows(report)]
        parts.append(_latex_table("llp{0.6\\linewidth}", FAILURE_HEADS, lines, "Runs that failed."))
    if report.times:
        lines = [_latex_line(map(_latex, row)) for row in _times_rows(report)]
        heads = cell_text.TIMES_HEADS
        parts.append(_latex_table("l" * len(heads), heads, lines, "Time and memory."))
    return "\n\n".join(parts) + "\n"


def _latex_table(columns: str, heads: Iterable[str], lines: Iterable[str], caption: str) -> str:
    return "\n".join(
        [
            "\\begin{table*}",
            "\\centering\\footnotesize",
            f"\\begin{{tabular}}{{@{{}}{columns}@{{}}}}",
            "\\toprule",
            _latex_line(map(_latex, heads)),
            "\\midrule",
            *lines,
            "\\bottomrule",
            "\\end{tabular}",
            f"\\caption{{{_latex(caption)}}}",
            "\\end{table*}",
        ]
    )


def _latex_line(cells: Iterable[str]) -> str:
    return " & ".join(cells) + " \\\\"


def _latex(text: str) -> str:
    return "".join(LATEX.get(character, character) for character in one_line(text))


def _latex_cell(cell: ReportCell | None, made: ReportTable, letters: dict[str, str]) -> str:
    if cell is None:
        return ""
    mean, space, rest = cell_text.ours(cell, made).partition(" ")
    marks = _latex(cell_text.sign(cell, made) + "".join(letters[remark] for remark in cell.remarks))
    bold = f"\\textbf{{{_latex(mean)}}}" if cell_text.is_bold(cell) else _latex(mean)
    return bold + (f"\\textsuperscript{{{marks}}}" if marks else "") + space + _latex(rest)


def _latex_paper(cell: ReportCell | None, made: ReportTable) -> str:
    paper = cell_text.theirs(cell, made) if cell else ""
    return f"{{\\scriptsize {_latex(paper)}}}" if paper else ""
