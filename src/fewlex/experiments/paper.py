"""Every row of every table of the paper as data, and the rows that this project adds.

A row of the paper uses the paper's mechanism: the lexicon without fast mapping and without other notations. The preset
`fast` runs it in this project's network, and the preset `paper` in the network of appendix C. Rows that are marked as
ours come after the paper's. The preset `fast` writes the flat logical forms of COGS in fewer tokens
(docs/notations.md); they stay flat and keep their variables.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from fewlex.experiments import reported
from fewlex.experiments.experiment import Experiment
from fewlex.experiments.ruled import RULED
from fewlex.experiments.taught import TAUGHT

PRESETS = ("fast", "paper")


@dataclass(frozen=True)
class Task:
    """A column of Table 2, and a guess of what a run costs, for use until one has been made."""

    label: str
    data: str
    seeds: int
    """The number of seeds that the paper has."""
    minutes: Mapping[str, float]
    """A rough guess of the time that one run takes on one core, by preset."""
    memory_mib: int = 1000
    with_lexicon: tuple[str, ...] = ()
    """The settings that the paper's rows with a lexicon need under `fast` to generalize without fast mapping."""
    without_lexicon: tuple[str, ...] = ()
    """The same settings for the rows LSTM and GECA."""
    with_gaps: tuple[str, ...] = ()
    """The same settings for `METHODS_WITH_GAPS`; empty if they are those of the other lexicons."""
    with_paper: tuple[str, ...] = ()
    """What the rows of the preset `paper` have beyond it, so that a run ends within hours."""


_SCAN = (
    "model.lstm.bidirectional=false",
    "model.dropout=0.4",
    "model.embedding=16",
    "model.lstm.features=concat",
    "model.write_dropout=0.5",
    "training.learning_rate=3e-3",
)
_COGS = (
    "model.lstm.scaled_scores=true",
    "training.equal_sources=true",
    "training.precision=bfloat16",
)
_COGS_WRITTEN = (*_COGS, "model.lstm.bidirectional=false", "training.epochs=30")
"""Rare words must be seen often before they can be written."""
_COGS_LOOKED_UP = (
    *_COGS,
    "model.gate=copy_token",
    "model.tied=false",
    "model.lstm.positions=true",
    "model.lstm.residual=true",
    "model.lstm.state_dropout=0.5",
    "model.word_dropout=0.05",
    "training.embedding_decay=1",
    "training.epochs=10",
    "lexicon.end_mark=true",
)
"""Names are looked up where no name has been (docs/lab/cogs.md)."""
_ENG_CMN = ("training.epochs=40", "training.precision=bfloat16")


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
        with_lexicon=(*_SCAN, "training.embedding_decay=3", "lexicon.end_mark=true", "lexicon.reliance=0.5"),
        without_lexicon=(*_SCAN, "training.embedding_decay=3"),
        with_gaps=(*_SCAN, "training.embedding_decay=3"),
    ),
    "around-right": Task(
        "around right (SCAN)",
        "scan:around_right",
        10,
        {"fast": 5, "paper": 600},
        with_lexicon=(*_SCAN, "training.embedding_decay=1", "lexicon.end_mark=true", "lexicon.reliance=0.5"),
        without_lexicon=(*_SCAN, "training.embedding_decay=1"),
    ),
    "cogs": Task(
        "COGS",
        "cogs",
        10,
        {"fast": 12, "paper": 1700},
        2000,
        with_lexicon=_COGS_LOOKED_UP,
        without_lexicon=_COGS_WRITTEN,
        with_gaps=(*_COGS_WRITTEN, "lexicon.end_mark=true"),
    ),
    "eng-cmn": Task(
        "English–Chinese",
        "eng-cmn",
        10,
        {"fast": 35, "paper": 400},
        3000,
        with_lexicon=(*_ENG_CMN, "lexicon.end_mark=true"),
        without_lexicon=_ENG_CMN,
        with_paper=("training.equal_sources=true", "training.precision=bfloat16", "training.patience=2"),
    ),
    "length": Task("length (SCAN)", "scan:length", 3, {"fast": 10}),
}
"""The columns of the tables. The paper has no column `length`; this project adds it."""

PAPER_TASKS = ("colors", "jump", "around-right", "cogs", "eng-cmn")

