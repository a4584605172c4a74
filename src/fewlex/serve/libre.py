"""LibreTranslate's routes, so that its published clients can call a run. A run is a pair of languages here."""

from __future__ import annotations

import asyncio
from collections import defaultdict

from fewlex.errors import did_you_mean
from fewlex.serve.limits import Limits
from fewlex.serve.problems import Problem
from fewlex.serve.served import ServedRun
from fewlex.serve.service import Service
from fewlex.serve.shapes import Detected, DetectRequest, Language, LibreAnswer, LibreRequest
from fewlex.serve.translating import check_beam, check_texts

AUTO = "auto"


async def translate(service: Service, limits: Limits, wanted: LibreRequest) -> LibreAnswer:
    if wanted.format != "text":
        raise Problem(422, "only `format: text` is supported. Take the tags out of the text.", where="format")
    texts = [wanted.q] if isinstance(wanted.q, str) else list(wanted.q)
    check_texts(texts, limits, "q")
    run = _run_between(service, wanted.source, wanted.target)
    check_beam(1 + wanted.alternatives, limits, "alternatives")
    beam = max(run.config.decoding.beam, 1 + wanted.alternatives)
    decoded = await run.translate(texts, beam)
    outputs = [[answer.text for answer in n_best] for n_best in decoded.answers]
    best = tuple(n_best[0] for n_best in outputs)
    others = tuple(tuple(n_best[1 : 1 + wanted.alternatives]) for n_best in outputs)
    detected = Detected(100.0, service.languages(run).source)
    is_single = isinstance(wanted.q, str)
    return LibreAnswer(
        best[0] if is_single else best,
        (others[0] if is_single else others) if wanted.alternatives else None,
        (detected if is_single else (detected,) * len(texts)) if wanted.source == AUTO else None,
    )


async def languages(service: Service, limits: Limits, wanted: None) -> tuple[Language, ...]:
    targets: dict[str, dict[str, None]] = defaultdict(dict)
    for run in service.runs:
        pair = service.languages(run)
        targets[pair.source][pair.target] = None
        targets[pair.target].update({})
    return tuple(Language(code, code, tuple(theirs)) for code, theirs in targets.items())


async def detect(service: Service, limits: Limits, wanted: DetectRequest) -> tuple[Detected, ...]:
    """The source languages of the runs; those that know more of the words come first."""
    check_texts([wanted.q], limits, "q")
    found: dict[str, float] = {}
    for run in service.runs:
        knowledge = (await asyncio.to_thread(run.snapshot)).knowledge
        terms = knowledge.units(knowledge.form.source_tokens(wanted.q))
        known = sum(term in knowledge.source_vocab or term in knowledge.lexicon for term in terms)
        code = service.languages(run).source
        found[code] = max(found.get(code, 0.0), 100 * known / len(terms) if terms else 0.0)
    ranked = sorted(found.items(), key=lambda item: -item[1])
    return tuple(Detected(round(confidence, 1), code) for code, confidence in ranked)


def _run_between(service: Service, source: str, target: str) -> ServedRun:
    """The run that translates between two languages; `auto` leaves the choice to the target language."""
    pairs = {run.name: service.languages(run) for run in service.runs}
    names = [
        name
        for name, pair in pairs.items()
        if source in (pair.source, AUTO) and (target == pair.target or not target)
    ]
    if len(names) == 1:
        return service.find(names[0])
    offered = ", ".join(f"{pair.source} → {pair.target}" for pair in pairs.values())
    if names:
        raise Problem(422, f"several runs translate to {target!r}: say the source. Offered: {offered}.")
    hint = did_you_mean(target, {pair.target for pair in pairs.values()})
    raise Problem(
        422, f"no run translates {source!r} to {target!r}. Offered: {offered}. {hint}", where="target"
    )
