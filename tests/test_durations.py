"""The one way in which fewlex reads a time, whichever command asks for it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fewlex.cli import main
from fewlex.durations import parse_duration
from fewlex.errors import ConfigError


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90s", 90), ("20m", 1200), ("1.5h", 5400), ("1d", 86400), (" 2m ", 120), (".5h", 1800)],
)
def test_durations(text: str, seconds: float) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize(
    "text",
    ["", "20", "20 min", "m", "-5m", "0s", "1h30m", "1e3s", "nan", "nanh", "infs", "1.s", "9" * 400 + "d"],
)
def test_what_is_no_duration(text: str) -> None:
    with pytest.raises(ConfigError, match=r"Write it as 90s, 20m, 1\.5h or 2d"):
        parse_duration(text)


@pytest.mark.parametrize("text", ["1e3s", "2 hours"])
@pytest.mark.parametrize(
    "options", [("train", "colors", "--out", "run", "--time-budget"), ("reproduce", "--budget")]
)
def test_commands_refuse_the_same(
    options: tuple[str, ...],
    text: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["fewlex", *options, text])
    with pytest.raises(SystemExit):
        main()
    assert f"{text!r} is not a time above 0" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
