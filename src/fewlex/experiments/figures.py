"""The contents of the report's figures: learning curves, lexicons, and a translation of a rare word."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from fewlex.confidence import Bin, Reliability
from fewlex.experiments.paper import EXPERIMENTS, METHODS, TASKS, experiment_name
from fewlex.experiments.result_file import ExampleContent
from fewlex.experiments.results import Result, Results
from fewlex.strict import checked

LEXICON_TASKS = ("around-right", "jump", "colors", "cogs")
LEARNERS = ("simple", "pmi", "ibm2", "bayesian")
EXAMPLE_METHODS = ("simple", "ibm2", "pmi", "fast-mapping")
"""The methods that may give the worked example. It is taken from the first one that has an example."""
Rows = Mapping[str, Mapping[str, float]]
"""The rows of a lexicon: source word → target word → probability."""


@dataclass(frozen=True)
class Line:
    label: str
    number: int
    """The number of the method, which has the same colour in every figure."""
    x: tuple[float, ...]
    y: tuple[float, ...]


@dataclass(frozen=True)
class Curves:
    """One figure over epochs. Each method has a line, which is the mean over its seeds."""

    title: str
    lines: tuple[Line, ...]
    is_log: bool


@dataclass(frozen=True)
class HeatMap:
    """Probabilities for pairs of words: the first word names the line, the second the column."""

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class WorkedExample:
    """One translation, step by step: where the model looked, whether it wrote or translated, and the lexicon's rows."""

    word: str
    step: int
    learned_from: tuple[str, str]
    reference: str
    attention: HeatMap
    lexicon: Mapping[str, Mapping[str, float]]


@dataclass(frozen=True)
class Trust:
    """How far the confidence of a method's answers can be believed on a task, over all seeds."""

    label: str
    number: int
    reliability: Reliability


@dataclass(frozen=True)
class Figures:
    curves: tuple[Curves, ...]
    trust: Mapping[str, tuple[Trust, ...]]
    """Task → its methods."""
    excerpts: Mapping[str, Mapping[str, Rows]]
    """Task → learner → its rows. A word without entries has an empty row, and a word that was not recorded has none."""
    lexicons: Mapping[str, tuple[HeatMap, ...]]
    """Task → heat maps of the excerpts, one for each learner."""
    example: WorkedExample | None


def make_figures(results: Results) -> Figures:
    curves = [
        curve
        for task in TASKS
        for column, what, is_log in (
            ("loss", "training loss a token", True),
            ("validation_accuracy", "validation exact match", False),
        )
        if (curve := _curves(task, column, what, is_log, results)).lines
    ]
    excerpts = {TASKS[task].label: found for task in LEXICON_TASKS if (found := _excerpts(task, results))}
    lexicons = {task: _heat_maps(found) for task, found in excerpts.items()}
    trust = {TASKS[task].label: rows for task in TASKS if (rows := _trust(task, results))}
    return Figures(tuple(curves), trust, excerpts, lexicons, _example(results))


def _runs_by_method(task: str, results: Results) -> Iterator[tuple[str, Sequence[Result]]]:
    for experiment in EXPERIMENTS.values():
        is_of_task = experiment.task == task and experiment.method in METHODS
        if is_of_task and experiment.preset.startswith("fast"):
            yield experiment.method, results.runs.get(experiment.name, ())


def _trust(task: str, results: Results) -> tuple[Trust, ...]:
    found = []
    for method, runs in _runs_by_method(task, results):
        tenths: defaultdict[int, list[Bin]] = defaultdict(list)
        for run in runs:
            for confidence, accuracy, count in run.reliability:
                tenths[min(int(confidence * 10), 9)].append(Bin(confidence, accuracy, count))
        if tenths:
            bins = tuple(_pooled(tenths[tenth]) for tenth in sorted(tenths))
            number = list(METHODS).index(method)
            found.append(Trust(METHODS[method].label, number, Reliability(bins)))
    return tuple(found)


def _pooled(bins: Sequence[Bin]) -> Bin:
    """The answers of several bins as one."""
    count = sum(bin_.count for bin_ in bins)
    confidence = sum(bin_.count * bin_.confidence for bin_ in bins) / count
    return Bin(confidence, sum(bin_.count * bin_.accuracy for bin_ in bins) / count, count)


