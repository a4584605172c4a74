"""`fewlex teach | forget`: words for a trained model. Needs no torch."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from fewlex.aftermath import broken_by
from fewlex.cli.options import RunArgument
from fewlex.cli.screen import note, tell_changes
from fewlex.errors import LexiconError
from fewlex.knowledge import Lesson
from fewlex.run import Run


def teach(
    run: RunArgument,
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="[SOURCE]", help="A source word or term: `jump`, `'New York'`.", show_default=False
        ),
    ] = None,
    target: Annotated[
        str | None, typer.Argument(metavar="[TARGET]", help="Its translation.", show_default=False)
    ] = None,
    like: Annotated[
        str, typer.Option(metavar="WORD", help="A source word of the training data that behaves the same.")
    ] = "",
    file: Annotated[
        Path | None,
        typer.Option(help="Many entries: source, tab, target on each line; `-` = standard input."),
    ] = None,
    example: Annotated[
        tuple[str, str] | None,
        typer.Option(metavar="SOURCE TARGET", help="A sentence with one new word, and its translation."),
    ] = None,
    also: Annotated[
        bool,
        typer.Option(
            "--also", help="A further meaning: the word keeps what it meant, and rules choose what fits."
        ),
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="With --example: teach without asking.")] = False,
) -> None:
    """Teach a trained model a word; the next `fewlex translate` uses it. No retraining.

    `fewlex teach runs/jump blork I_BLORK`

    `fewlex teach runs/eng-cmn 'New York' 纽约`

    `fewlex teach runs/cogs dalmatian dalmatian --like dog`

    `fewlex teach runs/jump --file terms.tsv`

    `fewlex teach runs/colors --example 'zup fep' 'YELLOW YELLOW YELLOW'`

    What was known about the word before is replaced; `fewlex lexicon undo runs/jump` brings it back.
    """
    ways = [source is not None or target is not None, file is not None, example is not None]
    if sum(ways) != 1 or (source is None) != (target is None):
        raise typer.BadParameter("Give SOURCE and TARGET, or --file, or --example.")
    if like and file is not None:
        raise typer.BadParameter("With --file, `like` is a third column: source, target, like.")
    opened = Run.open(run)
    knowledge = opened.read_knowledge()
    if file is not None:
        lessons = knowledge.lessons_in(file)
    elif example is not None:
        narrow = knowledge.lesson_from(*example, like)
        lessons = [_agreed(narrow, knowledge.wider_lesson(narrow, *example), yes=yes)]
    else:
        lessons = [knowledge.lesson(source or "", target or "", like, also=also)]
    if also and (file is not None or example is not None):
        raise typer.BadParameter("--also goes with SOURCE and TARGET.")
    broken = broken_by(opened, knowledge, lessons)
    tell_changes("taught", opened.teach(lessons).changes)
    if broken:
        one = broken[0]
        note(
            f"note: {len(broken)} training sentence{'s' if len(broken) > 1 else ''} came out right before and "
            f"not any more, such as {one.source!r}: {one.before!r} before, {one.after!r} now. "
            f"`fewlex lexicon undo {run}` takes the lesson back; --also keeps the old meaning."
        )
    if caveat := opened.teaching_caveat():
        note(f"note: {caveat}")


def forget(
    run: RunArgument,
    source: Annotated[
        str, typer.Argument(metavar="SOURCE", help="A source word or term.", show_default=False)
    ],
    target: Annotated[
        str | None,
        typer.Argument(
            metavar="[TARGET]", help="One of its translations; without it, all.", show_default=False
        ),
    ] = None,
) -> None:
    """Remove a word, or one translation of it, from a run's lexicon.

    `fewlex forget runs/jump blork`

    `fewlex forget runs/eng-cmn 'New York' 纽约`
    """
    tell_changes("forgotten", Run.open(run).forget(source, target).changes)


def _agreed(narrow: Lesson, lesson: Lesson, *, yes: bool) -> Lesson:
    """The lesson that an example implies, if the user agrees: that of a whole term rather than of a word in it."""
    note(f"the example says: {lesson.source} ↦ {lesson.target}")
    if lesson != narrow:
        note(
            f"It could also be {narrow.source} ↦ {narrow.target}, but then the rest of {lesson.source!r} would be left "
            f"untranslated. To teach that: `fewlex teach RUN {narrow.source} {narrow.target}`."
        )
    if not yes:
        if not sys.stdin.isatty():
            raise LexiconError("there is no terminal to ask in. Give --yes to teach this entry.")
        if not typer.confirm("Teach it?", default=True, err=True):
            raise typer.Exit(1)
    return lesson
