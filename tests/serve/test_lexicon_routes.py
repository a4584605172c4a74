"""`/v1/lexicon`: pages, edits, import and export."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from fewlex.lexicon import Entry, Lexicon
from tests.serve.conftest import Start
from tests.serve.running import get, outputs, post


def pairs(client: httpx.Client, **query: Any) -> list[tuple[str, str]]:
    return [(row["source"], row["target"]) for row in get(client, "/v1/lexicon", **query)["rows"]]


LEARNED = {("dax", "RED"), ("lug", "BLUE"), ("wif", "GREEN"), ("zup", "YELLOW")}


def test_rows_are_searched_sorted_and_cut_into_pages(reading: httpx.Client) -> None:
    assert set(pairs(reading)) == LEARNED
    assert pairs(reading, sort="source") == sorted(LEARNED)
    assert pairs(reading, sort="source", order="down") == sorted(LEARNED, reverse=True)
    assert pairs(reading, sort="source", offset=1, limit=2) == sorted(LEARNED)[1:3]
    assert pairs(reading, search="ReD") == [("dax", "RED")]
    assert pairs(reading, search="u", sort="target") == [("lug", "BLUE"), ("zup", "YELLOW")]
    page = get(reading, "/v1/lexicon", search="u", limit=0)
    assert (page["total"], page["matching"], page["rows"]) == (4, 2, [])
    assert get(reading, "/v1/lexicon", sort="weight", order="down", limit=1)["rows"][0]["weight"] == 9.0


@pytest.mark.parametrize("query", [{"limit": 1001}, {"offset": -1}, {"offset": "x"}, {"sort": "x"}, {"x": 1}])
def test_a_query_that_makes_no_sense_is_refused(reading: httpx.Client, query: dict[str, object]) -> None:
    get(reading, "/v1/lexicon", 422, **query)


@pytest.mark.parametrize("rows", [5000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_a_page_of_a_large_lexicon_is_quick(start: Start, run: Path, rows: int) -> None:
    lexicon = Lexicon((f"word{i}", f"WORD{i}", Entry(float(i % 97))) for i in range(rows))
    lexicon.save(run / "lexicon.json")
    client = start().client
    assert get(client, "/v1/lexicon", sort="weight")["matching"] == rows
    began = time.monotonic()
    for offset in range(0, rows, rows // 10):
        assert len(pairs(client, sort="weight", offset=offset, limit=50)) == 50
    assert time.monotonic() - began < 2, "ten pages after the first, which sorts"


def test_an_entry_is_added_changed_replaced_and_deleted(client: httpx.Client) -> None:
    added = post(client, "/v1/lexicon", source="blip", target="PINK", weight=2)
    assert added["edit"]["action"] == "set"
    assert added["state"]["can_undo"]
    post(client, "/v1/lexicon", source="blip", target="ROSE")
    post(client, "/v1/lexicon", source="blip", target="PINK", weight=3)
    (pink, rose) = get(client, "/v1/lexicon", search="blip")["rows"]
    assert (pink["target"], pink["weight"], pink["origin"]) == ("PINK", 3.0, "person")
    assert rose["target"] == "ROSE"
    post(client, "/v1/lexicon", source="blip", target="CORAL", replaces="PINK")
    assert pairs(client, search="blip") == [("blip", "CORAL"), ("blip", "ROSE")]
    client.delete("/v1/lexicon", params={"source": "blip", "target": "CORAL"}).raise_for_status()
    assert pairs(client, search="blip") == [("blip", "ROSE")]
    client.delete("/v1/lexicon", params={"source": "blip"}).raise_for_status()
    assert set(pairs(client)) == LEARNED


def test_replacing_by_a_translation_that_is_there_leaves_it_once(client: httpx.Client) -> None:
    post(client, "/v1/lexicon", source="blip", target="PINK")
    post(client, "/v1/lexicon", source="blip", target="ROSE")
    post(client, "/v1/lexicon", source="blip", target="ROSE", replaces="PINK")
    assert pairs(client, search="blip") == [("blip", "ROSE")]
    post(client, "/v1/lexicon", source="blip", target="ROSE", replaces="ROSE", weight=5)
    assert get(client, "/v1/lexicon", search="blip")["rows"][0]["weight"] == 5.0


def test_what_cannot_be_edited_is_refused(client: httpx.Client) -> None:
    before = get(client, "/v1/lexicon")["version"]
    assert client.delete("/v1/lexicon", params={"source": "nobody"}).status_code == 404
    assert client.delete("/v1/lexicon", params={"source": "dax", "target": "BLUE"}).status_code == 404
    headers = {"Content-Type": "application/json"}
    for body in (
        {"source": "", "target": "X"},
        {"source": "  ", "target": "X"},
        {"source": "a\0b", "target": "X"},
        {"source": "a", "target": "X", "weight": 1e999},
        {"source": "a", "target": "X", "like": "nobody"},
        {"source": "dax", "target": "X", "replaces": "BLUE"},
    ):
        assert client.post("/v1/lexicon", content=json.dumps(body), headers=headers).status_code in (
            400,
            422,
        ), body
    assert get(client, "/v1/lexicon")["version"] == before


def test_an_import_is_shown_before_it_is_made(client: httpx.Client) -> None:
    content = "source\ttarget\tweight\ndax\tRED\t1\nblip\tPINK\t2\n"
    shown = post(client, "/v1/lexicon/import", content=content, preview=True)
    assert shown["totals"] == {"added": 1, "removed": 3, "changed": 1}
    assert [row["source"] for row in shown["added"]] == ["blip"]
    assert shown["changed"][0]["before"]["weight"] == 6.0
    assert shown["edit"] is None
    assert set(pairs(client)) == LEARNED
    merged = post(client, "/v1/lexicon/import", content=content, preview=True, mode="merge")
    assert merged["totals"] == {"added": 1, "removed": 0, "changed": 1}
    post(client, "/v1/lexicon/import", content=content, mode="merge")
    assert set(pairs(client)) == LEARNED | {("blip", "PINK")}
    post(client, "/v1/lexicon/import", content=content)
    assert pairs(client) == [("dax", "RED"), ("blip", "PINK")]
    assert outputs(client, "blip") == ["PINK"]


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("source\ttarget\tweight\ndax\tRED\t1\ndax\tRED\n", 3),
        ("source\ttarget\tweight\ndax\tRED\tmuch\n", 2),
        ("dax\tRED\t1\n", 1),
    ],
)
def test_a_broken_import_names_its_line(client: httpx.Client, content: str, line: int) -> None:
    problem = post(client, "/v1/lexicon/import", 422, content=content)
    assert problem["line"] == line
    assert problem["detail"].startswith(f"import.tsv:{line}: ")


@pytest.mark.parametrize("kind", ["tsv", "json"])
def test_an_export_can_be_imported_again(client: httpx.Client, kind: str) -> None:
    exported = client.get("/v1/lexicon/export", params={"format": kind})
    assert exported.headers["content-disposition"] == f"attachment; filename*=UTF-8''colors.{kind}"
    shown = post(client, "/v1/lexicon/import", content=exported.text, format=kind, preview=True)
    assert shown["totals"] == {"added": 0, "removed": 0, "changed": 0}
