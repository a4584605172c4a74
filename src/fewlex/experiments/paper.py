"""Every row of every table of the paper as data, beside what this project adds.

A row of the paper is the paper's mechanism: the lexicon without fast mapping and other notations. With the preset
`fast` it is run in this project's network, with `paper` in that of appendix C. Rows marked as ours come after. Flat
logical forms of COGS are written in fewer tokens by `fast` (docs/notations.md); they stay flat, variables and all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from fewlex.data.colors import splits as colors_splits
from fewlex.experiments import reported
from fewlex.experiments.experiment import Experiment
from fewlex.experiments.reported import Reported
from fewlex.experiments.taught import TAUGHT

PRESETS = ("fast", "paper")
IN_DISTRIBUTION = "in distribution"
"""The row of Table 3 for COGS's split *test*, which is like its training split; the paper does not report it."""


@dataclass(frozen=True)
class Task:
    """What a column of Table 2 stands for, and what a run costs where none has been made yet."""

    label: str
    data: str
    seeds: int
    """As many as in the paper."""
    minutes: Mapping[str, float]
    """A rough guess of what one run takes on one core, by preset."""
    memory_mib: int = 1000
    with_lexicon: tuple[str, ...] = ()
    """Settings of the paper's rows with a lexicon, in `fast`: what it takes to generalize without fast mapping."""
    without_lexicon: tuple[str, ...] = ()
    """The same for LSTM and GECA."""


_SCAN = (
    "model.lstm.bidirectional=false",
    "model.dropout=0.4",
    "model.embedding=16",
    "model.lstm.features=concat",
    "model.write_dropout=0.5",
    "training.learning_rate=3e-3",
)


TASKS = {
    "colors": Task(
        "Colors",
        "colors",
        16,
        {"fast": 0.5, "paper": 2},
        with_lexicon=("training.embedding_decay=10",),
        without_lexicon=("model.dropout=0.5", "training.epochs=1500", "training.learning_rate=1e-4"),
    ),
    "jump": Task(
        "jump (SCAN)",
        "scan:jump",
        10,
        {"fast": 5, "paper": 600},
        with_lexicon=(*_SCAN, "training.embedding_decay=3", "lexicon.end_mark=true"),
        without_lexicon=(*_SCAN, "training.embedding_decay=3"),
    ),
    "around-right": Task(
        "around right (SCAN)",
        "scan:around_right",
        10,
        {"fast": 5, "paper": 600},
        with_lexicon=(*_SCAN, "training.embedding_decay=1", "lexicon.end_mark=true"),
        without_lexicon=(*_SCAN, "training.embedding_decay=1"),
    ),
    "cogs": Task(
        "COGS",
        "cogs",
        10,
        {"fast": 12, "paper": 1700},
        2000,
        with_lexicon=(
            "training.equal_sources=true",
            "training.precision=bfloat16",
            "training.embedding_decay=1",
            "lexicon.end_mark=true",
        ),
    ),
    "eng-cmn": Task("English–Chinese", "eng-cmn", 10, {"fast": 25, "paper": 400}, 3000),
}

_MECHANISM = (
    "data.truecase=false",
    "fast_mapping.probability=0",
    "lexicon.exact_rows=false",
    "lexicon.method=simple",
)  # naming the learner resets its parameters
_PLAIN = ("model.output=write", *_MECHANISM)
_SOFT = (*_MECHANISM, "lexicon.temperature=0.1")
_SOFT_SIMPLE = (*_SOFT, "lexicon.parameters.identity_bonus=true")
"""With the authors' +1 for identical words. At τ = 0 ties go to them without it; a soft row would keep the ties."""


@dataclass(frozen=True)
class Method:
    label: str
    settings: tuple[str, ...] = ()
    layer: str = ""
    """A preset laid over `fast` or `paper`."""
    is_ours: bool = False


METHODS = {
    "lstm": Method("LSTM", _PLAIN),
    "geca": Method("GECA", (*_PLAIN, "augmentation.method=geca", "augmentation.ratio=0.3")),
    "syntactic-attention": Method("SyntAtt", _PLAIN, "syntactic_attention"),
    "copy": Method("LSTM + copy", ("model.output=copy", *_MECHANISM)),
    "simple": Method("LSTM + Lex.: Simple", _MECHANISM),
    "pmi": Method("LSTM + Lex.: PMI", (*_MECHANISM, "lexicon.method=pmi")),
    "ibm2": Method("LSTM + Lex.: IBMM2", (*_MECHANISM, "lexicon.method=ibm2")),
    "bayesian": Method("LSTM + Lex.: Bayesian", (*_MECHANISM, "lexicon.method=bayesian")),
    "uniform": Method("Lex.: Uniform", (*_SOFT, "lexicon.method=uniform", "lexicon.trained=true")),
    "soft": Method("Lex.: Simple, Soft", _SOFT_SIMPLE),
    "learned": Method("Lex.: Simple, Soft, Learned", (*_SOFT_SIMPLE, "lexicon.trained=true")),
    "random": Method("Lex.: Random", (*_MECHANISM, "lexicon.method=random"), is_ours=True),
    "transformer": Method("Transformer", _PLAIN, "transformer", is_ours=True),
    "transformer-mapping": Method(
        "Transformer + Lex.: Simple + fast mapping", (), "transformer", is_ours=True
    ),
    "nested-transformer-mapping": Method(
        "Transformer + Lex.: Simple + fast mapping, nested", (), "nested+transformer", is_ours=True
    ),
    "fast-mapping": Method("LSTM + Lex.: Simple + fast mapping", is_ours=True),
    "nested-lstm": Method("LSTM, nested", _PLAIN, "nested", is_ours=True),
    "nested-simple": Method(
        "LSTM + Lex.: Simple, nested", ("fast_mapping.probability=0",), "nested", is_ours=True
    ),
    "nested": Method("LSTM + Lex.: Simple + fast mapping, nested", (), "nested", is_ours=True),
    "as-published": Method("LSTM + Lex.: Simple, as in the authors' code", _MECHANISM, "as_published", True),
}
"""How each method differs from its preset; `fast` has a Simple lexicon and fast mapping."""

