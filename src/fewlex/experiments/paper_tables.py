"""The tables of the paper and of this project. Each cell names an experiment and a figure of its results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fewlex.data.colors import splits as colors_splits
from fewlex.experiments import reported
from fewlex.experiments.paper import (
    ABLATIONS,
    METHODS,
    TABLE_2_METHODS,
    TASKS,
    experiment_name,
    methods_of,
)
from fewlex.experiments.reported import Reported
from fewlex.experiments.ruled import CURVES, NOISE, TASKS_OF_RULES, WAYS, curve_name, noisy_name, rules_name
from fewlex.experiments.taught import TAUGHT

IN_DISTRIBUTION = "in distribution"
"""The row of Table 3 for COGS's split *test*, which is like the training split. The paper does not report it."""


@dataclass(frozen=True)
class Cell:
    """One number of a table: a figure of an experiment's runs, and the paper's number for it."""

    experiment: str
    figure: str
    """The path of the figure in a result's scores, such as `test.exact_match` (results.py)."""
    paper: Reported | None = None


@dataclass(frozen=True)
class Row:
    label: str
    cells: Mapping[str, Cell]
    """The cells by column. The paper leaves some columns empty."""
    is_ours: bool = False


@dataclass(frozen=True)
class Table:
    key: str
    """The name that `fewlex reproduce --table` has for it."""
    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    scale: float = 1.0
    """The factor with which a figure is shown; BLEU is shown × 100."""
    digits: int = 2
    """Decimals that are shown; where nearly all answers are right, two would hide what is wrong."""
    is_compared: bool = True
    """True if the rows of a column can be compared, because they have the same test examples."""

    def experiments(self) -> list[str]:
        return list(dict.fromkeys(cell.experiment for row in self.rows for cell in row.cells.values()))


def tables(preset: str = "fast") -> tuple[Table, ...]:
    """The paper's tables, run with a preset. This project's own tables come last, and only with `fast`."""
    ours = (
        (_rules_table(), _little_data_table(), _one_script_table(), _taught_table())
        if preset == "fast"
        else ()
    )
    return (*(make(preset) for make in (_table_2, _table_3, _table_4, _table_5, _table_7)), *ours)


def _table_2(preset: str) -> Table:
    tasks = ("colors", "jump", "around-right", "cogs")
    added = list(dict.fromkeys(m for t in tasks for m in methods_of(t, preset) if METHODS[m].is_ours))
    rows = []
    for method in (*TABLE_2_METHODS, *(m for m in added if m != "random")):
        paper = reported.TABLE_2.get(method, {})
        cells = {
            TASKS[task].label: Cell(
                experiment_name(task, method, preset), "test.exact_match", paper.get(task)
            )
            for task in tasks
            if (task in paper or METHODS[method].is_ours) and method in methods_of(task, preset)
        }
        rows.append(Row(METHODS[method].label, cells, METHODS[method].is_ours))
    labels = tuple(TASKS[task].label for task in tasks)
    return Table("2", "Exact match on four compositional splits", labels, tuple(rows))


def _table_3(preset: str) -> Table:
    methods = ["lstm", "copy", "simple"]
    methods += ["fast-mapping", "nested"] if preset == "fast" else []
    figures = {group: f"test.by_group.{group}" for group in reported.TABLE_3}
    figures |= {"all": "test.exact_match", IN_DISTRIBUTION: "in_distribution.exact_match"}
    rows = []
    for group, figure in figures.items():
        paper = reported.TABLE_3.get(group, {})
        cells = {
            METHODS[m].label: Cell(experiment_name("cogs", m, preset), figure, paper.get(m)) for m in methods
        }
        rows.append(Row(group, cells, is_ours=group == IN_DISTRIBUTION))
    columns = tuple(METHODS[m].label for m in methods)
    return Table("3", "COGS by kind of generalization", columns, tuple(rows), is_compared=False)


def _table_4(preset: str) -> Table:
    figures = {"full": "test.bleu", "1-shot": "test.one_shot_bleu"}
    rows = _translation_rows(preset, figures, reported.TABLE_4)
    return Table("4", "English–Chinese translation, BLEU", tuple(figures), rows, scale=100)


def _one_script_table() -> Table:
    """The scores of Table 4 if the choice of a script does not count. The paper has no such figure."""
    figures = {"full": "test.one_script_bleu", "1-shot": "test.one_script_one_shot_bleu"}
    title = "English–Chinese translation, BLEU with outputs and references in simplified characters"
    rows = _translation_rows("fast", figures, {})
    return Table("script", title, tuple(figures), rows, scale=100, is_compared=False)


