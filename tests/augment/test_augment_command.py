"""`fewlex augment`, as a user types it."""

from __future__ import annotations

import json
from pathlib import Path

from fewlex.data import load
from tests.test_cli import fewlex


def test_colors_to_a_file_and_to_training_data(tmp_path: Path) -> None:
    out = tmp_path / "new.tsv"
    done = fewlex("augment", "colors", "--method", "geca", "--ratio", "0.3", "--seed", "1", "--out", out)
    assert done.stdout == ""
    assert "new examples: 6 in" in done.stderr  # 14 × 0.3 / 0.7
    new = load(out)["train"]
    old = {(example.source, example.target) for example in load("colors")["train"]}
    assert len(new) == 6
    assert old.isdisjoint((example.source, example.target) for example in new)
    assert fewlex("augment", "colors", "--ratio", "0.3", "--seed", "1").stdout == out.read_text()


def test_a_pipe() -> None:
    done = fewlex("augment", "-", "--ratio", "0.5", stdin="jump\tJUMP\nwalk\tWALK\nwalk twice\tWALK WALK\n")
    assert done.stdout == "jump twice\tJUMP JUMP\n"
    assert "new examples: 1; 3 were wanted, but no more were found" in done.stderr


def test_settings_of_the_method(tmp_path: Path) -> None:
    out = tmp_path / "new.jsonl"
    fewlex(
        "augment", "colors", "--set", "limit=3", "--window", "1", "--gaps", "3", "--size", "2", "--out", out
    )
    assert [sorted(json.loads(line)) for line in out.read_text().splitlines()] == [["source", "target"]] * 3


def test_mistakes() -> None:
    for arguments, message in (
        (["colors", "--ratio", "1"], "--ratio 1 makes no sense"),
        (["colors", "--method", "gecko"], "Did you mean 'geca'?"),
        (["colors", "--set", "gap=3"], "geca has no parameter 'gap'. Did you mean 'gaps'?"),
        (["colours"], "there is no data set and no file 'colours'"),
    ):
        done = fewlex("augment", *arguments, check=False)
        assert done.returncode == 1
        assert message in done.stderr
        assert "Traceback" not in done.stderr
