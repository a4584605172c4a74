"""The page about reliability has the figures that the torture has written, and all of them held."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import fewlex
from fewlex.serve.served import ServedRun
from torture import __main__ as torture
from torture import api, figures, inputs
from torture.figures import BEGIN, END, JSON, PAGE, Row, with_figures
from torture.inputs import Tally, feed
from torture.limits import TooSlowError, limit, watched
from torture.surfaces import Surface


def test_the_page_has_the_figures_of_the_last_torture() -> None:
    page = PAGE.read_text(encoding="utf-8")
    known = json.loads(JSON.read_text(encoding="utf-8"))
    assert page == with_figures(page, known)
    assert set(known) <= set(torture.PARTS)
    assert all(Row(**row).is_good for part in known.values() for row in part["rows"])


def _part(row: Row) -> torture.Part:
    return torture.Part(lambda seconds, rng: [row], weight=1)


def test_what_did_not_hold_ends_with_exit_code_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page, told = tmp_path / "page.md", tmp_path / "figures.json"
    page.write_text(f"# Page\n\n{BEGIN}\nold\n{END}\nafter\n", encoding="utf-8")
    monkeypatch.setattr(figures, "PAGE", page)
    monkeypatch.setattr(figures, "JSON", told)
    rows = {"good": Row("a cut", 3, 3), "bad": Row("a bit", 3, 2, "one was used"), "idle": Row("none", 0, 0)}
    monkeypatch.setattr(torture, "PARTS", {name: _part(row) for name, row in rows.items()})
    monkeypatch.setattr("sys.argv", ["torture", "--minutes", "0.1", "--record"])
    assert torture.main() == 1
    assert "did not hold:\nbad: a bit\nidle: none\n" in capsys.readouterr().out
    assert "| a bit | 3 | 2 | one was used |" in page.read_text(encoding="utf-8")
    assert page.read_text(encoding="utf-8").endswith(f"{END}\nafter\n")
    monkeypatch.setattr("sys.argv", ["torture", "--minutes", "0.1", "--only", "good"])
    assert torture.main() == 0


def test_figures_of_several_runs_count_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "page.md").write_text(f"{BEGIN}\n{END}\n", encoding="utf-8")
    monkeypatch.setattr(figures, "PAGE", tmp_path / "page.md")
    monkeypatch.setattr(figures, "JSON", tmp_path / "figures.json")
    figures.record({"rot": [Row("a bit", 3, 3, "named"), Row("a cut", 1, 1)]}, 1, {"rot": 10})
    figures.record({"rot": [Row("a bit", 4, 3, "one was used")]}, 1, {"rot": 5}, adds=True)
    page = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "| a bit | 7 | 6 | named; one was used |\n| a cut | 1 | 1 |  |" in page
    assert ", 15 s." in page
    figures.record({"rot": [Row("a cut", 1, 1, "{count} refused: a.tsv, b.tsv", 1200)]}, 1, {"rot": 5})
    figures.record(
        {"rot": [Row("a cut", 2, 2, "{count} refused: a.tsv, b.tsv", 34)]}, 1, {"rot": 5}, adds=True
    )
    said_once = "| a cut | 3 | 3 | 1,234 refused: a.tsv, b.tsv |"
    assert said_once in (tmp_path / "page.md").read_text(encoding="utf-8")
    figures.record({"rot": [Row("a bit", 2, 2)]}, 1, {"rot": 1})
    assert "| a bit | 2 | 2 |  |\n\n" in (tmp_path / "page.md").read_text(encoding="utf-8")


def test_what_runs_beside_the_others_counts_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(seconds: float, rng: random.Random) -> list[Row]:
        raise ZeroDivisionError

    good, beside = _part(Row("a cut", 3, 3)), _part(Row("a load", 2, 2))
    seconds: list[float] = []
    parts = {"good": good, "load": torture.Part(beside.run, weight=1, beside=300)}
    monkeypatch.setattr("sys.argv", ["torture", "--minutes", "0.1"])
    monkeypatch.setattr(torture, "PARTS", parts)
    assert torture.main() == 0
    assert "| a load | 2 | 2 |" in capsys.readouterr().out

    def told(share: float, rng: random.Random) -> list[Row]:
        seconds.append(share)
        return [Row("a load", 1, 1)]

    monkeypatch.setattr(torture, "PARTS", parts | {"load": torture.Part(told, weight=1, beside=300)})
    monkeypatch.setattr("sys.argv", ["torture", "--minutes", "60", "--only", "load"])
    assert torture.main() == 0
    assert seconds == [3600], "alone it takes as long as it is told to"
    monkeypatch.setattr(torture, "PARTS", parts | {"load": torture.Part(broken, weight=1, beside=300)})
    monkeypatch.setattr("sys.argv", ["torture", "--minutes", "0.1"])
    assert torture.main() == 1
    assert "did not hold:\nload: it has ended in an error" in capsys.readouterr().out


def _requests(surface: Surface, number: int) -> Tally:
    tally, rng = Tally(), random.Random(0)
    for _ in range(number):
        feed("api", surface, surface.mutate(rng.choice(surface.seeds), rng), tally)
    return tally


@pytest.fixture
def api_surface(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Surface:
    monkeypatch.setattr(inputs, "FOUND", tmp_path / "found")
    config = fewlex.build_config("rules", "colors")
    fewlex.train(fewlex.load("colors"), config, tmp_path / "run")
    return api.api(tmp_path / "run")[1]


def test_mutated_requests_are_answered_or_refused(api_surface: Surface) -> None:
    with watched():
        tally = _requests(api_surface, 2 * len(api.SEEDS))
    assert not tally.broken
    assert 0 < tally.refused < tally.tried


def test_a_mistake_of_the_server_is_a_finding(
    api_surface: Surface, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Otherwise the torture of the API could not fail."""

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(ServedRun, "snapshot", broken)
    with watched():
        tally = Tally()
        feed("api", api_surface, next(seed for seed in api.SEEDS if b"GET /v1/lexicon?" in seed), tally)
    assert [*tally.broken] == ["AssertionError: status 500"]
    assert len([*(tmp_path / "found").iterdir()]) == 1


def _compute_for_ever() -> None:
    limit(1)
    while True:
        pass


def test_what_computes_too_long_is_stopped() -> None:
    with pytest.raises(TooSlowError, match="SIGPROF"), watched():
        _compute_for_ever()


def test_a_traceback_in_a_log_is_told_with_its_place() -> None:
    """A traceback that was only counted could not be explained afterwards."""
    log = (
        'ERROR: Exception\nTraceback (most recent call last):\n  File "/x/fewlex/serve/app.py", line 83, in answer\n'
        '    wanted = 1\n  File "/y/starlette/requests.py", line 252, in stream\nstarlette.requests.ClientDisconnect\n'
    )
    told = api._complaint(log)
    assert "starlette.requests.ClientDisconnect at fewlex/serve/app.py:83, kept in" in told
