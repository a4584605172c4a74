from __future__ import annotations

import errno
import json
import os
import signal
import tempfile
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewlex.errors import FewlexError, JournalError, LexiconError
from fewlex.journal import EditLog
from fewlex.lexicon import Change, Entry, Journal, Lexicon

LINES = [
    ("dax", "RED", Entry(6.0, "simple", 1.0)),
    ("dax", "PINK", Entry(1.0, "simple")),
    ("lug", "BLUE", Entry(9.0, "simple")),
    ("wif", "GREEN", Entry(8.0, "simple")),
]
words = st.sampled_from(["dax", "lug", "wif", "zup", "New York"])
targets = st.sampled_from(["RED", "BLUE", "纽约 市"])
entries = st.builds(Entry, st.sampled_from([1.0, 2.0]), like=st.sampled_from(["", "dax"]))
lexicons = st.lists(st.tuples(words, targets, entries), max_size=6).map(Lexicon)


def make_run(folder: Path) -> Journal:
    Lexicon(LINES, {"method": "simple"}).save(folder / "lexicon.json")
    return Journal(folder)


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return make_run(tmp_path)


def full_disk(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_teach_replaces_the_row(journal: Journal) -> None:
    edit = journal.teach([("dax", "CRIMSON"), ("zup", "YELLOW", "lug")])
    lexicon = journal.read()
    assert lexicon.row("dax") == {"CRIMSON": Entry(1.0)}
    assert lexicon.row("zup") == {"YELLOW": Entry(1.0, like="lug")}
    assert lexicon.sources == ("dax", "lug", "wif", "zup")
    assert lexicon.provenance == {"method": "simple"}
    assert edit.action == "teach"
    assert edit.changes["zup"] == Change({}, {"YELLOW": Entry(1.0, like="lug")})


def test_the_log_tells_when_what_before_and_after(journal: Journal) -> None:
    journal.teach([("dax", "RED")])
    (line,) = map(json.loads, journal.log.read_text().splitlines())
    assert datetime.fromisoformat(line.pop("time")).utcoffset() == timedelta(0)
    assert len(line.pop("seal")) == 64
    assert line == {
        "action": "teach",
        "rows": {
            "dax": {
                "before": {
                    "RED": {"weight": 6.0, "origin": "simple", "dice": 1.0},
                    "PINK": {"weight": 1.0, "origin": "simple", "dice": 0.0},
                },
                "after": {"RED": {"weight": 1.0, "origin": "person", "dice": 0.0}},
            }
        },
    }


def test_what_changes_nothing_is_not_logged(journal: Journal) -> None:
    journal.teach([("zup", "YELLOW")])
    before = journal.path.stat().st_mtime_ns, journal.log.read_bytes()
    assert journal.teach([("zup", "YELLOW"), ("zup", "YELLOW")]).changes == {}
    assert journal.teach([]).changes == {}
    assert journal.replace(journal.read()).changes == {}
    assert (journal.path.stat().st_mtime_ns, journal.log.read_bytes()) == before


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([("zup", "YELLOW"), ("zup", "PINK")], "'zup' is taught twice: YELLOW and PINK"),
        ([("zup", "YELLOW", "dax"), ("zup", "YELLOW")], r"YELLOW \(like dax\) and YELLOW"),
        ([("zup", "YELLOW"), ("", "PINK")], "source '' is empty"),
        ([("zup", "YELLOW"), ("blork", "")], "target '' is empty"),
        ([("zup", "YELL\tOW")], "holds a tab"),
        ([("zup", "YELLOW", "a\nb")], "line break"),
    ],
)
def test_teaching_is_all_or_nothing(
    journal: Journal, lines: list[tuple[str, str] | tuple[str, str, str]], message: str
) -> None:
    before = journal.path.read_bytes()
    with pytest.raises(LexiconError, match=message):
        journal.teach(lines)
    assert journal.path.read_bytes() == before
    assert not journal.log.exists()


def test_forget(journal: Journal) -> None:
    journal.forget("dax", "RED")
    assert journal.read().row("dax") == {"PINK": Entry(1, "simple")}
    journal.forget("dax", "PINK")
    journal.forget("lug")
    assert journal.read().sources == ("wif",)
    with pytest.raises(LexiconError, match="no entry for 'dax'"):
        journal.forget("dax")
    with pytest.raises(LexiconError, match="'wif' does not mean 'RED'"):
        journal.forget("wif", "RED")


def test_replace_keeps_how_the_lexicon_was_learned(journal: Journal) -> None:
    other = Lexicon([("zup", "YELLOW", Entry(2, "pmi", 0.5)), LINES[2]], {"method": "pmi"})
    edit = journal.replace(other)
    assert journal.read() == other
    assert journal.read().provenance == {"method": "simple"}
    assert set(edit.changes) == {"dax", "wif", "zup"}


