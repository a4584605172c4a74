"""`/v1/rules`, and answers of rules."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import httpx
import pytest

from fewlex.rules import RuleBook
from fewlex.rules.text import read_rule
from fewlex.run import Run
from fewlex.serve.rule_shapes import RulesQuery
from fewlex.serve.rule_view import rule_rows
from tests.serve.conftest import Start
from tests.serve.running import get, outputs, post


@pytest.fixture
def client(start: Start, walking: Path, tmp_path: Path) -> httpx.Client:
    return start(Path(shutil.copytree(walking, tmp_path / "walking"))).client


def rules(client: httpx.Client) -> dict[str, Any]:
    return {rule["rule"]: rule for rule in get(client, "/v1/rules")["rules"]}


def test_rules_answer_and_explain(client: httpx.Client) -> None:
    (info,) = get(client, "/v1/runs")["runs"]
    assert (info["has_rules"], info["has_network"]) == (True, False)
    (translation,) = post(client, "/v1/translate", texts=["jump thrice"], explain=True)["translations"]
    (output,) = translation["outputs"]
    assert (output["text"], output["by"]) == ("JUMP JUMP JUMP", "rules")
    assert output["explanation"]["derivation"] is not None
    (unknown,) = post(client, "/v1/translate", texts=["sing twice"])["translations"]
    assert (unknown["outputs"][0]["by"], unknown["outputs"][0]["log_prob"]) == ("nobody", None)
    assert "no network to ask" in post(client, "/v1/translate", 422, texts=["walk"], by="network")["detail"]


def test_rules_are_shown_with_what_they_do(client: httpx.Client) -> None:
    shown = rules(client)
    assert shown["_ twice ↦ #0 #0"]["does"] == "say something more than once"
    (walk,) = get(client, "/v1/rules/words", search="walk")["words"]
    assert (walk["source"], walk["target"]) == ("walk", "WALK")
    trust = get(client, "/v1/rules")["trust"]
    assert trust["pairs"] > 0
    assert trust["derived"] == 1.0


def test_rules_are_searched_sorted_and_cut_into_pages(client: httpx.Client) -> None:
    whole = get(client, "/v1/rules", sort="rule")
    assert whole["total"] == whole["matching"] == len(whole["rules"]) > 1
    assert [rule["rule"] for rule in whole["rules"]] == sorted(rule["rule"] for rule in whole["rules"])
    turned = get(client, "/v1/rules", sort="rule", order="down", limit=1)
    assert turned["rules"] == whole["rules"][-1:]
    assert get(client, "/v1/rules", sort="rule", offset=1)["rules"] == whole["rules"][1:]
    found = get(client, "/v1/rules", search="TWICE")
    assert found["total"] == whole["total"]
    assert [rule["rule"] for rule in found["rules"]] == ["_ twice ↦ #0 #0"]
    kinds = [word["target"] for word in get(client, "/v1/rules/words", sort="target", order="down")["words"]]
    assert kinds == sorted(kinds, reverse=True)


def test_names_with_numbers_are_sorted_as_people_do() -> None:
    book = RuleBook(tuple(read_rule(f"w{i} _ -> #0", f"R{i}") for i in range(1, 12)))
    names = [row.name for row in rule_rows(book, RulesQuery(sort="name"))]
    assert names == [f"R{i}" for i in range(1, 12)]


def test_what_a_rule_would_change_is_told_before(client: httpx.Client) -> None:
    sentences = ["walk often", "walk twice", "run often"]
    told = post(client, "/v1/rules", rule="_ often -> #0 #0 #0 #0", preview=True, sentences=sentences)
    assert told["edit"] is None
    assert told["compared"] == 3
    assert {changed["sentence"]: changed["after"] for changed in told["changed"]} == {
        "walk often": "WALK WALK WALK WALK",
        "run often": "RUN RUN RUN RUN",
    }
    assert get(client, "/v1/edits")["total"] == 0
    assert "_ often ↦ #0 #0 #0 #0" not in rules(client)
    assert post(client, "/v1/rules", 422, rule="no arrow", preview=True)["status"] == 422
    post(client, "/v1/rules", 422, rule="_ x -> #0", sentences=["a"] * 1001)


# Import and export.


def exported(client: httpx.Client, kind: str = "txt") -> str:
    answer = client.get("/v1/rules/export", params={"format": kind})
    assert answer.status_code == 200
    assert answer.headers["content-disposition"].startswith("attachment")
    return answer.text


@pytest.mark.parametrize("kind", ["txt", "json"])
def test_what_is_exported_can_be_imported(client: httpx.Client, kind: str) -> None:
    before = rules(client)
    told = post(client, "/v1/rules/import", content=exported(client, kind), format=kind)
    assert told["totals"] == {"added": 0, "removed": 0, "changed": 0}
    assert rules(client) == before, "what was learned about the rules is kept"


def test_an_import_is_previewed_made_and_undone(client: httpx.Client) -> None:
    text = (
        exported(client)
        .replace("_ twice ↦ #0 #0", "_ twice ↦ #0 #0 #0 #0")
        .replace("walk ↦ WALK", "walk ↦ GO")
    )
    text = "_ often ↦ #0 #0\n" + text
    told = post(client, "/v1/rules/import", content=text, preview=True)
    assert told["totals"] == {"added": 1, "removed": 0, "changed": 2}
    changes = {(change["before"], change["after"]) for change in told["changes"]}
    assert ("_ twice ↦ #0 #0", "_ twice ↦ #0 #0 #0 #0") in changes
    assert ("walk ↦ WALK", "walk ↦ GO") in changes
    assert (None, "_ often ↦ #0 #0") in changes
    assert told["edit"] is None
    assert outputs(client, "run twice") == ["RUN RUN"]
    post(client, "/v1/rules/import", content=text)
    assert outputs(client, "walk twice") == ["GO GO GO GO"]
    post(client, "/v1/undo")
    assert outputs(client, "walk twice") == ["WALK WALK"]


def test_rules_are_added_to_those_that_are_there(client: httpx.Client) -> None:
    text = "_ often -> #0 #0 #0 #0\n_ thrice -> #0 #0\n"
    told = post(client, "/v1/rules/import", content=text, mode="merge", preview=True)
    assert told["totals"] == {"added": 1, "removed": 0, "changed": 1}
    post(client, "/v1/rules/import", content=text, mode="merge")
    assert outputs(client, "walk often", "walk thrice", "walk twice") == [
        "WALK WALK WALK WALK",
        "WALK WALK",
        "WALK WALK",
    ]
    kind = get(client, "/v1/rules/words", search="walk")["words"][0]["kind"]
    post(client, "/v1/rules/import", content=f"[{kind}]\nhop -> HOP\nwalk -> GO\n", mode="merge")
    assert outputs(client, "hop often", "walk twice") == ["HOP HOP HOP HOP", "GO GO"]
    foreign = post(client, "/v1/rules/import", 422, content="[C77]\nhip -> HIP\n", mode="merge")
    assert "C77" in foreign["detail"]


@pytest.mark.parametrize(
    ("kind", "content", "line"), [("txt", "_ a -> #0\n\n_ b #0\n", 3), ("json", '{\n"a":', 2)]
)
def test_a_broken_book_is_refused_with_its_line(
    client: httpx.Client, kind: str, content: str, line: int
) -> None:
    told = post(client, "/v1/rules/import", 422, content=content, format=kind, preview=True)
    assert told["line"] == line
    assert told["where"] == "content"


def test_a_rule_is_added_changed_forgotten_and_brought_back(client: httpx.Client) -> None:
    added = post(client, "/v1/rules", rule="_ often -> #0 #0 #0 #0")
    assert added["edit"]["of"] == "rules"
    assert outputs(client, "walk often") == ["WALK WALK WALK WALK"]
    name = rules(client)["_ often ↦ #0 #0 #0 #0"]["name"]
    changed = post(client, "/v1/rules", rule="_ often -> #0 #0", replaces=name)
    assert changed["edit"]["rule_changes"][0]["after"] == "_ often ↦ #0 #0"
    assert outputs(client, "walk often") == ["WALK WALK"]
    client.delete("/v1/rules", params={"name": name}).raise_for_status()
    assert outputs(client, "walk often") != ["WALK WALK"]
    assert post(client, "/v1/undo")["edit"]["rule_changes"][0]["after"] == "_ often ↦ #0 #0"
    assert outputs(client, "walk often") == ["WALK WALK"]
    post(client, "/v1/redo")
    assert outputs(client, "walk often") != ["WALK WALK"]
    assert client.delete("/v1/rules", params={"name": "R99"}).status_code == 404
    assert post(client, "/v1/rules", 422, rule="no arrow")["status"] == 422


def test_words_and_rules_are_undone_in_the_order_they_came(client: httpx.Client) -> None:
    post(client, "/v1/teach", lessons=[{"source": "hop", "target": "HOP"}])
    post(client, "/v1/rules", rule="_ often -> #0 #0 #0 #0")
    post(client, "/v1/rules", rule="skip -> SKIP", like="walk")
    assert outputs(client, "hop often", "skip twice") == ["HOP HOP HOP HOP", "SKIP SKIP"]
    assert [edit["of"] for edit in get(client, "/v1/edits")["edits"]] == ["rules", "rules", "lexicon"]
    kinds = [post(client, "/v1/undo")["edit"]["of"] for _ in range(3)]
    assert kinds == ["rules", "rules", "lexicon"]
    kinds = [post(client, "/v1/redo")["edit"]["of"] for _ in range(3)]
    assert kinds == ["lexicon", "rules", "rules"]
    assert outputs(client, "hop often", "skip twice") == ["HOP HOP HOP HOP", "SKIP SKIP"]


def test_rules_that_the_command_line_edits_are_seen(client: httpx.Client, tmp_path: Path) -> None:
    Run.open(tmp_path / "walking").rule_journal.add("_ often -> #0 #0 #0 #0")
    assert outputs(client, "walk often") == ["WALK WALK WALK WALK"]
