"""What people see of rules and derivations."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from fewlex.rules import Measured, RuleBook, RuleParser
from fewlex.rules.text import read_rule
from fewlex.rules.view import book_json, book_text, deed, derivation_json, derivation_text, group_rules
from tests.rules.books import scan


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("_ twice ↦ #0 #0", "repeat"),
        ("_ blicket _ ↦ #0 #1 #0", "repeat"),
        ("_ rather than _ ↦ #0", "drop"),
        ("_ was _ by _ . ↦ #1 ( theme = #0 , agent = #2 )", "build"),
        ("_ kiki _ ↦ #1 #0", "reorder"),
        ("turn _ ↦ TURN #0", "wrap"),
        ("_ and _ ↦ #0 #1", "join"),
        ("the _ ↦ #0", "pass"),
        ("good morning ↦ HELLO", "phrase"),
    ],
)
def test_rules_are_grouped_by_what_they_do(text: str, expected: str) -> None:
    assert deed(read_rule(text, "R1")) == expected


def test_every_rule_is_in_one_group_the_most_used_first() -> None:
    groups = group_rules(scan())
    assert {name: [rule.name for rule in rules] for name, rules in groups.items()} == {
        "repeat": ["R1"],
        "reorder": ["R3"],
        "join": ["R2"],
    }
    rare, frequent = (replace(read_rule(f"_ {w} ↦ #0 #0", w), count=n) for w, n in (("a", 1), ("b", 9)))
    assert group_rules(RuleBook((rare, frequent))) == {"repeat": [frequent, rare]}


def test_the_page_of_a_book() -> None:
    assert (
        book_text(scan())
        == """\
Rules that say something more than once:
  R1   _ twice ↦ #0 #0  7×
         walk twice → I_WALK I_WALK

Rules that change the order:
  R3   _ after _ ↦ #1 #0  2×
         walk twice → I_WALK I_WALK

Rules that put one thing after the other:
  R2   _ and _ ↦ #0 #1  5×
         walk twice → I_WALK I_WALK

Words:
  C0   walk ↦ I_WALK, jump ↦ I_JUMP, turn round ↦ I_TURN I_TURN
"""
    )


def test_a_long_book_is_cut_and_an_empty_one_says_why() -> None:
    assert "… and 2 more rules" in book_text(scan(), max_rules=1)
    silent = RuleBook(measured=Measured(silence="there is no small grammar here"))
    assert book_text(silent) == "No rules: there is no small grammar here.\n"
    assert book_json(silent)["silence"]


def test_the_tree_of_a_derivation() -> None:
    derivation = RuleParser(scan()).parse(["turn", "round", "twice", "and", "walk"])
    assert derivation is not None
    assert (
        derivation_text(derivation)
        == """\
R2  _ and _ ↦ #0 #1   turn round twice and walk
├─ R1  _ twice ↦ #0 #0   turn round twice
│  └─ turn round ↦ I_TURN I_TURN
└─ walk ↦ I_WALK
"""
    )
    told = json.loads(json.dumps(derivation_json(derivation), allow_nan=False))
    assert told["target"] == ["I_TURN"] * 4 + ["I_WALK"]
    assert told["makers"] == ["R1"] * 4 + ["R2"], "the rule whose hole the word fills"
    assert told["tree"]["rule"] == "R2"
    assert told["tree"]["children"][0]["children"][0]["word"] == "turn round"
    assert (told["tree"]["children"][1]["start"], told["tree"]["children"][1]["end"]) == (4, 5)


def test_the_page_for_programs() -> None:
    page = book_json(scan())
    assert page["groups"]["repeat"][0]["rule"] == "_ twice ↦ #0 #0"
    assert page["words"]["C0"]["turn round"] == "I_TURN I_TURN"
