"""The HTTP API under mutated requests: methods, paths, queries, headers and bodies.

Most requests go straight into the app, thousands a second; a share goes as raw bytes to a real server. Every request
has an answer that the OpenAPI document knows, never a 500, and the run is sound afterwards.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import socket
import tempfile
import time
import weakref
from pathlib import Path
from typing import Any

from starlette.types import ASGIApp, Message

from fewlex.doctor import examine
from fewlex.errors import FewlexError
from fewlex.run import Run
from fewlex.serve.app import create_app
from fewlex.serve.routes import ENDPOINTS
from fewlex.serve.service import Service
from torture.command import rules_run, start
from torture.figures import FOUND, Row
from torture.mutation import damaged, reshaped
from torture.surfaces import Surface

API = "HTTP API"
ANSWERS = {200, 404, 405, 409, *(status for endpoint in ENDPOINTS for status in endpoint.statuses)} - {500}
FRESH = 300
"""After so many requests the run is put back as it was, because they teach, import and undo."""
PATIENCE = 0.5
"""Seconds after which a client tells a server that waits for more that there is no more."""
WAIT = 60.0
"""Seconds within which a real server must answer, or close the connection."""

_HEADERS = b"host: 127.0.0.1\r\ncontent-type: application/json\r\n\r\n"
_BODIES: tuple[tuple[str, dict[str, Any]], ...] = (
    (
        "/v1/translate",
        {"texts": ["dax fep", "zup"], "n_best": 2, "explain": True, "by": "rules", "run": "run"},
    ),
    ("/v1/teach", {"lessons": [{"source": "blork", "target": "PINK", "like": "dax"}], "sentences": ["dax"]}),
    ("/v1/teach", {"example": {"source": "zork fep", "target": "W W W"}, "preview": True}),
    ("/v1/lexicon", {"source": "dax", "target": "RED", "weight": 2.5, "replaces": "BLUE"}),
    ("/v1/lexicon/import", {"content": "source\ttarget\ndax\tRED\n", "mode": "merge", "preview": True}),
    ("/v1/undo", {"run": ""}),
    ("/v1/redo", {}),
    ("/v1/evaluate", {"pairs": [{"source": "dax", "target": "RED"}], "errors": 3}),
    ("/v1/evaluate", {"content": "dax\tRED\nlug\tBLUE\n", "name": "data.tsv"}),
    ("/v1/rules", {"rule": "_ twice -> #0 #0", "preview": True, "sentences": ["dax twice"]}),
    ("/v1/rules/import", {"content": "_ fep -> #0 #0 #0\n", "preview": True}),
    ("/translate", {"q": ["dax fep"], "source": "auto", "target": "run", "alternatives": 2}),
    ("/detect", {"q": "dax"}),
)
_QUERIES = (
    "GET /v1/lexicon?search=d&sort=weight&order=down&offset=0&limit=5",
    "GET /v1/lexicon/export?format=json",
    "DELETE /v1/lexicon?source=dax&target=RED",
    "GET /v1/edits?limit=20",
    "GET /v1/rules?search=fep&limit=3",
    "GET /v1/rules/words?sort=kind",
    "GET /v1/rules/export?format=txt",
    "DELETE /v1/rules?name=r1",
    "GET /health",
    "GET /metrics",
    "GET /v1/runs",
    "GET /languages",
    "GET /openapi.json",
)
SEEDS = (
    *(f"POST {path}\r\n".encode() + _HEADERS + json.dumps(body).encode() for path, body in _BODIES),
    *(f"{line}\r\n".encode() + _HEADERS for line in _QUERIES),
    b"POST /translate\r\nhost: localhost\r\ncontent-type: application/x-www-form-urlencoded\r\n\r\nq=dax&target=run",
)
"""A request is its method and path, its headers, and its body."""


def request_mutation(content: bytes, rng: random.Random) -> bytes:
    """Damage anywhere in a request, or another shape of its JSON."""
    head, gap, body = content.partition(b"\r\n\r\n")
    if body.startswith(b"{") and rng.random() < 0.6:
        return head + gap + reshaped(body, rng)
    if body and rng.random() < 0.5:
        return head + gap + damaged(body, rng)
    return damaged(content, rng)


def api(run: Path) -> tuple[str, Surface]:
    """The app that serves this run of rules."""
    loop, kept = asyncio.new_event_loop(), {path: path.read_bytes() for path in run.iterdir()}
    service = Service.open([run])
    app, asked = create_app(service), 0

    def feed(data: bytes) -> None:
        nonlocal asked
        asked += 1
        try:
            status = loop.run_until_complete(_ask(app, data))
        finally:
            if asked % FRESH == 0:
                _put_back(run, kept)
        if status != 200:
            raise FewlexError(f"refused with {status}")

    weakref.finalize(feed, service.close)
    weakref.finalize(feed, loop.close)
    return API, Surface(API, feed, SEEDS, request_mutation)


def _put_back(run: Path, kept: dict[Path, bytes]) -> None:
    bad = [finding for finding in examine(run) if not finding.is_good]
    for path in set(run.iterdir()) - kept.keys():
        path.unlink()
    for path, content in kept.items():
        path.write_bytes(content)
    assert not bad, f"the requests have left {bad}"


async def _ask(app: ASGIApp, data: bytes) -> int:
    """Ask the app as a server would, and check its answer."""
    head, _, body = data.partition(b"\r\n\r\n")
    line, *headers = head.split(b"\r\n")
    method, _, target = line.decode("latin-1").partition(" ")
    path, _, query = target.partition("?")
    scope: dict[str, Any] = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method.upper(),
        "path": path.encode("latin-1").decode(errors="replace"),
        "raw_path": path.encode("latin-1"),
        "query_string": query.encode("latin-1"),
        "root_path": "",
        "scheme": "http",
        "headers": [
            (name.strip().lower(), value.strip())
            for name, _, value in (header.partition(b":") for header in headers)
        ],
        "client": ("127.0.0.1", 50000),
        "server": ("127.0.0.1", 8000),
    }
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]
    sent: list[Message] = []

    async def receive() -> Message:
        return messages.pop(0) if messages else {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    await app(scope, receive, send)
    return _checked(sent, is_head=scope["method"] == "HEAD")


def _checked(sent: list[Message], *, is_head: bool) -> int:
    """The status of an answer that is as it should be."""
    status, headers = int(sent[0]["status"]), dict(sent[0]["headers"])
    assert status in ANSWERS, f"status {status}"
    assert headers[b"x-content-type-options"] == b"nosniff"
    body = b"".join(message.get("body", b"") for message in sent[1:])
    if status != 200 and not is_head:
        assert json.loads(body)["status"] == status
    elif not is_head and headers.get(b"content-type", b"").startswith(b"application/json"):
        json.loads(body, parse_constant=_no_constant)
    return status


def _no_constant(text: str) -> None:
    raise AssertionError(f"{text} is no JSON")


def real_server(seconds: float, rng: random.Random) -> Row:
    """Raw bytes at a real server: it answers or closes the connection, logs no mistake of its own, and stays up."""
    with tempfile.TemporaryDirectory() as name:
        run, answered = rules_run(Path(name) / "run"), 0
        tried, held, note = 0, 0, ""
        with start("serve", run, "--port", "0") as server:
            assert server.stderr is not None
            found = re.search(r"http://([^:/]+):(\d+)", server.stderr.readline())
            assert found is not None
            where = found[1], int(found[2])
            end = time.monotonic() + seconds
            try:
                while not answered or time.monotonic() < end:
                    request = _raw(request_mutation(rng.choice(SEEDS), rng), rng)
                    status, wrong = _exchange(where, request, hangs_up=rng.random() < 0.2)
                    tried, held, note = tried + 1, held + (not wrong), note or wrong
                    answered += bool(status)
            finally:
                is_up = server.poll() is None
                server.terminate()
                log = server.communicate(timeout=60)[1]
        is_quiet = "Traceback" not in log
        if not is_quiet:
            FOUND.mkdir(exist_ok=True)
            (FOUND / f"server-{time.time_ns()}.log").write_text(log, encoding="utf-8")
        is_sound = all(finding.is_good for finding in examine(run)) and bool(Run(run).read_knowledge())
        good = is_up and is_quiet and is_sound and server.returncode == 0
        told = "{count} answered, the other connections closed"
        note = note or (told if good else f"up {is_up}, sound {is_sound}; {_complaint(log)}")
    return Row(
        "raw bytes at a real server: answered or refused, no 500, still up",
        tried,
        held if good else 0,
        note,
        answered,
    )


def _complaint(log: str) -> str:
    """The last line of each traceback in a log, which tells what went wrong, and the last place of ours before it."""
    places = re.findall(r'File ".*?/(fewlex/\S+)", line (\d+)', log)
    errors = dict.fromkeys(re.findall(r"(?m)^\w[\w.]*(?:Error|Exception|Disconnect)\b.*$", log))
    at = ":".join(places[-1]) if places else "nowhere of ours"
    return f"{'; '.join(errors)[:300]} at {at}, kept in {FOUND}"


def _raw(data: bytes, rng: random.Random) -> bytes:
    """A request as it goes over the wire; its length is mostly right."""
    head, _, body = data.partition(b"\r\n\r\n")
    line, _, headers = head.partition(b"\r\n")
    length = len(body) if rng.random() < 0.9 else rng.choice((0, 1, len(body) - 1, len(body) + 9, 10**30))
    wire = b"%s HTTP/1.1\r\n%s\r\nconnection: close\r\ncontent-length: %d\r\n\r\n" % (line, headers, length)
    return (wire if rng.random() < 0.9 else damaged(wire, rng)) + body


def _exchange(where: tuple[str, int], data: bytes, *, hangs_up: bool) -> tuple[int, str]:
    """The status of the answer to these bytes (0 = none), and what is wrong with it ('' = nothing).

    A client that hangs up does not wait for the answer.
    """
    try:
        with socket.create_connection(where, timeout=WAIT) as connection:
            connection.sendall(data)
            if hangs_up:
                return 0, ""
            answer = _answer(connection)
    except (ConnectionError, BrokenPipeError):
        return 0, ""  # it did not want to hear more
    except TimeoutError:
        return 0, f"no answer within {WAIT:g} s"
    found = re.match(rb"HTTP/1\.1 (\d+)", answer)
    status = int(found[1]) if found else 0
    return status, "" if not answer or status in ANSWERS else answer[:80].decode("latin-1")


def _answer(connection: socket.socket) -> bytes:
    """All that the server sends. If it waits for more of a request that was cut off, it is told that there is none."""
    connection.settimeout(PATIENCE)
    answer = b""
    while True:
        try:
            piece = connection.recv(1 << 16)
        except TimeoutError:
            if connection.gettimeout() == WAIT:
                raise
            connection.settimeout(WAIT)
            connection.shutdown(socket.SHUT_WR)
            continue
        if not piece:
            return answer
        answer += piece
