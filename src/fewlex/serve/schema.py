"""Dataclasses as JSON Schema (2020-12), for the OpenAPI document."""

from __future__ import annotations

import dataclasses
import math
import types
import typing
from collections.abc import Mapping
from typing import Any, Literal, get_args, get_origin

from fewlex.strict import Within

Schema = dict[str, Any]

SCALARS = {str: "string", int: "integer", float: "number", bool: "boolean", types.NoneType: "null"}


class Schemas:
    """The schemas of all dataclasses that were asked for, by name; they refer to each other."""

    def __init__(self) -> None:
        self.components: dict[str, Schema] = {}

    def of(self, shape: Any) -> Schema:
        """The schema of a type; a dataclass is described once and then referred to."""
        if get_origin(shape) is typing.Annotated:
            return self._bounded(*get_args(shape))
        if dataclasses.is_dataclass(shape):
            return self._object(typing.cast(type[Any], shape))
        origin, options = get_origin(shape), get_args(shape)
        if origin in (typing.Union, types.UnionType):
            return {"anyOf": [self.of(option) for option in options]}
        if origin is Literal:
            return {"type": "string", "enum": list(options)}
        if origin is tuple:
            return {"type": "array", "items": self.of(options[0])}
        if origin is Mapping:
            return {"type": "object", "additionalProperties": self.of(options[1])}
        return {} if shape is Any else {"type": SCALARS[shape]}

    def _object(self, shape: type[Any]) -> Schema:
        name = shape.__name__.removesuffix("Shape")
        if name not in self.components:
            self.components[name] = {}  # a shape that contains itself finds its name taken
            hints = typing.get_type_hints(shape, include_extras=True)
            fields = dataclasses.fields(shape)
            schema: Schema = {
                "type": "object",
                "properties": {field.name: self.field(hints[field.name], field) for field in fields},
                "required": [field.name for field in fields if is_required(field)],
                "additionalProperties": False,
            }
            if shape.__doc__ and not shape.__doc__.startswith(f"{shape.__name__}("):
                schema["description"] = " ".join(shape.__doc__.split())
            self.components[name] = schema
        return {"$ref": f"#/components/schemas/{name}"}

    def field(self, shape: Any, field: dataclasses.Field[Any]) -> Schema:
        """The schema of a field, with its default."""
        schema = self.of(shape)
        if isinstance(field.default, str | int | float | bool):
            schema = schema | {"default": field.default}
        return schema

    def _bounded(self, shape: Any, *notes: Any) -> Schema:
        schema = self.of(shape)
        names = ("minimum", "maximum")
        if shape is str:
            names = ("minLength", "maxLength")
        for note in notes:
            if isinstance(note, Within):
                bounds = zip(names, (note.least, note.most), strict=True)
                schema |= {name: bound for name, bound in bounds if math.isfinite(bound)}
        return schema


def is_required(field: dataclasses.Field[Any]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
