"""Teaching on the command line, with a run folder made by hand: nothing here needs a network."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from fewlex.cli import main
from fewlex.config_layers import build_config, to_toml
from fewlex.lexicon import Entry, Lexicon

LINES = [("dax", "RED", Entry(6.0, "simple", 1.0)), ("lug", "BLUE", Entry(9.0, "simple", 1.0))]


class Done(NamedTuple):
    code: int
    out: str
    err: str


Fewlex = Callable[..., Done]


def make_run(folder: Path, *settings: str) -> Path:
    folder.mkdir()
    config = build_config("fast", "colors", settings=settings)
    (folder / "config.toml").write_text(to_toml(config), encoding="utf-8")
    vocabularies = {"source_vocab": ["dax", "lug", "fep", "ten"], "target_vocab": ["RED", "BLUE", "YELLOW"]}
    others = {"format": 1, "longest_target": 3, "familiarity": {}}
    (folder / "knowledge.json").write_text(json.dumps(others | vocabularies))
    Lexicon(LINES, {"method": "simple"}).save(folder / "lexicon.json")
    return folder


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return make_run(tmp_path / "run")


@pytest.fixture
def fewlex(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Fewlex:
    def call(*arguments: str | Path, stdin: str = "", is_terminal: bool = False) -> Done:
        stream = io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")
        monkeypatch.setattr(stream, "isatty", lambda: is_terminal)
        monkeypatch.setattr(sys, "stdin", stream)
        monkeypatch.setattr(sys, "argv", ["fewlex", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        return Done(int(ended.value.code or 0), *capsys.readouterr())

    return call


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Makes an $EDITOR of some Python code in which `table` is the path of the table."""

    def make(code: str) -> None:
        script = tmp_path / "my editor.py"
        script.write_text(f"import sys, pathlib\ntable = pathlib.Path(sys.argv[1])\n{code}\n")
        monkeypatch.delenv("VISUAL", raising=False)
        monkeypatch.setenv("EDITOR", f"{sys.executable} '{script}'")
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    return make


def rows(run: Path) -> dict[str, list[str]]:
    lexicon = Lexicon.load(run / "lexicon.json")
    return {source: list(lexicon.row(source)) for source in lexicon.sources}


def contents(run: Path) -> dict[str, bytes]:
    """The files of a run, but for the lock, which says who edited last."""
    return {path.name: path.read_bytes() for path in run.iterdir() if path.name != "edits.lock"}


def test_teach_forget_undo(fewlex: Fewlex, run: Path) -> None:
    before = contents(run)
    done = fewlex("teach", run, "zup", "YELLOW")
    assert done == (0, "", "taught: zup ↦ YELLOW (before: nothing)\n")
    assert Lexicon.load(run / "lexicon.json").row("zup") == {"YELLOW": Entry(1.0)}
    assert "RED" in fewlex("teach", run, "dax", "CRIMSON").err
    assert fewlex("forget", run, "lug", "BLUE").err == "forgotten: lug ↦ nothing (before: BLUE)\n"
    assert rows(run) == {"dax": ["CRIMSON"], "zup": ["YELLOW"]}
    assert "undone (forget, 20" in fewlex("lexicon", "undo", run).err
    assert fewlex("lexicon", "undo", run).err.endswith("): dax ↦ RED (before: CRIMSON)\n")
    fewlex("lexicon", "undo", run)
    kept = contents(run)
    assert {name: kept[name] for name in before} == before
    assert kept["edits.jsonl"] == b""
    assert set(kept) - set(before) == {"edits.jsonl", "edits.undone.jsonl", "lexicon.learned.json"}
    nothing = fewlex("lexicon", "undo", run)
    assert nothing.code == 1
    assert "no edit to undo" in nothing.err


def test_teaching_what_is_known_changes_nothing(fewlex: Fewlex, run: Path) -> None:
    fewlex("teach", run, "zup", "YELLOW")
    assert fewlex("teach", run, "zup", "YELLOW").err == "unchanged: the lexicon says so already\n"


