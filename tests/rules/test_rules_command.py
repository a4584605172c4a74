"""`fewlex rules`, as a user types it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from fewlex.cli import app
from fewlex.errors import FewlexError
from fewlex.rules.storage import load_rules, save_rules
from tests.rules.books import scan


def run(*arguments: str | Path, stdin: str = "", code: int = 0) -> Result:
    result = CliRunner().invoke(app, ["rules", *map(str, arguments)], input=stdin)
    if isinstance(result.exception, FewlexError):
        raise result.exception
    assert result.exit_code == code, result.output
    return result


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    save_rules(scan(), tmp_path / "rules.json")
    return tmp_path / "rules.json"


def test_learn_and_evaluate(tmp_path: Path) -> None:
    out = tmp_path / "colors.json"
    assert "3 rules and 4 words" in run("learn", "colors", "--out", out).stderr
    assert {str(rule) for rule in load_rules(out).rules} == {
        "_ fep ↦ #0 #0 #0",
        "_ kiki _ ↦ #1 #0",
        "_ blicket _ ↦ #0 #1 #0",
    }
    assert "exact match  1.0000" in run("evaluate", out, "colors").stdout
    scores = json.loads(run("evaluate", out, "colors", "--split", "train", "--json").stdout)
    assert (scores["examples"], scores["exact_match"], scores["split"]) == (14, 1.0, "train")
    assert "_ fep ↦ #0 #0 #0" in run("learn", "colors").stdout


def test_show(rules: Path) -> None:
    assert "walk twice → I_WALK I_WALK" in run("show", rules).stdout
    assert "… and 2 more rules" in run("show", rules, "--limit", "1").stdout
    assert json.loads(run("show", rules, "--json").stdout)["words"]["C0"]["walk"] == "I_WALK"


def test_apply_explains_and_stays_silent(rules: Path) -> None:
    done = run("apply", rules, "--explain", stdin="walk twice\nsing a song\n")
    assert done.stdout == "I_WALK I_WALK\n  R1  _ twice ↦ #0 #0   walk twice\n  └─ walk ↦ I_WALK\n\n"
    assert "1 of 2 lines are not answered" in done.stderr
    first, second = run("apply", rules, "--json", stdin="jump\nsing\n").stdout.splitlines()
    assert json.loads(first)["tree"] == {
        "word": "jump",
        "target": ["I_JUMP"],
        "kind": "C0",
        "start": 0,
        "end": 1,
    }
    assert json.loads(second) == {"source": ["sing"], "target": None}


def test_answers_only_where_the_rules_are_sure(rules: Path) -> None:
    assert run("apply", rules, "--sure", stdin="walk twice\n").stdout == "I_WALK I_WALK\n"
    text = rules.read_text().replace('"0": 0.995', '"0": 0.5')
    rules.write_text(re.sub('"seal": "[0-9a-f]+", ', "", text))  # a person who edits by hand removes the seal
    assert run("apply", rules, "--sure", stdin="walk twice\n").stdout == "\n"


def test_edits_work_at_once_and_can_be_undone(rules: Path) -> None:
    before = rules.read_bytes()
    done = run("add", rules, "_ thrice -> #0 #0 #0")
    assert "added: R4  _ thrice ↦ #0 #0 #0" in done.stderr
    assert "same fillers as R1, _ twice ↦ #0 #0" in done.stderr
    assert run("apply", rules, stdin="jump thrice and walk\n").stdout == "I_JUMP I_JUMP I_JUMP I_WALK\n"
    done = run("change", rules, "R2", "_ and _ -> #0 , #1")
    assert "R2  _ and _ ↦ #0 #1  →  R2  _ and _ ↦ #0 , #1" in done.stderr
    assert "R1  _ twice ↦ #0 #0  →  nothing" in run("forget", rules, "_ twice -> #0 #0").stderr
    assert [run("undo", rules).stderr.split()[1] for _ in range(3)] == ["forget,", "change,", "add,"]
    assert rules.read_bytes() == before


def test_a_new_word_works_in_every_rule_at_once(rules: Path) -> None:
    before = rules.read_bytes()
    assert "works wherever 'walk' works" in run("add", rules, "blork -> I_BLORK", "--like", "walk").stderr
    assert run("apply", rules, stdin="blork twice after jump\n").stdout == "I_JUMP I_BLORK I_BLORK\n"
    run("undo", rules)
    assert rules.read_bytes() == before
    with pytest.raises(FewlexError, match="is no word"):
        run("add", rules, "_ blork -> #0", "--like", "walk")


def test_export_edit_import(rules: Path, tmp_path: Path) -> None:
    text = run("export", rules).stdout
    edited = tmp_path / "edited.txt"
    edited.write_text(text.replace("_ after _ ↦ #1 #0", "_ after _ ↦ #1 ; #0"))
    assert "_ after _ ↦ #1 #0  →  R3  _ after _ ↦ #1 ; #0" in run("import", rules, edited).stderr
    assert "unchanged" in run("import", rules, edited).stderr
    run("export", rules, "--out", tmp_path / "again.json")
    assert load_rules(tmp_path / "again.json") == load_rules(rules)


def test_diff(rules: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    save_rules(scan(), other)
    assert run("diff", rules, other).stdout == ""
    run("change", other, "R2", "_ and _ -> #0 , #1")
    assert run("diff", rules, other, code=1).stdout == "- _ and _ ↦ #0 #1\n+ _ and _ ↦ #0 , #1\n"
    assert json.loads(run("diff", rules, other, "--json", code=1).stdout)["removed"] == ["_ and _ ↦ #0 #1"]


def test_a_mistake_is_told_with_its_cure(rules: Path) -> None:
    with pytest.raises(FewlexError, match="contradicts R1"):
        run("add", rules, "_ twice -> #0 #0 #0")
    with pytest.raises(FewlexError, match="no rules yet"):
        run("add", rules.parent / "nothing.json", "_ twice -> #0")
