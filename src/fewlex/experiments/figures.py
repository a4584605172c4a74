"""What the report's figures show: learning curves, lexicons, a translation of a rare word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from fewlex.experiments.paper import EXPERIMENTS, METHODS, TASKS, experiment_name
from fewlex.experiments.results import Result, Results

LEXICON_TASKS = ("around-right", "jump", "colors", "cogs")
LEARNERS = ("simple", "pmi", "ibm2", "bayesian")
EXAMPLE_METHODS = ("simple", "ibm2", "pmi", "fast-mapping")
"""Where the worked example is taken from, the first that has one."""


@dataclass(frozen=True)
class Line:
    label: str
    number: int
    """Of the method: it has the same colour in every figure."""
    x: tuple[float, ...]
    y: tuple[float, ...]


@dataclass(frozen=True)
class Curves:
    """One figure over epochs, a line for each method: the mean over seeds."""

    title: str
    lines: tuple[Line, ...]
    is_log: bool


@dataclass(frozen=True)
class HeatMap:
    """Probabilities between words down and words across."""

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Example:
    """One translation in steps: where it looked, whether it wrote or translated, and what the lexicon offered."""

    word: str
    step: int
    learned_from: tuple[str, str]
    reference: str
    attention: HeatMap
    lexicon: Mapping[str, Mapping[str, float]]


@dataclass(frozen=True)
class Figures:
    curves: tuple[Curves, ...]
    lexicons: Mapping[str, tuple[HeatMap, ...]]
    """Task → one heat map for each learner."""
    example: Example | None


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
    lexicons = {TASKS[task].label: maps for task in LEXICON_TASKS if (maps := _heat_maps(task, results))}
    return Figures(tuple(curves), lexicons, _example(results))


def _curves(task: str, column: str, what: str, is_log: bool, results: Results) -> Curves:
    lines = []
    for experiment in EXPERIMENTS.values():
        is_of_task = experiment.task == task and experiment.method in METHODS
        if is_of_task and experiment.preset.startswith("fast"):
            line = _mean_line(experiment.method, column, results.runs.get(experiment.name, ()))
            lines += [line] if line else []
    return Curves(f"{TASKS[task].label}: {what}", tuple(lines), is_log)


def _mean_line(method: str, column: str, runs: Sequence[Result]) -> Line | None:
    """The mean over the seeds that were measured at the same epochs as the first."""
    curves = [r.curve for r in runs if column in r.curve]
    if not curves:
        return None
    epochs = curves[0]["epoch"]
    alike = [curve[column] for curve in curves if curve["epoch"] == epochs]
    mean = tuple(sum(values) / len(values) for values in zip(*alike, strict=True))
    return Line(
        METHODS[method].label, list(METHODS).index(method), tuple(epoch + 1 for epoch in epochs), mean
    )


def _heat_maps(task: str, results: Results) -> tuple[HeatMap, ...]:
    """The lexicon of each learner, over the words that any of them shows."""
    excerpts: dict[str, Mapping[str, Mapping[str, float]]] = {}
    for learner in LEARNERS:
        for result in results.runs.get(experiment_name(task, learner), ()):
            if isinstance(result.content.get("lexicon"), dict):
                excerpts[learner] = result.content["lexicon"]
                break
    words = tuple(dict.fromkeys(word for rows in excerpts.values() for word in rows))
    return tuple(
        _heat_map(METHODS[learner].label.rpartition(" ")[2], words, rows)
        for learner, rows in excerpts.items()
    )


def _heat_map(title: str, words: Sequence[str], rows: Mapping[str, Mapping[str, float]]) -> HeatMap:
    words = [word for word in words if rows.get(word)]
    best = [max(rows[word], key=lambda target, word=word: rows[word][target]) for word in words]  # type: ignore[misc]
    columns = tuple(dict.fromkeys((*best, *(target for word in words for target in rows[word]))))
    columns = columns[: max(len(set(best)), 8)]
    values = tuple(tuple(rows[word].get(column, 0.0) for column in columns) for word in words)
    return HeatMap(title, tuple(words), columns, values)


def _example(results: Results) -> Example | None:
    for method in EXAMPLE_METHODS:
        for result in results.runs.get(experiment_name("eng-cmn", method), ()):
            with suppress(KeyError, TypeError, ValueError):  # a result without an example, or a damaged one
                return _read_example(result.content["example"])
    return None


def _read_example(told: Mapping[str, Any]) -> Example:
    translated = [1 - gate for gate in told["write_gate"]]
    values = tuple((*looked, gate) for looked, gate in zip(told["attention"], translated, strict=True))
    attention = HeatMap("", tuple(told["tokens"]), (*told["source"], "p(lexicon)"), values)
    lesson = (told["learned_from"]["source"], told["learned_from"]["target"])
    reference = " ".join(told["reference"])
    return Example(told["word"], told["step"], lesson, reference, attention, told["lexicon"])
