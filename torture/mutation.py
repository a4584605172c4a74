"""Damage: what an accident or an attacker makes of a valid file. Bytes change anywhere; JSON also changes its shape."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from copy import deepcopy
from typing import Any

ODD_BYTES = (
    b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\n\n", b"\t", b"\t\t", b'"', b"'", b",", b";", b"|||",
    b" ||| ", b"\x1b[31m", b"\xc2\x9b2J", b"\xed\xa0\x80", b"\xe2\x80\xae", b"\xf0\x9f\x98\x80", b"<unk>",
    b"</s>", b"[/red]", b"=cmd()", b"\\ud800", b"[" * 300, b"{\"a\":" * 300, b"9" * 5000, b"-1", b"1e999",
    b"NaN", b"null", b"true", b"[]", b"{}", b'""', b"#0", b"_", b"#99999", "↦".encode(), "×".encode(), b"->",
    b"\\", b"source\ttarget", b"IN: a OUT: b", b"0-0", b"1?2", b"1p" + b"7" * 5000, b"a.b.c=1",
)  # fmt: skip
"""Bytes that some reader may stumble over."""

ODD_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**63, 10**30, -0.5, 0.5, 1e308, "", " ", "x", "a\tb", "\x1b[2J",
    "<unk>", "</s>", "\0", "a" * 1000, [], {}, [[]], [None], {"": None}, {"x": {}}, ["x"], [1, "x", None],
    {"a": [1]},
)  # fmt: skip
"""Values that stand where others should."""

_SEAL = re.compile(rb'"seal": "[0-9a-f]{64}", |# seal: "[0-9a-f]{64}"\n')

Mutate = Callable[[bytes, random.Random], bytes]


def unsealed(content: bytes) -> bytes:
    """A file as somebody would forge it who knows of seals: without one, so that its content alone must be refused."""
    return _SEAL.sub(b"", content)


def damaged(content: bytes, rng: random.Random) -> bytes:
    """The content with one to four accidents: bytes that are changed, lost, doubled, moved or put in."""
    data = bytearray(content)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        place = rng.randrange(len(data) + 1)
        length = rng.choice((1, 1, 2, 8, 64))
        match rng.randrange(6):
            case 0 if data:
                data[place % len(data)] = rng.randrange(256)
            case 1:
                del data[place : place + length]
            case 2:
                data[place:place] = data[place : place + length] * rng.choice((1, 2, 40))
            case 3:
                data[place:place] = rng.choice(ODD_BYTES)
            case 4:
                del data[place:]
            case _:
                part = data[place : place + length]
                del data[place : place + length]
                other = rng.randrange(len(data) + 1)
                data[other:other] = part
    return bytes(data)


def reshaped(content: bytes, rng: random.Random) -> bytes:
    """JSON of another shape: a value of another kind, a field that is lost, doubled or called otherwise."""
    document = json.loads(content)
    for _ in range(rng.choice((1, 1, 2))):
        places = list(_places(document))
        if not places:
            break
        holder, key = rng.choice(places)
        match rng.randrange(5):
            case 0 | 1:
                holder[key] = deepcopy(rng.choice(ODD_VALUES))
            case 2:
                del holder[key]
            case 3:
                holder[key] = [holder[key]] if rng.random() < 0.5 else {str(key): holder[key]}
            case _ if isinstance(holder, dict):
                holder[rng.choice(("", "x", "like", "name", " a", "<unk>", "rows", "0"))] = holder.pop(key)
            case _:
                holder.append(deepcopy(holder[key]))
    return json.dumps(document).encode()


def _places(document: Any) -> Any:
    """Everywhere in a document where a value stands: its holder, and its key there."""
    keys = (
        list(document)
        if isinstance(document, dict)
        else range(len(document))
        if isinstance(document, list)
        else ()
    )
    for key in keys:
        yield document, key
        yield from _places(document[key])


def json_mutation(content: bytes, rng: random.Random) -> bytes:
    """Damage of the text or of the shape, as likely as the other."""
    return damaged(content, rng) if rng.random() < 0.5 else reshaped(content, rng)


def jsonl_mutation(content: bytes, rng: random.Random) -> bytes:
    """The same for a file with one document on each line."""
    if rng.random() < 0.5:
        return damaged(content, rng)
    lines = content.splitlines()
    number = rng.randrange(len(lines))
    lines[number] = reshaped(lines[number], rng)
    return b"\n".join(lines) + b"\n"