def test_an_edited_table(journal: Journal, tmp_path: Path) -> None:
    journal.teach([("zup", "YELLOW", "lug")])
    table = tmp_path / "table.tsv"
    journal.write_table(table)
    lines = table.read_text().splitlines()
    assert lines[:2] == ["source\ttarget\tweight\tlike", "dax\tRED\t6.0\t"]
    assert journal.take_table(table).changes == {}
    table.write_text(
        "source\ttarget\tweight\tlike\ndax\tRED\t7\ndax\tPINK\t1\nlug\tBLUE\t9\twif\nnew\tNEW\t1\n"
    )
    edit = journal.take_table(table)
    assert edit.action == "edit"
    assert list(journal.read()) == [
        ("dax", "RED", Entry(7, "person", 1.0)),
        ("dax", "PINK", Entry(1.0, "simple")),
        ("lug", "BLUE", Entry(9, "person", like="wif")),
        ("new", "NEW", Entry(1)),
    ]


def test_undo_leads_back_to_the_very_bytes(journal: Journal, tmp_path: Path) -> None:
    states = [journal.path.read_bytes()]
    edits: tuple[Callable[[], object], ...] = (
        lambda: journal.teach([("zup", "YELLOW"), ("dax", "CRIMSON")]),
        lambda: journal.forget("dax"),
        lambda: journal.forget("zup", "YELLOW"),
        lambda: journal.teach([("lug", "NAVY")]),
        lambda: journal.replace(Lexicon([("blork", "BLACK", Entry(1.0)), LINES[3]])),
    )
    for edit in edits:
        edit()
        states.append(journal.path.read_bytes())
    undone = []
    while len(states) > 1:
        states.pop()
        undone.append(journal.undo().action)
        assert journal.path.read_bytes() == states[-1]
    assert undone == ["import", "teach", "forget", "forget", "teach"]
    with pytest.raises(JournalError, match="no edit to undo"):
        journal.undo()
    left = ["edits.jsonl", "edits.lock", "edits.undone.jsonl", "lexicon.json", "lexicon.learned.json"]
    assert sorted(os.listdir(tmp_path)) == left
    assert Lexicon.load(journal.learned_path) == journal.read()


