"""uvicorn, set up so that it drains on SIGTERM and says when it is ready."""

from __future__ import annotations

import asyncio
import math
import signal
import socket
from collections.abc import Callable
from types import FrameType

import uvicorn
from starlette.types import ASGIApp

from fewlex.errors import ConfigError
from fewlex.serve.connections import Crowd, connections_of
from fewlex.serve.limits import Limits

DRAIN_SECONDS = 30


class Server(uvicorn.Server):
    """A server that tells when it accepts requests. SIGINT and SIGTERM end it after the requests in work."""

    def __init__(self, config: uvicorn.Config, crowd: Crowd, on_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._crowd = crowd
        self._on_ready = on_ready

    async def on_tick(self, counter: int) -> bool:
        self._crowd.close_quiet(asyncio.get_running_loop().time())
        return await super().on_tick(counter)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_ready()


def bind(host: str, port: int) -> socket.socket:
    """A socket on which to listen; port 0 takes a free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise ConfigError(
            f"cannot listen on {host}, port {port}: {error.strerror or error}. Choose another --host or --port."
        ) from error
    return listening


def make_server(
    app: ASGIApp, on_ready: Callable[[], None] = lambda: None, limits: Limits | None = None
) -> Server:
    limits = limits or Limits()
    crowd = Crowd(limits)
    config = uvicorn.Config(
        app,
        http=connections_of(crowd),
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=math.ceil(limits.quiet_seconds),
        timeout_graceful_shutdown=DRAIN_SECONDS,
        backlog=1024,
        ws="none",
    )
    return Server(config, crowd, on_ready)


def run_server(app: ASGIApp, listening: socket.socket, on_ready: Callable[[], None] = lambda: None) -> None:
    """Serve until SIGINT or SIGTERM; requests that were accepted are answered before it returns.

    uvicorn sends itself the signal again once it has ended, for whoever listened before. A server that was told to end
    and has ended has done what it should, so nobody else listens meanwhile.
    """
    server = make_server(app, on_ready)

    def end(number: int, frame: FrameType | None) -> None:
        server.should_exit = True

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        server.run(sockets=[listening])
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
