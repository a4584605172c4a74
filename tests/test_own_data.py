"""What somebody meets who comes with data of their own, as they would type it. The run is of rules, so it is quick."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from fewlex.cli import app
from fewlex.data import load, write_tsv
from fewlex.errors import FewlexError

Fewlex = Callable[..., tuple[str, str]]


@pytest.fixture
def fewlex() -> Fewlex:
    def call(*arguments: str | Path, stdin: str = "", code: int = 0) -> tuple[str, str]:
        done = CliRunner().invoke(app, [*map(str, arguments)], input=stdin)
        if isinstance(done.exception, FewlexError):
            raise done.exception
        assert done.exit_code == code, (done.output, done.exception)
        return done.stdout, done.stderr

    return call


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Colors as files, and a run of rules that was trained on it."""
    folder = tmp_path_factory.mktemp("own")
    for split in ("train", "test"):
        with (folder / f"{split}.tsv").open("w") as file:
            write_tsv(load("colors")[split], file)
    done = CliRunner().invoke(
        app, ["train", str(folder / "train.tsv"), "--preset", "rules", "--out", str(folder / "run")]
    )
    assert done.exit_code == 0, done.output
    return folder


def answer_one_line(run: Path) -> tuple[str, str, int]:
    """Ask one line of a process that stays open, then close it."""
    process = subprocess.Popen(
        [sys.executable, "-m", "fewlex", "translate", str(run)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    watchdog = threading.Timer(60, process.kill)  # a process that waits for more would wait for ever
    watchdog.start()
    answers = []
    for line in ("zup fep", "dax"):
        process.stdin.write(f"{line}\n")
        process.stdin.flush()
        answers.append(process.stdout.readline())
    process.stdin.close()
    process.stdout.close()
    watchdog.cancel()
    return answers[0], answers[1], process.wait(timeout=60)


def test_translate_is_a_coprocess(folder: Path) -> None:
    """One line in, one line out, while the input stays open."""
    assert answer_one_line(folder / "run") == ("YELLOW YELLOW YELLOW\n", "RED\n", 0)


def run_translate(run: Path, stdin: bytes | None) -> subprocess.CompletedProcess[bytes]:
    close = (lambda: os.close(0)) if stdin is None else None
    return subprocess.run(
        [sys.executable, "-m", "fewlex", "translate", str(run)],
        input=stdin,
        capture_output=True,
        preexec_fn=close,
    )


def test_a_bad_byte_costs_no_line_before_it(folder: Path) -> None:
    done = run_translate(folder / "run", b"\xef\xbb\xbfdax\r\nlug\nz\xffp\nwif\n")
    assert done.stdout == b"RED\nBLUE\n"
    assert b"<stdin>:3: byte 2 of the line is not UTF-8" in done.stderr
    assert done.returncode == 1


def test_closed_standard_input(folder: Path) -> None:
    done = run_translate(folder / "run", None)
    assert done.returncode == 1
    assert b"standard input is closed" in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_single_file_is_called_by_its_name(fewlex: Fewlex, folder: Path) -> None:
    told = json.loads(fewlex("evaluate", folder / "run", folder / "test.tsv", "--json")[0])
    assert told["split"] == "test"
    assert told["exact_match"] == 1
    assert ", test: 10 examples" in fewlex("evaluate", folder / "run", folder / "test.tsv")[0]


def test_text_and_json_have_one_scale(fewlex: Fewlex, folder: Path) -> None:
    told = json.loads(fewlex("evaluate", folder / "run", folder / "test.tsv", "--json")[0])
    text = fewlex("evaluate", folder / "run", folder / "test.tsv")[0]
    assert f"BLEU         {told['bleu']:.4f}  (references: the targets that these examples" in text


def test_bleu_is_one_number(fewlex: Fewlex, folder: Path, tmp_path: Path) -> None:
    """A corpus with other references gave the command line more than Python got."""
    from fewlex.evaluation import evaluate
    from fewlex.translator import Translator

    data = tmp_path / "data"
    data.mkdir()
    (data / "train.tsv").write_text("zup fep kiki dax\tRED YELLOW YELLOW YELLOW\n")
    (data / "test.tsv").write_text("zup fep kiki dax\tRED RED RED YELLOW YELLOW\n")
    told = json.loads(fewlex("evaluate", folder / "run", data, "--json")[0])
    translator = Translator.load(folder / "run")
    scores = evaluate(translator, translator.load_data(str(data))["test"])
    assert told["bleu"] == scores.bleu < 1
    more = json.loads(fewlex("evaluate", folder / "run", data, "--references", "corpus", "--json")[0])
    assert more["bleu"] == 1
    assert more["references"] == "corpus"
    assert "all splits" in fewlex("evaluate", folder / "run", data, "--references", "corpus")[0]


def test_tokenizers_of_the_other_commands(fewlex: Fewlex, tmp_path: Path) -> None:
    raw = tmp_path / "raw.tsv"
    raw.write_text("jump rope\t你能跳绳吗？\nI do not know\t我不知道你在说什么。\n", encoding="utf-8")
    for command in (("lexicon", "learn"), ("data", "show"), ("augment",), ("align",)):
        _, told = fewlex(*command, raw)
        assert "--target-tokenizer jieba" in told, command
        _, told = fewlex(*command, raw, "--target-tokenizer", "jieba")
        assert "warning" not in told, command
    assert "跳绳" in fewlex("data", "show", raw, "--target-tokenizer", "jieba")[0].split()


def test_a_header_is_no_example(fewlex: Fewlex, tmp_path: Path) -> None:
    table = tmp_path / "a.csv"
    table.write_text("input,output\ndax,RED\n")
    shown, told = fewlex("data", "show", table, "--json")
    assert json.loads(shown)["splits"] == {"train": 1}
    assert "a.csv:1: this line is a header" in told


def test_settings_at_translation(fewlex: Fewlex, folder: Path) -> None:
    run = folder / "run"
    assert fewlex("translate", run, "--set", "decoding.beam=2", stdin="zup\n")[0] == "YELLOW\n"
    with pytest.raises(
        FewlexError, match=r"model\.hidden cannot change after training\. These can: decoding\.beam"
    ):
        fewlex("translate", run, "--set", "model.hidden=3", stdin="zup\n")
    strict = json.loads(fewlex("evaluate", run, "colors", "--set", "rules.precision=1", "--json")[0])
    assert strict["exact_match"] == 1, "rules that are alone answer even where they are not sure"


def test_config_lists_and_shows(fewlex: Fewlex) -> None:
    listed = json.loads(fewlex("config", "list", "--json")[0])
    assert "fast" in listed["presets"]
    assert all(setting["explanation"] for setting in listed["settings"])
    found = fewlex("config", "list", "greedy search")[0]
    assert "decoding.beam = 1" in found
    assert "decoding.beam = 1" in fewlex("config")[0]
    assert "model.hidden" not in found
    assert "epochs = 300" in fewlex("config", "show", "fast", "colors")[0]
    with pytest.raises(FewlexError, match="nothing is about 'blork'"):
        fewlex("config", "list", "blork")


def test_train_names_the_presets(fewlex: Fewlex) -> None:
    told, _ = fewlex("train", "--help")
    assert "syntactic_attention" in " ".join(told.replace("│", " ").split())
