"""`fewlex rules`: learn, show, compare, edit, apply and evaluate rules with holes. Needs no torch."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from fewlex.cli.options import DataArgument, JsonOption, require_other_than
from fewlex.cli.screen import note, progress_bar, put, say, work_bar
from fewlex.data import Corpus, find_notation, load
from fewlex.data.codec import PUBLISHED
from fewlex.data.truecase import learn_truecase
from fewlex.lexicon import Lexicon
from fewlex.rules import ARROW, RuleParser, Word, learn_rules
from fewlex.rules.edits import diff_rules
from fewlex.rules.evaluation import evaluate_rules, parse_or_none
from fewlex.rules.journal import RuleEdit, RuleJournal
from fewlex.rules.storage import load_rules, save_rules
from fewlex.rules.text import to_text
from fewlex.rules.view import book_json, book_text, derivation_json, derivation_text

app = typer.Typer(help="Learn, show, compare, edit, apply and evaluate rules.", no_args_is_help=True)

CHANGES_TOLD = 5

RulesArgument = Annotated[
    Path,
    typer.Argument(metavar="RULES", help="A .json or .txt rule book, or a run folder.", show_default=False),
]
RuleArgument = Annotated[
    str, typer.Argument(metavar="RULE", help="A name, or the rule: `R3`, `'_ twice ↦ #0 #0'`.")
]
TextArgument = Annotated[
    str, typer.Argument(metavar="RULE", help="`'_ thrice ↦ #0 #0 #0'`; for ↦ you may write ->.")
]
NotationOption = Annotated[
    str, typer.Option(help="How targets are written; see `fewlex data list` for the notations of a data set.")
]
TruecaseOption = Annotated[
    bool, typer.Option("--truecase", help="Take the first word of a sentence as it is written elsewhere.")
]


@app.command()
def learn(
    data: DataArgument,
    out: Annotated[Path | None, typer.Option(help="A .json or .txt file; without it, the terminal.")] = None,
    lexicon: Annotated[
        Path | None,
        typer.Option(
            help="A .json or .tsv lexicon whose words the rules shall know, too.", show_default=False
        ),
    ] = None,
    precision: Annotated[
        float,
        typer.Option(
            min=0, max=1, help="The rules are sure where at least so many held-out answers were right."
        ),
    ] = 0.98,
    notation: NotationOption = PUBLISHED,
    truecase: TruecaseOption = False,
) -> None:
    """Learn rules with holes from the training split.

    `fewlex rules learn scan:jump --out rules.json`

    `fewlex rules learn cogs --notation nested --truecase --out rules.json`
    """
    require_other_than(data, out)
    examples = learning_corpus(data, notation, truecase)["train"]
    words = None if lexicon is None else Lexicon.load(lexicon)
    with work_bar() as observe:
        book = learn_rules(examples, lexicon=words, precision=precision, on_progress=observe)
    if out is None:
        say(book_text(book), nl=False)
    else:
        save_rules(book, out)
        note(f"{len(book.rules)} rules and {len(book.words)} words in {out}")
    note(
        book.measured.silence
        or f"they derive {book.measured.derived:.1%} of {len(examples):,} training pairs"
    )


@app.command()
def show(
    rules: RulesArgument,
    limit: Annotated[int, typer.Option(min=1, help="How many rules to show.")] = 100,
    as_json: JsonOption = False,
) -> None:
    """The rules by what they do, each with an example sentence."""
    book = load_rules(rules)
    if as_json:
        say(json.dumps(book_json(book), ensure_ascii=False))
    else:
        say(book_text(book, limit), nl=False)


@app.command()
def diff(
    old: RulesArgument,
    new: Annotated[Path, typer.Argument(metavar="OTHER", help="The rules to compare with.")],
    as_json: JsonOption = False,
) -> None:
    """What would turn the first rules into the second; exit code 1 where they differ."""
    difference = diff_rules(load_rules(old), load_rules(new))
    removed = [str(rule) for rule in difference.removed] + [_entry(word) for word in difference.removed_words]
    added = [str(rule) for rule in difference.added] + [_entry(word) for word in difference.added_words]
    changed = [(_entry(before), _entry(after)) for before, after in difference.changed_words]
    if as_json:
        content = {"removed": removed, "added": added, "changed": changed}
        say(json.dumps(content, ensure_ascii=False))
    else:
        for text in removed:
            say(f"- {text}", fg="red")
        for text in added:
            say(f"+ {text}", fg="green")
        for before, after in changed:
            say(f"~ {before} → {after}", fg="yellow")
    if difference:
        raise typer.Exit(1)


@app.command()
def add(
    rules: RulesArgument,
    rule: TextArgument,
    like: Annotated[
        str, typer.Option(metavar="RULE", help="A rule that it behaves like, `R3`; of a word, another word.")
    ] = "",
) -> None:
    """Add a rule, which stands wherever the rule that it is like may stand; or a word that is like another word.

    `fewlex rules add rules.json '_ thrice -> #0 #0 #0' --like R1`

    `fewlex rules add rules.json 'blork -> I_BLORK' --like walk`
    """
    journal = RuleJournal(rules)
    if like and journal.read().word(like) is not None:
        journal.teach(rule, like)
        note(f"added: {rule}, which works wherever {like!r} works")
        return
    new, model = journal.add(rule, like)
    note(f"added: {new.name}  {new}")
    if model is not None and not like:
        note(f"it takes the same fillers as {model.name}, {model}. --like chooses another rule")


@app.command()
def change(
    rules: RulesArgument,
    name: RuleArgument,
    text: Annotated[str, typer.Argument(metavar="NEW", help="What it shall say instead.")],
) -> None:
    """Change what a rule says.

    `fewlex rules change rules.json R2 '_ and _ -> #0 , #1'`
    """
    _tell(RuleJournal(rules).change(name, text))


@app.command()
def forget(rules: RulesArgument, name: RuleArgument) -> None:
    """Remove a rule."""
    _tell(RuleJournal(rules).forget(name))


@app.command()
def undo(rules: RulesArgument) -> None:
    """Take back the last edit; again, the one before it, back to the beginning."""
    edit = RuleJournal(rules).undo()
    note(f"undone: {edit.action}, {edit.time}")


@app.command()
def export(
    rules: RulesArgument,
    out: Annotated[str, typer.Option(help="A .txt or .json file; `-` = text on standard output.")] = "-",
) -> None:
    """Write the rules as text to edit, or as JSON. `fewlex rules import` takes the edited text back."""
    book = load_rules(rules)
    if out == "-":
        put(to_text(book), nl=False)
    else:
        save_rules(book, Path(out))
        note(f"{len(book.rules)} rules and {len(book.words)} words in {out}")


@app.command("import")
def import_(
    rules: RulesArgument,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Edited rules, .txt or .json.", show_default=False)
    ],
) -> None:
    """Put edited rules in the place of these; what you did not change keeps what was learned about it."""
    _tell(RuleJournal(rules).replace(load_rules(file), "import"))


@app.command()
def apply(
    rules: RulesArgument,
    explain: Annotated[bool, typer.Option("--explain", help="After each output, its derivation.")] = False,
    only_sure: Annotated[
        bool, typer.Option("--sure", help="Answer only where the rules have earned it on training data.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Translate standard input, line by line; a line that the rules cannot derive stays empty.

    `echo 'jump twice' | fewlex rules apply rules.json --explain`
    """
    parser = RuleParser(load_rules(rules))
    lines = silent = 0
    for line in sys.stdin:
        derivation = parse_or_none(parser, line.split())
        if only_sure and derivation is not None and not derivation.is_sure:
            derivation = None
        lines, silent = lines + 1, silent + (derivation is None)
        if as_json:
            content = derivation_json(derivation) if derivation else {"source": line.split(), "target": None}
            say(json.dumps(content, ensure_ascii=False))
            continue
        put(" ".join(derivation.tokens) if derivation else "")
        if explain and derivation:
            for row in derivation_text(derivation).splitlines():
                say(f"  {row}", fg="bright_black")
    if silent:
        note(f"{silent:,} of {lines:,} lines are not answered")


