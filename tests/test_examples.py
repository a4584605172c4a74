"""The scripts of examples/ run as written and print what they promise."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all scripts: those that train the same run share it, since a finished run is not trained again."""
    return tmp_path_factory.mktemp("examples")


def printed_by(script: str, out: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    runpy.run_path(str(EXAMPLES / script))["main"](out)
    return capsys.readouterr().out.splitlines()


def test_every_script_has_a_test() -> None:
    text = Path(__file__).read_text(encoding="utf-8")
    assert [path.name for path in EXAMPLES.glob("*.py") if f'"{path.name}"' not in text] == []


def test_a_lexicon_is_corrected(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert printed_by("correct_a_lexicon.py", out, capsys) == [
        "cat means chat",
        "big means grand, chien",
        "dog means grand, chien",
        "no longer: big means chien",
        "no longer: dog means grand",
        "kept 9 of 11 entries",
    ]


@pytest.mark.slow
def test_a_word_is_taught(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before, *taught = printed_by("teach_a_word.py", out, capsys)
    assert "VAULT" not in before
    assert taught == [
        "open the vault: OPEN VAULT",
        "lock the vault twice: LOCK VAULT LOCK VAULT",
        "paint the gate after close the vault: CLOSE VAULT PAINT GATE",
    ]


@pytest.mark.slow
def test_a_glossary_is_used_for_one_call(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert printed_by("use_a_glossary.py", out, capsys) == [
        "with glossary: OPEN DOOR-2 LOCK PORTCULLIS",
        "without it:    OPEN DOOR",
        "OPEN        translated from open",
        "DOOR-2      translated from door",
        "LOCK        translated from lock",
        "PORTCULLIS  translated from portcullis",
    ]