def test_teach_like(fewlex: Fewlex, run: Path) -> None:
    fewlex("teach", run, "zup", "YELLOW", "--like", "dax")
    assert Lexicon.load(run / "lexicon.json").row("zup") == {"YELLOW": Entry(1.0, like="dax")}
    unknown = fewlex("teach", run, "blork", "BLACK", "--like", "zup")
    assert unknown.code == 1
    assert "like 'zup': the run was not trained with this word" in unknown.err
    assert "blork" not in rows(run)


def test_terms_are_tokenized_as_the_text_is(fewlex: Fewlex, tmp_path: Path) -> None:
    run = make_run(tmp_path / "moses", "data.source_tokenizer=moses", "data.target_tokenizer=moses")
    fewlex("teach", run, "ten-minute", "(T)")
    assert rows(run)["ten @-@ minute"] == ["( T )"]
    assert fewlex("forget", run, "ten @-@ minute", "(T)").code == 0
    assert "ten @-@ minute" not in rows(run)


def test_teach_a_file(fewlex: Fewlex, run: Path, tmp_path: Path) -> None:
    terms = tmp_path / "terms.tsv"
    terms.write_text("source\ttarget\tlike\n" + "".join(f"new{i}\tNEW{i}\tdax\n" for i in range(7)))
    done = fewlex("teach", run, "--file", terms)
    assert "… and 2 more source words" in done.err
    assert Lexicon.load(run / "lexicon.json").row("new6") == {"NEW6": Entry(1.0, like="dax")}
    fewlex("lexicon", "undo", run)
    assert rows(run) == {"dax": ["RED"], "lug": ["BLUE"]}


def test_teach_from_standard_input(fewlex: Fewlex, run: Path) -> None:
    fewlex("teach", run, "--file", "-", stdin="zup\tYELLOW\nNew York\t纽约\n")
    assert rows(run) == {"dax": ["RED"], "lug": ["BLUE"], "zup": ["YELLOW"], "New York": ["纽约"]}


EXAMPLE = ("--example", "zup fep", "YELLOW YELLOW YELLOW")


def test_teach_an_example(fewlex: Fewlex, run: Path) -> None:
    done = fewlex("teach", run, *EXAMPLE, "--yes")
    assert done.err.startswith("the example says: zup ↦ YELLOW\ntaught: zup ↦ YELLOW")
    assert rows(run)["zup"] == ["YELLOW"]


