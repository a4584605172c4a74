"""Nested tables of settings, as TOML has them. They override each other and become dataclasses, which check them."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Mapping
from typing import Any, Literal, get_args, get_origin

from fewlex.errors import ConfigError, did_you_mean
from fewlex.strict import MAX_DEPTH, StrictError, checked, parse_toml

Layer = Mapping[str, Any]


def merge(base: Layer, over: Layer) -> dict[str, Any]:
    """`base` with the values of `over` in place of its own, table by table."""
    merged = dict(base)
    for key, value in over.items():
        both_tables = isinstance(value, Mapping) and isinstance(merged.get(key), Mapping)
        merged[key] = merge(merged[key], value) if both_tables else value
    return merged


def parse_setting(text: str) -> Layer:
    """A setting such as `model.hidden=256` as a nested table. The value is TOML, or a word without quotes."""
    path, equals, value = text.partition("=")
    if not equals or not path.strip():
        raise ConfigError(f"--set {text!r} is not of the form section.name=value.")
    if path.count(".") >= MAX_DEPTH:
        raise ConfigError(f"--set {text[:40]!r}… is nested too deeply. A setting is section.name=value.")
    try:
        parsed: Any = parse_toml(f"value = {value}")["value"]
    except StrictError:
        parsed = value.strip()
    return nested(path.strip(), parsed)


def nested(path: str, value: Any) -> Layer:
    """A nested table with one value: `model.hidden` and 256 become {"model": {"hidden": 256}}."""
    layer: Any = value
    for name in reversed(path.split(".")):
        layer = {name: layer}
    return typing.cast(Layer, layer)


def build(kind: Any, table: Layer, where: str = "") -> Any:
    """Make a dataclass from a table. Errors name the setting."""
    if not isinstance(table, Mapping):
        raise ConfigError(f"{where.rstrip('.')} is a group of settings, not a single value.")
    types_of = typing.get_type_hints(kind)
    values: dict[str, Any] = {}
    for name, value in table.items():
        if name not in types_of:
            raise ConfigError(f"there is no setting {where + name!r}. {did_you_mean(name, types_of)}")
        values[name] = _convert(types_of[name], value, where + name)
    return kind(**values)


def _convert(expected: Any, value: Any, where: str) -> Any:
    if dataclasses.is_dataclass(expected):
        return build(expected, value, f"{where}.")
    if get_origin(expected) is Literal:
        if value not in get_args(expected):
            choices = ", ".join(map(repr, get_args(expected)))
            raise ConfigError(f"{where} must be one of {choices}, not {value!r}.")
        return value
    if get_origin(expected) is not None:  # a table of parameters, whose owner checks what is in it
        expected = dict[str, Any]
    try:
        return checked(value, expected, where)
    except StrictError as error:
        raise ConfigError(f"{error}.") from None
