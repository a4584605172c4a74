"""What requests and answers about lexicons and lessons look like."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from fewlex.serve.shapes import Count, EditShape, EntryShape, Name, RunName, State
from fewlex.strict import Within

# The lexicon.


@dataclass(frozen=True)
class LexiconQuery:
    run: RunName = ""
    search: Annotated[str, Within(most=1000)] = ""
    sort: Literal["file", "source", "target", "weight", "origin", "probability"] = "file"
    order: Literal["up", "down"] = "up"
    offset: Count = 0
    limit: Annotated[int, Within(least=0, most=1000)] = 100


@dataclass(frozen=True)
class LexiconPage:
    """`total` rows are in the lexicon, `matching` of them match the search, and `rows` begin at `offset` of those."""

    run: str
    version: str
    total: int
    matching: int
    offset: int
    rows: tuple[EntryShape, ...]


@dataclass(frozen=True)
class SetEntry:
    source: Name
    target: Name
    run: RunName = ""
    weight: float = 1.0
    like: str = ""
    replaces: str | None = None
    """The translation whose place this one takes."""


@dataclass(frozen=True)
class DeleteQuery:
    source: Name
    target: str | None = None
    run: RunName = ""


@dataclass(frozen=True)
class ImportRequest:
    content: str
    run: RunName = ""
    format: Literal["tsv", "json"] = "tsv"
    mode: Literal["replace", "merge"] = "replace"
    preview: bool = False


@dataclass(frozen=True)
class ChangedEntry:
    before: EntryShape
    after: EntryShape


@dataclass(frozen=True)
class Totals:
    added: int
    removed: int
    changed: int


@dataclass(frozen=True)
class Imported:
    """What an import changes; with `preview` nothing was written and `edit` is null."""

    state: State
    added: tuple[EntryShape, ...]
    removed: tuple[EntryShape, ...]
    changed: tuple[ChangedEntry, ...]
    totals: Totals
    edit: EditShape | None


@dataclass(frozen=True)
class ExportQuery:
    run: RunName = ""
    format: Literal["tsv", "json"] = "tsv"


# Teaching.


@dataclass(frozen=True)
class LessonShape:
    """A term and its translation; `like` names a known word that behaves alike. With `also`, older meanings stay."""

    source: Name
    target: Name
    like: str = ""
    also: bool = False


@dataclass(frozen=True)
class TeachRequest:
    """Either `lessons` or an `example`: a sentence with one new word, and its translation."""

    run: RunName = ""
    lessons: tuple[LessonShape, ...] | None = None
    example: LessonShape | None = None
    preview: bool = False
    sentences: tuple[str, ...] = ()


@dataclass(frozen=True)
class ChangedOutput:
    sentence: str
    before: str
    after: str


@dataclass(frozen=True)
class Taught:
    """`changed` are those of the `compared` sentences whose output is another one with the lessons."""

    state: State
    lessons: tuple[LessonShape, ...]
    edit: EditShape | None
    changed: tuple[ChangedOutput, ...]
    compared: int
    caveat: str


@dataclass(frozen=True)
class RunRequest:
    run: RunName = ""


@dataclass(frozen=True)
class EditsQuery:
    run: RunName = ""
    limit: Annotated[int, Within(least=0, most=1000)] = 50


@dataclass(frozen=True)
class Edits:
    """The last edits that are not undone, the newest first."""

    run: str
    version: str
    edits: tuple[EditShape, ...]
    total: int
