"""How much one client may ask for, so that it cannot take the server away from the others."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Beyond a limit, a request is refused with 413, 422 or 429, and the answer names the limit."""

    body_bytes: int = 1 << 20
    upload_bytes: int = 32 << 20
    """The same for whole files: imported lexicons and evaluation data."""
    body_seconds: float = 30.0
    """How long a client may take to send a body."""
    texts: int = 256
    characters: int = 2000
    """The length of one sentence."""
    tokens: int = 400
    """The length of one sentence in tokens."""
    beam: int = 16
    pairs: int = 10_000
    """Pairs of one evaluation."""
    sentences: int = 1000
    """Sentences that one lesson is tried on."""
    lessons: int = 1000
    rows: int = 1000
    """Rows of the lexicon in one answer, and changes that one answer lists."""
    requests: int = 64
    """Requests that are worked on at once; those whose body is still on its way do not count."""
    connections: int = 1000
    """Open connections; beyond them the one that was quiet for longest is closed."""
    quiet_seconds: float = 15.0
    """How long a connection may be open without a request, or a request may take until its headers are there."""