TABLE_2_METHODS = tuple(reported.TABLE_2)
ABLATIONS = tuple(reported.TABLE_5)
OURS = {
    "colors": ("fast-mapping", "transformer", "transformer-mapping"),
    "jump": ("fast-mapping", "transformer", "transformer-mapping"),
    "around-right": ("fast-mapping", "transformer", "transformer-mapping"),
    "cogs": (
        "fast-mapping",
        "nested-lstm",
        "nested-simple",
        "nested",
        "transformer",
        "nested-transformer-mapping",
    ),
    "eng-cmn": ("fast-mapping",),
}
"""What this project adds to each column, with the preset `fast`."""


def experiment_name(task: str, method: str, preset: str = "fast") -> str:
    """The folder in results/: `jump-lstm`, `colors-paper`; flat and nested COGS are told apart."""
    if method == "as-published":
        return f"{task}-as-published"
    if preset == "paper":
        return f"{task}-paper" + ("" if method == "simple" else f"-{method}")
    stem = "cogs-flat" if task == "cogs" and not method.startswith("nested") else task
    return stem + ("" if method == "fast-mapping" else f"-{method}")


def _experiment(task: str, method: str, preset: str) -> Experiment:
    how = METHODS[method]
    settings = how.settings
    if preset == "fast" and not how.layer and not how.is_ours:
        has_lexicon = "model.output=write" not in settings
        settings += TASKS[task].with_lexicon if has_lexicon else TASKS[task].without_lexicon
    return Experiment(
        experiment_name(task, method, preset),
        TASKS[task].data,
        task,
        method,
        f"{preset}+{how.layer}" if how.layer else preset,
        settings,
    )


def _methods_of(task: str, preset: str) -> Iterable[str]:
    yield from reported.TABLE_4 if task == "eng-cmn" else TABLE_2_METHODS
    if task == "cogs":
        yield from (*ABLATIONS, "random")
    yield from OURS[task] if preset == "fast" else ("as-published",)


EXPERIMENTS = {
    experiment.name: experiment
    for experiment in (
        *(_experiment(t, m, preset) for preset in PRESETS for t in TASKS for m in _methods_of(t, preset)),
        *TAUGHT,
    )
}


@dataclass(frozen=True)
class Cell:
    """One number: a figure of an experiment's runs, and what the paper has there."""

    experiment: str
    figure: str
    """The path of the figure in a result's scores, such as `test.exact_match` (results.py)."""
    paper: Reported | None = None


@dataclass(frozen=True)
class Row:
    label: str
    cells: Mapping[str, Cell]
    """By column; the paper leaves some empty."""
    is_ours: bool = False


@dataclass(frozen=True)
class Table:
    key: str
    """What `fewlex reproduce --table` calls it."""
    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    scale: float = 1.0
    """What a figure is multiplied with for show; BLEU is shown × 100."""
    is_compared: bool = True
    """Whether the rows of a column are rivals on the same test examples."""

    def experiments(self) -> list[str]:
        return list(dict.fromkeys(cell.experiment for row in self.rows for cell in row.cells.values()))


def tables(preset: str = "fast") -> tuple[Table, ...]:
    """The paper's tables, run with a preset; those that only this project has come last, and only with `fast`."""
    ours = (_one_script_table(), _taught_table()) if preset == "fast" else ()
    return (*(make(preset) for make in (_table_2, _table_3, _table_4, _table_5, _table_7)), *ours)


def _table_2(preset: str) -> Table:
    tasks = ("colors", "jump", "around-right", "cogs")
    added = list(dict.fromkeys(m for t in tasks for m in _methods_of(t, preset) if METHODS[m].is_ours))
    rows = []
    for method in (*TABLE_2_METHODS, *(m for m in added if m != "random")):
        paper = reported.TABLE_2.get(method, {})
        cells = {
            TASKS[task].label: Cell(
                experiment_name(task, method, preset), "test.exact_match", paper.get(task)
            )
            for task in tasks
            if (task in paper or METHODS[method].is_ours) and method in _methods_of(task, preset)
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
    """What the outputs of Table 4 score where the choice of a script does not count; the paper has no such figure."""
    figures = {"full": "test.one_script_bleu", "1-shot": "test.one_script_one_shot_bleu"}
    title = "English–Chinese translation, BLEU with outputs and references in simplified characters"
    rows = _translation_rows("fast", figures, {})
    return Table("script", title, tuple(figures), rows, scale=100, is_compared=False)


def _translation_rows(
    preset: str, figures: Mapping[str, str], published: Mapping[str, Mapping[str, Reported]]
) -> tuple[Row, ...]:
    rows = []
    for method in _methods_of("eng-cmn", preset):
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
        paper = {**paper, "ibm2": paper["simple"]}  # the paper has one column for both
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
