"""`/v1/translate`: sentences in, outputs out, each with its explanation where that is wanted."""

from __future__ import annotations

import math
from collections.abc import Sequence

from fewlex.answer import Answer
from fewlex.serve.batching import Snapshot
from fewlex.serve.limits import Limits
from fewlex.serve.problems import Problem
from fewlex.serve.service import Service
from fewlex.serve.shapes import Output, TranslateAnswer, TranslateRequest, Translation


async def translate(service: Service, limits: Limits, wanted: TranslateRequest) -> TranslateAnswer:
    run = service.find(wanted.run)
    check_texts(wanted.texts, limits, "texts")
    beam = max(wanted.n_best, checked_beam(wanted.beam, limits) or run.config.decoding.beam)
    check_beam(wanted.n_best, limits, "n_best")
    check_asked(wanted.by, run.latest)
    decoded = await run.translate(wanted.texts, beam, by=wanted.by)
    translations = tuple(
        Translation(text, tuple(_output(answer, wanted.explain) for answer in n_best[: wanted.n_best]))
        for text, n_best in zip(wanted.texts, decoded.answers, strict=True)
    )
    return TranslateAnswer(run.name, decoded.snapshot.version, translations)


def check_asked(by: str, snapshot: Snapshot) -> None:
    """Refuse to ask rules or a network that the run does not have."""
    if by == "rules" and snapshot.mind.grammar is None:
        raise Problem(422, "this run has no rules to ask. Ask its network, or both.", where="by")
    if by == "network" and snapshot.mind.network is None:
        raise Problem(422, "this run has no network to ask. Ask its rules, or both.", where="by")


def check_texts(texts: Sequence[str], limits: Limits, where: str, most: int | None = None) -> None:
    """Refuse more texts, or longer ones, than one request may have."""
    most = limits.texts if most is None else most
    if len(texts) > most:
        raise Problem(
            422, f"{where} has {len(texts)} items, but {most} are allowed. Send fewer.", where=where
        )
    for i, text in enumerate(texts):
        check_length(text, limits, f"{where}[{i}]")


def check_length(text: str, limits: Limits, where: str) -> None:
    """Refuse a text that is too long; tokens are counted between blanks, which every tokenizer splits at."""
    if len(text) > limits.characters:
        raise Problem(
            422,
            f"{where} has {len(text)} characters, but {limits.characters} are allowed. Split it into sentences.",
            where=where,
        )
    if (tokens := len(text.split())) > limits.tokens:
        raise Problem(
            422,
            f"{where} has {tokens} words, but {limits.tokens} are allowed. Split it into sentences.",
            where=where,
        )


def check_beam(beam: int, limits: Limits, where: str) -> None:
    if beam > limits.beam:
        raise Problem(422, f"{where} is {beam}, but {limits.beam} is the most. Ask for less.", where=where)


def checked_beam(beam: int | None, limits: Limits) -> int | None:
    if beam is not None:
        check_beam(beam, limits, "beam")
    return beam


def _output(answer: Answer, explain: bool) -> Output:
    told = answer.to_json() if explain else None
    if told is not None:
        for field in ("text", "log_prob", "by", "confidence"):
            del told[field]
    # JSON has no infinity: an impossible output has log probability null.
    log_prob = answer.log_prob if math.isfinite(answer.log_prob) else None
    return Output(answer.text, log_prob, answer.by, answer.confidence, told)
