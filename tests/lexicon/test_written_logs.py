"""A log of edits that a person has written or changed: it has no seal, so each part of it is checked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fewlex.errors import JournalError
from fewlex.lexicon import Journal
from tests.lexicon.test_journal import make_run


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return make_run(tmp_path)


NO_PLACES: tuple[object, ...] = ("x", "1", [1], {}, 1.5, True)


@pytest.mark.parametrize(
    "wrong",
    [{"time": 3}, {"action": []}, *({"place": place} for place in NO_PLACES)],
    ids=str,
)
def test_a_log_that_a_person_has_written_is_checked_before_it_is_used(
    journal: Journal, wrong: dict[str, object]
) -> None:
    """A line without a seal is taken as it is, so each part of it must be what it should be."""
    journal.forget("lug")
    record = json.loads(journal.log.read_text())
    del record["seal"]
    part = record["rows"]["lug"] if "place" in wrong else record
    part.update(wrong)
    journal.log.write_text(json.dumps(record) + "\n")
    before = journal.path.read_bytes()
    with pytest.raises(JournalError, match=r"edits.jsonl:1: this is no edit \("):
        journal.undo()
    assert journal.path.read_bytes() == before


def test_a_place_for_a_word_that_was_not_there_says_nothing(journal: Journal) -> None:
    journal.forget("lug")
    record = json.loads(journal.log.read_text())
    del record["seal"]
    record["rows"]["lug"]["before"] = {}
    journal.log.write_text(json.dumps(record) + "\n")
    journal.undo()
    assert journal.read().sources == ("dax", "wif")