def _translation_rows(
    preset: str, figures: Mapping[str, str], published: Mapping[str, Mapping[str, Reported]]
) -> tuple[Row, ...]:
    rows = []
    for method in methods_of("eng-cmn", preset):
        paper = published.get(method, {})
        name = experiment_name("eng-cmn", method, preset)
        cells = {column: Cell(name, figure, paper.get(column)) for column, figure in figures.items()}
        rows.append(Row(METHODS[method].label, cells, METHODS[method].is_ours))
    return tuple(rows)


def _table_5(preset: str) -> Table:
    rows = []
    for method in (*ABLATIONS, "random"):
        paper = reported.TABLE_5.get(method)
        cells = {"COGS": Cell(experiment_name("cogs", method, preset), "test.exact_match", paper)}
        rows.append(Row(METHODS[method].label, cells, METHODS[method].is_ours))
    return Table("5", "Ablations on COGS", ("COGS",), tuple(rows))


def _table_7(preset: str) -> Table:
    number_of = {" ".join(e.source): i for i, e in enumerate(colors_splits()["test"])}
    methods = ["simple", "ibm2", "bayesian", "geca", "syntactic-attention"]
    methods += ["fast-mapping"] if preset == "fast" else []
    rows = []
    for sentence, (paper, people) in reported.TABLE_7.items():
        paper = {**paper, "ibm2": paper["simple"]}  # The paper has one column for both.
        figure = f"test.hits.{number_of[sentence]}"
        cells = {
            METHODS[m].label: Cell(experiment_name("colors", m, preset), figure, paper.get(m))
            for m in methods
        }
        cells["people (Lake et al. 2019)"] = Cell("", "", Reported(people))
        rows.append(Row(sentence, cells))
    columns = tuple(rows[0].cells)
    return Table(
        "7", "Colors by test example: share of seeds that are right", columns, tuple(rows), is_compared=False
    )


def _rules_table() -> Table:
    """The table of rules alone, of a network trained with their samples, of both, and of rules from noisy data."""
    labels = {
        "rules": "Rules alone",
        "network": "Network alone, trained with samples of the rules",
        "both": "Rules and network together",
    }
    columns = {TASKS[task].label: task for task in TASKS_OF_RULES}
    rows = [
        Row(
            label,
            {
                column: Cell(rules_name(task, way), "test.exact_match" if way == "rules" else WAYS[way])
                for column, task in columns.items()
            },
            is_ours=True,
        )
        for way, label in labels.items()
    ]
    for noise, (label, _, tasks) in NOISE.items():
        cells = {
            column: Cell(noisy_name(task, noise), "test.exact_match")
            for column, task in columns.items()
            if task in tasks
        }
        rows.append(Row(label, cells, is_ours=True))
    title = "Rules with holes, exact match (COGS: published strings of *gen*, by way of the nested notation)"
    return Table("rules", title, tuple(columns), tuple(rows), digits=4, is_compared=False)


def _little_data_table() -> Table:
    columns = {"rules": "rules", "network": "network", "both": "both"}
    rows = [
        Row(
            f"{TASKS[task].label}, {number:,} pairs",
            {column: Cell(curve_name(task, number), WAYS[way]) for way, column in columns.items()},
            is_ours=True,
        )
        for task, numbers in CURVES.items()
        for number in numbers
    ]
    title = "Little data: exact match by the rules, by the network, and by both"
    return Table("little", title, tuple(columns.values()), tuple(rows), digits=4, is_compared=False)


def _taught_table() -> Table:
    columns = ("before", "taught", "required")
    rows = [
        Row(
            f"SCAN: {word} (exact match)",
            {
                "before": Cell(experiment.name, f"{word}.untaught"),
                "taught": Cell(experiment.name, f"{word}.exact_match"),
            },
            is_ours=True,
        )
        for experiment in TAUGHT
        for word in experiment.lessons
    ]
    for name, label, figure in (
        ("teach-cogs", "COGS, flat: 40 nouns and verbs (exact match)", "exact_match"),
        ("teach-cogs-nested", "COGS, nested: 40 nouns and verbs (exact match)", "exact_match"),
        ("teach-eng-cmn", "English–Chinese: 200 words (share of outputs with the term)", "term_share"),
    ):
        paths = zip(columns, ("untaught", "taught", "required"), strict=True)
        cells = {column: Cell(name, f"{state}.{figure}") for column, state in paths}
        rows.append(Row(label, cells, is_ours=True))
    return Table(
        "taught", "Words that training never saw, taught afterwards", columns, tuple(rows), is_compared=False
    )
