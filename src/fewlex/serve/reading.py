"""JSON and query strings into the dataclasses of shapes.py, checked field by field."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping
from typing import Any, Literal, TypeVar, get_args, get_origin

from fewlex import strict
from fewlex.errors import did_you_mean
from fewlex.serve.problems import Problem
from fewlex.serve.shapes import Bounds

T = TypeVar("T")


def parse_json(body: bytes) -> Any:
    """The content of a body, read as strictly as a file."""
    try:
        return strict.parse_json(body.decode())
    except ValueError as error:
        raise Problem(400, f"the body is not JSON ({error}). Send a JSON object in UTF-8.") from error


def read_body(shape: type[T], content: Any) -> T:
    """A JSON value as a dataclass; the problem names the place that does not fit."""
    return typing.cast(T, _read(shape, content, ""))


def read_query(shape: type[T], query: Mapping[str, str]) -> T:
    """A query string as a dataclass, whose fields are strings, numbers or choices."""
    hints = typing.get_type_hints(shape, include_extras=True)
    content = {name: _from_text(hints.get(name, str), text, name) for name, text in query.items()}
    return read_body(shape, content)


def _wrong(where: str, wanted: str) -> Problem:
    place = where or "the body"
    return Problem(422, f"{place} must be {wanted}.", where=where)


def _read(shape: Any, value: Any, where: str) -> Any:
    if get_origin(shape) is typing.Annotated:
        plain, *notes = get_args(shape)
        found = _read(plain, value, where)
        for note in notes:
            if isinstance(note, Bounds) and found is not None:
                _check_bounds(note, found, where)
        return found
    if dataclasses.is_dataclass(shape):
        return _read_object(typing.cast(type[Any], shape), value, where)
    origin = get_origin(shape)
    if origin in (typing.Union, types.UnionType):
        return _read_union(get_args(shape), value, where)
    if origin is Literal:
        if value not in get_args(shape):
            raise _wrong(where, f"one of {', '.join(map(str, get_args(shape)))}")
        return value
    if origin is tuple:
        if not isinstance(value, list):
            raise _wrong(where, "a list")
        return tuple(_read(get_args(shape)[0], item, f"{where}[{i}]") for i, item in enumerate(value))
    return _read_scalar(shape, value, where)


def _read_union(options: tuple[Any, ...], value: Any, where: str) -> Any:
    """A value that is one of several kinds; null only where None is one of them."""
    if value is None and types.NoneType in options:
        return None
    rest = [option for option in options if option is not types.NoneType]
    for option in rest[:-1]:
        try:
            return _read(option, value, where)
        except Problem:
            continue
    return _read(rest[-1], value, where)


def _read_object(shape: type[Any], value: Any, where: str) -> Any:
    if not isinstance(value, dict):
        raise _wrong(where, "an object")
    hints = typing.get_type_hints(shape, include_extras=True)
    fields = {field.name: field for field in dataclasses.fields(shape)}
    for name in value:
        if name not in fields:
            raise Problem(422, f"there is no field {name!r}. {did_you_mean(name, fields)}", where=where)
    found = {}
    for name, field in fields.items():
        place = f"{where}.{name}" if where else name
        if name in value:
            found[name] = _read(hints[name], value[name], place)
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            raise Problem(422, f"the field {place} is missing. Add it.", where=place)
    return shape(**found)


def _read_scalar(shape: Any, value: Any, where: str) -> Any:
    if shape is str and isinstance(value, str):
        if not value.isascii() and any("\ud800" <= character <= "\udfff" for character in value):
            raise _wrong(where, "text without halves of characters (surrogates)")
        return value
    if shape is bool and isinstance(value, bool):
        return value
    if shape is int and _is_number(value) and float(value).is_integer():
        return int(value)
    if shape is float and _is_number(value):
        return float(value)
    names = {str: "text", bool: "true or false", int: "a whole number", float: "a number"}
    raise _wrong(where, names[shape])


def _is_number(value: Any) -> bool:
    """Whether JSON has brought a number that a float can hold."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return -1e300 < value < 1e300


def _check_bounds(bounds: Bounds, value: Any, where: str) -> None:
    size = value if isinstance(value, int | float) else len(value)
    unit = "" if isinstance(value, int | float) else " characters" if isinstance(value, str) else " items"
    if bounds.least is not None and size < bounds.least:
        raise _wrong(where, f"at least {bounds.least}{unit}" if unit else f"{bounds.least} or more")
    if bounds.most is not None and size > bounds.most:
        raise _wrong(where, f"at most {bounds.most}{unit}" if unit else f"{bounds.most} or less")


def _from_text(shape: Any, text: str, name: str) -> Any:
    """The text of a query parameter as the JSON value that its field wants."""
    if get_origin(shape) is typing.Annotated:
        shape = get_args(shape)[0]
    if shape is int:
        try:
            return int(text)
        except ValueError:
            raise _wrong(name, "a whole number") from None
    return text
