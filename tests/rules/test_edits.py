"""Adding, changing and forgetting rules, with a log that leads back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fewlex.errors import JournalError, RuleError
from fewlex.rules import PERSON, RuleBook
from fewlex.rules.edits import add_rule, change_rule, diff_rules, find_rule, forget_rule, take_text
from fewlex.rules.journal import RuleJournal
from fewlex.rules.storage import save_rules
from fewlex.rules.text import from_text, to_text
from tests.rules.books import scan


@pytest.fixture
def journal(tmp_path: Path) -> RuleJournal:
    save_rules(scan(), tmp_path / "rules.json")
    return RuleJournal(tmp_path)


def test_a_new_rule_stands_where_the_rule_of_its_form_stands() -> None:
    book, new, model = add_rule(scan(), "_ thrice ↦ #0 #0 #0")
    assert model is not None
    assert model.name == "R1"
    assert (new.name, new.origin, new.fillers) == ("R4", PERSON, ({"C0": 5},))
    assert book.rule("R2").fillers == ({"C0": 3, "R1": 2, "R4": 2}, {"C0": 2, "R1": 3, "R4": 3})
    assert book.sentences["R4"] == book.sentences["R1"]


def test_a_new_rule_can_be_told_which_rule_it_is_like() -> None:
    book, new, model = add_rule(scan(), "first _ then _ ↦ #0 #1", like="_ after _ ↦ #1 #0")
    assert model == scan().rule("R3")
    assert new.fillers == scan().rule("R3").fillers
    assert all("R4" not in fillers for rule in book.rules for fillers in rule.fillers)
    assert book.sentences["R4"] == 2


def test_a_rule_of_a_new_form_takes_and_fills_any_hole_that_takes_rules() -> None:
    book, new, model = add_rule(scan(), "please _ now ↦ #0")
    assert model is None
    assert new.fillers == ({},)
    assert "R4" in book.rule("R2").fillers[0]
    assert "R4" not in book.rule("R1").fillers[0]
    assert book.sentences["R4"] == 1


def test_the_first_rule_of_an_empty_book() -> None:
    book, new, _ = add_rule(RuleBook(), "hello _ ↦ HI #0")
    assert book.rules == (new,)
    assert book.sentences == {"R1": 1}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("_ twice ↦ #0 #0", "R1 already says"),
        ("_ twice ↦ #0 #0 #0", r"contradicts R1, which says `_ twice ↦ #0 #0`.*Change or forget R1"),
        ("_ twice ↦ _", "has no number"),
    ],
)
def test_a_rule_that_contradicts_another_is_refused(text: str, message: str) -> None:
    with pytest.raises(RuleError, match=message):
        add_rule(scan(), text)


def test_two_rules_for_the_same_words_are_fine_if_a_filler_tells_them_apart() -> None:
    book = from_text(
        "R1\t_ _ ↦ #0 #1\t#0: A\t#1: B\nR2\tx _ _ ↦ #1 #0\t#0: B\t#1: A\n[A]\na ↦ A\n[B]\nb ↦ B\n", ""
    )
    assert len(add_rule(book, "_ _ ↦ #1 #0", like="R2")[0].rules) == 3


def test_changing_a_rule_keeps_what_fills_its_holes() -> None:
    book = change_rule(scan(), "R3", "_ after _ ↦ #1 ; #0")
    assert str(book.rule("R3")) == "_ after _ ↦ #1 ; #0"
    assert book.rule("R3").fillers == scan().rule("R3").fillers
    with pytest.raises(RuleError, match="contradicts R1"):
        change_rule(scan(), "R3", "_ twice ↦ #0")


def test_a_forgotten_rule_is_gone_from_every_hole() -> None:
    book = forget_rule(scan(), "_ twice ↦ #0 #0")
    assert [rule.name for rule in book.rules] == ["R2", "R3"]
    assert book.rule("R2").fillers == ({"C0": 3}, {"C0": 2})
    assert "R1" not in book.sentences
    with pytest.raises(RuleError, match="there is no rule 'R9'"):
        forget_rule(book, "R9")
    with pytest.raises(RuleError, match=r"there is no rule `_ twic ↦ #0 #0`. Did you mean '_ twice ↦ #0 #0'"):
        find_rule(scan(), "_ twic ↦ #0 #0")


def test_differences_go_by_what_rules_say() -> None:
    renamed = from_text(to_text(scan()).replace("R3\t", "R7\t").replace("R3×", "R7×"), "here")
    assert not diff_rules(scan(), renamed)
    other = from_text(
        to_text(scan()).replace("_ twice ↦ #0 #0", "_ twice ↦ #0").replace("I_JUMP", "HOP"), "here"
    )
    difference = diff_rules(scan(), other)
    assert [str(rule) for rule in difference.removed] == ["_ twice ↦ #0 #0"]
    assert [str(rule) for rule in difference.added] == ["_ twice ↦ #0"]
    assert [(old.target, new.target) for old, new in difference.changed_words] == [(("I_JUMP",), ("HOP",))]


def test_an_edited_text_keeps_what_was_learned_about_the_rest() -> None:
    text = to_text(scan()) + "hop ↦ I_HOP\n"
    book = take_text(scan(), from_text(text.replace("_ after _ ↦ #1 #0", "_ after _ ↦ #1 , #0"), "here"))
    assert book.rules[:2] == scan().rules[:2]
    assert (book.rules[2].origin, book.rules[2].count) == (PERSON, 0)
    assert book.words[:3] == scan().words
    hop = book.word("hop")
    assert hop is not None
    assert hop.origin == PERSON
    assert (book.calibration, book.measured) == (scan().calibration, scan().measured)


def test_every_edit_can_be_undone(journal: RuleJournal) -> None:
    states = [journal.path.read_bytes()]
    journal.add("_ thrice ↦ #0 #0 #0")
    states.append(journal.path.read_bytes())
    journal.change("R2", "_ and _ ↦ #0 , #1")
    states.append(journal.path.read_bytes())
    journal.forget("R1")
    states.append(journal.path.read_bytes())
    journal.replace(from_text("_ twice ↦ #0 #0\n[C0]\nwalk ↦ I_WALK\nhop ↦ I_HOP\n", "mine"))
    assert [word.term for word in journal.read().words] == ["walk", "hop"]
    for state, action in zip(reversed(states), ("edit", "forget", "change", "add"), strict=True):
        assert journal.undo().action == action
        assert journal.path.read_bytes() == state
    with pytest.raises(JournalError, match="no edit to undo"):
        journal.undo()


def test_what_changes_nothing_is_not_logged(journal: RuleJournal, tmp_path: Path) -> None:
    journal.replace(from_text(to_text(scan()), "same"))
    assert not (tmp_path / "edits.jsonl").exists()


def test_what_came_later_by_hand_is_not_lost(journal: RuleJournal) -> None:
    journal.forget("R3")
    text = "R9\t_ thrice ↦ #0 #0 #0\n" + to_text(journal.read())
    save_rules(take_text(journal.read(), from_text(text, "by hand")), journal.path)
    journal.undo()
    assert {str(rule) for rule in journal.read().rules} == {
        "_ after _ ↦ #1 #0",
        "_ and _ ↦ #0 #1",
        "_ twice ↦ #0 #0",
        "_ thrice ↦ #0 #0 #0",
    }


def test_redo_brings_back_what_undo_took(journal: RuleJournal) -> None:
    journal.add("_ thrice ↦ #0 #0 #0")
    journal.forget("R1")
    after = journal.path.read_bytes()
    journal.undo()
    journal.undo()
    assert journal.redo().action == "add"
    assert journal.redo().action == "forget"
    assert journal.path.read_bytes() == after
    with pytest.raises(JournalError, match="no undone edit"):
        journal.redo()


def test_a_file_has_its_own_log(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    save_rules(scan(), path)
    RuleJournal(path).add("_ thrice ↦ #0 #0 #0")
    (line,) = (tmp_path / "mine.edits.jsonl").read_text().splitlines()
    assert json.loads(line)["of"] == "rules"
    RuleJournal(path).undo()
    assert RuleJournal(path).read() == scan()


def test_where_nothing_can_be_edited(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match="there are no rules yet"):
        RuleJournal(tmp_path).read()
    with pytest.raises(RuleError, match=r"only rules in a .json file"):
        RuleJournal(tmp_path / "rules.txt")


def test_a_damaged_log_is_named_and_nothing_changes(journal: RuleJournal, tmp_path: Path) -> None:
    before = journal.path.read_bytes()
    record = {
        "time": "now",
        "action": "add",
        "of": "rules",
        "rules": {"R1": {"before": {}, "after": None, "place": 0}},
    }
    (tmp_path / "edits.jsonl").write_text(json.dumps(record) + "\n")
    with pytest.raises(JournalError, match=r"edits.jsonl:1: this is no edit"):
        journal.undo()
    assert journal.path.read_bytes() == before


@pytest.mark.parametrize(
    ("part", "name"),
    [
        ("record", "rules"),
        ("record", "words"),
        ("word", "place"),
        ("word", "before"),
        ("word", "after"),
        ("sentences", "before"),
        ("sentences", "after"),
    ],
)
@pytest.mark.parametrize("wrong", [-3, "x", True, {"x": "y"}, 10**40], ids=str)
def test_a_log_that_a_person_has_written_is_checked_before_it_is_used(
    journal: RuleJournal, part: str, name: str, wrong: object
) -> None:
    """A line without a seal is taken as it is. What is wrong in it is told as a mistake of that line, also by redo."""
    journal.teach("blork ↦ I_BLORK", like="walk")
    log = journal.path.with_name("edits.jsonl")
    record = json.loads(log.read_text())
    del record["seal"]
    parts = {"record": record, "word": record["words"]["blork"], "sentences": record["sentences"]}
    parts[part][name] = wrong
    log.write_text(json.dumps(record) + "\n")
    before = journal.path.read_bytes()
    with pytest.raises(JournalError, match=r"edits.jsonl:1: this is no edit \("):
        journal.undo()
    assert journal.path.read_bytes() == before


def test_an_edit_that_cannot_be_made_again_is_told(journal: RuleJournal) -> None:
    journal.teach("blork ↦ I_BLORK", like="walk")
    log = journal.path.with_name("edits.jsonl")
    record = json.loads(log.read_text())
    del record["seal"]
    record["words"]["blork"]["after"]["origin"] = []
    journal.undo()
    log.with_name("edits.undone.jsonl").write_text(f"0 {json.dumps(record)}\n")
    with pytest.raises(JournalError, match="this is no edit"):
        journal.redo()
