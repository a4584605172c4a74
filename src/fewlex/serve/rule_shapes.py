"""What requests and answers about rules look like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from fewlex.serve.lexicon_shapes import ChangedOutput, Totals
from fewlex.serve.shapes import Count, EditShape, Name, RuleChange, RunName, State
from fewlex.strict import Within


@dataclass(frozen=True)
class RuleShape:
    """One rule, such as `_ twice ↦ #0 #0`; `does` says in words what it does, `fillers` what has filled its holes."""

    name: str
    rule: str
    does: str
    count: int
    origin: str
    example: str
    fillers: tuple[Mapping[str, int], ...]


@dataclass(frozen=True)
class RulesQuery:
    run: RunName = ""
    search: Annotated[str, Within(most=1000)] = ""
    sort: Literal["file", "name", "rule", "does", "count", "origin", "example"] = "file"
    order: Literal["up", "down"] = "up"
    offset: Count = 0
    limit: Annotated[int, Within(least=0, most=1000)] = 1000


@dataclass(frozen=True)
class Trust:
    """How far the rules can be trusted: the share of `pairs` training pairs that they derive, and how often their
    surest answers were right in `checked` cases that they had not seen. They speak where `wanted` of them were."""

    pairs: int
    derived: float
    checked: int
    precision: float | None
    wanted: float


@dataclass(frozen=True)
class RulesAnswer:
    """`total` rules are there, `matching` match the search, and `rules` begin at `offset` of those.

    In the order `file` they are grouped by what they do. `silence` says why the rules do not answer, if so.
    """

    run: str
    version: str
    silence: str
    trust: Trust
    total: int
    matching: int
    offset: int
    rules: tuple[RuleShape, ...]


@dataclass(frozen=True)
class RuleWordsQuery:
    run: RunName = ""
    search: Annotated[str, Within(most=1000)] = ""
    sort: Literal["file", "source", "target", "kind", "origin"] = "file"
    order: Literal["up", "down"] = "up"
    offset: Count = 0
    limit: Annotated[int, Within(least=0, most=1000)] = 1000


@dataclass(frozen=True)
class RuleWordShape:
    """A word that fills holes; words of one `kind` fill the same ones."""

    source: str
    target: str
    kind: str
    origin: str


@dataclass(frozen=True)
class RuleWords:
    run: str
    version: str
    total: int
    matching: int
    offset: int
    words: tuple[RuleWordShape, ...]


@dataclass(frozen=True)
class SetRule:
    """A new rule that behaves like another one, or a new text for the rule that `replaces` names.

    Where `like` is a word, `rule` is a word too: `blork ↦ I_BLORK`. With `preview` nothing is written; the answer tells
    which of the `sentences` would have another output.
    """

    rule: Name
    run: RunName = ""
    like: str = ""
    replaces: str | None = None
    preview: bool = False
    sentences: tuple[str, ...] = ()


@dataclass(frozen=True)
class RuleSet:
    """`changed` are those of the `compared` sentences whose output is another one with the edit."""

    state: State
    edit: EditShape | None
    changed: tuple[ChangedOutput, ...]
    compared: int


@dataclass(frozen=True)
class ForgetRuleQuery:
    name: Name
    run: RunName = ""


@dataclass(frozen=True)
class ImportRules:
    """A rule book as text (`txt`, one rule a line) or JSON, as `/v1/rules/export` writes them."""

    content: str
    run: RunName = ""
    format: Literal["txt", "json"] = "txt"
    mode: Literal["replace", "merge"] = "replace"
    preview: bool = False


@dataclass(frozen=True)
class RulesImported:
    """What an import changes, rules and then words; with `preview` nothing was written and `edit` is null."""

    state: State
    changes: tuple[RuleChange, ...]
    totals: Totals
    edit: EditShape | None


@dataclass(frozen=True)
class ExportRulesQuery:
    run: RunName = ""
    format: Literal["txt", "json"] = "txt"