@given(steps=st.lists(lexicons, max_size=5))
def test_any_chain_of_edits_can_be_undone(steps: list[Lexicon]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        journal = make_run(Path(folder))
        states = []
        for lexicon in steps:
            before = journal.path.read_bytes()
            if journal.replace(lexicon).changes:
                states.append(before)
            assert journal.read() == lexicon
        for state in reversed(states):
            journal.undo()
            assert journal.path.read_bytes() == state


@pytest.mark.parametrize("call", ["replace", "fsync"])
def test_a_full_disk_leaves_no_trace(journal: Journal, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    journal.teach([("zup", "YELLOW")])
    before = journal.path.read_bytes(), journal.log.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(os, call, full_disk)
        with pytest.raises(FewlexError, match=r"cannot write .*No space left"):
            journal.teach([("blork", "BLACK")])
        with pytest.raises(FewlexError, match=r"cannot write .*No space left"):
            journal.undo()
    assert (journal.path.read_bytes(), journal.log.read_bytes()) == before
    assert journal.undo().changes.keys() == {"zup"}


class PowerCutError(BaseException):
    """Ends the process here, as far as the code can tell."""


def cut_power(*_: object) -> None:
    raise PowerCutError


def cut_power_at(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """From now on, the write that would put this file in place never happens."""
    really = os.replace

    def replace(old: Path, new: Path) -> None:
        if Path(new).name == name:
            raise PowerCutError
        really(old, new)

    monkeypatch.setattr(os, "replace", replace)


def test_a_crash_between_log_and_lexicon(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    journal.teach([("zup", "YELLOW")])
    before = journal.path.read_bytes()
    with monkeypatch.context() as patch:
        cut_power_at(patch, "lexicon.json")
        with pytest.raises(PowerCutError):
            journal.forget("dax")
    assert journal.path.read_bytes() == before
    assert journal.undo().action == "forget"  # logged, never made
    assert journal.path.read_bytes() == before
    assert journal.undo().action == "teach"
    assert list(journal.read()) == LINES


def test_a_crash_in_the_middle_of_undo(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    journal.teach([("zup", "YELLOW")])
    journal.forget("dax")
    with monkeypatch.context() as patch:
        patch.setattr(EditLog, "_shorten", cut_power)
        with pytest.raises(PowerCutError):
            journal.undo()
    assert journal.undo().action == "forget"  # the same once more
    assert journal.read().sources == ("dax", "lug", "wif", "zup")
    assert journal.undo().action == "teach"
    assert list(journal.read()) == LINES


def test_half_a_line_at_the_end_of_the_log_does_not_count(journal: Journal) -> None:
    journal.teach([("zup", "YELLOW")])
    with journal.log.open("ab") as file:
        file.write(b'{"time": "2026-01-01T00:00:00+00:00", "action": "te')
    journal.teach([("blork", "BLACK")])
    assert len([json.loads(line) for line in journal.log.read_text().splitlines()]) == 2
    with journal.log.open("ab") as file:
        file.write(b'{"time"')
    assert journal.undo().changes.keys() == {"blork"}
    assert journal.undo().changes.keys() == {"zup"}


@pytest.mark.parametrize(
    "line",
    [
        "nonsense",
        "[]",
        '{"time": "now", "action": "teach"}',
        '{"time": "now", "action": "teach", "rows": {"a": {"before": {"A": 1}, "after": {}}}}',
    ],
)
def test_a_damaged_log_is_named_and_nothing_changes(journal: Journal, line: str) -> None:
    journal.teach([("zup", "YELLOW")])
    with journal.log.open("a") as file:
        file.write(line + "\n")
    before = journal.path.read_bytes()
    with pytest.raises(JournalError, match=r"edits\.jsonl:2: this is no edit .*Remove the line"):
        journal.undo()
    assert journal.path.read_bytes() == before


def test_a_log_that_cannot_be_read(journal: Journal) -> None:
    journal.log.mkdir()
    before = journal.path.read_bytes()
    for edit in (journal.undo, lambda: journal.forget("dax")):
        with pytest.raises(JournalError, match=r"cannot read .*edits\.jsonl"):
            edit()
    assert journal.path.read_bytes() == before


def test_a_folder_that_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(LexiconError, match=r"no lexicon\.json.*fewlex train"):
        Journal(tmp_path / "nowhere").read()


def test_a_hand_edit_in_between_is_not_lost(journal: Journal) -> None:
    journal.teach([("zup", "YELLOW")])
    by_hand = journal.read()
    by_hand.set("blork", "BLACK")
    by_hand.save(journal.path)
    journal.undo()
    assert journal.read().sources == ("dax", "lug", "wif", "blork")


def test_ten_thousand_entries_at_once(journal: Journal) -> None:
    journal.teach((f"source{i}", f"TARGET{i}") for i in range(10_000))
    assert len(journal.read()) == 10_004
    journal.undo()
    assert list(journal.read()) == LINES


def test_redo_brings_back_what_undo_took(journal: Journal) -> None:
    journal.teach([("dax", "CRIMSON"), ("zup", "YELLOW")])
    journal.forget("lug")
    after = journal.path.read_bytes()
    journal.undo()
    journal.undo()
    assert journal.redo().action == "teach"
    assert journal.redo().action == "forget"
    assert journal.path.read_bytes() == after


def test_an_entry_takes_the_place_of_another(journal: Journal) -> None:
    journal.set_entry("dax", "CRIMSON", Entry(2.0), replaces="RED")
    assert list(journal.read().row("dax")) == ["CRIMSON", "PINK"]
    journal.set_entry("dax", "PINK", Entry(3.0), replaces="CRIMSON")
    assert journal.read().row("dax") == {"PINK": Entry(3.0)}
    with pytest.raises(LexiconError, match="does not mean 'BLUE'"):
        journal.set_entry("dax", "RED", Entry(1.0), replaces="BLUE")


def test_merging_keeps_what_the_other_lexicon_does_not_have(journal: Journal) -> None:
    journal.merge(Lexicon([("dax", "RED", Entry(1.0)), ("zup", "YELLOW", Entry(1.0))]))
    assert journal.read().row("dax") == {"RED": Entry(1.0), "PINK": Entry(1.0, "simple")}
    assert journal.read().sources == ("dax", "lug", "wif", "zup")
    journal.undo()
    assert list(journal.read()) == LINES


def test_a_teacher_killed_before_the_rename_leaves_one_file_until_the_next_edit(journal: Journal) -> None:
    """Once, nobody removed that file. A single kill in this moment then spoiled all checks of the torture after it."""
    journal.teach([("zup", "YELLOW")])
    before = journal.read()
    for _ in range(3):
        if not (child := os.fork()):
            os.replace = lambda *paths: os.kill(os.getpid(), signal.SIGKILL)
            journal.teach([("blork", "BLACK")])
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
        assert journal.read() == before
        assert len([*journal.path.parent.glob(".*.partial")]) == 1
    journal.teach([("blork", "BLACK")])
    assert "blork" in journal.read()
    assert not [*journal.path.parent.glob(".*.partial")]
