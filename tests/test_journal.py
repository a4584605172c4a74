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
    log, state = EditLog(tmp_path / "edits.jsonl", of="rules"), list[str]()
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


def read_text(record: dict[str, str]) -> str:
    return record["text"]


def test_what_was_undone_is_made_again_in_order(tmp_path: Path) -> None:
    log, state = EditLog(tmp_path / "edits.jsonl"), list[str]()
    for text in ("one", "two", "three"):
        append(state, text, log)
    logged = log.path.read_bytes()
    for _ in range(3):
        log.undo(read_text, state.remove)
    assert (state, log.last, log.last_undone) == ([], None, "lexicon")
    assert [log.redo(read_text, state.append) for _ in range(3)] == ["one", "two", "three"]
    assert state == ["one", "two", "three"]
    assert log.path.read_bytes() == logged
    assert log.last_undone is None
    with pytest.raises(JournalError, match="no undone edit"):
        log.redo(read_text, state.append)


def test_another_edit_ends_redoing(tmp_path: Path) -> None:
    log, state = EditLog(tmp_path / "edits.jsonl"), list[str]()
    append(state, "one", log)
    log.undo(read_text, state.remove)
    append(state, "two", log)
    assert log.last_undone is None
    log.undo(read_text, state.remove)
    assert log.redo(read_text, state.append) == "two"
    assert log.last_undone is None


def test_a_crash_while_undoing_does_not_bring_an_edit_twice(tmp_path: Path) -> None:
    """The moment after the undone edit was kept and before it left the log."""
    log, state = EditLog(tmp_path / "edits.jsonl"), list[str]()
    append(state, "one", log)
    logged = log.path.read_bytes()
    log.undo(read_text, state.remove)
    log.path.write_bytes(logged)
    assert log.last_undone is None, "the log still has the edit"
    log.undo(read_text, lambda text: None)
    log.redo(read_text, state.append)
    assert state == ["one"]
    assert log.last_undone is None


def test_redoing_that_fails_leaves_no_trace(tmp_path: Path) -> None:
    log, state = EditLog(tmp_path / "edits.jsonl"), list[str]()
    append(state, "one", log)
    log.undo(read_text, state.remove)

    def fail(text: str) -> None:
        raise FewlexError("no")

    with pytest.raises(FewlexError, match="no"):
        log.redo(read_text, fail)
    assert log.path.read_bytes() == b""
    assert log.redo(read_text, state.append) == "one"


def test_the_history_has_the_newest_first(tmp_path: Path) -> None:
    path = tmp_path / "edits.jsonl"
    words, rules = EditLog(path), EditLog(path, of="rules")
    append([], "one", words)
    append([], "rule", rules)
    append([], "two", words)
    assert words.history(read_text, 10) == (["two", "rule", "one"], 3)
    assert words.history(read_text, 1) == (["two"], 3)
    path.write_text("[]\n")
    with pytest.raises(JournalError, match=r"edits.jsonl:1: this is no edit"):
        words.history(read_text, 1)
