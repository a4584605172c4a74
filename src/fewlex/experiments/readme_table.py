"""The small table of the README: what lexicon, fast mapping, rules and memory bring, beside the paper's numbers.

The table stands between two comments in the README, so `fewlex report --readme README.md` can write it again
whenever results/ has changed. It counts the same runs as the full report does (docs/report.md).
"""

from __future__ import annotations

from dataclasses import dataclass

from fewlex.errors import ConfigError
from fewlex.experiments.paper import EXPERIMENTS, experiment_name
from fewlex.experiments.render_text import markdown_table
from fewlex.experiments.report import counted
from fewlex.experiments.reported import TABLE_2, TABLE_4, Reported
from fewlex.experiments.results import Results
from fewlex.experiments.statistics import summarize

BEGIN = "<!-- table: `fewlex report --readme README.md` writes it from results/ -->"
END = "<!-- end of table -->"
HEADS = ("", "LSTM", "+ lexicon", "+ fast mapping", "rules; memory", "paper: LSTM", "paper: + lexicon")
MISSING = "–"


@dataclass(frozen=True)
class Line:
    """The line of one task: the methods of our first three columns, what goes beyond, and the paper's two numbers."""

    label: str
    task: str
    methods: tuple[str, str, str] = ("lstm", "simple", "fast-mapping")
    figure: str = "test.exact_match"
    scale: float = 1.0
    digits: int = 2
    beyond: str = ""
    """The experiment of rules alone or, for text, of a memory; '' where there is none."""
    paper: tuple[Reported, Reported] | None = None
    """The paper's numbers for the plain LSTM and the lexicon; None if the paper has no such row."""


def _paper(task: str) -> tuple[Reported, Reported]:
    return TABLE_2["lstm"][task], TABLE_2["simple"][task]


LINES = (
    Line("Colors", "colors", beyond="colors-rules", paper=_paper("colors")),
    Line("SCAN jump", "jump", beyond="jump-rules", paper=_paper("jump")),
    Line("SCAN around right", "around-right", beyond="around-right-rules", paper=_paper("around-right")),
    Line("COGS", "cogs", paper=_paper("cogs")),
    Line("COGS, forms as trees", "cogs", ("nested-lstm", "nested-simple", "nested"), beyond="cogs-rules"),
    Line(
        "English–Chinese, BLEU",
        "eng-cmn",
        ("lstm", "ibm2", "fast-mapping"),
        figure="test.bleu",
        scale=100,
        digits=1,
        beyond="eng-cmn-memory",
        paper=(TABLE_4["lstm"]["full"], TABLE_4["ibm2"]["full"]),
    ),
)


def readme_table(results: Results) -> str:
    """The table as Markdown, with a dash where there is no run."""
    return markdown_table(HEADS, [_cells(line, results) for line in LINES])


def with_table(text: str, results: Results) -> str:
    """The text of a README, with the table between its two comments written again."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ConfigError(
            f"the README has no place for the table. Put these two lines where it belongs: {BEGIN} and {END}"
        )
    return f"{before}{BEGIN}\n\n{readme_table(results)}\n\n{END}{after}"


def _cells(line: Line, results: Results) -> list[str]:
    ours = [_ours(line, experiment_name(line.task, method), results) for method in line.methods]
    beyond = _ours(line, line.beyond, results) if line.beyond else MISSING
    paper = [f"{number.mean:.{line.digits}f}" for number in line.paper] if line.paper else [MISSING, MISSING]
    return [line.label, *ours, beyond, *paper]


def _ours(line: Line, experiment: str, results: Results) -> str:
    """Our number as text, such as `0.80 ± 0.00 (16)`: mean, standard deviation and number of seeds."""
    found = results.runs.get(experiment, [])
    if not found:
        return MISSING
    kept, _ = counted(EXPERIMENTS[experiment], found)
    values = [value for result in kept if (value := result.figure(line.figure)) is not None]
    if not values:
        return MISSING
    summary = summarize([value * line.scale for value in values])
    deviation = "" if summary.deviation is None else f" ± {summary.deviation:.{line.digits}f}"
    return f"{summary.mean:.{line.digits}f}{deviation} ({summary.seeds})"
