"""Who may call, with how large a body, and which headers every answer carries.

A page of another site that runs in the user's browser can send requests to a server on loopback. It is kept out by the
Host header, which names that site after DNS rebinding, and by the Origin header, which the browser adds. A program that
is not a browser sends no Origin.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import time
from contextlib import suppress
from dataclasses import dataclass, field

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fewlex.errors import ConfigError
from fewlex.serve.limits import Limits
from fewlex.serve.problems import Problem

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
WILDCARDS = frozenset({"0.0.0.0", "::", ""})

DRAIN_SECONDS, DRAIN_BYTES = 2.0, 64 << 20

TRUSTED = "fewlex.is_trusted"
"""Where the guard notes in the scope of a request whether the token was shown."""

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
SECURITY_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}


@dataclass(frozen=True)
class Access:
    """The names under which the server may be called, and the token that callers must show ('' = none)."""

    hosts: frozenset[str] = LOOPBACK
    any_address: bool = False
    """Whether any numeric address will do as well. DNS rebinding needs a name, so an address is no danger."""
    token: str = field(default="", repr=False)

    @classmethod
    def loopback(cls, token: str = "") -> Access:
        """For programs on this machine alone."""
        return cls(token=token)

    @classmethod
    def bound_to(cls, host: str, token: str = "", names: tuple[str, ...] = ()) -> Access:
        """For a server that listens on `host` and is called by these further names."""
        if not is_loopback(host) and not token:
            raise ConfigError(
                f"--host {host}: everyone who reaches this address could change the lexicon. "
                "Give a token as well (--token-file FILE), or leave --host out to serve this machine alone."
            )
        return cls(LOOPBACK | {host.lower(), *(name.lower() for name in names)}, host in WILDCARDS, token)

    def allows_host(self, header: str) -> bool:
        """Whether a Host header names this server."""
        name = host_name(header)
        return name in self.hosts or (self.any_address and _is_address(name))

    def allows_token(self, shown: str) -> bool:
        return not self.token or hmac.compare_digest(shown.encode("utf-8", "replace"), self.token.encode())


def is_loopback(host: str) -> bool:
    return host in LOOPBACK or (_is_address(host) and ipaddress.ip_address(host).is_loopback)


def host_name(authority: str) -> str:
    """The name in `name:port`, without the brackets of an IPv6 address."""
    name = authority.strip().lower()
    if name.startswith("["):
        return name[1:].partition("]")[0]
    return name.partition(":")[0]


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


@dataclass(frozen=True)
class Paths:
    """Paths that the guard treats in their own way."""

    public: frozenset[str]
    """They need no token."""
    keyed: frozenset[str]
    """Their token may be in the body, where the route looks for it."""
    small: frozenset[str]
    """Their bodies may not be as large as files."""


class Guard:
    """The outermost layer of the app."""

    def __init__(self, app: ASGIApp, access: Access, limits: Limits, paths: Paths) -> None:
        self._app = app
        self._access = access
        self._limits = limits
        self._paths = paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        with_headers = _adding_headers(send)
        try:
            self._check(scope)
        except Problem as problem:
            await drain(receive)
            await problem.response()(scope, receive, with_headers)
            return
        await self._app(scope, self._bounded(scope, receive), with_headers)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._access.allows_host(host):
            raise Problem(
                403,
                f"this server is not called {host_name(host)!r}. Use its address, or start it with --allow-host.",
            )
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2].lower() != host.lower():
            raise Problem(403, "pages of other sites may not call this server.")
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            raise Problem(403, "pages of other sites may not call this server.")
        self._check_length(headers, self._most(scope))
        scope[TRUSTED] = self._access.allows_token(_bearer(headers))
        if scope["path"] not in self._paths.public | self._paths.keyed:
            require_key(scope, self._access, None)

    def _check_length(self, headers: Headers, most: int) -> None:
        if "content-length" in headers and "transfer-encoding" in headers:
            # A proxy in front of this server may believe the one and this server the other, and then take the end of a
            # body for the next request.
            raise Problem(
                400,
                "the request has a Content-Length and a Transfer-Encoding. Send one of them.",
                headers={"Connection": "close"},
            )
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:18]) > most:
            raise _too_large(most)

    def _most(self, scope: Scope) -> int:
        return self._limits.body_bytes if scope["path"] in self._paths.small else self._limits.upload_bytes

    def _bounded(self, scope: Scope, receive: Receive) -> Receive:
        """The same body, but refused once it is too large or takes too long."""
        most, end = self._most(scope), time.monotonic() + self._limits.body_seconds
        seen, is_complete = 0, False

        async def bounded() -> Message:
            nonlocal seen, is_complete
            if is_complete:
                return await receive()
            try:
                async with asyncio.timeout(max(0.0, end - time.monotonic())):
                    message = await receive()
            except TimeoutError:
                raise Problem(
                    408,
                    f"the body took longer than {self._limits.body_seconds:g} s. Send it faster.",
                    headers={"Connection": "close"},
                ) from None
            seen += len(message.get("body", b""))
            if seen > most:
                if message.get("more_body", False):
                    await drain(receive)
                raise _too_large(most)
            is_complete = not message.get("more_body", False)
            return message

        return bounded


async def drain(receive: Receive) -> None:
    """Read the rest of a refused body and forget it: a client that is still sending would not see the answer."""
    with suppress(TimeoutError):
        async with asyncio.timeout(DRAIN_SECONDS):
            drained = 0
            while drained < DRAIN_BYTES:
                message = await receive()
                drained += len(message.get("body", b""))
                if not message.get("more_body", False):
                    return


def is_trusted(scope: Scope) -> bool:
    """Whether the caller has shown the token in a header, or none is wanted."""
    return bool(scope[TRUSTED])


def require_key(scope: Scope, access: Access, key: object) -> None:
    """Refuse a caller who has shown the token neither in a header nor as this key."""
    if not is_trusted(scope) and not (isinstance(key, str) and access.allows_token(key)):
        raise Problem(
            401,
            "this server wants a token: send `Authorization: Bearer TOKEN`.",
            headers={"WWW-Authenticate": "Bearer"},
        )


def _bearer(headers: Headers) -> str:
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _too_large(most: int) -> Problem:
    return Problem(
        413,
        f"the body is larger than {most} bytes. Send less at a time.",
        headers={"Connection": "close"},
    )


def _adding_headers(send: Send) -> Send:
    async def adding(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in SECURITY_HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return adding
