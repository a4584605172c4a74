"""The log that lexicons and rules share; tests/lexicon/test_journal.py tries crashes, full disks and damage."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fewlex.errors import FewlexError, JournalError
from fewlex.journal import EditLog


def append(state: list[str], text: str, log: EditLog) -> None:
    log.commit({"time": "now", "action": "add", "text": text}, lambda: state.append(text))


def test_an_edit_is_logged_and_made_and_taken_back(tmp_path: Path) -> None:
    log, state = EditLog(tmp_path / "edits.jsonl", of="rules"), []
    append(state, "one", log)
    append(state, "two", log)
    assert [json.loads(line)["of"] for line in log.path.read_text().splitlines()] == ["rules", "rules"]
    assert log.undo(lambda record: record["text"], state.remove) == "two"
    assert state == ["one"]
    log.undo(lambda record: record["text"], state.remove)
    assert state == []
    with pytest.raises(JournalError, match="no edit to undo"):
        log.undo(lambda record: record["text"], state.remove)


def test_an_edit_that_fails_leaves_no_trace(tmp_path: Path) -> None:
    log = EditLog(tmp_path / "edits.jsonl")

    def fail() -> None:
        raise FewlexError("no")

    with pytest.raises(FewlexError, match="no"):
        log.commit({"action": "add"}, fail)
    assert log.path.read_bytes() == b""


def test_the_last_edit_of_a_shared_log_is_undone_first(tmp_path: Path) -> None:
    path = tmp_path / "edits.jsonl"
    state: list[str] = []
    append(state, "word", EditLog(path))
    append(state, "rule", EditLog(path, of="rules"))
    with pytest.raises(
        JournalError, match=r"edits.jsonl:2: the last edit changed the rules.*fewlex rules undo"
    ):
        EditLog(path).undo(lambda record: record["text"], state.remove)
    assert state == ["word", "rule"]
    EditLog(path, of="rules").undo(lambda record: record["text"], state.remove)
    EditLog(path).undo(lambda record: record["text"], state.remove)
    assert state == []
