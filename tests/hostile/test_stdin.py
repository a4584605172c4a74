"""What `fewlex translate` reads from standard input, in processes of its own: marks, bad bytes, long lines, locales."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from torture.command import ENVIRONMENT, rules_run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return rules_run(tmp_path_factory.mktemp("runs") / "run")


def translate(run: Path, text: bytes, *more: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "fewlex", "translate", str(run), *more]
    return subprocess.run(command, input=text, capture_output=True, env=ENVIRONMENT | environment)


def test_a_byte_order_mark_is_no_word(run: Path) -> None:
    done = translate(run, b"\xef\xbb\xbfzup fep\r\n")
    assert (done.returncode, done.stdout) == (0, b"YELLOW YELLOW YELLOW\n")


@pytest.mark.parametrize(
    ("bad", "told"),
    [(b"\xff\xff", b"byte 1 of the line is not UTF-8"), (b"dax " * 6000, b"the line has 6,000 tokens")],
    ids=["a bad byte", "a long line"],
)
def test_lines_before_a_bad_one_are_answered(run: Path, bad: bytes, told: bytes) -> None:
    done = translate(run, b"zup\ndax\n" + bad + b"\nlug\n")
    assert (done.returncode, done.stdout) == (1, b"YELLOW\nRED\n")
    assert b"<stdin>:3: " + told in done.stderr
    assert b"Traceback" not in done.stderr


def test_closed_standard_input_is_told(run: Path) -> None:
    command = f"{sys.executable} -m fewlex translate {run} <&-"
    done = subprocess.run(["bash", "-c", command], capture_output=True, env=ENVIRONMENT)
    assert done.returncode == 1
    assert b"standard input is closed" in done.stderr


@pytest.mark.parametrize("locale", [{"LC_ALL": "C"}, {"PYTHONIOENCODING": "latin-1"}], ids=str)
def test_json_is_utf_8_in_every_locale(run: Path, locale: dict[str, str]) -> None:
    done = translate(run, "zup 纽约 \u009b é\n".encode(), "--json", **locale)
    assert done.returncode == 0, done.stderr
    assert b"\xc2\x9b" not in done.stdout
    assert json.loads(done.stdout.decode())["source"] == "zup 纽约 \u009b é"
