"""What requests and answers about rules look like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fewlex.serve.shapes import Name, RunName


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
class RulesAnswer:
    """The rules by what they do, and the words of each class. `silence` says why the rules do not answer, if so."""

    run: str
    version: str
    silence: str
    rules: tuple[RuleShape, ...]
    words: Mapping[str, Mapping[str, str]]


@dataclass(frozen=True)
class SetRule:
    """A new rule that behaves like another one, or a new text for the rule that `replaces` names.

    Where `like` is a word, `rule` is a word too: `blork ↦ I_BLORK`.
    """

    rule: Name
    run: RunName = ""
    like: str = ""
    replaces: str | None = None


@dataclass(frozen=True)
class ForgetRuleQuery:
    name: Name
    run: RunName = ""
