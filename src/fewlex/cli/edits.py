"""`fewlex lexicon edit | undo | import | export`: change the lexicon of a run as a whole. Needs no torch."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from fewlex.cli.options import RunArgument
from fewlex.cli.screen import note, put, tell_changes
from fewlex.errors import FewlexError, LexiconError
from fewlex.lexicon import Lexicon
from fewlex.lexicon.storage import to_tsv
from fewlex.run import Run

STDOUT = "-"


def edit(
    run: RunArgument,
    resume: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Go on with the text that a mistake has left behind.")
    ] = None,
) -> None:
    """Edit a run's lexicon as a table in your editor ($VISUAL or $EDITOR).

    `EDITOR=nano fewlex lexicon edit runs/jump`

    Add, change or remove lines; saving and closing puts them in effect. What you change has origin `person`.
    """
    journal = Run.open(run).journal
    table = Path(tempfile.mkdtemp(prefix="fewlex-")) / "lexicon.tsv"
    if resume is None:
        journal.write_table(table)
    else:
        _copy(resume, table)
    try:
        _run_editor(table)
        done = journal.take_table(table)
    except FewlexError as error:
        cure = f"The run is untouched and your text is kept: fewlex lexicon edit {run} --resume {table}"
        raise LexiconError(f"{error} {cure}") from error
    table.unlink()
    table.parent.rmdir()
    tell_changes("edited", done.changes)


def undo(run: RunArgument) -> None:
    """Take back the last edit of a run's lexicon; again, the one before it, back to the beginning.

    `fewlex lexicon undo runs/jump`
    """
    undone = Run.open(run).journal.undo()
    tell_changes(f"undone ({undone.action}, {undone.time})", undone.reversed().changes)


def redo(run: RunArgument) -> None:
    """Make the edit of a run's lexicon again that was undone last; after another edit there is none.

    `fewlex lexicon redo runs/jump`
    """
    again = Run.open(run).journal.redo()
    tell_changes(f"made again ({again.action}, {again.time})", again.changes)


def import_(
    run: RunArgument,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A .json or .tsv lexicon.", show_default=False)
    ],
) -> None:
    """Put a lexicon file in the place of a run's lexicon. To add single words, use `fewlex teach`.

    `fewlex lexicon import runs/jump lexicon.tsv`
    """
    tell_changes("imported", Run.open(run).journal.replace(Lexicon.load(file)).changes)


def export(
    run: RunArgument,
    out: Annotated[Path, typer.Option(help="A .tsv or .json file; `-` = standard output, as TSV.")] = Path(
        STDOUT
    ),
) -> None:
    """Write a run's lexicon to a file, for a spreadsheet or another run.

    `fewlex lexicon export runs/jump --out lexicon.tsv`
    """
    lexicon = Run.open(run).journal.read()
    if str(out) == STDOUT:
        put(to_tsv(lexicon), nl=False)
        return
    lexicon.save(out)
    note(f"{len(lexicon)} entries for {len(lexicon.sources)} source words in {out}")


def _copy(kept: Path, table: Path) -> None:
    try:
        table.write_bytes(kept.read_bytes())
    except OSError as error:
        raise LexiconError(f"cannot read {kept}: {error.strerror}. Check its name.") from error


def _run_editor(table: Path) -> None:
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not editor:
        raise LexiconError("no editor is set. Set one: `export EDITOR=nano`.")
    try:
        done = subprocess.run([*shlex.split(editor), str(table)])
    except (OSError, ValueError) as error:
        raise LexiconError(f"the editor {editor!r} does not start ({error}). Set another $EDITOR.") from error
    if done.returncode:
        raise LexiconError(f"the editor {editor!r} ended with code {done.returncode}.")
