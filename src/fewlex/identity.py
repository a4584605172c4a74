"""What a run is trained on, as digests. A run that is continued compares them, to notice that its data has changed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from fewlex.data.example import Example
from fewlex.lexicon import Lexicon


def training_identity(data: str, examples: Sequence[Example], lexicon: Lexicon | None) -> dict[str, str]:
    """A description of what a run is trained on. A run that is continued compares it, to notice changes."""
    return {
        "data": data,
        "training_digest": _digest(field for e in examples for field in (*e.source, "\n", *e.target, "\n")),
        "lexicon_digest": "" if lexicon is None else _digest(map(repr, lexicon)),
    }


def _digest(parts: Iterable[str]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()
