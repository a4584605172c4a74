"""The one door for JSON and TOML that somebody else may have written: run folders, result files, lexicons, requests.

`parse_json` and `parse_toml` read a text and refuse what only an accident or an attacker writes: nesting without end,
numbers of thousands of digits, NaN, a key that is there twice, half a character. `checked` then compares the content
with a type: the same annotation that the type checker sees is what the content must look like. Both raise a
`ValueError` that says what is wrong and where in the content; whoever knows the file adds its name and the cure.
"""

from __future__ import annotations

import dataclasses
import json
import math
import tomllib
import types
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from fewlex.errors import did_you_mean

Kind = TypeVar("Kind")

_EXACT = 2**53
"""Whole numbers up to this one are the same as floats."""
MAX_DEPTH = 100
"""Objects and lists within each other; our own files have at most six."""


class StrictError(ValueError):
    """What is wrong with a text or its content. `line` is the line of the text, where that is known, else 0.

    Where only the words at that place are known, these are in `near`. `where` is the place in the content, such as
    `familiarity.left`, and `cure` says what could have been meant.
    """

    def __init__(self, problem: str, line: int = 0, near: str = "", where: str = "", cure: str = "") -> None:
        super().__init__(problem)
        self.line = line
        self.near = near
        self.where = where
        self.cure = cure


class RepeatedKeyError(StrictError):
    """A JSON object has the same key twice."""

    def __init__(self, key: str) -> None:
        super().__init__(f"{key!r} is there twice", near=f"{json.dumps(key, ensure_ascii=False)}:")


def parse_json(text: str) -> Any:
    """The content of a JSON text. All numbers are finite, all keys differ, and all texts can be written as UTF-8."""
    try:
        content = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise StrictError(f"{error.msg.lower()}, column {error.colno}", error.lineno) from None
    except RecursionError:
        raise StrictError(f"it is nested more than {MAX_DEPTH} levels deep") from None
    except StrictError as error:
        error.line = text.count("\n", 0, max(text.find(error.near), 0)) + 1
        raise
    except ValueError as error:  # Python refuses whole numbers of more than 4,300 digits
        raise StrictError(_short(error)) from None
    _check_depth(content)
    if "\\u" in text:
        _check_texts(content)
    return content


def parse_toml(text: str) -> dict[str, Any]:
    """The content of a TOML text."""
    try:
        content = tomllib.loads(text)
    except RecursionError:
        raise StrictError(f"it is nested more than {MAX_DEPTH} levels deep") from None
    except ValueError as error:
        raise StrictError(_short(error)) from None
    _check_depth(content)
    return content


def _short(error: Exception) -> str:
    """What an error says, without a hint at settings of Python that nobody should change."""
    return str(error).partition(";")[0]


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise StrictError(f"the number {text} is not finite", near=text)
    return number


