"""The command line, as a user types it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

SMALL = ["--set", "model.hidden=32", "--set", "model.embedding=32"]


def fewlex(
    *arguments: str | Path, stdin: str = "", check: bool = True, **environment: str
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "fewlex", *map(str, arguments)],
        input=stdin,
        text=True,
        capture_output=True,
        env={**os.environ, "OMP_NUM_THREADS": "1", **environment},
    )
    assert not check or done.returncode == 0, done.stderr
    return done


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "colors"
    fewlex("train", "colors", "--preset", "fast", "--out", folder, "--seed", "0", "--threads", "1")
    return folder


def test_help_teaches() -> None:
    text = fewlex("--help").stdout
    for verb in ("demo", "data", "lexicon", "train", "translate", "score", "evaluate"):
        assert verb in text
    assert "--n-best" in fewlex("translate", "--help", COLUMNS="100").stdout


def start_endless_training(out: Path) -> subprocess.Popen[str]:
    arguments = ["train", "colors", "--preset", "fast", "--out", str(out), "--threads", "1", *SMALL]
    training = subprocess.Popen(
        [sys.executable, "-m", "fewlex", *arguments, "--set", "training.epochs=1000000"],
        stderr=subprocess.PIPE,
        text=True,
        # A shell starts what is in the background deaf to Ctrl-C, and these tests may be.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert training.stderr is not None
    return training


def test_an_interrupted_training_saves_and_says_where_it_goes_on(tmp_path: Path) -> None:
    """It used to say that it goes on, and began at epoch 1."""
    first = start_endless_training(tmp_path / "run")
    assert first.stderr is not None
    assert "%" in first.stderr.readline(), "it is under way"
    first.send_signal(signal.SIGINT)
    _, told = first.communicate(timeout=60)
    assert first.returncode == 130
    stopped = re.search(r"interrupted in epoch (\d+)\. The run goes on where it stopped", told)
    assert stopped, told
    again = start_endless_training(tmp_path / "run")
    assert again.stderr is not None
    line = again.stderr.readline()
    again.send_signal(signal.SIGTERM)
    _, told = again.communicate(timeout=60)
    goes_on = re.search(r"goes on at epoch (\d+)", line)
    assert goes_on, line
    assert int(goes_on[1]) == int(stopped[1])
    assert again.returncode in (143, -signal.SIGTERM), "the signal may come before the first update"


def test_version() -> None:
    import fewlex as package

    assert fewlex("--version").stdout.strip() == package.__version__


def test_data_list_show_export(tmp_path: Path) -> None:
    assert "scan:jump" in fewlex("data", "list").stdout
    assert any("scan:jump" in row["names"] for row in json.loads(fewlex("data", "list", "--json").stdout))
    assert "zup" in fewlex("data", "show", "colors").stdout
    shown = json.loads(fewlex("data", "show", "colors", "--split", "test", "--json").stdout)
    assert shown["splits"] == {"train": 14, "test": 10}
    assert fewlex("data", "export", "colors").stdout.splitlines()[0] == "dax\tRED"
    fewlex("data", "export", "colors", "--out", tmp_path / "colors.jsonl")
    again = json.loads(fewlex("data", "show", tmp_path / "colors.jsonl", "--json").stdout)
    assert again["splits"] == {"train": 14}


def test_lexicon_learn_show_plot_diff(tmp_path: Path) -> None:
    simple, pmi = tmp_path / "simple.json", tmp_path / "pmi.tsv"
    fewlex("lexicon", "learn", "colors", "--out", simple)
    fewlex("lexicon", "learn", "colors", "--method", "pmi", "--out", pmi)
    assert json.loads(fewlex("lexicon", "show", simple, "--json").stdout) == {
        "dax": {"RED": 6.0},
        "lug": {"BLUE": 9.0},
        "wif": {"GREEN": 8.0},
        "zup": {"YELLOW": 1.0},
    }
    assert "YELLOW" in fewlex("lexicon", "show", simple).stdout
    fewlex("lexicon", "plot", simple, "--out", tmp_path / "plot.png")
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")
    assert fewlex("lexicon", "diff", simple, simple).stdout == ""
    different = fewlex("lexicon", "diff", simple, pmi, check=False)
    assert different.returncode == 1
    assert "+ fep\tBLUE" in different.stdout
    strict = fewlex("lexicon", "learn", "colors", "--set", "rule=C1").stdout
    assert "zup" in strict


def test_train_then_translate(run: Path) -> None:
    sentences = "zup fep\nzup kiki dax\n"
    assert fewlex("translate", run, stdin=sentences).stdout == "YELLOW YELLOW YELLOW\nRED YELLOW\n"
    lines = fewlex("translate", run, "--n-best", "3", stdin=sentences).stdout.splitlines()
    assert len(lines) == 6
    score, text = lines[0].split("\t")
    assert text == "YELLOW YELLOW YELLOW"
    assert float(score) <= 0
    (first, _) = [
        json.loads(line) for line in fewlex("translate", run, "--json", stdin=sentences).stdout.splitlines()
    ]
    output = first["outputs"][0]
    assert output["tokens"] == ["YELLOW", "YELLOW", "YELLOW"]
    assert len(output["attention"]) == len(output["write_gate"]) == 3
    assert all(len(row) == 2 for row in output["attention"])
    assert output["log_prob"] <= 0


def test_an_empty_line_gives_an_empty_line(run: Path) -> None:
    assert fewlex("translate", run, stdin="zup\n\nzup\n").stdout == "YELLOW\n\nYELLOW\n"
    assert fewlex("translate", run, stdin="").stdout == ""


def test_unknown_words_are_told_once_and_marked(run: Path) -> None:
    done = fewlex("translate", run, "--json", stdin="zup blork\ndax\nblork fnord\n")
    first, second, third = (json.loads(line)["outputs"][0] for line in done.stdout.splitlines())
    assert (first["unknown"], second["unknown"], third["unknown"]) == (["blork"], [], ["blork", "fnord"])
    assert done.stderr.count("warning") == 1
    assert "2 words are" in done.stderr
    assert "blork (2), fnord (1)" in done.stderr
    assert "warning" not in fewlex("translate", run, stdin="zup fep\n").stderr


def test_evaluate_and_score(run: Path, tmp_path: Path) -> None:
    report = json.loads(fewlex("evaluate", run, "colors", "--split", "test", "--json").stdout)
    assert report["exact_match"] >= 0.8
    assert report["examples"] == 10
    assert "exact match" in fewlex("evaluate", run, "colors").stdout
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("zup fep\tYELLOW YELLOW YELLOW\nzup fep\tRED\nzup\tPURPLE\n")
    likely, unlikely, impossible = map(float, fewlex("score", run, pairs).stdout.split())
    assert likely > unlikely > impossible == float("-inf")
    rows = [json.loads(line) for line in fewlex("score", run, pairs, "--json").stdout.splitlines()]
    assert rows[2]["log_prob"] is None
    assert len(rows[0]["token_log_probs"]) == 4


def test_demo(tmp_path: Path) -> None:
    done = fewlex("demo", "--out", tmp_path)
    assert "zup blicket lug" in done.stdout
    assert (tmp_path / "colors-seed0" / "lexicon.png").exists()


def test_own_data_with_tokenizers(tmp_path: Path) -> None:
    data = tmp_path / "mine.tsv"
    data.write_text(
        "Hello, world!\t你好, 世界!\nHello!\t你好!\nGood morning, world.\t早上好, 世界.\n" * 4,
        encoding="utf-8",
    )
    run = tmp_path / "run"
    tokenizers = ["--set", "data.source_tokenizer=moses", "--set", "data.target_tokenizer=jieba"]
    fewlex(
        "train",
        data,
        "--preset",
        "fast",
        "--out",
        run,
        *tokenizers,
        *SMALL,
        "--set",
        "training.epochs=150",
        "--set",
        "data.validation_share=0.1",
    )
    assert fewlex("translate", run, stdin="Hello, world!\n").stdout == "你好,世界!\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["train", "colours", "--out", "{tmp}/x"], "Did you mean 'colors'?"),
        (["train", "scan", "--out", "{tmp}/x"], "scan:jump"),
        (["train", "colors", "--out", "{tmp}/x", "--set", "model.hiden=3"], "Did you mean 'hidden'?"),
        (["train", "{tmp}/missing.tsv", "--out", "{tmp}/x"], "missing.tsv"),
        (["translate", "{tmp}/nothing"], "no such run folder"),
        (["lexicon", "learn", "colors", "--method", "smple"], "Did you mean 'simple'?"),
        (["lexicon", "learn", "colors", "--set", "epsilon=3"], "epsilon"),
        (["lexicon", "show", "{tmp}/missing.json"], "missing.json"),
        (["data", "show", "colors", "--split", "tset"], "Did you mean 'test'?"),
    ],
)
def test_a_mistake_is_told_in_one_line_without_a_traceback(
    tmp_path: Path, arguments: list[str], message: str
) -> None:
    done = fewlex(*[argument.format(tmp=tmp_path) for argument in arguments], check=False)
    assert done.returncode == 1
    assert message in done.stderr
    assert done.stderr.startswith("error: ")
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_cogs_without_data_names_both_ways(tmp_path: Path) -> None:
    done = fewlex(
        "data", "show", "cogs", check=False,
        FEWLEX_DATA="", FEWLEX_CACHE=str(tmp_path), FEWLEX_MIRROR="http://127.0.0.1:9",
    )  # fmt: skip
    assert done.returncode == 1
    assert "FEWLEX_DATA" in done.stderr


def test_a_closed_pipe_is_no_error(run: Path) -> None:
    command = f"yes zup | head -n 9000 | {sys.executable} -m fewlex translate {run} | head -n 1"
    done = subprocess.run(["bash", "-c", command], text=True, capture_output=True)
    assert done.stdout == "YELLOW\n"
    assert "Traceback" not in done.stderr
