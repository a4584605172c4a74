"""The settings with their explanations, which are the docstrings that stand under them in the source."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import textwrap
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from fewlex.config import Config


@dataclass(frozen=True)
class Setting:
    """One setting as `--set` names it."""

    name: str
    kind: str
    """`int`, `float`, `bool`, `str`, or the choices that there are."""
    default: Any
    explanation: str

    def matches(self, text: str) -> bool:
        """Whether every word of a search is in the name, in the choices or in the explanation."""
        content = f"{self.name} {self.kind} {self.explanation}".lower()
        return all(word in content for word in text.lower().split())


def all_settings(search: str = "") -> list[Setting]:
    """Every setting of a run in the order of the source; only those that match, where something is searched for."""
    return [setting for setting in _settings_of(Config) if setting.matches(search)]


def sections() -> dict[str, str]:
    """The groups of settings and what they are about."""
    types = typing.get_type_hints(Config)
    return {
        field.name: inspect.cleandoc(types[field.name].__doc__ or "")
        for field in dataclasses.fields(Config)
        if dataclasses.is_dataclass(types[field.name])
    }


def _settings_of(section: type[Any], before: str = "") -> Iterator[Setting]:
    explanations, types = _attribute_docstrings(section), typing.get_type_hints(section)
    for field in dataclasses.fields(section):
        kind = types[field.name]
        if dataclasses.is_dataclass(kind):
            yield from _settings_of(typing.cast(type[Any], kind), f"{before}{field.name}.")
            continue
        default = field.default
        if field.default_factory is not dataclasses.MISSING:
            default = field.default_factory()
        yield Setting(before + field.name, _kind_name(kind), default, explanations.get(field.name, ""))


def _attribute_docstrings(section: type[Any]) -> dict[str, str]:
    """What stands in quotes under each field. Python does not keep it, so it is read from the source."""
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(section))).body
    assert isinstance(tree, ast.ClassDef)
    found = {}
    for field, text in zip(tree.body, tree.body[1:], strict=False):
        is_text = isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and is_text:
            found[field.target.id] = " ".join(str(text.value.value).split())  # type: ignore[attr-defined]
    return found


def _kind_name(kind: Any) -> str:
    if typing.get_origin(kind) is Literal:
        return " | ".join(map(str, typing.get_args(kind)))
    return "table" if typing.get_origin(kind) else str(kind.__name__)
