"""How many connections may be open, and how long one may keep still.

uvicorn waits for ever for a client that connects and says nothing, or that sends its headers byte by byte. Here such a
connection is closed after a while, and at once when it stands in the way of others: beyond the limit, a new connection
takes the place of the one that has been quiet for longest. A connection whose request is being worked on is never
closed, and who reads a long answer slowly gets time as long as the reading goes on.
"""

from __future__ import annotations

import asyncio
import math
import resource

from uvicorn.protocols.http.h11_impl import H11Protocol

from fewlex.serve.limits import Limits
from fewlex.serve.problems import Problem

SPARE_FILES = 100
"""Open files that are left for runs, logs and libraries."""


class Crowd:
    """The connections of one server: those that are quiet, the one that has been so for longest first."""

    def __init__(self, limits: Limits) -> None:
        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        self.most = max(1, min(limits.connections, files - SPARE_FILES))
        self.quiet_seconds = limits.quiet_seconds
        self._quiet: dict[Connection, float] = {}

    def rests(self, connection: Connection) -> None:
        """From now on the server waits for a request on this connection."""
        self.works(connection)
        self._quiet[connection] = connection.loop.time()

    def works(self, connection: Connection) -> None:
        """A request came in whole headers, or the connection is closed."""
        self._quiet.pop(connection, None)

    def close_quiet(self, now: float) -> None:
        """Close the connections on which no request came in time."""
        for connection, since in list(self._quiet.items()):
            if now - since < self.quiet_seconds:
                return
            if connection.is_read_on():
                self.rests(connection)
            else:
                connection.leave()

    def make_room(self, newcomer: Connection) -> bool:
        """Close the connection that was quiet for longest; False if every other one has a request in work."""
        oldest = next((one for one in self._quiet if one is not newcomer), None)
        if oldest is None:
            return False
        oldest.leave()
        return True


class Connection(H11Protocol):
    """uvicorn's connection, which tells its crowd when it is quiet and when it works."""

    crowd: Crowd
    _unread = math.inf

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.crowd.rests(self)
        if len(self.connections) > self.crowd.most and not self.crowd.make_room(self):
            transport.write(TOO_MANY)
            self.leave()

    def connection_lost(self, exc: Exception | None) -> None:
        self.crowd.works(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self.crowd.works(self)

    def on_response_complete(self) -> None:
        self.crowd.rests(self)
        super().on_response_complete()  # it may begin with the next request, if that has come already
        if self.cycle is not None and not self.cycle.response_complete:
            self.crowd.works(self)

    def is_read_on(self) -> bool:
        """Whether the client is still reading an answer, and has got on since the last look."""
        before, self._unread = self._unread, self.transport.get_write_buffer_size()
        return 0 < self._unread < before

    def leave(self) -> None:
        """Close the connection. What the client has not read by now is given up, since it would stay for ever."""
        self.crowd.works(self)
        self.connections.discard(self)  # it does not count any more, though the system may take a moment
        if self.transport.get_write_buffer_size():
            self.transport.abort()
        else:
            self.transport.close()


def connections_of(crowd: Crowd) -> type[Connection]:
    """The class that uvicorn makes an object of for each connection."""
    return type("Connection", (Connection,), {"crowd": crowd})


def _as_bytes(problem: Problem) -> bytes:
    """A whole answer, for a client whose request is not read."""
    response = problem.response()
    head = b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\nretry-after: 1\r\n"
    fields = b"".join(name + b": " + value + b"\r\n" for name, value in response.raw_headers)
    return head + fields + b"\r\n" + bytes(response.body)


TOO_MANY = _as_bytes(Problem(503, "too many connections have requests in work. Try again in a second."))
