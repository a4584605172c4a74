"""A seal is the SHA-256 of a file, kept in the first line of the file itself, so that damage is noticed and never used.

    {"seal": "6e1f…", "format": "fewlex-lexicon", …      JSON, and each line of a log
    # seal: "6e1f…"                                      TOML
    …{"__metadata__": {"seal": "6e1f…"}, …               safetensors

The hash is that of the file with zeros in the place of the hash. File and seal are written in one step, so no crash can
separate them, and they stay together when a file is copied or moved.

A file without a seal was written by an older fewlex or by a person, and is used as it is. Whoever edits a sealed file
by hand removes the seal. A file that begins almost as sealed files do is one whose seal is damaged.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

from fewlex.errors import DamagedError
from fewlex.strict import parse_json

ZEROS = "0" * 64
_HEADS = ((0, b'{"seal": "'), (0, b'# seal: "'), (8, b'{"__metadata__": {"seal": "'))
"""Where the text before a hash begins, and that text; safetensors begins with eight bytes of another kind."""
_ALMOST = 3
"""A head with no more wrong bytes than this was a head once."""
_EDITS = re.compile(rb'\{"seal": "[0-9a-f]{64}", "edits": ([0-9]{1,12}), ')


def seal_json(text: str, edits: int = 0) -> bytes:
    """The text of a JSON object with a seal, and with the number of its last edit in a log."""
    counted = f' "edits": {edits},' if edits else ""
    return _sealed(f'{{"seal": "{ZEROS}",{counted} '.encode() + text[1:].lstrip().encode())


def seal_toml(text: str) -> bytes:
    """A TOML file with a seal, as a comment."""
    return _sealed(f'# seal: "{ZEROS}"\n{text}'.encode())


def seal_tensors(data: bytes, **metadata: str) -> bytes:
    """A safetensors file with a seal and with other metadata."""
    size = int.from_bytes(data[:8], "little")
    header = {"__metadata__": {"seal": ZEROS, **metadata}, **json.loads(data[8 : 8 + size])}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)  # the tensors must begin at a multiple of eight bytes
    return _sealed(len(text).to_bytes(8, "little") + text + data[8 + size :])


def metadata_of(data: bytes) -> dict[str, str]:
    """The metadata of a safetensors file, from its beginning; a ValueError or KeyError tells that there is none."""
    header = data[8 : 8 + int.from_bytes(data[:8], "little")].decode()
    metadata: dict[str, str] = parse_json(header)["__metadata__"]
    return metadata


def read_sealed(path: Path, *, required: bool = False) -> bytes:
    """The content of a file whose seal is whole; with `required`, of no file that has none. May raise an OSError."""
    data = path.read_bytes()
    check(data, str(path), required=required)
    return data


def read_sealed_text(path: Path) -> str:
    """The text of a file whose seal is whole, with lines that end as those of text files do."""
    return read_sealed(path).decode("utf-8-sig").replace("\r\n", "\n")


def check(data: bytes, name: str, *, required: bool = False) -> None:
    """Complain if what was sealed is not as it was; `name` is what the message calls it."""
    if (place := _place(data)) is None:
        if required or _was_sealed(data):
            raise _damaged(name)
    elif data[place : place + 64] != _hash(data, place):
        raise _damaged(name)


def is_sealed(data: bytes) -> bool:
    """Whether the content of a file has a seal, be it whole or broken."""
    return _place(data) is not None


def edits_of(data: bytes) -> int:
    """The number of the last edit of sealed JSON, from its first bytes; 0 where it does not say so."""
    found = _EDITS.match(data)
    return int(found[1]) if found else 0


def _place(data: bytes) -> int | None:
    """Where the hash stands; None if there is none."""
    return next(
        (start + len(head) for start, head in _HEADS if data[start : start + len(head)] == head), None
    )


def _was_sealed(data: bytes) -> bool:
    return any(
        sum(a != b for a, b in zip(head, data[start : start + len(head)].ljust(len(head)), strict=True))
        <= _ALMOST
        for start, head in _HEADS
    )


def _sealed(data: bytes) -> bytes:
    place = _place(data)
    assert place is not None
    return data[:place] + _hash(data, place) + data[place + 64 :]


def _hash(data: bytes, place: int) -> bytes:
    digest = hashlib.sha256(data[:place])
    digest.update(ZEROS.encode())
    digest.update(memoryview(data)[place + 64 :])
    return digest.hexdigest().encode()


def _damaged(name: str) -> DamagedError:
    return DamagedError(
        f"{name} is not as fewlex has written it: the disk has damaged it, or somebody has edited it by hand. "
        f"`fewlex doctor {Path(name.partition(':')[0]).parent}` says what can be done."
    )