_MECHANISM = (
    "data.truecase=false",
    "fast_mapping.probability=0",
    "lexicon.exact_rows=false",
    "lexicon.method=simple",
)  # Naming the learner resets its parameters.
_PLAIN = ("model.output=write", *_MECHANISM)
_SOFT = (*_MECHANISM, "lexicon.temperature=0.1")
_SOFT_SIMPLE = (*_SOFT, "lexicon.parameters.identity_bonus=true")
"""These settings add the authors' +1 for identical words. At τ = 0 identical words win ties without it, but a soft row
would keep the ties."""

_MEMORY = (
    "data.truecase=true",
    "lexicon.exact_rows=false",
    "memory.sentences=64",
    "training.precision=bfloat16",
)


@dataclass(frozen=True)
class Method:
    label: str
    settings: tuple[str, ...] = ()
    layer: str = ""
    """A preset whose settings override those of `fast` or `paper`."""
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
    "learned": Method(
        "Lex.: Simple, Soft, Learned",
        (*_SOFT_SIMPLE, "lexicon.trained=true", "lexicon.parameters.candidates=true"),
    ),
    "random": Method("Lex.: Random", (*_MECHANISM, "lexicon.method=random"), is_ours=True),
    "transformer": Method("Transformer", _PLAIN, "transformer", is_ours=True),
    "transformer-mapping": Method(
        "Transformer + Lex.: Simple + fast mapping", (), "transformer", is_ours=True
    ),
    "nested-transformer-mapping": Method(
        "Transformer + Lex.: Simple + fast mapping, nested", (), "nested+transformer", is_ours=True
    ),
    "fast-mapping": Method("LSTM + Lex.: Simple + fast mapping", is_ours=True),
    "memory": Method("LSTM + Lex.: Simple + fast mapping + memory", _MEMORY, is_ours=True),
    "committee": Method(
        "LSTM + Lex.: Simple + fast mapping + memory, 4 networks",
        (*_MEMORY, "training.networks=4"),
        is_ours=True,
    ),
    "ibm2-committee": Method(
        "LSTM + Lex.: IBMM2 + memory, 4 networks",
        (
            *_MEMORY,
            "fast_mapping.probability=0",
            "lexicon.method=ibm2",
            "lexicon.end_mark=true",
            "training.networks=4",
        ),
        is_ours=True,
    ),
    "nested-lstm": Method("LSTM, nested", _PLAIN, "nested", is_ours=True),
    "nested-simple": Method(
        "LSTM + Lex.: Simple, nested", ("fast_mapping.probability=0",), "nested", is_ours=True
    ),
    "nested": Method("LSTM + Lex.: Simple + fast mapping, nested", (), "nested", is_ours=True),
    "as-published": Method("LSTM + Lex.: Simple, as in the authors' code", _MECHANISM, "as_published", True),
}
"""The difference of each method from its preset. The preset `fast` has a Simple lexicon and fast mapping."""

METHODS_WITH_GAPS = ("copy", "bayesian", "uniform")
"""Methods whose lexicon does not translate many of the rare words, which must be written then, as LSTM writes them."""

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
    "eng-cmn": ("fast-mapping", "memory", "committee", "ibm2-committee"),
}
"""The methods that this project adds to each column, with the preset `fast`."""


def experiment_name(task: str, method: str, preset: str = "fast") -> str:
    """The folder in results/, such as `jump-lstm` or `colors-paper`. Flat and nested COGS have different folders."""
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
        settings += _settings_of(TASKS[task], method)
    if preset == "paper":
        settings += TASKS[task].with_paper
    return Experiment(
        experiment_name(task, method, preset),
        TASKS[task].data,
        task,
        method,
        f"{preset}+{how.layer}" if how.layer else preset,
        settings,
    )


def _settings_of(task: Task, method: str) -> tuple[str, ...]:
    if "model.output=write" in METHODS[method].settings:
        return task.without_lexicon
    return (method in METHODS_WITH_GAPS and task.with_gaps) or task.with_lexicon


def methods_of(task: str, preset: str) -> Iterable[str]:
    yield from reported.TABLE_4 if task == "eng-cmn" else TABLE_2_METHODS
    if task == "cogs":
        yield from (*ABLATIONS, "random")
    yield from OURS[task] if preset == "fast" else ("as-published",)


EXPERIMENTS = {
    experiment.name: experiment
    for experiment in (
        *(
            _experiment(t, m, preset)
            for preset in PRESETS
            for t in PAPER_TASKS
            for m in methods_of(t, preset)
        ),
        *TAUGHT,
        *RULED,
    )
}
