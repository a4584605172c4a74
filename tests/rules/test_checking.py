"""`fewlex data check`: wrong pairs are found, with the reason, and right ones are left alone."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from fewlex.augment import RuleSampler
from fewlex.cli import app
from fewlex.data import Example, load, write_tsv
from fewlex.rules import Measured, RuleBook, learn_rules
from fewlex.rules.checking import check_pairs
from fewlex.rules.storage import save_rules
from tests.rules.books import scan


def commands(count: int = 60) -> list[Example]:
    """Right pairs of `scan()`."""
    known = [Example(("walk", "and", "turn", "round", "twice"), ("x",) * 9)]
    return list(RuleSampler(scan(), known, depth=2).of_epoch(0, count))


def with_target(example: Example, text: str) -> Example:
    return replace(example, target=tuple(text.split()))


def test_nothing_is_wrong_with_right_pairs() -> None:
    checked = check_pairs(commands(), scan())
    assert checked.suspicions == ()
    assert (checked.explained, checked.n_pairs, checked.note) == (1.0, 60, "")


@pytest.mark.parametrize(
    ("source", "target", "reason"),
    [
        ("walk twice and jump", "I_WALK I_WALK I_RUN", "token 3 is 'I_RUN' where the rules say 'I_JUMP'"),
        ("walk twice and jump", "I_WALK I_JUMP", "'I_WALK' is missing at token"),
        ("walk twice and jump", "I_WALK I_WALK I_JUMP I_OFF", "'I_OFF' at token 4 is too much"),
        ("walk twice and jump", "I_JUMP I_OFF I_WALK I_ON", "differs in 2 places"),
        ("jump after walk", "I_TURN I_TURN I_TURN I_TURN", "the target of pair 1, 'turn round twice'"),
    ],
)
def test_the_reason_says_what_is_wrong(source: str, target: str, reason: str) -> None:
    first = Example(("turn", "round", "twice"), ("I_TURN",) * 4)
    wrong = Example(tuple(source.split()), tuple(target.split()))
    (found,) = check_pairs([first, *commands(), wrong], scan()).suspicions
    assert found.index == 61
    assert reason in found.reason
    assert found.expected != found.target


def test_a_source_with_two_targets() -> None:
    odd = [Example(("sing",), (token,)) for token in ("LA", "LA", "LO")]
    (found,) = check_pairs([*commands(), *odd], scan()).suspicions
    assert (found.index, found.expected) == (62, ("LA",))
    assert "2 pairs with the same source" in found.reason


def test_a_rule_that_is_often_wrong_makes_nothing_suspect() -> None:
    changed = [
        with_target(example, " ".join(reversed(example.target))) if "after" in example.source else example
        for example in commands()
    ]
    assert all("after" not in suspicion.source for suspicion in check_pairs(changed, scan()).suspicions)


def test_rules_that_explain_little_are_not_asked() -> None:
    wrong = [with_target(example, "nonsense") for example in commands()]
    assert "too little to tell" in check_pairs(wrong, scan()).note
    silent = RuleBook(measured=Measured(silence="there is no small grammar here"))
    assert (
        check_pairs(commands(), silent).note
        == "there are no rules to check with: there is no small grammar here"
    )


def test_the_command(tmp_path: Path) -> None:
    examples = commands()
    examples[7] = with_target(examples[7], "I_WALK I_OFF")
    with (tmp_path / "pairs.tsv").open("w") as file:
        write_tsv(examples, file)
    save_rules(scan(), tmp_path / "rules.json")
    arguments = ["data", "check", str(tmp_path / "pairs.tsv"), "--rules", str(tmp_path / "rules.json")]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 1
    assert "pair 8: " in result.stdout
    assert "target    I_WALK I_OFF" in result.stdout
    assert "pairs that look wrong: 1" in result.stderr
    told = json.loads(CliRunner().invoke(app, [*arguments, "--json"]).stdout)
    assert [suspicion["index"] for suspicion in told["suspicions"]] == [7]
    assert CliRunner().invoke(app, ["data", "check", "colors"]).exit_code == 0


@pytest.mark.slow
def test_one_wrong_token_in_a_fifth_of_the_targets() -> None:
    """Of SCAN jump; the rules are learned from the same wrong pairs."""
    rng = random.Random(0)
    examples = list(load("scan:jump")["train"])
    tokens = sorted({token for example in examples for token in example.target})
    wrong = set(rng.sample(range(len(examples)), len(examples) // 5))
    for index in wrong:
        place = rng.randrange(len(examples[index].target))
        target = list(examples[index].target)
        target[place] = rng.choice([token for token in tokens if token != target[place]])
        examples[index] = replace(examples[index], target=tuple(target))
    found = {suspicion.index for suspicion in check_pairs(examples, learn_rules(examples)).suspicions}
    assert len(found & wrong) >= 0.9 * len(wrong)
    assert len(found & wrong) >= 0.9 * len(found)
