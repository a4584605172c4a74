"""A log that is read piece by piece has the same lines as one that is read at once, in memory that does not grow."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fewlex import log_lines
from fewlex.journal import EditLog
from fewlex.log_lines import LogLines


@given(
    st.lists(st.binary(max_size=12).map(lambda text: text.replace(b"\n", b"")), max_size=12), st.booleans()
)
@settings(max_examples=300)
def test_lines_are_those_of_the_whole_file(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes], cut: bool
) -> None:
    """Pieces of seven bytes begin and end anywhere, within lines and between them."""
    path = tmp_path_factory.mktemp("log") / "edits.jsonl"
    whole = [line + b"\n" for line in lines]
    path.write_bytes(b"".join(whole) + b"half a line" * cut)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(log_lines, "PIECE", 7)
        found = LogLines(path)
        assert found.size == sum(map(len, whole))
        assert found.count == len(whole)
        assert list(found.forwards()) == whole
        assert list(found.backwards()) == whole[::-1]
        assert found.last(3) == whole[-3:]


def test_a_log_that_is_not_there_has_no_lines(tmp_path: Path) -> None:
    none = LogLines(tmp_path / "none")
    assert (none.size, none.count, none.last(3), list(none.forwards())) == (0, 0, [], [])


def test_an_edit_of_a_long_log_needs_no_more_memory(tmp_path: Path) -> None:
    """A server edits for months. What reading the whole log takes for a moment, the system does not get back."""
    log = EditLog(tmp_path / "edits.jsonl")
    log.path.write_bytes(b'{"time": "now", "action": "teach", "changes": {}}\n' * 100_000)
    tracemalloc.start()
    try:
        log.commit({"time": "now", "action": "teach", "changes": {}}, lambda: None)
        assert log.reach() == log.count == 100_001
        assert log.history(dict, 20)[1] == 100_001
        log.undo(dict, lambda edit: None)
        assert (log.last, log.last_undone) == ("lexicon", "lexicon")
        log.redo(dict, lambda edit: None)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()
