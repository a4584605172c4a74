"""A real server on loopback, in a thread of this process."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from fewlex.serve.app import create_app
from fewlex.serve.guard import Access
from fewlex.serve.limits import Limits
from fewlex.serve.server import bind, make_server
from fewlex.serve.service import Service


@dataclass(frozen=True)
class Running:
    service: Service
    port: int
    client: httpx.Client


@contextmanager
def serving(
    runs: Sequence[Path], access: Access | None = None, limits: Limits | None = None
) -> Iterator[Running]:
    service = Service.open(runs)
    listening = bind("127.0.0.1", 0)
    port = listening.getsockname()[1]
    ready = threading.Event()
    server = make_server(create_app(service, access, limits), ready.set, limits)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    assert ready.wait(20)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
            yield Running(service, port, client)
    finally:
        server.should_exit = True
        thread.join()


def post(client: httpx.Client, path: str, expected: int = 200, **body: Any) -> Any:
    """The answer to a JSON request, which has the expected status."""
    answer = client.post(path, json=body)
    assert answer.status_code == expected, answer.text
    return answer.json()


def get(client: httpx.Client, path: str, expected: int = 200, **query: Any) -> Any:
    answer = client.get(path, params=query)
    assert answer.status_code == expected, answer.text
    return answer.json()


def outputs(client: httpx.Client, *texts: str, **more: Any) -> list[str]:
    """The best output for each text."""
    answer = post(client, "/v1/translate", texts=texts, **more)
    return [translation["outputs"][0]["text"] for translation in answer["translations"]]
