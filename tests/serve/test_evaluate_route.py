"""`/v1/evaluate`: scores, and mistakes with their reasons."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from tests.serve.conftest import Start
from tests.serve.running import post

PAIRS = [
    {"source": "dax", "target": "RED", "category": "words"},
    {"source": "dax fep", "target": "RED RED", "category": "phrases"},
    {"source": "blip", "target": "PINK", "category": "words"},
]


def test_scores_come_with_mistakes_and_their_reasons(reading: httpx.Client) -> None:
    told = post(reading, "/v1/evaluate", pairs=PAIRS)
    assert told["scores"]["examples"] == 3
    assert told["scores"]["exact_match"] == pytest.approx(1 / 3)
    assert told["scores"]["by_category"] == {"phrases": 0.0, "words": 0.5}
    phrase, word = told["errors"]
    assert (phrase["number"], phrase["output"]) == (2, "RED RED RED")
    assert phrase["diff"] == [{"op": "same", "tokens": ["RED", "RED"]}, {"op": "extra", "tokens": ["RED"]}]
    assert phrase["reasons"] == ["Every word is known, so the network has put them together wrongly."]
    assert word["number"] == 3
    assert "'blip' has no row" in word["reasons"][0]
    assert "cannot say 'PINK'" in word["reasons"][1]


def test_mistakes_of_rules_name_the_rule_that_is_missing(start: Start, walking: Path) -> None:
    pairs = {
        "walk often": "WALK WALK WALK WALK",
        "walk walk": "WALK WALK",
        "walk twice": "WALK WALK WALK",
        "run thrice": "RUN RUN RUN",
    }
    told = post(
        start(walking).client, "/v1/evaluate", pairs=[{"source": s, "target": t} for s, t in pairs.items()]
    )
    reasons = {error["source"]: " ".join(error["reasons"]) for error in told["errors"]}
    assert "No rule has 'often'" in reasons["walk often"]
    assert "the rules derive 'walk' and 'walk', but none puts these together" in reasons["walk walk"]
    assert "(_ twice ↦ #0 #0). One of them is wrong" in reasons["walk twice"]
    assert "run thrice" not in reasons


def test_the_list_of_mistakes_can_be_cut(reading: httpx.Client) -> None:
    told = post(reading, "/v1/evaluate", pairs=PAIRS, errors=1)
    assert (len(told["errors"]), told["total_errors"]) == (1, 2)


def test_a_file_is_read_by_its_ending(reading: httpx.Client) -> None:
    tsv = post(reading, "/v1/evaluate", content="dax\tRED\nlug\tBLUE\n", name="test.tsv")
    assert tsv["scores"]["exact_match"] == 1
    lines = '{"source": "dax", "target": "RED"}\n'
    assert post(reading, "/v1/evaluate", content=lines, name="../../x.jsonl")["scores"]["examples"] == 1
    array = '[["dax", "RED"], ["lug", "BLUE"]]'
    assert post(reading, "/v1/evaluate", content=array, name="x.json")["scores"]["examples"] == 2
    table = '"dax","RED"\n'
    assert post(reading, "/v1/evaluate", content=table, name="x.csv")["scores"]["exact_match"] == 1


def test_a_broken_file_names_its_line(reading: httpx.Client) -> None:
    problem = post(reading, "/v1/evaluate", 422, content="dax\tRED\n\nlug\tBLUE\n", name="test.tsv")
    assert problem["line"] == 2
    assert problem["detail"].startswith("data.tsv:2: ")
    assert "/tmp" not in problem["detail"], "the server does not tell its own paths"


@pytest.mark.parametrize(
    "body",
    [{}, {"pairs": []}, {"content": ""}, {"pairs": PAIRS, "content": "a\tb\n"}, {"pairs": [{"source": ""}]}],
)
def test_a_request_without_pairs_is_refused(reading: httpx.Client, body: dict[str, object]) -> None:
    post(reading, "/v1/evaluate", 422, **body)
