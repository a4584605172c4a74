"""The OpenAPI 3.1 document, made from the table of routes and the shapes."""

from __future__ import annotations

import dataclasses
import http
import typing
from collections.abc import Iterable
from typing import Any

from fewlex.serve.problems import MEDIA_TYPE
from fewlex.serve.routes import Endpoint
from fewlex.serve.schema import Schema, Schemas, is_required
from fewlex.version import __version__

PATH = "/openapi.json"

PROBLEM: Schema = {
    "type": "object",
    "description": "What was wrong and what to do about it (RFC 9457).",
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "where": {"type": "string", "description": "The field that is wrong."},
        "line": {"type": "integer", "description": "The line of an imported file."},
    },
    "required": ["type", "title", "status", "detail"],
}


def openapi(endpoints: Iterable[Endpoint], *, has_token: bool) -> dict[str, Any]:
    """The whole document."""
    schemas = Schemas()
    paths: dict[str, dict[str, Any]] = {PATH: {"get": _itself()}}
    for endpoint in endpoints:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(
            endpoint, schemas, has_token
        )
    components: dict[str, Any] = {"schemas": {**schemas.components, "Problem": PROBLEM}}
    if has_token:
        components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "fewlex",
            "version": __version__,
            "description": "Runs of fewlex behind HTTP: translate, look at the lexicon, teach words, evaluate.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "paths": paths,
        "components": components,
    }


def _operation(endpoint: Endpoint, schemas: Schemas, has_token: bool) -> dict[str, Any]:
    content = {} if endpoint.answer is None else {"schema": schemas.of(endpoint.answer)}
    responses: dict[str, Any] = {
        "200": {
            "description": endpoint.summary,
            "content": dict.fromkeys(endpoint.media_types, content),
        }
    }
    problem = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    for status in endpoint.statuses:
        responses[str(status)] = {"description": http.HTTPStatus(status).phrase, "content": problem}
    operation: dict[str, Any] = {
        "operationId": _identifier(endpoint),
        "summary": endpoint.summary,
        "responses": responses,
    }
    if endpoint.query is not None:
        operation["parameters"] = _parameters(endpoint.query, schemas)
    if endpoint.body is not None:
        body = {"schema": schemas.of(endpoint.body)}
        operation["requestBody"] = {
            "required": True,
            "content": dict.fromkeys(endpoint.accepts, body),
        }
    if has_token and not endpoint.is_public:
        operation["security"] = [{"token": []}]
    return operation


def _parameters(query: type[Any], schemas: Schemas) -> list[dict[str, Any]]:
    hints = typing.get_type_hints(query, include_extras=True)
    return [
        {
            "name": field.name,
            "in": "query",
            "required": is_required(field),
            "schema": schemas.field(_without_none(hints[field.name]), field),
        }
        for field in dataclasses.fields(query)
    ]


def _without_none(shape: Any) -> Any:
    """The type of a parameter that may be left out: a query string has no null."""
    options = [option for option in typing.get_args(shape) if option is not type(None)]
    is_optional = type(None) in typing.get_args(shape)
    return options[0] if is_optional else shape


def _itself() -> dict[str, Any]:
    return {
        "operationId": "getOpenapi",
        "summary": "This document",
        "responses": {
            "200": {
                "description": "This document",
                "content": {"application/json": {"schema": {"type": "object"}}},
            }
        },
    }


def _identifier(endpoint: Endpoint) -> str:
    """`postV1Translate` for POST /v1/translate."""
    return endpoint.method.lower() + "".join(
        part.capitalize() for part in endpoint.path.strip("/").split("/")
    )
