"""Published files are taken from the folder FEWLEX_DATA, from the cache, or else downloaded from their publisher.

The variable FEWLEX_CACHE moves the cache, and FEWLEX_MIRROR names another server to download from.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from fewlex.errors import DownloadError
from fewlex.files import atomic_write

SERVER = "https://raw.githubusercontent.com"
TIMEOUT_SECONDS = 30
CHUNK_BYTES = 1 << 16
MAX_BYTES = 64 << 20
"""The largest published file has a tenth of it; a server without end is stopped here."""


@dataclass(frozen=True)
class PublishedFile:
    """A file that somebody else publishes. Its checksum says which bytes it must have."""

    name: str
    """Where the file is in the folder FEWLEX_DATA, such as `cogs/train.tsv`."""
    address: str
    """Where the file is on SERVER. The path contains a commit, so that the file never changes."""
    sha256: str


def locate(file: PublishedFile) -> Path:
    """The file in the folder FEWLEX_DATA, which is trusted as it is; if it is not there, the downloaded file."""
    folder = os.environ.get("FEWLEX_DATA")
    if folder and (local := Path(folder) / file.name).is_file():
        return local
    return fetch(file)


def fetch(file: PublishedFile) -> Path:
    """The file in the cache. It is downloaded if it is not there yet, and its checksum is always verified."""
    cached = cache_folder() / f"{file.sha256[:16]}-{Path(file.name).name}"
    if cached.is_file() and _sha256(cached) == file.sha256:
        return cached
    _make_folder(cached.parent)
    with atomic_write(cached) as partial:
        _download(file, partial)
    return cached


def cache_folder() -> Path:
    """The folder FEWLEX_CACHE, or else the folder `fewlex` in the user's cache folder."""
    if own := os.environ.get("FEWLEX_CACHE"):
        return Path(own)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "fewlex"


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DownloadError(
            f"cannot make the cache folder {folder}: {error.strerror}. "
            "Set FEWLEX_CACHE to a folder that you may write to."
        ) from error


def _download(file: PublishedFile, partial: BinaryIO) -> None:
    """Write what the server sends, and raise an error if that is not the published file."""
    import hashlib  # It takes longer to import than the rest of the package, so it is imported only here.

    url = f"{os.environ.get('FEWLEX_MIRROR') or SERVER}/{file.address}"
    digest = hashlib.sha256()
    for chunk in _received(url, file):
        partial.write(chunk)
        digest.update(chunk)
    if digest.hexdigest() != file.sha256:
        raise DownloadError(
            f"{url}: this is not the published file. Its SHA-256 should be {file.sha256}, "
            f"but it is {digest.hexdigest()}. {_both_ways(file)}"
        )


def _received(url: str, file: PublishedFile) -> Iterator[bytes]:
    """Yield what the server sends, piece by piece, and show a progress bar meanwhile."""
    from http.client import HTTPException
    from urllib.request import urlopen

    received = 0
    try:
        with urlopen(url, timeout=TIMEOUT_SECONDS) as response:
            size = int(response.headers.get("Content-Length") or 0)
            with _progress_bar(file.name, size) as advance:
                while chunk := response.read(CHUNK_BYTES):
                    received += len(chunk)
                    if received > MAX_BYTES:
                        raise DownloadError(
                            f"{url}: the server sends more than {MAX_BYTES:,} bytes, which no published file has. "
                            f"{_both_ways(file)}"
                        )
                    yield chunk
                    advance(len(chunk))
    except (OSError, HTTPException, ValueError) as error:
        raise DownloadError(f"{url}: the download failed ({error}). {_both_ways(file)}") from error
    if received < size:
        raise DownloadError(
            f"{url}: the connection broke after {received} of {size} bytes. {_both_ways(file)}"
        )


def _both_ways(file: PublishedFile) -> str:
    return (
        "Check the network and run the same command again. Or set FEWLEX_DATA to a folder that contains "
        f"{file.name}; then no network is needed."
    )


@contextmanager
def _progress_bar(title: str, total: int) -> Iterator[Callable[[int], None]]:
    """A function that takes the number of new bytes. The bar is shown on standard error if that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

    columns = TextColumn("{task.description}"), BarColumn(), DownloadColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(title, total=total or None)
        yield lambda count: progress.advance(task, count)


def _sha256(path: Path) -> str:
    import hashlib

    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
