"""Errors are grouped by what went wrong, each with a token diff."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from fewlex.data import Example, Vocabulary
from fewlex.familiarity import Familiarity
from fewlex.grammar import nobody
from fewlex.knowledge import Knowledge
from fewlex.lexicon import Entry, Lexicon
from fewlex.mistake_kinds import diff_text, find_mistakes, summary, write_mistakes

KNOWLEDGE = Knowledge(
    Vocabulary(["jump", "run", "walk", "twice"]),
    Vocabulary(["JUMP", "RUN", "WALK"]),
    Lexicon([("jump", "JUMP", Entry(1.0)), ("run", "RUN", Entry(1.0)), ("run", "HOP", Entry(0.1))]),
    Familiarity(),
    4,
)


@pytest.mark.parametrize(
    ("source", "target", "output", "reason", "words"),
    [
        ("jump blork", "JUMP BLORK", "JUMP JUMP", "unknown word", ("blork",)),
        ("jump twice", "JUMP JUMP", "JUMP", "length", ()),
        ("jump twice", "JUMP JUMP", "JUMP JUMP JUMP", "length", ()),
        ("run jump", "WALK JUMP", "RUN JUMP", "wrong row", ("run",)),
        ("walk jump", "WALK JUMP", "JUMP", "no row", ("WALK",)),
        ("jump run", "JUMP RUN", "RUN JUMP", "structure", ()),
    ],
)
def test_the_reason(source: str, target: str, output: str, reason: str, words: tuple[str, ...]) -> None:
    example = Example(tuple(source.split()), tuple(target.split()))
    unknown = KNOWLEDGE.unknown_in(example.source)
    answer = replace(nobody(example.source), published=tuple(output.split()), unknown=unknown)
    (mistake,) = find_mistakes([example], [answer], KNOWLEDGE)
    assert (mistake.reason, mistake.words) == (reason, words)


def test_what_is_right_is_no_mistake() -> None:
    example = Example(("jump",), ("JUMP",))
    assert find_mistakes([example], [replace(nobody(("jump",)), published=("JUMP",))], KNOWLEDGE) == []


def test_a_diff() -> None:
    assert diff_text(["A", "B", "C"], ["A", "X", "C", "D"]) == "A [-B-] {+X+} C {+D+}"


def test_files(tmp_path: Path) -> None:
    example = Example(("jump", "twice"), ("JUMP", "JUMP"), index=6)
    mistakes = find_mistakes([example], [replace(nobody(example.source), published=("JUMP",))], KNOWLEDGE)
    assert summary(mistakes) == "1 mistakes (1 length)"
    write_mistakes(mistakes, tmp_path / "errors.txt")
    text = (tmp_path / "errors.txt").read_text()
    assert "== length (1) ==" in text
    assert "pair 7" in text
    assert "JUMP [-JUMP-]" in text
    write_mistakes(mistakes, tmp_path / "errors.jsonl")
    assert json.loads((tmp_path / "errors.jsonl").read_text())["reason"] == "length"