@pytest.mark.parametrize(("answer", "is_taught"), [("y\n", True), ("\n", True), ("n\n", False)])
def test_an_example_is_confirmed(fewlex: Fewlex, run: Path, answer: str, is_taught: bool) -> None:
    done = fewlex("teach", run, *EXAMPLE, stdin=answer, is_terminal=True)
    assert "zup ↦ YELLOW" in done.err
    assert ("zup" in rows(run)) is is_taught
    assert done.code == (0 if is_taught else 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["zup", ""], "no token in ''"),
        (["  ", "YELLOW"], "no token in '  '"),
        (["zup", "<unk>"], "fewlex's own"),
        (["--file", "{tmp}/conflict.tsv"], "conflict.tsv:2: 'zup' is 'PINK' here and 'YELLOW' in line 1"),
        (["--file", "{tmp}/latin.tsv"], "latin.tsv:1: byte 4 of the line is not UTF-8"),
        (["--file", "{tmp}/rows.tsv"], "'zup' is taught twice"),
        (["--file", "{tmp}/missing.tsv"], "no such file"),
        (EXAMPLE, "Give --yes"),
        (["--example", "zup blork", "YELLOW", "--yes"], "zup, blork"),
        (["--example", "dax lug", "RED", "--yes"], "has a translation already"),
    ],
)
def test_a_mistake_leaves_the_run_untouched(
    fewlex: Fewlex, run: Path, tmp_path: Path, arguments: list[str], message: str
) -> None:
    (tmp_path / "conflict.tsv").write_text("zup\tYELLOW\nzup\tPINK\n")
    (tmp_path / "latin.tsv").write_bytes(b"zup\xe9\tYELLOW\n")
    (tmp_path / "rows.tsv").write_text("source\ttarget\tweight\nzup\tYELLOW\t2\nzup\tPINK\t1\n")
    before = contents(run)
    done = fewlex("teach", run, *[argument.format(tmp=tmp_path) for argument in arguments])
    assert done.code == 1
    assert message in done.err
    assert done.out == ""
    assert contents(run) == before


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["zup"],
        ["zup", "YELLOW", "--file", "terms.tsv"],
        ["zup", *EXAMPLE],
        ["--file", "terms.tsv", "--like", "dax"],
    ],
)
def test_ways_to_teach_exclude_each_other(fewlex: Fewlex, run: Path, arguments: list[str]) -> None:
    before = contents(run)
    done = fewlex("teach", run, *arguments)
    assert done.code == 2
    assert "--file" in done.err
    assert contents(run) == before


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        (["fast_mapping.probability=0"], "not trained to use new words"),
        (["fast_mapping.probability=0", "model.output=copy"], "does not look at the lexicon"),
    ],
)
def test_a_network_that_cannot_use_new_words(
    fewlex: Fewlex, tmp_path: Path, setting: list[str], message: str
) -> None:
    run = make_run(tmp_path / "other", *setting)
    done = fewlex("teach", run, "zup", "YELLOW")
    assert message in done.err
    assert rows(run)["zup"] == ["YELLOW"]


@pytest.mark.parametrize(
    ("word", "message"), [("zup", "no entry for 'zup'"), ("dax", "does not mean 'PINK'")]
)
def test_forgetting_what_is_not_there(fewlex: Fewlex, run: Path, word: str, message: str) -> None:
    done = fewlex("forget", run, word, "PINK")
    assert done.code == 1
    assert message in done.err


@pytest.mark.parametrize(
    "command",
    [
        ["teach", "{run}", "a", "b"],
        ["forget", "{run}", "a"],
        ["lexicon", "edit", "{run}"],
        ["lexicon", "undo", "{run}"],
        ["lexicon", "export", "{run}"],
        ["lexicon", "import", "{run}", "lexicon.json"],
    ],
)
def test_a_folder_that_is_no_run(fewlex: Fewlex, tmp_path: Path, command: list[str]) -> None:
    done = fewlex(*[part.format(run=tmp_path / "nowhere") for part in command])
    assert done.code == 1
    assert "no such run folder" in done.err
    assert "fewlex train" in done.err


def test_damaged_knowledge(fewlex: Fewlex, run: Path) -> None:
    (run / "knowledge.json").write_text("{}")
    done = fewlex("teach", run, *EXAMPLE, "--yes")
    assert done.code == 1
    assert "knowledge.json: damaged ('source_vocab' is missing)" in done.err
    assert fewlex("teach", run, "zup", "YELLOW").code == 1, "a lesson is checked against what the run knows"


def test_export_and_import(fewlex: Fewlex, run: Path, tmp_path: Path) -> None:
    fewlex("teach", run, "zup", "YELLOW", "--like", "dax")
    table = fewlex("lexicon", "export", run).out
    assert table.splitlines()[0] == "source\ttarget\tweight\torigin\tdice\tlike"
    taught = Lexicon.load(run / "lexicon.json")
    for name in ("lexicon.tsv", "lexicon.json"):
        out = tmp_path / name
        assert "3 entries for 3 source words" in fewlex("lexicon", "export", run, "--out", out).err
        fewlex("lexicon", "undo", run)
        assert "zup" not in rows(run)
        assert fewlex("lexicon", "import", run, out).err == "imported: zup ↦ YELLOW (before: nothing)\n"
        assert Lexicon.load(run / "lexicon.json") == taught
    bad = tmp_path / "bad.tsv"
    bad.write_text("zup\tYELLOW\n")
    done = fewlex("lexicon", "import", run, bad)
    assert done.code == 1
    assert "bad.tsv:1: the header" in done.err
    assert Lexicon.load(run / "lexicon.json") == taught


