"""Text that is meant to do harm: it stays text, or it is refused with the reason."""

from __future__ import annotations

import json
import re
import shutil
import signal
import socket
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.serve.conftest import Start
from tests.serve.process import server_process
from tests.serve.running import get, post

HOSTILE = [
    "<script>alert(1)</script>",
    "a\u202ebc\u2066",
    "\x1b[31mred",
    "=1+1",
    "'; DROP TABLE runs",
    "${7*7}",
]


MARKS = "a" + "\u0301" * (10 << 20)
"""Ten million combining marks on one letter, 20 MB in UTF-8."""
FEWER = "a" + "\u0301" * 100_000


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_tokens_stay_data(client: httpx.Client, text: str) -> None:
    word = text.split()[0]
    post(client, "/v1/teach", lessons=[{"source": word, "target": word}])
    answer = client.post("/v1/translate", json={"texts": [word], "explain": True})
    assert answer.headers["content-type"] == "application/json"
    assert answer.json()["translations"][0]["outputs"][0]["text"] == word
    assert get(client, "/v1/lexicon", search=word)["rows"][0]["source"] == word
    exported = client.get("/v1/lexicon/export")
    assert exported.headers["content-disposition"].startswith("attachment")


BODIES: dict[str, Any] = {
    "/v1/translate": lambda text: {"texts": [text]},
    "/v1/teach": lambda text: {"lessons": [{"source": text, "target": "RED"}]},
    "/v1/lexicon": lambda text: {"source": text, "target": "RED"},
    "/v1/lexicon/import": lambda text: {"content": f"source\ttarget\tweight\n{text}\tRED\t1\n"},
    "/v1/evaluate": lambda text: {"content": f"{text}\tRED\n", "name": "a.tsv"},
    "/translate": lambda text: {"q": text, "source": "auto", "target": "colors"},
    "/detect": lambda text: {"q": text},
    "/v1/undo": lambda text: {"run": text},
}
OF_RULES: dict[str, Any] = {
    "/v1/rules": lambda text: {"rule": f"_ {text} -> #0"},
    "/v1/rules/import": lambda text: {"content": f"_ {text} -> #0\n", "mode": "merge"},
}


def refused(client: httpx.Client, path: str, body: dict[str, Any]) -> None:
    """The answer is a small problem document that names a limit."""
    answer = client.post(path, content=json.dumps(body, ensure_ascii=False).encode(), headers=JSON)
    assert answer.status_code in (413, 422), answer.text[:300]
    assert answer.headers["content-type"] == "application/problem+json"
    assert re.search("larger than|more than|characters", answer.json()["detail"])
    assert len(answer.content) < 2000, "the text is not sent back"


JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize("text", [FEWER, MARKS], ids=["fewer", "ten million"])
@pytest.mark.parametrize("path", BODIES)
def test_combining_marks_without_end_are_refused(reading: httpx.Client, path: str, text: str) -> None:
    refused(reading, path, BODIES[path](text))


@pytest.mark.parametrize("text", [FEWER, MARKS], ids=["fewer", "ten million"])
@pytest.mark.parametrize("path", OF_RULES)
def test_rules_of_combining_marks_are_refused(
    start: Start, walking: Path, tmp_path: Path, path: str, text: str
) -> None:
    refused(start(Path(shutil.copytree(walking, tmp_path / "walking"))).client, path, OF_RULES[path](text))


@pytest.mark.parametrize("path", ["/v1/lexicon", "/v1/rules", "/v1/lexicon/export"])
def test_queries_of_combining_marks_are_refused(reading: httpx.Client, path: str) -> None:
    answer = reading.get(path, params={"search": FEWER[:5000], "run": FEWER[:5000]})
    assert answer.status_code == 422


def test_headers_without_end_are_refused(reading: httpx.Client) -> None:
    with suppress(httpx.TransportError):  # it may be closed while the rest is still being sent
        assert reading.get("/health", headers={"X-Long": "a" * 1_000_000}).status_code == 400
    assert get(reading, "/health")["status"] == "ok"


HEAD = b"POST /v1/translate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


def test_a_client_that_hangs_up_within_its_body_leaves_no_trace_in_the_log(run: Path) -> None:
    """It is no mistake of the server's, and anybody could fill the log's disk in this way."""
    with server_process(run) as (process, url):
        where = "localhost", int(url.rpartition(":")[2])
        for _ in range(3):
            with socket.create_connection(where, 10) as made:
                made.sendall(HEAD + b"Content-Length: 100\r\n\r\n{")
                time.sleep(0.2)
        with httpx.Client(base_url=url, timeout=10) as client:
            assert 'status="499"} 3' in client.get("/metrics").text, "it was in the middle of reading"
        process.send_signal(signal.SIGTERM)
        assert process.stderr is not None
        assert "Traceback" not in process.stderr.read()


def test_a_body_with_two_lengths_is_refused(start: Start) -> None:
    """A proxy may believe the one and the server the other: the rest of the body would be somebody else's request."""
    chunked = b"0\r\n\r\nGET /v1/lexicon/export HTTP/1.1\r\nHost: localhost\r\n\r\n"
    framing = b"Content-Length: %d\r\nTransfer-Encoding: chunked\r\n\r\n" % len(chunked)
    with socket.create_connection(("localhost", start().port), 10) as made:
        made.sendall(HEAD + framing + chunked)
        answer = b""
        while piece := made.recv(1 << 16):
            answer += piece
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert answer.count(b"HTTP/1.1") == 1, "what follows is no request"
