"""Glossaries: translations that a person brings in a file.

A glossary is a table (data/columns.py) with two columns, `source` and `target`; a header may name them. A header may
also name a third column `like`, for a training word that the new word behaves like. The rules:

- Both sides are tokenized in the same way as the run's text. A word that the tokenizer splits becomes a term of
  several tokens, and matches wherever the same tokens follow each other.
- A line that repeats an earlier one is dropped. A line that gives the same source another target is an error, because
  a glossary cannot say which of the two is meant when.
- A lexicon file (`.json`, or a `.tsv` with a `weight` column) is a glossary too. Its words are tokens already, and a
  row may have several translations, since their weights decide between them.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from fewlex.data.columns import Header, Numbered, named_cells, read_cells
from fewlex.data.lines import LineError, located, numbered_lines
from fewlex.data.terms import Tokenize, as_term
from fewlex.errors import DataError, LexiconError
from fewlex.lexicon.entry import GLOSSARY, Entry
from fewlex.lexicon.lexicon import Lexicon
from fewlex.lexicon.storage import REQUIRED_COLUMNS

COLUMNS = ("source", "target")

Row = tuple[int, str, str, str]
"""The line number, the source, the target, and the word after `like`, which may be empty."""


def read_glossary(path: Path | str, tokenize_source: Tokenize, tokenize_target: Tokenize) -> Lexicon:
    """The entries of a glossary or a lexicon file; their origin is `glossary`."""
    if Path(path).suffix == ".json":
        return _as_glossary(Lexicon.load(path))
    lines = list(read_cells(path))
    if tuple(lines[0][1][:3]) == REQUIRED_COLUMNS:
        return _as_glossary(Lexicon.load(path))
    return _collected(path, _rows(path, lines), tokenize_source, tokenize_target)


def read_keep(path: Path | str, tokenize_source: Tokenize, tokenize_target: Tokenize) -> Lexicon:
    """The words and terms of a file, one on each line, each translated to itself; their origin is `glossary`."""
    rows = ((number, line, line, "") for number, line in numbered_lines(path))
    return _collected(path, rows, tokenize_source, tokenize_target)


def unused(glossary: Lexicon, matched: Container[str]) -> tuple[str, ...]:
    """The source words of a glossary that matched nothing, perhaps because they are misspelt or in another script."""
    return tuple(source for source in glossary.sources if source not in matched)


def _as_glossary(lexicon: Lexicon) -> Lexicon:
    """The same entries with the origin `glossary`."""
    return Lexicon((source, target, replace(entry, origin=GLOSSARY)) for source, target, entry in lexicon)


def _rows(path: Path | str, lines: list[Numbered]) -> Iterator[Row]:
    """The rows of a table, without its header if it has one."""
    header = Header.of(lines[0][1])
    for number, cells in lines if header is None else lines[1:]:
        with located(path, number):
            if header is None and len(cells) != len(COLUMNS):
                found = "1 column" if len(cells) == 1 else f"{len(cells)} columns"
                cure = (
                    "Write source and target with one tab between them; a third column `like` needs a header."
                )
                raise LineError(f"{found} where 2 are expected", cure)
            named = named_cells(cells, COLUMNS if header is None else header.columns)
        yield number, named["source"], named["target"], named.get("like", "")


def _collected(
    path: Path | str, rows: Iterable[Row], tokenize_source: Tokenize, tokenize_target: Tokenize
) -> Lexicon:
    """The rows as a lexicon; it is an error if a source has two translations."""
    rows_by_source: dict[str, tuple[int, str, str]] = {}
    for number, source_text, target_text, like_text in rows:
        source = _term(path, number, "source", source_text, tokenize_source)
        target = _term(path, number, "target", target_text, tokenize_target)
        like = _term(path, number, "like", like_text, tokenize_source) if like_text.strip() else ""
        first, *before = rows_by_source.setdefault(source, (number, target, like))
        if before != [target, like]:
            problem = f"{source!r} is {_told(target, like)} here and {_told(*before)} in line {first}"
            raise DataError.at(path, number, problem, "Keep one of the two lines.")
    return Lexicon(
        (source, target, Entry(1.0, GLOSSARY, like=like))
        for source, (_, target, like) in rows_by_source.items()
    )


def _told(target: object, like: object) -> str:
    """What a row says, for a message."""
    return f"{target!r} (like {like!r})" if like else repr(target)


def _term(path: Path | str, number: int, column: str, text: str, tokenize: Tokenize) -> str:
    """A cell of the table as a lexicon word; errors say where the cell is."""
    if not text.strip():
        cure = "Write at least one word in each column, or remove the line."
        raise DataError.at(path, number, f"the {column} is empty", cure)
    try:
        return as_term(text, tokenize)
    except LexiconError as error:
        raise DataError(f"{path}:{number}: {error}") from None
