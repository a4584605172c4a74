"""A report as Markdown and as LaTeX: the tables, what must be said about them, failures and times."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from fewlex.experiments import cell_text
from fewlex.experiments.figures import HeatMap
from fewlex.experiments.report import Report, ReportCell, ReportTable

LEXICON_PROB = 0.005


def render_markdown(report: Report) -> str:
    parts = [
        "# Lexicon learning, reproduced",
        "Made by `fewlex report` from result files alone.",
        *(f"> {note}" for note in report.notes),
        cell_text.METHOD_OF_NUMBERS,
    ]
    for made in report.tables:
        letters = cell_text.remarks(made)
        rows = [
            [
                f"*{row.label}*" if row.is_ours else row.label,
                *(_markdown_cell(row.cells.get(column), made, letters) for column in made.table.columns),
            ]
            for row in made.rows
        ]
        parts += [f"## {made.title}", _markdown_table(("", *made.table.columns), rows)]
        parts += cell_text.legend(made)
        parts += [f"({letter}) {remark}." for remark, letter in letters.items()]
    for task, maps in report.figures.lexicons.items():
        words = dict.fromkeys(word for map_ in maps for word in map_.rows)
        lines = [[word, *(_translations(map_, word) for map_ in maps)] for word in words]
        heads = ("word", *(map_.title for map_ in maps))
        parts += [f"## Lexicons at τ = 0.1: {task}", _markdown_table(heads, lines)]
    if report.failures:
        failed = [[f.experiment, str(f.seed), f.error] for f in report.failures]
        parts += ["## Runs that failed", _markdown_table(("run", "seed", "error"), failed)]
    if report.times:
        times = [cell_text.times_row(row) for row in report.times]
        parts += ["## Time and memory", _markdown_table(cell_text.TIMES_HEADS, times)]
    return "\n\n".join(parts) + "\n"


def _markdown_cell(cell: ReportCell | None, made: ReportTable, letters: dict[str, str]) -> str:
    if cell is None:
        return ""
    mean, space, rest = cell_text.ours(cell, made).partition(" ")
    marks = cell_text.sign(cell, made) + "".join(f"({letters[remark]})" for remark in cell.remarks)
    text = (f"**{mean}**" if cell_text.is_bold(cell) else mean) + marks + space + rest
    paper = cell_text.theirs(cell, made)
    return f"{text}<br>{paper}" if paper else text


def _translations(map_: HeatMap, word: str) -> str:
    if word not in map_.rows:
        return ""
    row = dict(zip(map_.columns, map_.values[map_.rows.index(word)], strict=True))
    best = sorted((t for t in row if row[t] >= LEXICON_PROB), key=lambda t: -row[t])
    return ", ".join(f"{target} ({row[target]:.2f})" for target in best[:3])


def _markdown_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return _lines(heads, rows, lambda cells: "| " + " | ".join(c.replace("|", "\\|") for c in cells) + " |")


def _lines(heads: Sequence[str], rows: Iterable[Sequence[str]], line: Callable[[Sequence[str]], str]) -> str:
    return "\n".join([line(heads), line(["---"] * len(heads)), *map(line, rows)])


LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}", "$": r"\$",
    "±": r"$\pm$", "→": r"$\rightarrow$", "↔": r"$\leftrightarrow$", "−": "$-$", "–": "--", "▲": r"$\blacktriangle$",
    "<": "$<$", "τ": r"$\tau$", "×": r"$\times$", "^": r"\^{}", "~": r"\~{}",
}  # fmt: skip


def render_latex(report: Report) -> str:
    """Tables for \\input; they need the packages booktabs and amssymb."""
    parts = ["% Made by `fewlex report`. Needs \\usepackage{booktabs,amssymb}."]
    parts += [f"% {note}" for note in report.notes]
    for made in report.tables:
        letters = cell_text.remarks(made)
        lines = [
            f"\\begin{{tabular}}{{@{{}}l{'l' * len(made.table.columns)}@{{}}}}",
            "\\toprule",
            " & ".join(["", *map(_latex, made.table.columns)]) + " \\\\",
            "\\midrule",
        ]
        was_ours = False
        for row in made.rows:
            if row.is_ours and not was_ours and row is not made.rows[0]:
                lines.append("\\midrule")
            was_ours = row.is_ours
            cells = [row.cells.get(column) for column in made.table.columns]
            label = f"\\emph{{{_latex(row.label)}}}" if row.is_ours else _latex(row.label)
            lines.append(" & ".join([label, *(_latex_cell(c, made, letters) for c in cells)]) + " \\\\")
            if any(papers := [_latex_paper(c, made) for c in cells]):
                lines.append(" & ".join(["", *papers]) + " \\\\")
        notes = [*cell_text.legend(made), *(f"({letter}) {remark}." for remark, letter in letters.items())]
        caption = _latex(" ".join([f"{made.title}.", *notes]))
        lines += ["\\bottomrule", "\\end{tabular}", f"\\caption{{{caption}}}"]
        parts.append("\n".join(["\\begin{table*}", "\\centering\\footnotesize", *lines, "\\end{table*}"]))
    return "\n\n".join(parts) + "\n"


def _latex(text: str) -> str:
    return "".join(LATEX.get(character, character) for character in text)


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
