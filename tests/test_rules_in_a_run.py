"""Rules in a run: they are learned with it, answer before its network, are taught with it and say so."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from pathlib import Path

import pytest

import fewlex
from fewlex.confidence import Confidence
from fewlex.config import RulesConfig
from fewlex.data import Corpus, Example
from fewlex.errors import ConfigError, RunError
from fewlex.evaluation import evaluate
from fewlex.lexicon import Entry, Lexicon
from fewlex.rules import Calibration, RuleBook
from fewlex.rules.storage import load_rules, save_rules
from fewlex.translator import Translator

COLORS = fewlex.load("colors")


def sure(book: RuleBook, precision: float) -> RuleBook:
    """The same rules, which were right that often in whatever way they were checked."""
    grades = dict.fromkeys(range(10), precision)
    return dataclasses.replace(book, calibration=Calibration(grades, 100, 0.98))


@pytest.fixture(scope="module")
def rules_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    config = fewlex.build_config("rules", "colors")
    return fewlex.train(COLORS, config, tmp_path_factory.mktemp("runs") / "rules").path


@pytest.fixture(scope="module")
def both_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network that has learned nothing, so that it is plain to see who has answered."""
    config = fewlex.build_config("fast", "colors", settings=["training.epochs=1", "rules.learn=true"])
    return fewlex.train(COLORS, config, tmp_path_factory.mktemp("runs") / "both").path


def test_rules_alone_pass_the_ceiling_of_word_lexicons(rules_run: Path) -> None:
    translator = Translator.load(rules_run)
    assert evaluate(translator, COLORS["test"]).exact_match == 1.0
    assert not translator.has_network
    assert not (rules_run / "model.safetensors").exists()
    with pytest.raises(RunError, match="only rules and no network"):
        translator.score(COLORS["test"])
    with pytest.raises(ConfigError, match="no network to ask"):
        translator.translate("dax", by="network")


def test_an_answer_of_the_rules_says_where_it_is_from(rules_run: Path) -> None:
    [answer] = Translator.load(rules_run).translate_lines(["zup kiki dax fep"])[0]
    assert answer.by == "rules"
    assert answer.text == "RED RED RED YELLOW"
    assert [origin.source for origin in answer.origins] == ["dax", "dax", "dax", "zup"]
    content = json.loads(json.dumps(answer.to_json(), allow_nan=False))
    assert content["derivation"]["tree"]["text"] == "_ kiki _ ↦ #1 #0"


def test_a_taught_word_works_in_every_rule(rules_run: Path) -> None:
    translator = Translator.load(rules_run)
    translator.teach("blork", "PURPLE LILAC")
    assert translator.translate("blork fep") == "PURPLE LILAC " * 2 + "PURPLE LILAC"
    assert translator.translate("dax blicket blork") == "RED PURPLE LILAC RED"
    translator.teach("dax", "CRIMSON")
    assert translator.translate("dax fep") == "CRIMSON CRIMSON CRIMSON"
    translator.forget("blork")
    assert "PURPLE" not in translator.translate("blork fep")


def test_nobody_answers_what_the_rules_cannot_derive(rules_run: Path) -> None:
    [answer] = Translator.load(rules_run).translate_lines(["fep fep fep"])[0]
    assert (answer.by, answer.text, answer.confidence) == ("nobody", "", 0.0)
    assert json.loads(json.dumps(answer.to_json(), allow_nan=False))["log_prob"] is None


@pytest.mark.parametrize(("precision", "who"), [(0.99, "rules"), (0.4, "network")])
def test_the_rules_speak_where_they_are_sure(both_run: Path, precision: float, who: str) -> None:
    """Or where they are surer than a network that nobody has measured is of new combinations (0.5)."""
    save_rules(sure(load_rules(both_run / "rules.json"), precision), both_run / "rules.json")
    translator = Translator.load(both_run)
    answers = [n_best[0] for n_best in translator.translate_tokens([e.source for e in COLORS["test"]])]
    assert {answer.by for answer in answers} == {who}
    assert (evaluate(translator, COLORS["test"]).exact_match == 1.0) == (who == "rules")
    assert evaluate(translator, COLORS["test"], by="rules").exact_match == 1.0, (
        "asked alone, they speak anyway"
    )
    assert translator.translate_lines(["dax fep"], by="network")[0][0].by == "network"
    with pytest.raises(ConfigError, match="Did you mean 'rules'"):
        translator.translate("dax", by="rule")


