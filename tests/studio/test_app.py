"""The routes that only the page needs: runs, dropped data, trainings."""

from __future__ import annotations

import base64
import json
import shutil
from pathlib import Path
from typing import Any

import httpx
import pytest

from fewlex.run import Run
from fewlex.seal import seal_json


def dropped(**files: str | bytes) -> dict[str, Any]:
    """The body of a check; `train_tsv` stands for `train.tsv`."""
    contents = {name.replace("_", "."): text for name, text in files.items()}
    return {
        "files": [
            {
                "name": name,
                "base64": base64.b64encode(text.encode() if isinstance(text, str) else text).decode(),
            }
            for name, text in contents.items()
        ]
    }


def checked(client: httpx.Client, **files: str | bytes) -> Any:
    answer = client.post("/studio/check", json=dropped(**files))
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_the_runs_below_the_folder_are_listed(client: httpx.Client, folder: Path) -> None:
    shutil.copytree(folder / "colors", folder / "deeper" / "seed1")
    (folder / "deeper" / "seed1" / "result.json").unlink()
    (folder / "not-a-run").mkdir()
    cards = {card["path"]: card for card in client.get("/studio/runs").json()["runs"]}
    assert cards.keys() == {"colors", "deeper/seed1"}
    assert cards["colors"]["state"] == "finished"
    assert cards["colors"]["data"] == "colors"
    assert cards["deeper/seed1"]["state"] == "unfinished"


def test_a_damaged_run_is_listed_with_what_is_wrong(client: httpx.Client, folder: Path) -> None:
    (folder / "colors" / "knowledge.json").write_text("{", encoding="utf-8")
    (card,) = client.get("/studio/runs").json()["runs"]
    assert "not JSON" in card["problem"]


def test_an_opened_run_answers(client: httpx.Client) -> None:
    told = client.post("/studio/open", json={"path": "colors"}).json()["run"]
    assert told["run"] == "colors"
    assert client.post("/studio/open", json={"path": "colors"}).status_code == 200, "a second time"
    answer = client.post("/v1/translate", json={"run": "colors", "texts": ["zup"]})
    assert answer.json()["translations"][0]["outputs"]


@pytest.mark.parametrize("path", ["..", "../..", "/etc", "colors/../../..", "", ".", "colors\0"])
@pytest.mark.parametrize("route", ["open", "curve", "samples", "resume", "keep"])
def test_no_path_leads_out_of_the_folder(client: httpx.Client, route: str, path: str) -> None:
    if route == "open":
        answer = client.post("/studio/open", json={"path": path})
    elif route in ("resume", "keep"):
        answer = client.post(f"/studio/train/{route}", json={"name": path})
    else:
        answer = client.get(f"/studio/{route}", params={"path": path})
        if route == "samples":
            assert answer.json() == {"samples": []}
            return
    assert answer.status_code == 422
    assert "below the folder" in answer.json()["detail"] or "NUL" in answer.json()["detail"]


def test_a_link_does_not_lead_out_of_the_folder(client: httpx.Client, folder: Path, hasty: Path) -> None:
    (folder / "link").symlink_to(hasty)
    assert client.post("/studio/open", json={"path": "link"}).status_code == 422


def test_samples_come_from_the_data_of_the_run(client: httpx.Client) -> None:
    samples = client.get("/studio/samples", params={"path": "colors"}).json()["samples"]
    assert samples[0] == {"source": "zup fep", "target": "YELLOW YELLOW YELLOW", "category": ""}


