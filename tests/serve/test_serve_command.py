"""`fewlex serve` on the command line."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from fewlex.cli import app
from fewlex.errors import FewlexError
from tests.serve.process import server_process


def refusal(*arguments: str | Path) -> str:
    result = CliRunner().invoke(app, ["serve", *map(str, arguments)])
    assert isinstance(result.exception, FewlexError), result.output
    return str(result.exception)


def test_a_run_is_served_until_it_is_told_to_end(run: Path, tmp_path: Path) -> None:
    (tmp_path / "token").write_text("secret\n")
    arguments = (
        "--token-file",
        tmp_path / "token",
        "--language",
        "colors=en:es",
        "--allow-host",
        "api.example",
    )
    with server_process(run, *arguments) as (process, url):
        assert httpx.get(f"{url}/v1/runs").status_code == 401
        key = {"Authorization": "Bearer secret", "Host": "api.example"}
        told = httpx.get(f"{url}/v1/runs", headers=key).json()
        assert told["runs"][0]["languages"] == {"source": "en", "target": "es"}
        process.terminate()
        assert process.wait(30) == 0


def test_the_outside_is_refused_without_a_token(run: Path) -> None:
    assert "--token-file" in refusal(run, "--host", "0.0.0.0")
    assert "--token-file" in refusal(run, "--host", "example.com")


def test_mistakes_are_told_before_the_server_starts(run: Path, tmp_path: Path) -> None:
    assert "no such run folder" in refusal(tmp_path / "gone", "--port", "0")
    assert "both called 'colors'" in refusal(run, run, "--port", "0")
    assert "write RUN=FROM:TO" in refusal(run, "--language", "colors", "--port", "0")
    (tmp_path / "empty").write_text(" \n")
    assert "is empty" in refusal(run, "--token-file", tmp_path / "empty")
    assert "cannot read the token" in refusal(run, "--token-file", tmp_path / "gone")
    assert "contradict" in refusal(run, "--token-file", tmp_path / "empty", "--token", "x")
    assert "without blanks" in refusal(run, "--token", "a b")


def test_a_port_that_is_taken_is_told(run: Path) -> None:
    from fewlex.serve.server import bind

    with bind("127.0.0.1", 0) as taken:
        taken.listen()
        port = str(taken.getsockname()[1])
        assert "Choose another --host or --port" in refusal(run, "--port", port)


def test_what_is_missing_is_told(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    for name in [name for name in sys.modules if name.startswith(("starlette", "fewlex.serve"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "starlette", None)
    assert 'pip install "fewlex[studio]"' in refusal(run)
