"""JSON and query strings into the dataclasses of shapes.py, checked by `fewlex.strict` as files are."""

from __future__ import annotations

import typing
from collections.abc import Mapping
from typing import Any, TypeVar, get_args, get_origin

from fewlex import strict
from fewlex.serve.problems import Problem

T = TypeVar("T")


def parse_json(body: bytes) -> Any:
    """The content of a body, read as strictly as a file."""
    try:
        return strict.parse_json(body.decode())
    except ValueError as error:
        raise Problem(400, f"the body is not JSON ({error}). Send a JSON object in UTF-8.") from error


def read_body(shape: type[T], content: Any) -> T:
    """A JSON value as a dataclass; the problem names the place that does not fit."""
    try:
        return strict.checked(content, shape)
    except strict.StrictError as error:
        told = f"{error}. {error.cure}".rstrip()
        raise Problem(422, told if error.where else f"the body: {told}", where=error.where) from error


def read_query(shape: type[T], query: Mapping[str, str]) -> T:
    """A query string as a dataclass, whose fields are strings, numbers or choices."""
    hints = typing.get_type_hints(shape, include_extras=True)
    return read_body(shape, {name: _from_text(hints.get(name, str), text) for name, text in query.items()})


def _from_text(shape: Any, text: str) -> Any:
    """The text of a query parameter as the JSON value that its field wants, if it can be one."""
    if get_origin(shape) is typing.Annotated:
        shape = get_args(shape)[0]
    if shape is int:
        try:
            return int(text)
        except ValueError:
            return text  # which is no number, as whoever checks it will say
    return text
