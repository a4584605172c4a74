"""Rule books as JSON and as text: what is written is read again, and mistakes are named with their place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewlex.errors import RuleError
from fewlex.rules import Rule, RuleBook, Word
from fewlex.rules.storage import from_json, load_rules, save_rules, to_json
from fewlex.rules.text import from_text, read_rule, read_sides, to_text
from tests.rules.books import TEXT, scan

TOKENS = st.sampled_from(["a", "_", "#0", "#12", "↦", "->", "\\", "\\_", "(", "#", "[x]", "纽约"])


@st.composite
def rules(draw: st.DrawFn, name: str = "R1") -> Rule:
    source = draw(st.lists(st.one_of(TOKENS, st.none()), min_size=2, max_size=5))
    n_holes = source.count(None)
    numbers = iter(range(n_holes))
    symbol = st.one_of(TOKENS, st.integers(0, n_holes - 1)) if n_holes else TOKENS
    target = draw(st.lists(symbol, min_size=1, max_size=5))
    fillers = tuple(
        draw(st.dictionaries(st.sampled_from(["C0", name]), st.integers(1, 9))) for _ in range(n_holes)
    )
    return Rule(name, tuple(next(numbers) if s is None else s for s in source), tuple(target), fillers)


@given(rules(), st.lists(TOKENS, min_size=1, max_size=3), st.lists(TOKENS, max_size=3))
def test_any_rule_and_word_survive_both_forms(rule: Rule, source: list[str], target: list[str]) -> None:
    book = RuleBook((rule,), (Word(tuple(source), tuple(target), "C0"),), {"R1": 2, "C0": 1})
    assert from_json(to_json(book), "here") == book
    again = from_text(to_text(book), "here")
    assert [(r.skeleton, r.fillers) for r in again.rules] == [(rule.skeleton, rule.fillers)]
    assert [(w.source, w.target, w.kind) for w in again.words] == [(tuple(source), tuple(target), "C0")]
    assert again.sentences == book.sentences


def test_json_keeps_everything_one_rule_and_one_word_a_line(tmp_path: Path) -> None:
    save_rules(scan(), tmp_path / "rules.json")
    assert load_rules(tmp_path) == load_rules(tmp_path / "rules.json") == scan()
    lines = (tmp_path / "rules.json").read_text().splitlines()
    assert (
        '{"name": "R1", "rule": "_ twice ↦ #0 #0", "fillers": [{"C0": 5}], "count": 7, "example": "walk twice"},'
        in lines
    )
    assert sum('"source":' in line for line in lines) == 3


def test_text_is_what_people_edit(tmp_path: Path) -> None:
    save_rules(scan(), tmp_path / "rules.txt")
    text = (tmp_path / "rules.txt").read_text()
    assert text.endswith(TEXT)
    assert load_rules(tmp_path / "rules.txt").rules[0].skeleton == ((0, "twice"), (0, 0))


def test_a_person_may_write_bare_rules() -> None:
    book = from_text(
        "_ was _ by _ . -> #1 ( theme = #0 , agent = #2 )\n_ twice => #0 #0\n[N]\ncat ↦ cat\n", "mine"
    )
    assert [str(rule) for rule in book.rules] == [
        "_ was _ by _ . ↦ #1 ( theme = #0 , agent = #2 )",
        "_ twice ↦ #0 #0",
    ]
    assert [rule.name for rule in book.rules] == ["R1", "R2"]
    assert book.sentences == {"R1": 1, "R2": 1, "N": 1}
    assert book.calibration.is_sure(0)
    assert not book.calibration.is_sure(1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("_ twice #0 #0", "has no arrow. Write one"),
        ("_ ↦ twice ↦ #0", "has 2 arrows"),
        ("_ twice ↦ _ _", r"a hole of the target has no number. Write #0"),
        ("_ twice ↦ #0 #1", "uses #1, but the source has 1 holes"),
        ("#1 and #0 ↦ #0", "has the hole #1 where #0 comes next"),
        ("_ ↦ #0", "for ever"),
        ("↦ #0", "empty side"),
        ("_ twice ↦", "empty side"),
        ("_ twice ↦ #0\tC0", "does not say what fills a hole"),
        ("_ twice ↦ #0\t#1: C0", "has no hole #1, but fillers"),
        ("_ twice ↦ #0\t#0: C0×many", "no number"),
        ("R1\t_ a ↦ #0\nR1\t_ b ↦ #0", "second rule has the name 'R1'"),
        ("[C0]\na ↦ A\na ↦ B", "'a' is there a second time"),
        ("[C0]\n_ a ↦ A", "a word has no hole"),
    ],
)
def test_a_mistake_in_the_text_is_named_with_its_line(text: str, message: str) -> None:
    line = text.count("\n") + 2
    with pytest.raises(RuleError, match=rf"my.txt:{line}: .*{message}"):
        from_text(f"# a comment\n{text}\n", "my.txt")


def test_a_filler_that_is_not_there_is_named() -> None:
    with pytest.raises(RuleError, match=r"my.txt: a hole of R1 .* is filled by 'C9'.*R1"):
        from_text("R1\t_ twice ↦ #0 #0\t#0: C9", "my.txt")


def changed(**fields: object) -> str:
    document = json.loads(to_json(scan()))
    return json.dumps({**document, **fields}, ensure_ascii=False)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", r"rules.json:1: not JSON"),
        ("[]", "holds no rules.*fewlex rules learn"),
        (changed(version=9), "version 9; this fewlex reads version 1"),
        (changed(rules=7), "'rules' is no list"),
        (changed(rules=[7]), "a rule is no JSON object"),
        (changed(rules=[{"name": "R1"}]), "a rule has no 'rule'"),
        (
            changed(rules=[{"name": "R1", "rule": "_ a ↦ #0", "filler": []}]),
            "field 'filler'. Did you mean 'fillers'",
        ),
        (changed(rules=[{"name": "R1", "rule": "_ a ↦ #0", "fillers": [3]}]), "rules.json:1: "),
        (
            changed(words=[{"source": "a", "target": "A", "kind": "C0", "habits": {"R1#0": "x"}}]),
            "rules.json:1: ",
        ),
        (changed(calibration={"precision": {"x": 1}}), "'calibration' .*damaged"),
        (changed(measured={"n": 1}), "damaged"),
        (changed(sentences=[1]), "damaged"),
    ],
)
def test_a_mistake_in_the_json_is_named(text: str, message: str) -> None:
    with pytest.raises(RuleError, match=message):
        from_json(text, "rules.json")


def test_a_mistake_in_the_json_is_named_with_its_line() -> None:
    text = to_json(scan()).replace('"_ after _ ↦ #1 #0"', '"_ after _ ↦ #1 #2"')
    with pytest.raises(RuleError, match=r"rules.json:5: the target of .* uses #2"):
        from_json(text, "rules.json")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match=r"a .json or .txt file"):
        load_rules(tmp_path / "rules.csv")
    with pytest.raises(RuleError, match=r"cannot read the rules .*fewlex rules learn"):
        load_rules(tmp_path / "rules.json")
    (tmp_path / "rules.txt").write_bytes(b"_ \xff")
    with pytest.raises(RuleError, match=r"byte 3 is not UTF-8"):
        load_rules(tmp_path / "rules.txt")


def test_ten_thousand_rules_are_read_in_a_moment() -> None:
    many = RuleBook(tuple(read_rule(f"_ word{i} ↦ #0 TOKEN{i}", f"R{i}") for i in range(10_000)))
    assert from_json(to_json(many), "many.json").rules[-1].source == (0, "word9999")
    assert len(from_text(to_text(many), "many.txt").rules) == 10_000


def test_holes_are_read_in_the_source_as_underscores_or_numbers() -> None:
    assert read_sides("#0 kiki #1 ↦ #1 #0") == read_sides("_ kiki _ ↦ #1 #0")
