"""The app: the routes of the table, behind the guard."""

from __future__ import annotations

import dataclasses
import json
import logging
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any
from urllib.parse import parse_qsl

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from fewlex.errors import FewlexError, LockedError
from fewlex.serve.guard import Access, Guard, Paths, is_trusted, require_key
from fewlex.serve.limits import Limits
from fewlex.serve.openapi import PATH, openapi
from fewlex.serve.problems import Problem
from fewlex.serve.reading import parse_json, read_body, read_query
from fewlex.serve.routes import ENDPOINTS, JSON, Endpoint
from fewlex.serve.service import Service

LOGGER = logging.getLogger("fewlex.serve")
GONE = 499
"""The client has hung up; the number is the one that proxies log."""


def create_app(
    service: Service,
    access: Access | None = None,
    limits: Limits | None = None,
    extra: Sequence[BaseRoute] = (),
) -> ASGIApp:
    """The app that serves these runs. `extra` routes, such as those of the studio, come behind the same guard."""
    access, limits = access or Access.loopback(), limits or Limits()
    document = openapi(ENDPOINTS, has_token=bool(access.token))

    async def describe(request: Request) -> Response:
        return JSONResponse(document)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        service.close()

    app = Starlette(
        routes=[*_routes(service, access, limits), Route(PATH, describe, methods=["GET"]), *extra],
        exception_handlers={HTTPException: _http_problem, FewlexError: _problem, ClientDisconnect: _nobody},
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False  # a path with a slash too many is none of ours, as the document says
    public = frozenset(endpoint.path for endpoint in ENDPOINTS if endpoint.is_public)
    small = frozenset(endpoint.path for endpoint in ENDPOINTS if not endpoint.is_upload)
    keyed = frozenset(endpoint.path for endpoint in ENDPOINTS if endpoint.takes_key)
    return Guard(app, access, limits, Paths(public, keyed, small))


def _routes(service: Service, access: Access, limits: Limits) -> list[Route]:
    """One route for each path, with all of its methods, so that another method is answered with 405."""
    by_path: dict[str, dict[str, Endpoint]] = {}
    for endpoint in ENDPOINTS:
        by_path.setdefault(endpoint.path, {})[endpoint.method] = endpoint
    return [
        Route(path, _answering(endpoints, service, access, limits), methods=list(endpoints))
        for path, endpoints in by_path.items()
    ]


def _answering(
    endpoints: dict[str, Endpoint], service: Service, access: Access, limits: Limits
) -> Callable[[Request], Any]:
    """From the request to the answer: who asks, what for, is there room, and then the route's own function."""

    async def answer(request: Request) -> Response:
        endpoint = endpoints["GET" if request.method == "HEAD" else request.method]
        start, status = time.monotonic(), 500
        try:
            wanted = await _read(request, endpoint, access)
            with _room(service, limits, endpoint):
                response = _response(await endpoint.handle(service, limits, wanted))
            status = response.status_code
        except FewlexError as error:
            response = _as_problem(error).response()
            status = response.status_code
        except ClientDisconnect:
            status = GONE
            raise
        except Exception:
            LOGGER.exception("%s %s", request.method, endpoint.path)
            detail = "the server has made a mistake. Its log says which; please report it."
            response = Problem(500, detail).response()
        finally:
            service.metrics.observe_request(request.method, endpoint.path, status, time.monotonic() - start)
        return response

    return answer


@contextmanager
def _room(service: Service, limits: Limits, endpoint: Endpoint) -> Iterator[None]:
    """A place among the requests that are worked on at once. Only the event loop counts them, so no lock is needed."""
    if not endpoint.is_work:
        yield
        return
    if service.metrics.in_work >= limits.requests:
        detail = f"{limits.requests} requests are being worked on already. Try again in a second."
        raise Problem(429, detail, headers={"Retry-After": "1"})
    service.metrics.in_work += 1
    try:
        yield
    finally:
        service.metrics.in_work -= 1


async def _read(request: Request, endpoint: Endpoint, access: Access) -> Any:
    """What the client wants, in the shape of the route."""
    if endpoint.body is None:
        if endpoint.takes_key and not is_trusted(request.scope):
            # LibreTranslate's clients send the key in a body, even with GET.
            sent = dict(request.query_params) | _from_form(await request.body())
            require_key(request.scope, access, sent.get("api_key"))
        return None if endpoint.query is None else read_query(endpoint.query, request.query_params)
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in endpoint.accepts:
        raise Problem(415, f"send the body as {' or '.join(endpoint.accepts)}.")
    content = parse_json(await request.body()) if kind == JSON else _from_form(await request.body())
    if endpoint.takes_key:
        require_key(request.scope, access, content.get("api_key") if isinstance(content, dict) else None)
    return read_body(endpoint.body, content)


def _from_form(body: bytes) -> dict[str, Any]:
    """The fields of a form as the JSON that they stand for; a field that comes several times is a list."""
    try:
        pairs = parse_qsl(body.decode(), keep_blank_values=True, errors="strict", max_num_fields=1000)
    except ValueError as error:
        raise Problem(400, f"the body is not a form in UTF-8 ({error}).") from error
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name == "alternatives" and value.isdecimal():
            fields[name] = int(value[:9])
        elif name in fields:
            known = fields[name]
            fields[name] = [*known, value] if isinstance(known, list) else [known, value]
        else:
            fields[name] = value
    return fields


def _response(answer: Any) -> Response:
    if isinstance(answer, Response):
        return answer
    text = json.dumps(answer, ensure_ascii=False, allow_nan=False, default=_fields, separators=(",", ":"))
    return Response(text.encode("utf-8", "backslashreplace"), media_type=JSON)


def _fields(shape: Any) -> dict[str, Any]:
    """A dataclass as JSON; optional fields of LibreTranslate's answer that are None are left out, as it does."""
    content = {field.name: getattr(shape, field.name) for field in dataclasses.fields(shape)}
    if "translatedText" in content:
        return {name: value for name, value in content.items() if value is not None}
    return content


def _as_problem(error: FewlexError) -> Problem:
    if isinstance(error, Problem):
        return error
    return Problem(503 if isinstance(error, LockedError) else 422, str(error))


async def _problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, FewlexError)
    return _as_problem(error).response()


async def _nobody(request: Request, error: Exception) -> Response:
    """The answer to a client that has hung up, which nobody reads. Hanging up is no mistake, so the log is silent."""
    return Response(status_code=GONE)


async def _http_problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    details = {
        404: "there is nothing at this path. `/openapi.json` lists what there is.",
        405: "this path does not know that method. `/openapi.json` lists what there is.",
    }
    detail = details.get(error.status_code, error.detail)
    return Problem(error.status_code, detail, headers=error.headers).response()
