"""What a result file looks like, as types that are checked when it is read.

Results of older versions lack some parts, and newer ones may have more, so only what a report reads is here.
"""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

from fewlex.strict import Count


class Training(TypedDict):
    seconds: float
    peak_memory_mib: NotRequired[Count]
    threads: NotRequired[Count | str]
    workers: NotRequired[Count]


class Machine(TypedDict):
    cpu: NotRequired[str]


class LearnedFrom(TypedDict):
    source: str
    target: str


class ExampleContent(TypedDict):
    """One translation, step by step (figure 2 of the paper)."""

    word: str
    step: Count
    learned_from: LearnedFrom
    source: list[str]
    tokens: list[str]
    reference: list[str]
    attention: list[list[float]]
    write_gate: list[float]
    lexicon: dict[str, dict[str, float]]


class ResultContent(TypedDict):
    """The result of one run."""

    seed: Count
    scores: dict[str, Any]
    training: Training
    fewlex: NotRequired[str]
    identity: NotRequired[str]
    preset: NotRequired[str]
    settings: NotRequired[list[str]]
    config: NotRequired[dict[str, Any]]
    curve: NotRequired[dict[str, list[float]]]
    machine: NotRequired[Machine]
    evaluation_seconds: NotRequired[float]
    lexicon: NotRequired[dict[str, dict[str, float]]]
    example: NotRequired[Any]
    """An `ExampleContent`; one that is damaged is left out, as it is only drawn."""
    reliability: NotRequired[list[list[float]]]
    """Answers of similar confidence: mean confidence, the share that was right, and how many they are."""
    bleu_counts: NotRequired[list[list[Count]]]
    one_shot: NotRequired[str]
    date: NotRequired[str]


class FailureContent(TypedDict):
    """Why a run failed."""

    seed: Count
    error: str
    identity: NotRequired[str]
