"""Every command of docs/own_data.md runs, one after the other, on a small language that is made here."""

from __future__ import annotations

import re
import shlex
from itertools import product
from pathlib import Path

import pytest
from typer.testing import CliRunner

from fewlex.cli import app

PAGE = Path(__file__).parent.parent / "docs" / "own_data.md"
DEVICES = ("lamp", "oven", "radio", "heater", "fan", "printer")
RAW = "Can you jump rope?\t你能跳绳吗？\nI do not know.\t我不知道你在说什么。\nI know you.\t我知道你。\n"


def command(state: str, whose: str, device: str) -> tuple[str, str]:
    owner = " , owner = me" if whose == "my" else ""
    return f"turn {state} {whose} {device}", f"{state} ( device = dev.{device}{owner} )"


def write_files(folder: Path) -> None:
    """Pairs to learn from, pairs to test with, sentences, and raw Chinese."""
    simple = [command(*parts) for parts in product(("on", "off"), ("the", "my"), DEVICES)]
    double = [
        (f"{one[0]} and then {other[0]}", f"{one[1]} ; {other[1]}") for one, other in product(simple, simple)
    ]
    pairs = [*simple, *double[::11]]
    (folder / "mine.tsv").write_text("source\ttarget\n" + "".join(f"{s}\t{t}\n" for s, t in pairs))
    (folder / "test.tsv").write_text("".join(f"{s}\t{t}\n" for s, t in double[1::29]))
    (folder / "sentences.txt").write_text("turn on the oven\n\nturn off the toaster\n")
    (folder / "raw.tsv").write_text(RAW, encoding="utf-8")


def commands() -> list[str]:
    blocks = re.findall(r"```sh\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


def run(line: str) -> str:
    """One line of the page, with its pipe and its redirections; what it prints."""
    words = shlex.split(line, comments=True)
    stdin = ""
    if "|" in words:
        bar = words.index("|")
        stdin, words = " ".join(words[1:bar]) + "\n", words[bar + 1 :]
    if "<" in words:
        at = words.index("<")
        stdin, words = Path(words[at + 1]).read_text(encoding="utf-8"), words[:at] + words[at + 2 :]
    words = words[: words.index(">")] if ">" in words else words
    assert words[0] == "fewlex"
    if words[1] == "train":  # a run of rules takes seconds, and everything else is the same
        words += ["--preset", "rules"]
    done = CliRunner().invoke(app, words[1:], input=stdin)
    assert done.exit_code == 0, (line, done.output, done.exception)
    return done.output


def test_the_commands_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path)
    lines = commands()
    assert len(lines) > 12
    printed = {}
    for line in lines:
        if "runs/other" in line:
            run("fewlex train test.tsv --out runs/other")
        printed[line.partition("#")[0].strip()] = run(line)
    assert "next        fewlex train mine.tsv --out runs/mine" in printed["fewlex data check mine.tsv"]
    taught = "echo 'turn on the blender' | fewlex translate runs/mine"
    assert printed[taught] == "on ( device = dev.blender )\n"
    assert "toaster" in printed["fewlex translate runs/mine --json < sentences.txt > answers.jsonl"]
    assert (tmp_path / "errors.txt").exists()
