"""The recipe: what is decided about data that nobody has seen, from what, and that it says so."""

from __future__ import annotations

import random
from pathlib import Path

import assistant
import glosses
import pytest
from sampling import Language, draw
from typer.testing import CliRunner

import fewlex
from fewlex.advice import is_unfinished
from fewlex.cli import app
from fewlex.data import Corpus, Example
from fewlex.data.own import corpus_of
from fewlex.processor import multiplies_bfloat16
from fewlex.recipe import FEW_PAIRS, choose, plan
from fewlex.rules import learn_rules
from fewlex.rules.trial import Trial, try_rules
from fewlex.traits import traits_of


def corpus(language: Language, pairs: int) -> Corpus:
    return corpus_of(draw(language, pairs, tests=1).train)


@pytest.fixture
def no_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules take seconds to learn, and not every decision depends on them."""
    monkeypatch.setattr("fewlex.recipe._rules", lambda corpus, seen: (None, Trial()))


def test_rules_that_pass_their_trial_answer_alone() -> None:
    recipe = choose(corpus(assistant.LANGUAGE, 200))
    assert recipe.settings["rules"] == {"learn": True, "alone": True, "precision": 0.95}
    assert recipe.settings["data"]["validation_share"] == 0
    assert recipe.rules is not None
    assert "they answer alone, so no network is trained" in recipe.reasons[1]


def test_rules_that_fail_their_trial_leave_the_answers_to_a_network() -> None:
    recipe = choose(corpus(glosses.LANGUAGE, 70))
    assert not recipe.settings["rules"]["alone"]
    assert recipe.rules is None or recipe.rules.calibration.n_checked > 0, (
        "rules speak only where they were checked"
    )
    assert recipe.settings["training"]["batch_examples"] == 16
    assert recipe.settings["training"]["stop_on"] == "loss"
    assert len(recipe.reasons) == 5


def test_a_trial_asks_for_combinations_that_the_rules_have_not_seen() -> None:
    """`a b` means B A but for one combination, which no rule foretells: learned by heart, it fails when it is new."""
    words = [f"w{i}" for i in range(9)]
    pairs = [Example.of(f"{one} {two}", f"{one.upper()} {two.upper()}") for one in words for two in words]
    trial = try_rules(pairs, learn_rules)
    assert trial.answered > 50
    assert trial.right == trial.answered
    odd = [Example.of(" ".join(e.source), "X Y") if i % 5 == 0 else e for i, e in enumerate(pairs)]
    assert try_rules(odd, learn_rules).precision < 0.95


def test_few_pairs_need_no_network_if_rules_derive_them_all() -> None:
    assert choose(fewlex.load("colors")).settings["rules"]["alone"]


@pytest.mark.usefixtures("no_rules")
def test_few_pairs_are_all_learned_from() -> None:
    settings = choose(corpus(glosses.LANGUAGE, FEW_PAIRS - 1)).settings
    assert settings["data"]["validation_share"] == 0
    assert "stop_on" not in settings["training"]


@pytest.mark.usefixtures("no_rules")
def test_more_pairs_are_trained_longer_in_larger_batches() -> None:
    few, many = (choose(corpus(glosses.LANGUAGE, n)).settings["training"] for n in (80, 500))
    assert few["updates"] < many["updates"]
    assert few["batch_examples"] < many["batch_examples"]


def test_no_data_set_is_known_by_name() -> None:
    folder = Path(fewlex.__file__).parent
    for name in ("recipe.py", "traits.py", "presets/auto.toml", "rules/trial.py"):
        text = (folder / name).read_text(encoding="utf-8").lower()
        assert not any(known in text for known in ("colors", "scan", "cogs", "cmn")), name


def test_natural_language_is_told_from_made_up_ones() -> None:
    rng = random.Random(0)
    letters = str.maketrans("0123456789", "abcdefghij")
    texts = [
        " ".join(str(int(rng.paretovariate(0.4))).translate(letters) for _ in range(6)) for _ in range(300)
    ]
    seen = traits_of([Example.of(text, text) for text in texts])
    assert seen.is_text
    assert not traits_of(corpus(glosses.LANGUAGE, 200)["train"]).is_text
    settings = choose(corpus_of(list(zip(texts, texts, strict=True)))).settings
    assert settings["decoding"]["beam"] == 5
    assert settings["fast_mapping"]["policy"] == "rare"
    assert not settings["rules"]["learn"]
    assert settings["training"]["equal_sources"]


@pytest.mark.parametrize(
    ("info", "found"),
    [
        ("model name : X\nflags : fpu avx2 avx512_bf16\n", True),
        ("Features : fp asimd bf16\n", True),
        ("flags : fpu avx2 avx512f\n", False),
        ("", False),
    ],
)
def test_bfloat16_is_for_processors_that_have_it(
    info: str, found: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cpuinfo").write_text(info)
    monkeypatch.setattr("fewlex.processor.INFO", tmp_path / "cpuinfo")
    assert multiplies_bfloat16.__wrapped__() is found


def test_a_notation_is_found_by_trying() -> None:
    form = (
        "cat ( x _ 1 ) AND see . agent ( x _ 2 , x _ 1 ) AND see . theme ( x _ 2 , x _ 4 ) AND dog ( x _ 4 )"
    )
    assert traits_of([Example.of("A cat saw a dog .", form)] * 3).notation in ("nested", "compact")
    assert traits_of([Example.of("see it", "see ( it )")] * 3).notation == ""


@pytest.mark.usefixtures("no_rules")
def test_single_settings_are_laid_over_the_recipe() -> None:
    data = corpus(glosses.LANGUAGE, 80)
    assert plan(data, settings=["training.updates=7", "model.hidden=32"]).config.training.updates == 7
    assert plan(data, "auto+baseline").config.model.output == "write"
    assert plan(data, "fast").recipe is None


def test_validation_takes_no_word_from_training() -> None:
    data = corpus(glosses.LANGUAGE, 200).with_validation(0.1, 0, keeps_words=True)
    assert len(data["validation"]) == 20
    known = {word for example in data["train"] for word in (*example.source, *example.target)}
    assert all(known.issuperset((*e.source, *e.target)) for e in data["validation"])
    lonely = Corpus("own", {"train": tuple(Example.of(f"a{i}", f"b{i}") for i in range(50))})
    assert lonely.with_validation(0.1, 0, keeps_words=True)["validation"] == ()


def written(folder: Path, language: Language, pairs: int) -> Path:
    path = folder / "pairs.tsv"
    path.write_text(
        "".join(f"{source}\t{target}\n" for source, target in draw(language, pairs, tests=1).train)
    )
    return path


@pytest.mark.usefixtures("no_rules")
def test_a_dry_run_says_what_would_be_done_and_why(tmp_path: Path) -> None:
    data = written(tmp_path, glosses.LANGUAGE, 80)
    done = CliRunner().invoke(app, ["train", str(data), "--out", str(tmp_path / "run"), "--dry-run"])
    assert done.exit_code == 0
    lines = done.stderr.splitlines()
    assert [line.partition(":")[0] for line in lines] == ["data", "rules", "network", "words", "training"]
    assert not (tmp_path / "run").exists()


def test_training_says_what_to_do_next(tmp_path: Path) -> None:
    out = str(tmp_path / "run")
    done = CliRunner().invoke(app, ["train", "colors", "--out", out])
    assert "they answer alone" in done.stderr
    assert f"fewlex translate {out}" in done.stderr
    plain = CliRunner().invoke(
        app, ["train", "colors", "--out", f"{out}2", "--baseline", "--set", "training.updates=2"]
    )
    assert plain.exit_code == 0
    assert fewlex.Run.open(f"{out}2").read_config().model.output == "write"


def test_a_time_budget_is_used(tmp_path: Path) -> None:
    """It was a limit only: 300 epochs of Colors took two seconds of any budget."""
    out = str(tmp_path / "run")
    arguments = ["train", "colors", "--preset", "fast", "--out", out, "--time-budget", "1.5s"]
    assert CliRunner().invoke(app, [*arguments, "--set", "model.hidden=16"]).exit_code == 0
    result = fewlex.Run.open(out).read_json("result.json")
    assert result["stopped_by"] == "time"
    assert result["seconds"] >= 1.4
    rates = [row["learning_rate"] for row in _metrics(out)]
    config = fewlex.Run.open(out).read_config()
    assert config.training.epochs == config.training.updates == 0
    assert rates


def _metrics(out: str) -> list[dict[str, float]]:
    import json

    return [json.loads(line) for line in (Path(out) / "metrics.jsonl").read_text().splitlines()]


@pytest.mark.parametrize(
    ("losses", "unfinished"),
    [
        ([3.0, 2.0, 1.5, 1.2, 1.0, 0.8], True),
        ([3.0, 1.0, 0.5, 0.41, 0.4, 0.4], False),
        ([1.0, 0.1, 0.01, 0.005, 0.002, 0.001], False),
        ([1.0], False),
    ],
)
def test_a_run_whose_loss_was_still_falling_is_not_done(losses: list[float], unfinished: bool) -> None:
    assert is_unfinished([{"loss": loss} for loss in losses]) is unfinished


def test_nobody_is_warned_of_text_that_the_recipe_cuts(tmp_path: Path) -> None:
    path = tmp_path / "mine.tsv"
    path.write_text("go home\t你能跳绳吗？\nstay here\t我不知道你在说什么。\n" * 3, encoding="utf-8")
    told = CliRunner().invoke(app, ["train", str(path), "--out", str(tmp_path / "run"), "--dry-run"])
    assert "targets are cut by `jieba`" in told.stderr
    assert "whole phrases" not in told.stderr
    fixed = ["--preset", "fast", "--set", "data.validation_share=0", "--dry-run"]
    told = CliRunner().invoke(app, ["train", str(path), "--out", str(tmp_path / "run"), *fixed])
    assert "were read as whole phrases. Add --target-tokenizer jieba" in told.stderr
