"""`/v1/translate`, and what the server tells about itself."""

from __future__ import annotations

import shutil
from pathlib import Path

import httpx
import pytest

from fewlex.translator import Translator
from fewlex.version import __version__
from tests.serve.conftest import Start
from tests.serve.running import get, outputs, post


def test_outputs_are_those_of_the_translator(reading: httpx.Client, colors: Path) -> None:
    texts = ["dax", "dax fep", "lug kiki wif", "", "never seen"]
    expected = [n_best[0].text for n_best in Translator.load(colors).translate_lines(texts)]
    assert outputs(reading, *texts) == expected
    assert expected[:2] == ["RED", "RED RED RED"]


def test_n_best_come_with_scores_best_first(reading: httpx.Client) -> None:
    (translation,) = post(reading, "/v1/translate", texts=["dax fep"], n_best=3)["translations"]
    scores = [output["log_prob"] for output in translation["outputs"]]
    assert len(scores) == 3
    assert scores == sorted(scores, reverse=True)


def test_an_explanation_says_where_each_token_comes_from(reading: httpx.Client) -> None:
    (translation,) = post(reading, "/v1/translate", texts=["dax fep"], explain=True)["translations"]
    told = translation["outputs"][0]["explanation"]
    assert told["source"] == ["dax", "fep"]
    assert told["tokens"] == ["RED"] * 3
    assert [origin["source"] for origin in told["origins"]] == ["dax"] * 3
    assert len(told["attention"]) == len(told["write_gate"]) == 3
    (plain,) = post(reading, "/v1/translate", texts=["dax fep"])["translations"]
    assert plain["outputs"][0]["explanation"] is None


def test_several_runs_are_told_apart_by_name(start: Start, run: Path, tmp_path: Path) -> None:
    other = Path(shutil.copytree(run, tmp_path / "other"))
    client = start(run, other).client
    post(client, "/v1/teach", run="other", lessons=[{"source": "dax", "target": "BLUE"}])
    assert outputs(client, "dax", run="colors") == ["RED"]
    assert outputs(client, "dax", run="other") == ["BLUE"]
    assert "say which run: colors, other" in post(client, "/v1/translate", 422, texts=["dax"])["detail"]
    problem = post(client, "/v1/translate", 404, texts=["dax"], run="colours")
    assert "Did you mean 'colors'?" in problem["detail"]


@pytest.mark.parametrize("name", ["../colors", "/etc", "colors/../colors", ".", "%2e%2e"])
def test_a_run_is_a_name_and_never_a_path(reading: httpx.Client, name: str) -> None:
    post(reading, "/v1/translate", 404, texts=["dax"], run=name)
    get(reading, "/v1/lexicon", 404, run=name)
    get(reading, "/v1/rules", 404, run=name)


def test_the_server_tells_its_runs_and_limits(reading: httpx.Client) -> None:
    assert get(reading, "/health") == {"status": "ok", "version": __version__, "runs": ["colors"]}
    told = get(reading, "/v1/runs")
    (info,) = told["runs"]
    assert (info["run"], info["entries"], info["has_rules"], info["caveat"]) == ("colors", 4, False, "")
    assert told["limits"]["texts"] == 256


def test_a_run_without_rules_says_so(reading: httpx.Client) -> None:
    assert "this run has no rules" in get(reading, "/v1/rules", 404)["detail"]


def test_metrics_count_requests_batches_and_edits(client: httpx.Client) -> None:
    outputs(client, "dax", "lug")
    post(client, "/v1/teach", lessons=[{"source": "blip", "target": "PINK"}])
    client.get("/nonsense")
    text = client.get("/metrics").text
    assert 'fewlex_requests_total{method="POST",route="/v1/translate",status="200"} 1' in text
    assert 'fewlex_batch_sentences_bucket{le="2"} 1' in text
    assert 'fewlex_edits_total{run="colors",action="teach"} 1' in text
    assert "nonsense" not in text, "a client cannot make up labels"
    memory = next(line for line in text.splitlines() if line.startswith("process_resident"))
    assert int(memory.split()[1]) > 1 << 20


@pytest.mark.parametrize(
    ("body", "where", "message"),
    [
        ({}, "texts", "is missing"),
        ({"texts": "dax"}, "texts", "must be a list"),
        ({"texts": ["dax", 3]}, "texts[1]", "must be a text"),
        ({"texts": ["dax"], "n_best": 0}, "n_best", "from 1 to 1000000"),
        ({"texts": ["dax"], "n_best": 1.5}, "n_best", "whole number"),
        ({"texts": ["dax"], "n_best": True}, "n_best", "whole number"),
        ({"texts": ["dax"], "explain": 1}, "explain", "true or false"),
        ({"texts": ["dax"], "beem": 2}, "", "Did you mean 'beam'?"),
        ([], "", "must be a JSON object"),
    ],
)
def test_a_wrong_field_is_named(reading: httpx.Client, body: object, where: str, message: str) -> None:
    answer = reading.post("/v1/translate", json=body)
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["where"] == where
    assert message in answer.json()["detail"]


@pytest.mark.parametrize(
    "body", [b"", b"{", b"\xff", b'{"texts": [NaN]}', b"[" * 100_000, b'{"texts": [' + b"9" * 6000 + b"]}"]
)
def test_what_is_not_json_is_refused(reading: httpx.Client, body: bytes) -> None:
    answer = reading.post("/v1/translate", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    assert "not JSON" in answer.json()["detail"]


def test_half_a_character_is_refused(reading: httpx.Client) -> None:
    answer = reading.post(
        "/v1/translate",
        content=b'{"texts": ["\\ud800"]}',
        headers={"Content-Type": "application/json"},
    )
    assert answer.status_code == 400
    assert "half a character" in answer.json()["detail"]


def test_unknown_paths_and_methods_are_problems_too(reading: httpx.Client) -> None:
    assert get(reading, "/v2/translate", 404)["status"] == 404
    wrong = reading.put("/v1/translate")
    assert wrong.status_code == 405
    assert wrong.headers["allow"] == "POST"
    assert wrong.json()["status"] == 405


def test_a_slash_too_many_is_no_path(reading: httpx.Client) -> None:
    """Found by the torture: it was answered with a redirect, which the OpenAPI document does not know."""
    answer = reading.get("/v1/lexicon/")
    assert answer.status_code == 404
    assert answer.json()["status"] == 404
