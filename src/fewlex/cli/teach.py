"""`fewlex teach | forget` and `fewlex lexicon edit | undo | import | export`: change a run's lexicon. No torch."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from fewlex.cli.lexicon import app as lexicon_app
from fewlex.cli.screen import RunArgument, note
from fewlex.config import Config
from fewlex.config_layers import from_layers, read_toml
from fewlex.data.tokenizers import make_tokenizer
from fewlex.errors import FewlexError, LexiconError, RunError
from fewlex.lexicon import Change, Journal, Lexicon, as_term, infer_entry, read_glossary
from fewlex.lexicon.storage import to_tsv
from fewlex.lexicon.terms import Tokenize

CHANGES_TOLD = 5
STDOUT = "-"


@dataclass(frozen=True)
class _Run:
    """What of a run folder matters to its lexicon."""

    folder: Path
    config: Config
    journal: Journal

    @classmethod
    def open(cls, run: str) -> _Run:
        folder = Path(run)
        if not (folder / "config.toml").exists():
            raise RunError(f"{run}: no such run folder. `fewlex train DATA --out {run}` makes one.")
        return cls(folder, from_layers([read_toml(folder / "config.toml")]), Journal(folder))

    @cached_property
    def tokenize_source(self) -> Tokenize:
        return make_tokenizer(self.config.data.source_tokenizer).tokenize

    @cached_property
    def tokenize_target(self) -> Tokenize:
        return make_tokenizer(self.config.data.target_tokenizer).tokenize

    def pair(self, source: str, target: str) -> tuple[str, str]:
        """Both sides as this run reads them."""
        return as_term(source, self.tokenize_source), as_term(target, self.tokenize_target)

    def known_words(self, side: str) -> Collection[str]:
        """The source or target words of the training data."""
        path = self.folder / "knowledge.json"
        try:
            return frozenset(json.loads(path.read_text(encoding="utf-8"))[f"{side}_vocab"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise RunError(f"{path}: missing or damaged ({error}). Train the run again.") from error


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
    opened = _Run.open(run)
    if file is not None:
        glossary = read_glossary(file, opened.tokenize_source, opened.tokenize_target)
        lines = [(source, target, entry.like) for source, target, entry in glossary]
    else:
        pair = _inferred(opened, *example, yes=yes) if example else opened.pair(source or "", target or "")
        lines = [(*pair, as_term(like, opened.tokenize_source) if like else "")]
    _check_likes(opened, lines)
    _tell("taught", opened.journal.teach(lines).changes)
    _warn_of_untrained_network(opened.config)


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
    opened = _Run.open(run)
    lexicon = opened.journal.read()
    # What the table shows can be forgotten as it stands, also where the tokenizer would split it.
    word = source if source in lexicon else as_term(source, opened.tokenize_source)
    translation = target
    if target is not None and target not in lexicon.row(word):
        translation = as_term(target, opened.tokenize_target)
    _tell("forgotten", opened.journal.forget(word, translation).changes)


@lexicon_app.command("edit")
def edit_(
    run: RunArgument,
    resume: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Go on with the text that a mistake has left behind.")
    ] = None,
) -> None:
    """Edit a run's lexicon as a table in your editor ($VISUAL or $EDITOR).

    `EDITOR=nano fewlex lexicon edit runs/jump`

    Add, change or remove lines; saving and closing puts them in effect. What you change has origin `person`.
    """
    journal = _Run.open(run).journal
    table = Path(tempfile.mkdtemp(prefix="fewlex-")) / "lexicon.tsv"
    if resume is None:
        journal.write_table(table)
    else:
        _copy(resume, table)
    try:
        _run_editor(table)
        edit = journal.take_table(table)
    except FewlexError as error:
        cure = f"The run is untouched and your text is kept: fewlex lexicon edit {run} --resume {table}"
        raise LexiconError(f"{error} {cure}") from error
    table.unlink()
    table.parent.rmdir()
    _tell("edited", edit.changes)


@lexicon_app.command()
def undo(run: RunArgument) -> None:
    """Take back the last edit of a run's lexicon; again, the one before it, back to the beginning.

    `fewlex lexicon undo runs/jump`
    """
    edit = _Run.open(run).journal.undo()
    changes = {source: Change(change.after, change.before) for source, change in edit.changes.items()}
    _tell(f"undone ({edit.action}, {edit.time})", changes)


@lexicon_app.command("import")
def import_(
    run: RunArgument,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A .json or .tsv lexicon.", show_default=False)
    ],
) -> None:
    """Put a lexicon file in the place of a run's lexicon. To add single words, use `fewlex teach`.

    `fewlex lexicon import runs/jump lexicon.tsv`
    """
    _tell("imported", _Run.open(run).journal.replace(Lexicon.load(file)).changes)


@lexicon_app.command()
def export(
    run: RunArgument,
    out: Annotated[Path, typer.Option(help="A .tsv or .json file; `-` = standard output, as TSV.")] = Path(
        STDOUT
    ),
) -> None:
    """Write a run's lexicon to a file, for a spreadsheet or another run.

    `fewlex lexicon export runs/jump --out lexicon.tsv`
    """
    lexicon = _Run.open(run).journal.read()
    if str(out) == STDOUT:
        typer.echo(to_tsv(lexicon), nl=False)
        return
    lexicon.save(out)
    note(f"{len(lexicon)} entries for {len(lexicon.sources)} source words in {out}")


def _inferred(run: _Run, source: str, target: str, *, yes: bool) -> tuple[str, str]:
    """The new word and its translation in an example, if the user agrees."""
    word, translation = infer_entry(
        run.tokenize_source(source),
        run.tokenize_target(target),
        run.journal.read(),
        run.known_words("source"),
        run.known_words("target"),
    )
    note(f"the example says: {word} ↦ {translation}")
    if not yes:
        if not sys.stdin.isatty():
            raise LexiconError("there is no terminal to ask in. Give --yes to teach this entry.")
        if not typer.confirm("Teach it?", default=True, err=True):
            raise typer.Exit(1)
    return word, translation


def _check_likes(run: _Run, lines: list[tuple[str, str, str]]) -> None:
    likes = {like for _, _, like in lines if like}
    if unknown := sorted(likes.difference(run.known_words("source")) if likes else ()):
        raise LexiconError(
            f"like {unknown[0]!r}: the run was not trained with this word. Name a source word that it knows."
        )


def _warn_of_untrained_network(config: Config) -> None:
    if config.model.output != "lexical":
        note(
            "note: this run's network does not look at the lexicon (model.output), so it will not use the entry."
        )
    elif not config.fast_mapping.is_on:
        note(
            "note: this run's network was not trained to use new words (fast_mapping.probability = 0). "
            "Train with `--preset fast` to teach it words."
        )


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


def _tell(done: str, changes: Mapping[str, Change]) -> None:
    """Say on stderr what has changed."""
    if not changes:
        note("unchanged: the lexicon says so already")
    for source, change in islice(changes.items(), CHANGES_TOLD):
        before, after = (", ".join(row) or "nothing" for row in (change.before, change.after))
        note(f"{done}: {source} ↦ {after} (before: {before})")
    if len(changes) > CHANGES_TOLD:
        note(f"… and {len(changes) - CHANGES_TOLD:,} more source words")