@app.command()
def evaluate(
    rules: RulesArgument,
    data: DataArgument,
    split: Annotated[
        str | None, typer.Option(help="Which split. Default: the data set's own evaluation split.")
    ] = None,
    notation: NotationOption = PUBLISHED,
    truecase: TruecaseOption = False,
    as_json: JsonOption = False,
) -> None:
    """Exact match of the rules alone, in all and by category, and how often they are right where they are sure."""
    corpus = learning_corpus(data, notation, truecase)
    split = split or corpus.evaluation_split
    examples = corpus[split]
    with progress_bar("evaluating", len(examples)) as advance:
        scores = evaluate_rules(RuleParser(load_rules(rules)), examples, advance)
    if as_json:
        content = {"rules": str(rules), "data": corpus.name, "split": split}
        say(json.dumps(content | dataclasses.asdict(scores), ensure_ascii=False))
        return
    say(f"{corpus.name}, {split}: {scores.examples:,} examples")
    say(f"exact match  {scores.exact_match:.4f}")
    say(f"answered     {scores.answered:.4f}")
    say(f"sure         {scores.sure:.4f}")
    if scores.precision is not None:
        say(f"precision    {scores.precision:.4f}  where the rules are sure")
    if scores.by_category:
        say("by category:")
    for category, accuracy in scores.by_category.items():
        say(f"  {accuracy:.4f}  {category}")


def learning_corpus(data: str, notation: str, truecase: bool) -> Corpus:
    """The data as rules see it: targets in a notation, and first words as the training sentences write them."""
    corpus = load(data)
    if truecase:
        corpus = corpus.truecased(learn_truecase(example.source for example in corpus["train"]))
    codec = find_notation(notation, corpus.name)
    return corpus if codec is None else corpus.in_notation(codec)


def _entry(word: Word) -> str:
    return f"{word.term} {ARROW} {' '.join(word.target)}"


def _tell(edit: RuleEdit) -> None:
    """Say on stderr what has changed."""
    shown = [(before, after) for before, after, _ in edit.rules.values() if _said(before) != _said(after)]
    for before, after in shown[:CHANGES_TOLD]:
        note(f"{_said(before)}  →  {_said(after)}")
    if len(shown) > CHANGES_TOLD:
        note(f"… and {len(shown) - CHANGES_TOLD:,} more rules")
    if edit.words:
        note(f"words changed: {len(edit.words):,}")
    if not edit.rules and not edit.words:
        note("unchanged: the rules say so already")


def _said(rule: Mapping[str, Any] | None) -> str:
    return "nothing" if rule is None else f"{rule['name']}  {rule['rule']}"
