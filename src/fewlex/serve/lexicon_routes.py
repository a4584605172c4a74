"""`/v1/lexicon`: look at the lexicon of a run, change it, import and export it."""

from __future__ import annotations

import asyncio
import re
from typing import Any
from urllib.parse import quote

from starlette.responses import Response

from fewlex.errors import LexiconError
from fewlex.lexicon import Entry, Lexicon
from fewlex.lexicon.storage import to_json, to_tsv
from fewlex.serve.lexicon_shapes import (
    ChangedEntry,
    DeleteQuery,
    ExportQuery,
    Imported,
    ImportRequest,
    LexiconPage,
    LexiconQuery,
    SetEntry,
    Totals,
)
from fewlex.serve.lexicon_view import entry_shape
from fewlex.serve.limits import Limits
from fewlex.serve.problems import Problem
from fewlex.serve.served import ServedRun
from fewlex.serve.service import Service
from fewlex.serve.shapes import Edited
from fewlex.serve.states import edit_shape, state_of
from fewlex.serve.translating import check_length

MEDIA_TYPES = {"tsv": "text/tab-separated-values", "json": "application/json"}


async def page(service: Service, limits: Limits, wanted: LexiconQuery) -> LexiconPage:
    run = service.find(wanted.run)
    return await asyncio.to_thread(lambda: run.view().page(run.name, wanted))


async def set_entry(service: Service, limits: Limits, wanted: SetEntry) -> Edited:
    run = service.find(wanted.run)
    for name in ("source", "target", "like"):
        check_length(getattr(wanted, name), limits, name)
    return await asyncio.to_thread(_set_entry, service, limits, run, wanted)


def _set_entry(service: Service, limits: Limits, run: ServedRun, wanted: SetEntry) -> Edited:
    lesson = run.snapshot().knowledge.lesson(wanted.source, wanted.target, wanted.like)
    entry = Entry(wanted.weight, like=lesson.like)
    edit = run.journal.set_entry(lesson.source, lesson.target, entry, wanted.replaces)
    service.metrics.observe_edit(run.name, edit.action)
    return Edited(state_of(run), edit_shape(edit, limits))


async def delete(service: Service, limits: Limits, wanted: DeleteQuery) -> Edited:
    run = service.find(wanted.run)
    return await asyncio.to_thread(_delete, service, limits, run, wanted)


def _delete(service: Service, limits: Limits, run: ServedRun, wanted: DeleteQuery) -> Edited:
    knowledge = run.snapshot().knowledge
    try:
        edit = run.journal.forget(*knowledge.forgettable(wanted.source, wanted.target))
    except LexiconError as error:
        raise Problem(404, str(error)) from error
    service.metrics.observe_edit(run.name, edit.action)
    return Edited(state_of(run), edit_shape(edit, limits))


async def import_lexicon(service: Service, limits: Limits, wanted: ImportRequest) -> Imported:
    run = service.find(wanted.run)
    return await asyncio.to_thread(_import, service, limits, run, wanted)


def _import(service: Service, limits: Limits, run: ServedRun, wanted: ImportRequest) -> Imported:
    name = f"import.{wanted.format}"
    try:
        given = Lexicon.parse(name, wanted.content)
    except LexiconError as error:
        raise Problem(422, str(error), where="content", **line_of(name, str(error))) from error
    for source, target, _ in given:
        check_length(source, limits, f"the source {source[:40]!r}")
        check_length(target, limits, f"the target of {source[:40]!r}")
    now = run.journal.read()
    difference = now.diff(now.merge(given) if wanted.mode == "merge" else given)
    edit = None
    if not wanted.preview:
        edit = run.journal.merge(given) if wanted.mode == "merge" else run.journal.replace(given)
        service.metrics.observe_edit(run.name, edit.action)
    most = limits.rows
    return Imported(
        state=state_of(run),
        added=tuple(entry_shape(*line) for line in difference.added[:most]),
        removed=tuple(entry_shape(*line) for line in difference.removed[:most]),
        changed=tuple(
            ChangedEntry(entry_shape(source, target, before), entry_shape(source, target, after))
            for source, target, before, after in difference.changed[:most]
        ),
        totals=Totals(len(difference.added), len(difference.removed), len(difference.changed)),
        edit=None if edit is None else edit_shape(edit, limits),
    )


def line_of(name: str, message: str) -> dict[str, Any]:
    """The line that a message about a file names, as a member of a problem document."""
    found = re.match(rf"{re.escape(name)}:(\d+): ", message)
    return {"line": int(found[1])} if found else {}


async def export(service: Service, limits: Limits, wanted: ExportQuery) -> Response:
    run = service.find(wanted.run)
    lexicon = await asyncio.to_thread(run.journal.read)
    if wanted.format == "json":
        text = await asyncio.to_thread(to_json, lexicon, lexicon.provenance)
    else:
        text = await asyncio.to_thread(to_tsv, lexicon)
    return as_file(f"{run.name}.{wanted.format}", text, MEDIA_TYPES[wanted.format])


def as_file(name: str, text: str, media_type: str) -> Response:
    """A text that a browser saves under this name, and never shows."""
    disposition = f"attachment; filename*=UTF-8''{quote(name, safe='')}"
    return Response(text.encode(), media_type=media_type, headers={"Content-Disposition": disposition})
