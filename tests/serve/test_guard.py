"""Who is kept out, and how much one client may ask for."""

from __future__ import annotations

import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from fewlex.errors import ConfigError
from fewlex.serve.guard import CONTENT_SECURITY_POLICY, Access, host_name, is_loopback
from fewlex.serve.limits import Limits
from tests.serve.conftest import Start
from tests.serve.running import get, outputs, post

BEGUN = (
    b"POST /v1/translate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Content-Length: 99\r\n\r\n{"
)
"""A request whose body does not come."""


# Foreign hosts and pages.


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "", "10.0.0.1"]
)
def test_a_foreign_host_is_refused(reading: httpx.Client, host: str) -> None:
    """After DNS rebinding, a page of evil.example reaches 127.0.0.1, but the browser still says who it wanted."""
    answer = reading.get("/v1/runs", headers={"Host": host})
    assert answer.status_code in (400, 403)


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1234", "127.0.0.1:8000", "[::1]:80"])
def test_the_own_names_are_allowed(reading: httpx.Client, host: str) -> None:
    assert reading.get("/health", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://localhost.evil.example", "http://127.0.0.1:1"]
)
def test_a_page_of_another_site_is_refused(reading: httpx.Client, origin: str) -> None:
    refused = reading.post("/v1/undo", json={}, headers={"Origin": origin})
    assert refused.status_code == 403
    assert "other sites" in refused.json()["detail"]
    assert reading.get("/v1/runs", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403


def test_the_own_page_is_allowed(reading: httpx.Client) -> None:
    own = str(reading.base_url).rstrip("/")
    assert (
        reading.get("/v1/runs", headers={"Origin": own, "Sec-Fetch-Site": "same-origin"}).status_code == 200
    )


def test_a_form_cannot_edit(reading: httpx.Client) -> None:
    """What a page of another site could send without asking first is not JSON."""
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        answer = reading.post("/v1/undo", content=b"{}", headers={"Content-Type": kind})
        assert answer.status_code == 415


# The token.


def test_without_the_token_nothing_but_health_is_told(start: Start) -> None:
    client = start(access=Access.loopback("secret")).client
    assert client.get("/health").status_code == 200
    for method, path in (
        ("GET", "/v1/runs"),
        ("GET", "/metrics"),
        ("GET", "/openapi.json"),
        ("GET", "/languages"),
        ("GET", "/nonsense"),
        ("POST", "/v1/undo"),
        ("DELETE", "/v1/lexicon"),
    ):
        answer = client.request(method, path)
        assert answer.status_code == 401, path
        assert answer.headers["www-authenticate"] == "Bearer"
    for wrong in ("Bearer Secret", "Bearer secret2", "Basic secret", "secret", "Bearer", "Bearer sécret"):
        assert client.get("/v1/runs", headers={b"Authorization": wrong.encode()}).status_code == 401, wrong
    right = {"Authorization": "Bearer secret"}
    assert client.get("/v1/runs", headers=right).status_code == 200
    assert client.post("/v1/translate", json={"texts": ["dax"]}, headers=right).status_code == 200


def test_the_outside_needs_a_token() -> None:
    with pytest.raises(ConfigError, match=r"everyone who reaches this address .*--token-file"):
        Access.bound_to("0.0.0.0")
    outside = Access.bound_to("0.0.0.0", "secret", ("api.example",))
    assert outside.allows_host("192.168.0.3:80"), "a numeric address cannot be rebound"
    assert outside.allows_host("API.example")
    assert not outside.allows_host("evil.example")
    assert "secret" not in repr(outside)
    assert not Access.bound_to("127.0.0.1").allows_host("192.168.0.3")


def test_names_of_hosts() -> None:
    assert [host_name(text) for text in ("A.b:80", "[::1]:80", "[::1]", "::1")] == ["a.b", "::1", "::1", ""]
    assert [is_loopback(host) for host in ("127.0.0.1", "127.9.9.9", "::1", "localhost")] == [True] * 4
    assert not any(map(is_loopback, ("0.0.0.0", "::", "192.168.0.1", "example.com", "")))


# Headers and paths.


def test_every_answer_has_the_security_headers(reading: httpx.Client) -> None:
    for answer in (
        reading.get("/health"),
        reading.get("/nonsense"),
        reading.get("/v1/runs", headers={"Host": "evil.example"}),
        reading.post("/v1/translate", content=b"{"),
    ):
        assert answer.headers["content-security-policy"] == CONTENT_SECURITY_POLICY
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-frame-options"] == "DENY"
        assert "server" not in answer.headers
    assert "unsafe" not in CONTENT_SECURITY_POLICY


@pytest.mark.parametrize(
    "path",
    [
        "/../etc/passwd",
        "/v1/../../etc/passwd",
        "/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/v1/lexicon/export/../../x",
    ],
)
def test_no_path_leads_to_a_file(start: Start, path: str) -> None:
    with socket.create_connection(("127.0.0.1", start().port), 10) as raw:
        raw.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        answer = b""
        while piece := raw.recv(65536):
            answer += piece
    assert b" 404 " in answer.splitlines()[0]
    assert b"root:" not in answer


# Limits.


def test_bodies_have_a_limit(start: Start) -> None:
    client = start(limits=Limits(body_bytes=1000, upload_bytes=5000)).client
    assert post(client, "/v1/translate", 413, texts=["x" * 1000])["status"] == 413
    post(client, "/v1/lexicon/import", 422, content="x" * 2000)
    post(client, "/v1/lexicon/import", 413, content="x" * 6000)
    chunks = (b"x" * 500 for _ in range(10))
    answer = client.post("/v1/translate", content=chunks, headers={"Content-Type": "application/json"})
    assert answer.status_code == 413, "a body without a length is counted as it comes"


@pytest.mark.parametrize(
    "body",
    [
        {"texts": ["dax"] * 257},
        {"texts": ["d" * 2001]},
        {"texts": ["d " * 401]},
        {"texts": ["dax"], "beam": 17},
        {"texts": ["dax"], "n_best": 17},
    ],
)
def test_requests_have_limits(reading: httpx.Client, body: dict[str, object]) -> None:
    assert "allowed" in (told := post(reading, "/v1/translate", 422, **body)["detail"]) or "the most" in told


def test_lessons_and_pairs_have_limits(reading: httpx.Client) -> None:
    lesson = {"source": "a", "target": "b"}
    post(reading, "/v1/teach", 422, lessons=[lesson] * 1001)
    post(reading, "/v1/teach", 422, lessons=[lesson | {"target": "b" * 2001}])
    post(reading, "/v1/teach", 422, lessons=[lesson], sentences=["a"] * 1001)
    post(reading, "/v1/evaluate", 422, pairs=[lesson] * 10_001)


def test_too_many_requests_at_once_are_told_to_come_back(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = start(limits=Limits(requests=2))
    network, held, free = (
        type(running.service.runs[0].snapshot().mind),
        threading.Event(),
        threading.Event(),
    )
    decode = network.answer

    def slow(*arguments: object) -> object:
        held.set()
        free.wait(10)
        return decode(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(network, "answer", slow)
    with ThreadPoolExecutor(2) as pool:
        waiting = [pool.submit(outputs, running.client, "dax") for _ in range(2)]
        held.wait(10)
        while running.service.metrics.in_work < 2:
            time.sleep(0.01)
        refused = running.client.post("/v1/translate", json={"texts": ["dax"]})
        assert refused.status_code == 429
        assert refused.headers["retry-after"] == "1"
        assert get(running.client, "/health")["status"] == "ok", "the loop is free while torch works"
        free.set()
        assert [future.result() for future in waiting] == [["RED"], ["RED"]]


def test_a_slow_client_does_not_hold_the_others_up(start: Start) -> None:
    running = start(limits=Limits(requests=2, body_seconds=1.0))
    slow = [socket.create_connection(("127.0.0.1", running.port), 10) for _ in range(20)]
    for connection in slow:
        connection.sendall(BEGUN)
    assert outputs(running.client, "dax") == ["RED"], "bodies that are on their way take no room"
    answers = [connection.recv(65536) for connection in slow]
    for connection in slow:
        connection.close()
    assert all(b" 408 " in answer.splitlines()[0] for answer in answers)


def test_a_client_that_goes_away_leaves_the_server_well(start: Start, run: Path) -> None:
    running = start()
    for _ in range(5):
        with socket.create_connection(("127.0.0.1", running.port), 10) as raw:
            raw.sendall(BEGUN)
    assert outputs(running.client, "dax") == ["RED"]
    assert running.service.metrics.in_work == 0