def test_a_network_is_not_sure_of_new_combinations(both_run: Path) -> None:
    """It was checked on sentences like those of training, so its 0.9 is worth less than the rules' 0.6 elsewhere."""
    save_rules(sure(load_rules(both_run / "rules.json"), 0.6), both_run / "rules.json")
    fewlex.Run(both_run).write_confidence(Confidence(slope=0.0, intercept=2.2, checked=20))
    sources = [example.source for split in COLORS.splits.values() for example in split]
    translator = Translator.load(both_run)
    by_rules = translator.translate_tokens(sources, by="rules")
    familiar = [answer.derivation is not None and answer.derivation.is_familiar for (answer,) in by_rules]
    assert 0 < sum(familiar) < len(familiar)
    who = [answers[0].by for answers in translator.translate_tokens(sources)]
    assert who == ["network" if is_familiar else "rules" for is_familiar in familiar]
    (both_run / "confidence.json").unlink()


def test_a_required_term_is_a_matter_of_the_network(both_run: Path) -> None:
    save_rules(sure(load_rules(both_run / "rules.json"), 0.99), both_run / "rules.json")
    glossary = Lexicon([("dax", "CRIMSON", Entry(1.0, "glossary"))])
    helped = Translator.load(both_run).with_glossary(glossary)
    assert helped.translate_lines(["dax fep"])[0][0].by == "rules"
    assert helped.translate("dax fep") == "CRIMSON CRIMSON CRIMSON"
    required = Translator.load(both_run).with_glossary(glossary, required=True)
    assert required.translate_lines(["dax fep"])[0][0].by == "network"
    assert required.translate_lines(["lug fep"])[0][0].by == "rules"


def test_a_run_without_rules_has_none_to_ask(tmp_path: Path) -> None:
    config = fewlex.build_config("fast", "colors", settings=["training.epochs=1", "rules.learn=false"])
    run = fewlex.train(COLORS, config, tmp_path / "run")
    assert not run.rules.exists()
    with pytest.raises(ConfigError, match="no rules to ask"):
        Translator.load(run.path).translate("dax", by="rules")


def test_rules_alone_need_rules() -> None:
    with pytest.raises(ConfigError, match=r"rules\.alone needs rules\.learn"):
        RulesConfig(alone=True)


def test_a_notation_is_undone_with_the_positions_of_the_derivation(tmp_path: Path) -> None:
    """Published COGS forms name the positions of words, and only the derivation knows them."""
    sentences = {
        "Emma saw a cat .": "see . agent ( x _ 1 , Emma ) AND see . theme ( x _ 1 , x _ 3 ) AND cat ( x _ 3 )",
        "Liam saw a dog .": "see . agent ( x _ 1 , Liam ) AND see . theme ( x _ 1 , x _ 3 ) AND dog ( x _ 3 )",
        "Emma liked a dog .": "like . agent ( x _ 1 , Emma ) AND like . theme ( x _ 1 , x _ 3 ) AND dog ( x _ 3 )",
        "Noah liked a cat .": "like . agent ( x _ 1 , Noah ) AND like . theme ( x _ 1 , x _ 3 ) AND cat ( x _ 3 )",
        "Noah ate a hat .": "eat . agent ( x _ 1 , Noah ) AND eat . theme ( x _ 1 , x _ 3 ) AND hat ( x _ 3 )",
        "Liam ate a cat .": "eat . agent ( x _ 1 , Liam ) AND eat . theme ( x _ 1 , x _ 3 ) AND cat ( x _ 3 )",
    }
    examples = tuple(Example(tuple(s.split()), tuple(t.split())) for s, t in sentences.items())
    config = fewlex.build_config("rules", settings=["data.notation=nested"])
    run = fewlex.train(Corpus("own", {"train": examples}), config, tmp_path / "run")
    new = "Noah saw a hat ."
    expected = "see . agent ( x _ 1 , Noah ) AND see . theme ( x _ 1 , x _ 3 ) AND hat ( x _ 3 )"
    assert Translator.load(run.path).translate(new) == expected


def test_a_run_of_rules_needs_no_torch(tmp_path: Path) -> None:
    """From training to translating and teaching, which is why it starts in a blink."""
    code = (
        "import sys; from fewlex.cli import app\n"
        f"run = {str(tmp_path / 'run')!r}\n"
        "app(['train', 'colors', '--preset', 'rules', '--out', run], standalone_mode=False)\n"
        "app(['teach', run, 'blork', 'PURPLE'], standalone_mode=False)\n"
        "app(['translate', run], standalone_mode=False)\n"
        "assert 'torch' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", code], input="blork fep\n", capture_output=True, text=True)
    assert done.stdout == "PURPLE PURPLE PURPLE\n", done.stderr