def _without_repeats(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise RepeatedKeyError(key)
            seen.add(key)
    return fields


_DECODER = json.JSONDecoder(parse_float=_finite, parse_constant=_finite, object_pairs_hook=_without_repeats)


_NESTING = (dict, list)


def _members(content: object) -> Iterable[object]:
    if isinstance(content, dict):
        return content.values()
    return content if isinstance(content, list) else ()


def _check_depth(content: object) -> None:
    """Python's own limit lets a thousand levels through, which the next reader would stumble over."""
    level = [content]
    for _ in range(MAX_DEPTH):
        level = [member for one in level for member in _members(one) if isinstance(member, _NESTING)]
        if not level:
            return
    raise StrictError(f"it is nested more than {MAX_DEPTH} levels deep")


def _check_texts(content: object) -> None:
    """JSON can spell half a character (`\\ud800`), which no file and no terminal can take."""
    waiting = [content]
    while waiting:
        one = waiting.pop()
        waiting.extend(_members(one))
        for text in one if isinstance(one, dict) else (one,):
            if isinstance(text, str):
                try:
                    text.encode()
                except UnicodeEncodeError:
                    raise StrictError(f"{text[:40]!r} has half a character in it") from None


@dataclass(frozen=True)
class Within:
    """The bounds of a number, or of the length of a text or list, for `Annotated`: both ends are allowed."""

    least: float = -math.inf
    most: float = math.inf

    def __str__(self) -> str:
        if self.most == math.inf:
            return f"at least {self.least:.15g}"
        at_most = f"at most {self.most:.15g}"
        return at_most if self.least == -math.inf else f"from {self.least:.15g} to {self.most:.15g}"


Count = Annotated[int, Within(0, 2**53)]
"""How many of something; larger numbers would not survive a program that reads JSON's numbers as floats."""
Share = Annotated[float, Within(0, 1)]


def checked(content: object, kind: type[Kind], where: str = "") -> Kind:
    """The content, if it looks as its type says, else an error that names the place, such as `familiarity.left`.

    A type is built of str, int, float, bool, None, Any, list, tuple (which is made from a list), dict, unions,
    `Literal`, `TypedDict`, dataclasses (which are made from an object with their fields) and what is `Annotated` with
    `Within`. A bool is no number, an int will do for a float, and 2.0 will do for 2.
    """
    made: Kind = _checked(content, kind, where)
    return made


def _checked(value: Any, kind: Any, where: str) -> Any:
    origin = get_origin(kind)
    if kind is Any:
        return value
    if origin is Annotated:
        return _bounded(_checked(value, get_args(kind)[0], where), get_args(kind)[1:], where)
    if origin is NotRequired:
        return _checked(value, get_args(kind)[0], where)
    if origin is Literal:
        if not any(value == choice and type(value) is type(choice) for choice in get_args(kind)):
            raise _wrong(where, f"one of {', '.join(map(repr, get_args(kind)))}", value)
        return value
    if origin in (types.UnionType, Union):
        return _one_of(value, get_args(kind), where)
    if origin is list:
        return _list(value, get_args(kind)[0], where)
    if origin is tuple:
        return tuple(_list(value, get_args(kind)[0], where, is_long=False))
    if origin is dict:
        return _dict(value, get_args(kind)[1], where)
    if is_typeddict(kind):
        return _fields(value, kind, where)
    if dataclasses.is_dataclass(kind):
        return kind(**_fields(value, kind, where))  # type: ignore[operator]  # an instance is no type
    return _plain(value, kind, where)


def _plain(value: Any, kind: Any, where: str) -> Any:
    fits = isinstance(value, kind) and not (isinstance(value, bool) and kind is not bool)
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        try:
            value = float(value)
        except OverflowError:
            raise _wrong(where, _NAMES[kind], value) from None
        fits = True
    if kind is int and isinstance(value, float) and value.is_integer() and abs(value) <= _EXACT:
        return int(value)  # JSON has one kind of number
    if not fits or (kind is float and not math.isfinite(value)):
        raise _wrong(where, _NAMES.get(kind, str(kind)), value)
    return value


def _bounded(value: Any, bounds: Iterable[Any], where: str) -> Any:
    for bound in bounds:
        is_number = isinstance(value, int | float)
        if (
            isinstance(bound, Within)
            and not bound.least <= (value if is_number else len(value)) <= bound.most
        ):
            unit = "" if is_number else " characters" if isinstance(value, str) else " items"
            raise _wrong(where, f"{bound}{unit}", value)
    return value


def _one_of(value: Any, kinds: Sequence[Any], where: str) -> Any:
    """A value of one of several kinds; what is wrong with it is told for the last of them that is not null."""
    if value is None and types.NoneType in kinds:
        return None
    *others, last = [kind for kind in kinds if kind is not types.NoneType]
    for kind in others:
        with suppress(StrictError):
            return _checked(value, kind, where)
    return _checked(value, last, where)


def _list(value: Any, kind: Any, where: str, *, is_long: bool = True) -> list[Any]:
    if not isinstance(value, list):
        raise _wrong(where, _NAMES[list], value)
    if kind is str and is_long:  # vocabularies have a million words
        if not all(type(member) is str for member in value):
            raise _wrong(where, "a list of texts", next(m for m in value if type(m) is not str))
        return value
    return [_checked(member, kind, f"{where}[{i}]") for i, member in enumerate(value)]


def _dict(value: Any, kind: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _wrong(where, _NAMES[dict], value)
    return {name: _checked(member, kind, _place(where, name)) for name, member in value.items()}


def _fields(value: Any, kind: Any, where: str) -> dict[str, Any]:
    """The fields of a `TypedDict` or a dataclass. A dataclass has no others; a `TypedDict` may, as newer files do."""
    if not isinstance(value, dict):
        raise _wrong(where, _NAMES[dict], value)
    hints = _hints(kind)
    needed = _needed(kind)
    for name in needed:
        if name not in value:
            raise StrictError(f"{_place(where, name)!r} is missing", where=_place(where, name))
    if dataclasses.is_dataclass(kind) and (unknown := [name for name in value if name not in hints]):
        hint = did_you_mean(unknown[0], hints)
        raise StrictError(f"there is no {_place(where, unknown[0])!r}", where=where, cure=hint)
    return {
        name: _checked(member, hints.get(name, Any), _place(where, name)) for name, member in value.items()
    }


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


@cache
def _needed(kind: Any) -> tuple[str, ...]:
    if is_typeddict(kind):
        return tuple(name for name, hint in _hints(kind).items() if get_origin(hint) is not NotRequired)
    missing = dataclasses.MISSING
    return tuple(
        f.name for f in dataclasses.fields(kind) if f.default is missing and f.default_factory is missing
    )


_NAMES: dict[Any, str] = {
    str: "a text",
    int: "a whole number",
    float: "a finite number",
    bool: "true or false",
    list: "a list",
    dict: "a JSON object",
    types.NoneType: "null",
}


def _place(where: str, name: str) -> str:
    return f"{where}.{name[:40]}" if where else name[:40]


def _wrong(where: str, wanted: str, value: object) -> StrictError:
    told = repr(value) if isinstance(value, str | float | bool | None) else f"a {type(value).__name__}"
    if isinstance(value, int) and not isinstance(value, bool):
        told = str(value) if abs(value) < 10**20 else "an enormous number"
    told = told if len(told) <= 60 else f"{told[:57]}…"
    return StrictError(f"{where or 'it'} must be {wanted}, not {told}", where=where)
