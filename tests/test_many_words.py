"""Teaching one more word costs what reading and writing a lexicon costs, however many words were taught before.

Calls of functions are counted in place of seconds, so these tests say the same on a busy machine. Ten times as many
words may take about ten times as many calls; what once was quadratic took a hundred times as many.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

from fewlex.cli import app
from fewlex.data.example import Example
from fewlex.lexicon import Entry, Lexicon
from fewlex.log_lines import LogLines
from fewlex.rules import learn_rules
from fewlex.rules.lessons import with_lessons
from fewlex.run import Run
from fewlex.translator import Translator

FEW, MANY = 500, 5_000
LINEAR = 1.3 * MANY / FEW
"""Ten times as much, and some room for what grows in steps, such as tables of hashes."""


def calls_of(work: Callable[[], object]) -> int:
    """How many functions the work calls, those of C among them."""
    count = 0

    def see(frame: object, event: str, what: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(see)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Run]:
    """Two runs of rules, one with few taught words and one with many."""
    made = {}
    for words in (FEW, MANY):
        folder = tmp_path_factory.mktemp("runs") / str(words)
        done = CliRunner().invoke(app, ["train", "colors", "--out", str(folder), "--preset", "rules"])
        assert done.exit_code == 0, done.output
        made[words] = Run(folder)
        made[words].journal.teach((f"w{i}", f"W{i}") for i in range(words))
    return made


def _translate_last(run: Run, words: int) -> None:
    last = f"W{words - 1}"
    assert Translator.load(run.path).translate(f"{last.lower()} fep") == f"{last} {last} {last}"


@pytest.mark.parametrize("action", ["teach", "undo", "translate"])
def test_one_more_word_grows_as_the_lexicon_does(runs: dict[int, Run], action: str) -> None:
    calls = {}
    for words, run in runs.items():
        teach = partial(run.teach, [run.read_knowledge().lesson("onemore", "ONE")])
        if action == "undo":
            teach()
        works: dict[str, Callable[[], object]] = {
            "teach": teach,
            "undo": run.undo,
            "translate": partial(_translate_last, run, words),
        }
        calls[words] = calls_of(works[action])
        if action == "teach":
            run.undo()
    assert calls[MANY] < LINEAR * calls[FEW]


def test_undoing_an_edit_does_not_read_the_one_before_it(runs: dict[int, Run]) -> None:
    """The edit before it may be of a million words. Only its end says whether it was one of the lexicon."""
    run = runs[MANY]
    knowledge = run.read_knowledge()
    reading = calls_of(run.journal.read)
    run.teach([knowledge.lesson("onemore", "ONE")])
    undoing = calls_of(run.undo)
    assert undoing < 1.8 * reading, "an edit is undone by reading and writing the lexicon once"


def test_teaching_reads_the_lexicon_twice(runs: dict[int, Run], monkeypatch: pytest.MonkeyPatch) -> None:
    """Once to understand the lesson, and once while nobody else can edit. This is what takes time with many words."""
    loads: list[object] = []
    load = Lexicon.load

    def counted(path: Path | str) -> Lexicon:
        loads.append(path)
        return load(path)

    monkeypatch.setattr(Lexicon, "load", counted)
    done = CliRunner().invoke(app, ["teach", str(runs[FEW].path), "onemore", "ONE"])
    assert (done.exit_code, len(loads)) == (0, 2)
    runs[FEW].undo()
    assert len(loads) == 3


def test_words_are_found_in_a_large_rule_book_without_looking_through_it() -> None:
    book = learn_rules([Example(("dax", "fep"), ("RED",) * 3), Example(("lug", "fep"), ("BLUE",) * 3)] * 3)
    model = next(word for word in book.words if word.term == "dax")

    def calls(number: int) -> int:
        terms = [
            replace(model, source=(f"s{i}", "of", f"t{i}") if i % 2 else (f"s{i}",)) for i in range(number)
        ]
        large = replace(book, words=(*book.words, *terms))
        lessons = [(f"{'s' if i % 3 else 'new'}{i}", f"W{i}", f"s{i % 7}") for i in range(number)]
        return calls_of(lambda: with_lessons(large, lessons))

    assert calls(1_000) < LINEAR * calls(100)


def test_what_many_words_were_before_comes_back_to_its_place(tmp_path: Path) -> None:
    """A million removed words once were put back one by one, each into the midst of a list."""
    lexicon = Lexicon((f"w{i}", f"W{i}", Entry(1.0)) for i in range(50))
    lexicon.save(tmp_path / "lexicon.json")
    run = Run(tmp_path)
    run.journal.edit_rows("import", lambda known: {f"w{i}": {} for i in range(48, 0, -3)})
    assert len(run.journal.read()) == 34
    run.undo()
    assert run.journal.read().sources == lexicon.sources


def test_a_long_line_of_a_log_is_read_in_time_that_grows_with_it(tmp_path: Path) -> None:
    """One edit of a million words is a line of a hundred megabytes, which is read in pieces, from its end."""

    def seconds(size: int) -> float:
        path = tmp_path / str(size)
        path.write_bytes(b"first\n" + b"x" * size + b"\n")
        began = time.process_time()
        assert [len(line) for line in LogLines(path).backwards()] == [size + 1, 6]
        return time.process_time() - began

    few, many = 3 << 20, 30 << 20
    assert min(seconds(many) for _ in range(2)) < 40 * min(seconds(few) for _ in range(3))
