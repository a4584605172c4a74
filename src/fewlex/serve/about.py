"""`/health`, `/metrics` and `/v1/runs`: how the server and its runs are."""

from __future__ import annotations

import asyncio
import dataclasses

from starlette.responses import Response

from fewlex.serve.limits import Limits
from fewlex.serve.metrics import MEDIA_TYPE
from fewlex.serve.served import ServedRun
from fewlex.serve.service import Service
from fewlex.serve.shapes import Health, RunInfo, Runs
from fewlex.serve.states import state_of
from fewlex.version import __version__


async def health(service: Service, limits: Limits, wanted: None) -> Health:
    return Health("ok", __version__, tuple(run.name for run in service.runs))


async def metrics(service: Service, limits: Limits, wanted: None) -> Response:
    return Response(service.metrics.text(), media_type=MEDIA_TYPE)


async def runs(service: Service, limits: Limits, wanted: None) -> Runs:
    told = [await asyncio.to_thread(run_info, service, run) for run in service.runs]
    return Runs(tuple(told), limits)


def run_info(service: Service, run: ServedRun) -> RunInfo:
    """What a client may want to know about a run; the path of its folder is not told."""
    knowledge = run.snapshot().knowledge
    _, edits = run.run.history(0)
    return RunInfo(
        **dataclasses.asdict(state_of(run)),
        entries=len(knowledge.lexicon),
        sources=len(knowledge.lexicon.sources),
        edits=edits,
        has_rules=run.has_rules,
        has_network=run.snapshot().mind.network is not None,
        caveat=run.caveat,
        beam=run.config.decoding.beam,
        data=run.data,
        preset=run.config.preset,
        source_tokenizer=knowledge.form.source_tokenizer,
        target_tokenizer=knowledge.form.target_tokenizer,
        languages=service.languages(run),
    )
