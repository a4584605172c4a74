"""`/v1/teach`, `/v1/undo`, `/v1/redo`, `/v1/edits`; and edits that others make meanwhile."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx

from fewlex.lexicon import Lexicon
from fewlex.run import Run
from tests.serve.running import get, outputs, post

BLIP = {"source": "blip", "target": "PINK"}


def test_the_next_request_knows_a_taught_word(client: httpx.Client, run: Path) -> None:
    before = post(client, "/v1/translate", texts=["blip fep"])["version"]
    taught = post(client, "/v1/teach", lessons=[BLIP])
    assert taught["edit"]["changes"][0]["source"] == "blip"
    answer = post(client, "/v1/translate", texts=["blip fep"])
    assert answer["translations"][0]["outputs"][0]["text"] == "PINK PINK PINK"
    assert before != answer["version"] == taught["state"]["version"]
    assert list(Lexicon.load(run / "lexicon.json").row("blip")) == ["PINK"]


def test_a_preview_shows_what_would_change_and_changes_nothing(client: httpx.Client, run: Path) -> None:
    files = {path.name: path.read_bytes() for path in run.iterdir()}
    shown = post(
        client, "/v1/teach", lessons=[BLIP], preview=True, sentences=["dax", "blip", "blip fep", "lug"]
    )
    assert [(change["sentence"], change["after"]) for change in shown["changed"]] == [
        ("blip", "PINK"),
        ("blip fep", "PINK PINK PINK"),
    ]
    assert shown["compared"] == 4
    assert shown["edit"] is None
    assert {path.name: path.read_bytes() for path in run.iterdir()} == files
    assert outputs(client, "blip") != ["PINK"]


def test_a_word_is_taught_by_an_example(client: httpx.Client) -> None:
    taught = post(client, "/v1/teach", example={"source": "blip fep", "target": "PINK PINK PINK"})
    assert taught["lessons"] == [BLIP | {"like": "", "also": False}]
    assert outputs(client, "blip kiki dax") == ["RED PINK"]
    unclear = post(client, "/v1/teach", 422, example={"source": "one two", "target": "ONE TWO"})
    assert "could be the new one" in unclear["detail"]


def test_a_further_meaning_leaves_the_others(client: httpx.Client) -> None:
    post(client, "/v1/teach", lessons=[{"source": "dax", "target": "CRIMSON", "also": True}])
    rows = get(client, "/v1/lexicon", search="dax")["rows"]
    assert [row["target"] for row in rows] == ["RED", "CRIMSON"]
    assert outputs(client, "dax") == ["RED"]


def test_a_request_to_teach_must_say_one_thing(client: httpx.Client) -> None:
    bodies: list[dict[str, Any]] = [{}, {"lessons": []}, {"lessons": [BLIP], "example": BLIP}]
    for body in bodies:
        post(client, "/v1/teach", 422, **body)


def test_edits_are_undone_and_made_again_in_order(client: httpx.Client) -> None:
    post(client, "/v1/teach", lessons=[BLIP])
    post(client, "/v1/teach", lessons=[{"source": "dax", "target": "BLUE"}])
    assert [edit["changes"][0]["source"] for edit in get(client, "/v1/edits")["edits"]] == ["dax", "blip"]
    undone = post(client, "/v1/undo")
    (change,) = undone["edit"]["changes"]
    assert ([e["target"] for e in change["before"]], [e["target"] for e in change["after"]]) == (
        ["BLUE"],
        ["RED"],
    )
    assert undone["state"]["can_redo"]
    assert outputs(client, "dax", "blip") == ["RED", "PINK"]
    assert not post(client, "/v1/undo")["state"]["can_undo"]
    assert outputs(client, "dax", "blip")[0] == "RED"
    assert "no edit to undo" in post(client, "/v1/undo", 409)["detail"]
    post(client, "/v1/redo")
    post(client, "/v1/redo")
    assert outputs(client, "dax", "blip") == ["BLUE", "PINK"]
    assert "no edit to redo" in post(client, "/v1/redo", 409)["detail"]


def test_a_new_edit_ends_redoing(client: httpx.Client) -> None:
    post(client, "/v1/teach", lessons=[BLIP])
    post(client, "/v1/undo")
    post(client, "/v1/teach", lessons=[{"source": "dax", "target": "BLUE"}])
    post(client, "/v1/redo", 409)


def test_edits_of_the_command_line_are_seen(client: httpx.Client, run: Path) -> None:
    opened = Run.open(run)
    opened.teach([opened.read_knowledge().lesson("blip", "PINK")])
    assert outputs(client, "blip") == ["PINK"]
    opened.journal.undo()
    assert outputs(client, "blip") != ["PINK"]


def test_a_lexicon_that_someone_has_broken_is_named(client: httpx.Client, run: Path) -> None:
    whole = (run / "lexicon.json").read_bytes()
    (run / "lexicon.json").write_bytes(whole[:-5])
    assert "lexicon.json" in post(client, "/v1/translate", 503, texts=["dax"])["detail"]
    (run / "lexicon.json").write_bytes(whole)
    assert outputs(client, "dax") == ["RED"]


def test_no_lesson_is_lost_when_many_teach_at_once(client: httpx.Client, run: Path) -> None:
    def teach(i: int) -> None:
        post(client, "/v1/teach", lessons=[{"source": f"word{i}", "target": f"WORD{i}"}])

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(teach, range(40)))
    taught = Lexicon.load(run / "lexicon.json")
    assert {f"word{i}" for i in range(40)} <= set(taught.sources)
    assert get(client, "/v1/edits")["total"] == 40