def test_edit(fewlex: Fewlex, run: Path, editor: Callable[[str], None]) -> None:
    editor("table.write_text(table.read_text().replace('BLUE', 'NAVY') + 'zup\\tYELLOW\\t1\\n')")
    done = fewlex("lexicon", "edit", run)
    assert done.err == "edited: lug ↦ NAVY (before: BLUE)\nedited: zup ↦ YELLOW (before: nothing)\n"
    assert list(Lexicon.load(run / "lexicon.json")) == [
        LINES[0],
        ("lug", "NAVY", Entry(9.0)),
        ("zup", "YELLOW", Entry(1.0)),
    ]
    assert "undone (edit" in fewlex("lexicon", "undo", run).err


def test_an_unchanged_table(fewlex: Fewlex, run: Path, editor: Callable[[str], None], tmp_path: Path) -> None:
    before = contents(run)
    editor("")
    assert fewlex("lexicon", "edit", run).err.startswith("unchanged")
    assert contents(run) == before
    assert not list(tmp_path.glob("fewlex-*"))


def test_a_mistake_in_the_table_costs_neither_run_nor_text(
    fewlex: Fewlex, run: Path, editor: Callable[[str], None], tmp_path: Path
) -> None:
    before = contents(run)
    editor("table.write_text(table.read_text() + 'zup\\tYELLOW\\tmuch\\n')")
    done = fewlex("lexicon", "edit", run)
    assert done.code == 1
    assert "lexicon.tsv:4: 'zup' ↦ 'YELLOW' has a weight" in done.err
    assert contents(run) == before
    (kept,) = tmp_path.glob("fewlex-*/lexicon.tsv")
    assert f"fewlex lexicon edit {run} --resume {kept}" in done.err
    editor("table.write_text(table.read_text().replace('much', '1'))")
    assert fewlex("lexicon", "edit", run, "--resume", kept).code == 0
    assert list(Lexicon.load(run / "lexicon.json")) == [*LINES, ("zup", "YELLOW", Entry(1.0))]
    assert "cannot read" in fewlex("lexicon", "edit", run, "--resume", tmp_path / "nowhere.tsv").err


def test_an_editor_that_fails(
    fewlex: Fewlex, run: Path, editor: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(run)
    editor("sys.exit(3)")
    assert "ended with code 3" in fewlex("lexicon", "edit", run).err
    for command, message in (
        ("/no/such/editor", "does not start"),
        ("'", "does not start"),
        ("", "no editor"),
    ):
        monkeypatch.setenv("EDITOR", command)
        done = fewlex("lexicon", "edit", run)
        assert done.code == 1
        assert message in done.err
    assert contents(run) == before


@pytest.mark.parametrize(
    "command", ["teach", "forget", "lexicon edit", "lexicon undo", "lexicon import", "lexicon export"]
)
def test_help_teaches_by_example(fewlex: Fewlex, command: str) -> None:
    assert f"fewlex {command} runs/" in fewlex(*command.split(), "--help").out


def test_teaching_needs_no_torch(run: Path) -> None:
    code = (
        "import sys; from fewlex.cli import app\n"
        f"app(['teach', {str(run)!r}, 'zup', 'YELLOW'], standalone_mode=False)\n"
        "print(*{'torch', 'numpy', 'jieba'} & sys.modules.keys())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, env=os.environ
    )
    assert done.stdout.split() == []
    assert rows(run)["zup"] == ["YELLOW"]