def test_data_elsewhere_is_not_read_for_samples(client: httpx.Client, folder: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.tsv"
    secret.write_text("password\thunter2\n", encoding="utf-8")
    knowledge = folder / "colors" / "knowledge.json"
    content = json.loads(knowledge.read_text(encoding="utf-8"))
    del content["seal"]
    knowledge.write_bytes(seal_json(json.dumps({**content, "data": str(secret)})))
    assert client.get("/studio/samples", params={"path": "colors"}).json() == {"samples": []}


def test_curves_are_thinned_and_keep_the_end(client: httpx.Client, folder: Path) -> None:
    lines = "".join(f'{{"update": {i}, "loss": 1.0, "seconds": {i}}}\n' for i in range(5000))
    (folder / "colors" / "metrics.jsonl").write_text(lines + '{"half', encoding="utf-8")
    rows = client.get("/studio/curve", params={"path": "colors"}).json()["rows"]
    assert len(rows) <= 401
    assert rows[-1]["update"] == 4999


def test_dropped_data_is_described_and_its_bad_lines_are_named(client: httpx.Client) -> None:
    told = checked(client, mine_tsv="dax\tRED\nlug\nwif\tGREEN\ndax\t\ndax\tRED\n")
    assert told["splits"] == {"train": 3}
    assert told["repeated"] == 1
    assert [(problem["file"], problem["line"]) for problem in told["problems"]] == [
        ("mine.tsv", 2),
        ("mine.tsv", 4),
    ]
    assert "1 column where 2 or 3 are expected" in told["problems"][0]["text"]


def test_bytes_that_are_no_text_are_named(client: httpx.Client) -> None:
    told = checked(client, mine_tsv=b"dax\tRED\n\xff\xfe\tX\nlug\tBLUE\n")
    assert told["pairs"] == 2
    assert told["problems"][0]["line"] == 2
    assert "UTF-8" in told["problems"][0]["text"]


def test_parallel_files_and_files_for_splits(client: httpx.Client) -> None:
    assert checked(client, a_txt="dax\nlug\n", b_txt="RED\nBLUE\n")["first"][1] == {
        "source": "lug",
        "target": "BLUE",
    }
    uneven = checked(client, a_txt="dax\nlug\n", b_txt="RED\n")
    assert uneven["data"] is None
    assert "the file ends" in uneven["problems"][0]["text"]
    splits = checked(client, train_tsv="dax\tRED\n", test_jsonl='{"source": "lug", "target": "BLUE"}\n')
    assert splits["splits"] == {"train": 1, "test": 1}
    stranger = checked(client, train_tsv="dax\tRED\n", other_tsv="lug\tBLUE\n")
    assert "other.tsv" in stranger["problems"][0]["text"]


def test_many_problems_are_counted_and_some_are_shown(client: httpx.Client) -> None:
    told = checked(client, mine_tsv="no tab here\n" * 1000)
    assert told["total_problems"] == 1000
    assert len(told["problems"]) == 200
    assert told["data"] is None


def test_the_name_of_a_dropped_file_is_no_path(client: httpx.Client, tmp_path: Path) -> None:
    body = dropped(x_tsv="dax\tRED\n")
    body["files"][0]["name"] = f"{tmp_path}/../../evil.tsv"
    assert client.post("/studio/check", json=body).status_code == 200
    assert list(tmp_path.rglob("*evil*")) == []


def test_the_lexicon_of_dropped_data_is_shown(client: httpx.Client) -> None:
    data = checked(client, mine_tsv="dax lug\tRED BLUE\nlug\tBLUE\ndax\tRED\n")["data"]
    told = client.post("/studio/lexicon", json={"data": data}).json()
    assert {(row["source"], row["target"]) for row in told["entries"]} == {("dax", "RED"), ("lug", "BLUE")}
    assert told["covered"] == told["words"] == 2


def test_content_that_is_not_base64_is_refused(client: httpx.Client) -> None:
    answer = client.post("/studio/check", json={"files": [{"name": "a.tsv", "base64": "§"}]})
    assert answer.status_code == 422
    assert "base64" in answer.json()["detail"]


@pytest.mark.parametrize("route", ["check", "open", "lexicon", "train", "train/stop"])
def test_strangers_are_refused(client: httpx.Client, route: str) -> None:
    """A page of another site may neither post nor pretend to be this host."""
    for headers in ({"Origin": "https://evil.example"}, {"Host": "evil.example"}):
        answer = client.post(f"/studio/{route}", json={}, headers=headers)
        assert answer.status_code == 403
    assert client.post(f"/studio/{route}", content=b"{}").status_code == 415
    assert client.post(f"/studio/{route}", json={"nonsense": 1}).status_code == 422


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"name": "../out"}, "cannot be the name of a run"),
        ({"name": "a/b"}, "cannot be the name of a run"),
        ({"name": "colors"}, "already"),
        ({"preset": "nonsense"}, "no preset"),
        ({"budget": "soon"}, "not a time"),
        ({"epochs": 0}, "passes"),
        ({"networks": 0}, "networks"),
        ({"data": "../../etc"}, "below the folder"),
    ],
)
def test_orders_that_make_no_sense_are_refused(
    client: httpx.Client, folder: Path, fields: dict[str, Any], reason: str
) -> None:
    answer = client.post("/studio/train", json={"name": "new", "data": "colors", **fields})
    assert answer.status_code == 422
    assert reason in answer.json()["detail"]
    assert not Run(folder / "new").path.exists()