def _curves(task: str, column: str, what: str, is_log: bool, results: Results) -> Curves:
    found = (_mean_line(method, column, runs) for method, runs in _runs_by_method(task, results))
    lines = [line for line in found if line]
    return Curves(f"{TASKS[task].label}: {what}", tuple(lines), is_log)


def _mean_line(method: str, column: str, runs: Sequence[Result]) -> Line | None:
    """The mean over those seeds that were measured at the same epochs as the first seed."""
    curves = [r.curve for r in runs if column in r.curve]
    if not curves:
        return None
    epochs = curves[0]["epoch"]
    alike = [curve[column] for curve in curves if curve["epoch"] == epochs]
    mean = tuple(sum(values) / len(values) for values in zip(*alike, strict=True))
    return Line(
        METHODS[method].label, list(METHODS).index(method), tuple(epoch + 1 for epoch in epochs), mean
    )


def _excerpts(task: str, results: Results) -> dict[str, Rows]:
    """The rows that results keep of each learner's lexicon, for all words that any of the learners has."""
    kept: dict[str, Rows] = {}
    for learner in LEARNERS:
        for result in results.runs.get(experiment_name(task, learner), ()):
            if isinstance(result.content.get("lexicon"), dict):
                kept[METHODS[learner].label.rpartition(" ")[2]] = result.content["lexicon"]
                break
    words = dict.fromkeys(word for rows in kept.values() for word in rows)
    return {
        learner: {
            word: rows.get(word, {})
            for word in words
            if any(_is_recorded(word, rows, other) for other in kept.values())
        }
        for learner, rows in kept.items()
    }


def _is_recorded(word: str, rows: Rows, other: Rows) -> bool:
    """True if `rows` say something about a word of `other`, even if only that it has no entries.

    Older results leave out words without entries. All results have their words in the same order. So if `rows` have a
    word that comes after this one, then this one was left out and not cut off at the end.
    """
    order = list(other)
    return word in other and any(later in rows for later in order[order.index(word) :])


def _heat_maps(learners: Mapping[str, Rows]) -> tuple[HeatMap, ...]:
    """One heat map for each learner. All have the same order of columns, so that they can be compared by eye."""
    order = list(dict.fromkeys(target for rows in learners.values() for target in _targets(rows)))
    return tuple(_heat_map(learner, rows, order) for learner, rows in learners.items())


def _heat_map(title: str, rows: Rows, order: list[str]) -> HeatMap:
    best = {max(row, key=row.__getitem__) for row in rows.values() if row}
    columns = sorted(_targets(rows)[: max(len(best), 8)], key=order.index)
    values = tuple(tuple(row.get(column, 0.0) for column in columns) for row in rows.values())
    return HeatMap(title, tuple(rows), tuple(columns), values)


def _targets(rows: Rows) -> list[str]:
    """All target words: the best translation of each source word first, then the others."""
    best = [max(row, key=row.__getitem__) for row in rows.values() if row]
    return list(dict.fromkeys((*best, *(target for row in rows.values() for target in row))))


def _example(results: Results) -> WorkedExample | None:
    for method in EXAMPLE_METHODS:
        for result in results.runs.get(experiment_name("eng-cmn", method), ()):
            with suppress(KeyError, ValueError):  # The result has no example, or it is damaged.
                return _read_example(checked(result.content["example"], ExampleContent))
    return None


def _read_example(told: ExampleContent) -> WorkedExample:
    if told["step"] >= len(told["tokens"]) or any(
        len(row) != len(told["source"]) for row in told["attention"]
    ):
        raise ValueError("the attention has another size than the words")
    translated = [1 - gate for gate in told["write_gate"]]
    values = tuple((*looked, gate) for looked, gate in zip(told["attention"], translated, strict=True))
    if len(values) != len(told["tokens"]):
        raise ValueError("the attention has another size than the words")
    attention = HeatMap("", tuple(told["tokens"]), (*told["source"], "p(lexicon)"), values)
    lesson = (told["learned_from"]["source"], told["learned_from"]["target"])
    reference = " ".join(told["reference"])
    return WorkedExample(told["word"], told["step"], lesson, reference, attention, told["lexicon"])
