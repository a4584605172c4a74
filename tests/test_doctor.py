"""Damage is named and never used, and the doctor mends what can be mended."""

from __future__ import annotations

import dataclasses
import json
import random
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from fewlex.cli import app
from fewlex.doctor import DAMAGED, MENDED, SET_ASIDE, SOUND, UNSEALED, examine
from fewlex.errors import DamagedError, FewlexError
from fewlex.knowledge import Lesson
from fewlex.lexicon import Lexicon
from fewlex.lexicon.journal import edit_from
from fewlex.rules.storage import load_rules
from fewlex.run import Run
from fewlex.seal import ZEROS
from fewlex.training import train
from fewlex.translator import Translator
from tests.training.test_training import CORPUS, config_of

RUNNER = CliRunner()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of rules alone with edits of its lexicon and of its rules."""
    path = tmp_path_factory.mktemp("doctor") / "run"
    done = RUNNER.invoke(app, ["train", "colors", "--preset", "rules", "--out", str(path)])
    assert done.exit_code == 0, done.output
    run = Run(path)
    run.teach([run.read_knowledge().lesson("blork", "BLACK")])
    run.rule_journal.add("_ thrice -> #0 #0 #0")
    run.teach([run.read_knowledge().lesson("zork", "WHITE")])
    return path


@pytest.fixture
def run(made: Path, tmp_path: Path) -> Run:
    shutil.copytree(made, tmp_path / "run")
    return Run(tmp_path / "run")


def states(run: Run, *, mend: bool = False) -> dict[str, str]:
    return {finding.file: finding.state for finding in examine(run.path, mend=mend)}


def flip(path: Path, bit: int) -> None:
    data = bytearray(path.read_bytes())
    data[bit // 8] ^= 1 << bit % 8
    path.write_bytes(data)


def test_a_sound_run(run: Run) -> None:
    assert set(states(run).values()) == {SOUND}
    assert len(states(run)) == 8


@pytest.mark.parametrize(
    "name",
    [
        "config.toml",
        "knowledge.json",
        "lexicon.json",
        "lexicon.learned.json",
        "rules.json",
        "rules.learned.json",
        "edits.jsonl",
        "result.json",
    ],
)
def test_any_flipped_bit_and_any_cut_is_found(run: Run, name: str) -> None:
    path = run.path / name
    whole, rng = path.read_bytes(), random.Random(0)
    head = range(8 * len(b'{"seal": "'))
    for bit in [*head, *(rng.randrange(8 * len(whole)) for _ in range(60))]:
        flip(path, bit)
        assert states(run)[name] == DAMAGED, bit
        path.write_bytes(whole)
    for size in (0, 1, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:size])
        assert states(run)[name] == DAMAGED, size
        path.write_bytes(whole)


@pytest.mark.parametrize(
    "name", ["config.toml", "knowledge.json", "lexicon.json", "rules.json", "edits.jsonl"]
)
def test_what_is_damaged_is_not_used(run: Run, name: str) -> None:
    flip(run.path / name, 8 * 200)
    read = run.edits.edits if name == "edits.jsonl" else lambda _: run.read_knowledge()
    with pytest.raises(DamagedError, match=rf"{name}.*fewlex doctor"):
        read(edit_from)


def test_a_lexicon_and_rules_come_back_from_the_log(run: Run) -> None:
    for name, load in (("lexicon.json", Lexicon.load), ("rules.json", load_rules)):
        path = run.path / name
        content = load(path)
        flip(path, 8 * 300)
        assert states(run, mend=True)[name] == MENDED
        assert load(path) == content
        assert path.with_name(f"{name}.damaged").exists()
    assert set(states(run).values()) == {SOUND}


def test_edits_of_both_kinds_are_undone_in_turn(run: Run) -> None:
    """The log becomes shorter than it was when the rules were edited, and that is no damage."""
    for _ in range(3):
        run.undo()
        assert set(states(run).values()) == {SOUND}
        run.read_knowledge()
    for _ in range(3):
        run.redo()
        assert set(states(run).values()) == {SOUND}


def test_what_was_learned_comes_back_too(run: Run) -> None:
    path = run.path / "lexicon.learned.json"
    whole = path.read_bytes()
    flip(path, 8 * 300)
    assert states(run, mend=True)[path.name] == MENDED
    assert path.read_bytes() == whole


@pytest.mark.parametrize("cut", [True, False])
def test_a_damaged_log_begins_anew_and_nothing_taught_is_lost(run: Run, cut: bool) -> None:
    before, log = run.read_knowledge(), run.path / "edits.jsonl"
    if cut:
        log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-1]))
    else:
        flip(log, 8 * 300)
    with pytest.raises(DamagedError, match="fewlex doctor"):
        run.read_knowledge() if cut else run.history(10)
    assert states(run, mend=True)["edits.jsonl"] == MENDED
    assert run.read_knowledge() == before
    assert set(states(run).values()) == {SOUND}
    run.teach([before.lesson("dork", "GREY")])
    run.undo()
    assert run.read_knowledge() == before


@pytest.mark.parametrize("name", ["config.toml", "knowledge.json", "result.json"])
def test_training_again_is_a_cure_that_works(run: Run, name: str) -> None:
    before = run.read_knowledge()
    flip(run.path / name, 8 * 100)
    assert states(run, mend=True)[name] == SET_ASIDE
    done = RUNNER.invoke(app, ["train", "colors", "--preset", "rules", "--out", str(run.path)])
    assert done.exit_code == 0, done.output
    assert run.read_knowledge() == before
    assert set(states(run).values()) == {SOUND}


@pytest.mark.parametrize("trained", [False, True])
def test_damaged_weights_are_trained_again_to_the_same_bits(tmp_path: Path, trained: bool) -> None:
    """Issue L, item 7: the cure was to train again, and training again said "finished already"."""
    config = config_of()
    if trained:
        settings = dataclasses.replace(config.lexicon, trained=True, temperature=0.1)
        config = dataclasses.replace(config, lexicon=settings)
    run = train(CORPUS, config, tmp_path / "run")
    run.teach([Lesson("blork", "BLACK")])
    weights, known = run.weights.read_bytes(), run.journal.read()
    run.weights.write_bytes(weights[:-20])
    with pytest.raises(DamagedError, match=r"model\.safetensors.*fewlex doctor"):
        Translator.load(run.path)
    assert states(run, mend=True)["model.safetensors"] == SET_ASIDE
    train(CORPUS, config, run.path)
    assert run.weights.read_bytes() == weights
    assert run.journal.read() == known
    assert set(states(run).values()) == {SOUND}


def test_an_older_run_has_no_checksums_and_opens(run: Run) -> None:
    for path in run.path.glob("*.json*"):
        lines = (
            [json.loads(line) for line in path.read_bytes().splitlines()] if path.suffix == ".jsonl" else []
        )
        if not lines:
            content = json.loads(path.read_bytes())
            lines = [content]
        for line in lines:
            line.pop("seal")
            line.pop("edits", None)
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    config = run.path / "config.toml"
    config.write_bytes(config.read_bytes().split(b"\n", 1)[1])
    assert set(states(run).values()) == {UNSEALED}
    run.teach([run.read_knowledge().lesson("dork", "GREY")])
    assert run.read_knowledge().lexicon.row("dork")


def test_the_command(run: Run) -> None:
    sound = RUNNER.invoke(app, ["doctor", str(run.path), "--json"])
    assert sound.exit_code == 0
    assert {file["state"] for file in json.loads(sound.output)["files"]} == {SOUND}
    flip(run.path / "lexicon.json", 8 * 300)
    damaged = RUNNER.invoke(app, ["doctor", str(run.path)])
    assert damaged.exit_code == 1
    assert "lexicon.json: damaged. --mend makes it again" in damaged.output
    assert RUNNER.invoke(app, ["doctor", str(run.path), "--mend"]).exit_code == 0
    assert RUNNER.invoke(app, ["doctor", str(run.path)]).exit_code == 0


def test_zeros_are_no_seal(run: Run) -> None:
    path = run.path / "lexicon.json"
    path.write_text(path.read_text().replace(json.loads(path.read_text())["seal"], ZEROS))
    assert states(run)["lexicon.json"] == DAMAGED


def test_a_folder_that_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(FewlexError, match="not a run folder"):
        examine(tmp_path)
