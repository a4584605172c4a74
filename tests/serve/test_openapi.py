"""The OpenAPI document says what the server does."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from starlette.routing import Route

from fewlex.serve.app import create_app
from fewlex.serve.openapi import PATH
from fewlex.serve.routes import ENDPOINTS
from fewlex.serve.service import Service
from tests.serve.running import get


@pytest.fixture
def document(reading: httpx.Client) -> dict[str, Any]:
    return dict(get(reading, PATH))


def test_every_route_of_the_app_is_documented(document: dict[str, Any]) -> None:
    app = create_app(Service())._app  # type: ignore[attr-defined]
    served = {
        (route.path, method.lower())
        for route in app.routes
        if isinstance(route, Route)
        for method in (route.methods or set()) - {"HEAD"}
    }
    documented = {(path, method) for path, methods in document["paths"].items() for method in methods}
    assert served == documented
    assert len(served) == len(ENDPOINTS) + 1


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    def references(part: Any) -> list[str]:
        if isinstance(part, dict):
            own = [part["$ref"]] if "$ref" in part else []
            return own + [found for value in part.values() for found in references(value)]
        return [found for value in part for found in references(value)] if isinstance(part, list) else []

    known = {f"#/components/schemas/{name}" for name in document["components"]["schemas"]}
    assert set(references(document)) <= known


def test_operations_have_their_own_names(document: dict[str, Any]) -> None:
    names = [operation["operationId"] for path in document["paths"].values() for operation in path.values()]
    assert len(set(names)) == len(names)
    assert document["openapi"] == "3.1.0"


def test_a_token_is_documented_where_there_is_one() -> None:
    from fewlex.serve.openapi import openapi

    secured = openapi(ENDPOINTS, has_token=True)
    assert secured["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    assert "security" in secured["paths"]["/v1/translate"]["post"]
    assert "security" not in secured["paths"]["/health"]["get"]
    assert "securitySchemes" not in openapi(ENDPOINTS, has_token=False)["components"]
