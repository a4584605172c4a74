"""`fewlex teach | forget`: words for a trained model. Needs no torch."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

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
        lessons = [_agreed(knowledge.lesson_from(*example, like), yes=yes)]
    else:
        lessons = [knowledge.lesson(source or "", target or "", like)]
    tell_changes("taught", opened.teach(lessons).changes)
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


def _agreed(lesson: Lesson, *, yes: bool) -> Lesson:
    """The lesson that an example implies, if the user agrees."""
    note(f"the example says: {lesson.source} ↦ {lesson.target}")
    if not yes:
        if not sys.stdin.isatty():
            raise LexiconError("there is no terminal to ask in. Give --yes to teach this entry.")
        if not typer.confirm("Teach it?", default=True, err=True):
            raise typer.Exit(1)
    return lesson
