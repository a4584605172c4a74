"""What `fewlex data check` sees, on pairs whose oddities are known."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from fewlex.cli import app
from fewlex.data import Corpus, Example, load
from fewlex.data.scripts import cut_as_it_needs, guess_sides
from fewlex.survey import look_at, survey_text

PAIRS = "jump\tJUMP\nrun\tRUN\njump twice\tJUMP JUMP\nrun twice\tRUN RUN\nlook\tLOOK\n"


def corpus(text: str, tmp_path: Path, name: str = "mine.tsv") -> Corpus:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return load(path)


def test_counts_by_hand(tmp_path: Path) -> None:
    survey = look_at(corpus(PAIRS + "run\tRUN\nrun\tWALK\n", tmp_path))
    assert survey.splits == {"train": 7}
    assert (survey.source.shortest, survey.source.median, survey.source.longest) == (1, 1, 2)
    assert (survey.source.words, survey.source.example_once) == (4, ("look",))
    assert survey.duplicates == 1
    (one,) = survey.contradictions
    assert (one.source, one.targets) == ("run", ("RUN", "WALK"))
    assert survey.highest_exact_match == 6 / 7
    assert survey.coverage.words == 4
    assert survey.coverage.once == 1
    assert any("cannot be higher than 85.7%" in sentence for sentence in survey.expectations)


def test_a_header_that_was_read_as_a_pair_is_suspected(tmp_path: Path) -> None:
    assert look_at(corpus("English\tActions\n" + PAIRS, tmp_path)).may_have_header
    assert not look_at(corpus(PAIRS, tmp_path)).may_have_header
    recognised = look_at(corpus("source\ttarget\n" + PAIRS, tmp_path))
    assert not recognised.may_have_header
    assert "header" in recognised.notes[0]


def test_the_command_to_run_next_has_the_tokenizers_that_nothing_else_would_choose(tmp_path: Path) -> None:
    raw = corpus("Go there now.\t你能跳绳吗？\n", tmp_path)
    path = tmp_path / "mine.tsv"
    survey = look_at(cut_as_it_needs(raw), "train", guess_sides(raw))
    assert survey.command == f"fewlex train {path} --out runs/mine"
    assert "without blanks between words, so they are cut by `jieba`" in survey_text(survey)
    asked = load(path, "moses", "characters")
    assert look_at(asked, "train", guess_sides(asked)).command == (
        f"fewlex train {path} --out runs/mine --source-tokenizer moses --target-tokenizer characters"
    )


def test_data_are_checked_as_they_would_be_trained_on(tmp_path: Path) -> None:
    """With punctuation glued to the words, no rule would be found."""
    lines = [
        f"put the {a} on the {b}.\tput({a}, {b});\n" for a in ["cup", "pen", "box"] for b in ("bed", "sofa")
    ]
    path = tmp_path / "mine.tsv"
    path.write_text("".join(lines))
    told = CliRunner().invoke(app, ["data", "check", str(path)]).stdout
    assert "cut by `marks`, as `fewlex train` does" in told
    assert "rules explain 100% of the pairs" in told


def test_pairs_of_other_splits_that_are_training_pairs() -> None:
    pair = Example(("a",), ("A",))
    assert look_at(Corpus("own", {"train": (pair,), "test": (pair, pair)})).in_other_splits == 2


def test_the_command(tmp_path: Path) -> None:
    path = tmp_path / "mine.tsv"
    path.write_text(PAIRS)
    done = CliRunner().invoke(app, ["data", "check", str(path)])
    assert done.exit_code == 0, done.output
    assert "next        fewlex train" in done.stdout
    told = json.loads(CliRunner().invoke(app, ["data", "check", str(path), "--json"]).stdout)
    assert told["suspicions"] == []
    assert told["survey"]["target"]["longest"] == 2
