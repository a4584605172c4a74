"""`/v1/rules`, and answers of rules."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import httpx
import pytest

from fewlex.run import Run
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
    assert {"walk": "WALK"}.items() <= next(iter(get(client, "/v1/rules")["words"].values())).items()


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
