from __future__ import annotations

import errno
import os
import threading
from collections.abc import Iterator
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from fewlex.data import download
from fewlex.data.download import PublishedFile, cache_folder, fetch, locate
from fewlex.errors import DownloadError, FewlexError

CONTENT = b"dax\tRED\n" * 50_000
FILE = PublishedFile("toy/train.tsv", "somebody/toy/train.tsv", sha256(CONTENT).hexdigest())


class FakeServer(ThreadingHTTPServer):
    """A web server on loopback that answers as a test tells it to."""

    status = 200
    body = CONTENT
    announced_length = len(CONTENT)

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[str] = []


class _Handler(BaseHTTPRequestHandler):
    server: FakeServer

    def do_GET(self) -> None:
        self.server.requests.append(self.path)
        self.send_response(self.server.status)
        self.send_header("Content-Length", str(self.server.announced_length))
        self.end_headers()
        self.wfile.write(self.server.body)

    def log_message(self, *_: object) -> None:
        """Stay silent."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[FakeServer]:
    """A server in place of the real one, with an empty cache and no local data."""
    with FakeServer() as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        monkeypatch.setenv("FEWLEX_MIRROR", f"http://127.0.0.1:{server.server_port}")
        monkeypatch.setenv("FEWLEX_CACHE", str(tmp_path / "cache"))
        monkeypatch.delenv("FEWLEX_DATA", raising=False)
        yield server
        server.shutdown()


def cached_files() -> list[str]:
    return sorted(path.name for path in cache_folder().iterdir())


def test_a_file_is_downloaded_once(server: FakeServer) -> None:
    path = fetch(FILE)
    assert path.read_bytes() == CONTENT
    assert path.parent == cache_folder()
    assert cached_files() == [path.name]
    assert fetch(FILE) == path
    assert server.requests == ["/somebody/toy/train.tsv"]


def test_the_cache_needs_no_network(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    path = fetch(FILE)
    monkeypatch.setenv("FEWLEX_MIRROR", "http://127.0.0.1:9")
    assert fetch(FILE) == path


def test_a_damaged_cache_is_fetched_again(server: FakeServer) -> None:
    path = fetch(FILE)
    path.write_bytes(b"damaged")
    assert fetch(FILE).read_bytes() == CONTENT
    assert len(server.requests) == 2


def test_not_found_says_both_ways(server: FakeServer) -> None:
    server.status = 404
    with pytest.raises(DownloadError, match=r"404.*Check the network.*FEWLEX_DATA .* toy/train.tsv"):
        fetch(FILE)
    assert cached_files() == []


def test_no_server_says_both_ways(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FEWLEX_MIRROR", "http://127.0.0.1:9")
    with pytest.raises(DownloadError, match=r"the download failed .*refused.*network.*FEWLEX_DATA"):
        fetch(FILE)


@pytest.mark.parametrize("mirror", ["nonsense", "http://[::1"])
def test_a_mirror_that_is_no_address(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch, mirror: str
) -> None:
    monkeypatch.setenv("FEWLEX_MIRROR", mirror)
    with pytest.raises(DownloadError, match="the download failed"):
        fetch(FILE)


def test_a_broken_connection_leaves_nothing_and_the_next_try_succeeds(server: FakeServer) -> None:
    server.body = CONTENT[:1000]
    with pytest.raises(DownloadError, match=r"1000 of 400000 bytes|IncompleteRead"):
        fetch(FILE)
    assert cached_files() == []
    server.body = CONTENT
    assert fetch(FILE).read_bytes() == CONTENT


def test_a_wrong_checksum_shows_both_and_leaves_nothing(server: FakeServer) -> None:
    server.body = CONTENT[::-1]
    got = sha256(server.body).hexdigest()
    with pytest.raises(DownloadError, match=f"SHA-256 should be {FILE.sha256}, but it is {got}"):
        fetch(FILE)
    assert cached_files() == []


def test_an_interrupted_download_leaves_nothing_and_can_be_repeated(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(url: str, file: PublishedFile) -> Iterator[bytes]:
        yield CONTENT[:1000]
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(download, "_received", interrupted)
        with pytest.raises(KeyboardInterrupt):
            fetch(FILE)
    assert cached_files() == []
    assert fetch(FILE).read_bytes() == CONTENT


def test_a_full_disk_is_not_blamed_on_the_network(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", is_full)
    with pytest.raises(FewlexError, match=r"cannot write .*No space left on device. Free some space") as full:
        fetch(FILE)
    assert not isinstance(full.value, DownloadError)


def test_a_cache_folder_that_cannot_be_made(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("FEWLEX_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.raises(DownloadError, match="Set FEWLEX_CACHE"):
        fetch(FILE)


def test_a_local_folder_comes_first(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    local = tmp_path / "data" / "toy" / "train.tsv"
    local.parent.mkdir(parents=True)
    local.write_text("dax\tRED\n")
    monkeypatch.setenv("FEWLEX_DATA", str(tmp_path / "data"))
    assert locate(FILE) == local
    local.unlink()
    assert locate(FILE).read_bytes() == CONTENT


def test_a_terminal_sees_a_progress_bar(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    fetch(FILE)
    shown = capsys.readouterr()
    assert "toy/train.tsv" in shown.err
    assert shown.out == ""


def test_other_outputs_see_nothing(server: FakeServer, capsys: pytest.CaptureFixture[str]) -> None:
    fetch(FILE)
    assert capsys.readouterr() == ("", "")


def test_the_cache_follows_the_system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("FEWLEX_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "fewlex"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache" / "fewlex"


def test_a_server_without_end_is_stopped(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "MAX_BYTES", 1000)
    server.body = b"x" * 100_000
    server.announced_length = len(server.body)
    with pytest.raises(DownloadError, match="sends more than 1,000 bytes"):
        fetch(FILE)
    assert cached_files() == []
