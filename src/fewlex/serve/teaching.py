"""`/v1/teach`, `/v1/undo`, `/v1/redo` and `/v1/edits`: words for a run, and the way back."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Literal

from fewlex.errors import JournalError
from fewlex.knowledge import Knowledge, Lesson
from fewlex.serve.batching import Snapshot
from fewlex.serve.lexicon_shapes import (
    ChangedOutput,
    Edits,
    EditsQuery,
    LessonShape,
    RunRequest,
    Taught,
    TeachRequest,
)
from fewlex.serve.limits import Limits
from fewlex.serve.problems import Problem
from fewlex.serve.served import ServedRun
from fewlex.serve.service import Service
from fewlex.serve.shapes import Edited
from fewlex.serve.states import edit_shape, state_of
from fewlex.serve.translating import check_length, check_texts


async def teach(service: Service, limits: Limits, wanted: TeachRequest) -> Taught:
    run = service.find(wanted.run)
    _check(wanted, limits)
    before = await asyncio.to_thread(run.snapshot)
    lessons = await asyncio.to_thread(_lessons, before.knowledge, wanted)
    changed: tuple[ChangedOutput, ...] = ()
    if wanted.sentences:
        after = await asyncio.to_thread(_taught, before, lessons)
        changed = await compare(run, wanted.sentences, before, after)
    edit = None
    if not wanted.preview:
        edit = await asyncio.to_thread(run.run.teach, lessons)
        service.metrics.observe_edit(run.name, edit.action)
    return Taught(
        state=await asyncio.to_thread(state_of, run),
        lessons=tuple(
            LessonShape(lesson.source, lesson.target, lesson.like, lesson.also) for lesson in lessons
        ),
        edit=None if edit is None else edit_shape(edit, limits),
        changed=changed,
        compared=len(wanted.sentences),
        caveat=run.caveat,
    )


async def compare(
    run: ServedRun, sentences: Sequence[str], before: Snapshot, after: Snapshot
) -> tuple[ChangedOutput, ...]:
    """The sentences that two states of a run answer differently, with both outputs."""
    old = [n_best[0].text for n_best in (await run.translate(sentences, snapshot=before)).answers]
    new = [n_best[0].text for n_best in (await run.translate(sentences, snapshot=after)).answers]
    return tuple(
        ChangedOutput(*outputs)
        for outputs in zip(sentences, old, new, strict=True)
        if outputs[1] != outputs[2]
    )


def _taught(before: Snapshot, lessons: Sequence[Lesson]) -> Snapshot:
    return Snapshot(before.mind.knowing(before.knowledge.taught(lessons)), before.version)


def _check(wanted: TeachRequest, limits: Limits) -> None:
    if (wanted.lessons is None) == (wanted.example is None):
        raise Problem(422, "give either `lessons` or an `example`.")
    lessons = [wanted.example] if wanted.example is not None else list(wanted.lessons or ())
    if not lessons:
        raise Problem(422, "there is no lesson. Give at least one.", where="lessons")
    if len(lessons) > limits.lessons:
        raise Problem(
            422, f"there are {len(lessons)} lessons, but {limits.lessons} are allowed. Import a file instead."
        )
    for lesson in lessons:
        for name in ("source", "target", "like"):
            check_length(getattr(lesson, name), limits, name)
    check_texts(wanted.sentences, limits, "sentences", limits.sentences)


def _lessons(knowledge: Knowledge, wanted: TeachRequest) -> list[Lesson]:
    if wanted.example is not None:
        return [knowledge.lesson_from(wanted.example.source, wanted.example.target, wanted.example.like)]
    return [
        knowledge.lesson(lesson.source, lesson.target, lesson.like, also=lesson.also)
        for lesson in wanted.lessons or ()
    ]


async def undo(service: Service, limits: Limits, wanted: RunRequest) -> Edited:
    run = service.find(wanted.run)
    return await asyncio.to_thread(_step, service, limits, run, "undo")


async def redo(service: Service, limits: Limits, wanted: RunRequest) -> Edited:
    run = service.find(wanted.run)
    return await asyncio.to_thread(_step, service, limits, run, "redo")


def _step(service: Service, limits: Limits, run: ServedRun, name: Literal["undo", "redo"]) -> Edited:
    """Go one edit back or forth; the answer tells what this has changed."""
    log = run.run.edits
    if (log.last if name == "undo" else log.last_undone) is None:
        raise Problem(409, f"there is no edit to {name} in the run {run.name}.")
    try:
        edit = run.run.undo().reversed() if name == "undo" else run.run.redo()
    except JournalError as error:  # someone else was faster, or the last line of the log is damaged
        raise Problem(409, str(error)) from error
    service.metrics.observe_edit(run.name, name)
    return Edited(state_of(run), edit_shape(edit, limits))


async def edits(service: Service, limits: Limits, wanted: EditsQuery) -> Edits:
    run = service.find(wanted.run)
    found, total = await asyncio.to_thread(run.run.history, wanted.limit)
    version = (await asyncio.to_thread(run.snapshot)).version
    return Edits(run.name, version, tuple(edit_shape(edit, limits) for edit in found), total)
