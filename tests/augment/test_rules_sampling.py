"""New examples from rules: right, new, as deep as asked for, and other ones in every epoch."""

from __future__ import annotations

import dataclasses
import json
import random
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from fewlex.augment import AUGMENTERS, RuleSampler, augment, augment_rules, fresh_examples, synthetic_examples
from fewlex.config import AugmentationConfig
from fewlex.data import Example, load
from fewlex.errors import ConfigError
from fewlex.rules import Measured, Rule, RuleBook, RuleParser, Word
from fewlex.rules.book import SAME, SILENT
from fewlex.rules.storage import save_rules
from fewlex.rules.text import from_text
from fewlex.training import train
from fewlex.training.progress import Progress
from tests.augment.test_mixing import CORPUS, KilledError, config_of
from tests.rules.books import scan

NESTED = from_text(
    """\
R1	_ on _ ↦ #0 ( on #1 )	#0: N×20	#1: N×9 R1
R2	_ sleeps ↦ sleep ( #0 )	#0: N×9 R1×9
sentence	R2
[N]
cat ↦ cat
mat ↦ mat
hat ↦ hat
""",
    "nested",
)
SEEN = [Example(tuple(text.split()), ("x",) * 12) for text in ("cat on mat sleeps", "mat sleeps")]


def meaning(command: tuple[str, ...]) -> tuple[str, ...]:
    """What a command of `scan()` means, read by hand: *and* and *after* bind loosest, and stand only once."""
    for joint in ("and", "after"):
        if joint in command:
            place = command.index(joint)
            first, second = meaning(command[:place]), meaning(command[place + 1 :])
            return first + second if joint == "and" else second + first
    if command[-1] == "twice":
        return meaning(command[:-1]) * 2
    return {"walk": ("I_WALK",), "jump": ("I_JUMP",), "turn": ("I_TURN", "I_TURN")}[command[0]]


def height(rule_depth: tuple[str, ...]) -> int:
    return 1 + rule_depth.count("on")


def test_samples_are_right_and_new_and_all_different() -> None:
    known = [
        Example(("walk", "twice"), ("I_WALK",) * 2),
        Example(("walk", "and", "jump", "twice"), ("x",) * 3),
    ]
    made = augment_with(scan(), known, limit=40, length=9)
    assert len(made) == 40
    assert all(example.target == meaning(example.source) for example in made)
    sources = [example.source for example in made]
    assert len(set(sources)) == 40
    assert not {example.source for example in known}.intersection(sources)


def augment_with(book: RuleBook, examples: list[Example], limit: int, **settings: int) -> tuple[Example, ...]:
    return RuleSampler(book, examples, **settings).of_epoch(0, limit)


def test_as_deep_as_asked_for_and_no_deeper() -> None:
    heights = [height(example.source) for example in augment_with(NESTED, SEEN, 60, depth=6, length=20)]
    assert max(heights) == 6
    assert heights.count(6) > 2
    assert heights.count(2) > 2
    as_training = [height(example.source) for example in augment_with(NESTED, SEEN, 60, length=20)]
    assert max(as_training) == 6  # training has derivations of height 2


def test_no_longer_than_asked_for() -> None:
    made = augment_with(NESTED, SEEN, 60, depth=9, length=6)
    assert max(len(example.source) for example in made) == 6


def test_a_sentence_that_the_rules_read_otherwise_is_not_made() -> None:
    text = """\
R1	_ less _ ↦ ( #0 #1 )	#0: N R1	#1: N R1×9
sentence	R1
[N]
one ↦ 1
two ↦ 2
"""
    book = from_text(text, "ambiguous")
    parser = RuleParser(book)
    for example in augment_with(book, SEEN, 20, depth=3, length=7):
        derivation = parser.parse(example.source)
        assert derivation is not None
        assert derivation.tokens == example.target


def test_words_that_avoid_a_hole_come_rarely_in_it() -> None:
    habits = ({"R1#0": 50}, {"R1#0": 50}, {"R1#1": 50})
    words = tuple(
        Word((name,), (name.upper(),), "N", habits=habit)
        for name, habit in zip(("he", "she", "them"), habits, strict=True)
    )
    rule = Rule("R1", (0, "sees", 1, "today"), (0, 1), ({"N": 9}, {"N": 9}))
    book = RuleBook((rule,), words, {"R1": 9})
    sampler = RuleSampler(book, SEEN, length=4)
    first = [sampler._word("N", ("R1", 0), random.Random(i)).term for i in range(300)]
    assert first.count("them") < 30 < first.count("she")


def test_silent_words_and_synonyms_come_as_often_as_in_training() -> None:
    words = (*scan().words, Word(("please",), (), SILENT), Word(("plus",), ("and",), SAME))
    book = dataclasses.replace(scan(), words=words)
    training = [
        "please walk plus jump",
        "walk twice plus please jump",
        "please jump and walk",
        "walk plus walk",
    ]
    examples = [Example(tuple(text.split()), ("x",) * 3) for text in training]
    sources = [" ".join(example.source) for example in augment_with(book, examples, 60, length=12)]
    with_and = [source for source in sources if " and " in source]
    with_plus = [source for source in sources if " plus " in source]
    assert len(with_plus) > len(with_and) > 0
    assert any(source.startswith("please") for source in sources)
    assert any("please" not in source for source in sources)
    assert not any("please please" in source or source.endswith("please") for source in sources)


def test_an_epoch_always_has_the_same_examples_and_epochs_have_different_ones() -> None:
    config = AugmentationConfig("rules", 0.75)
    colors = load("colors")["train"]
    of_epoch = fresh_examples(colors, config, seed=3)
    again = fresh_examples(colors, config, seed=3)
    assert of_epoch is not None
    assert again is not None
    assert again(5) == of_epoch(5) != of_epoch(6)
    assert len(of_epoch(0)) == 42
    assert synthetic_examples(colors, config, seed=3) == ()
    assert fresh_examples(colors, AugmentationConfig("geca", 0.5), seed=3) is None


def test_the_command_and_its_parameters(tmp_path: Path) -> None:
    save_rules(scan(), tmp_path / "rules.json")
    known = [Example(("walk", "twice"), ("I_WALK",) * 2)]
    made = augment(known, "rules", {"rules": str(tmp_path / "rules.json"), "limit": 7, "length": 7}, seed=1)
    assert len(made) == 7
    assert made == augment(
        known, "rules", {"rules": str(tmp_path / "rules.json"), "limit": 7, "length": 7}, seed=1
    )
    assert "rules" in AUGMENTERS
    learned = augment(load("colors")["train"], "rules", {"limit": 10}, seed=1)
    assert {"fep", "kiki"} <= {word for example in learned for word in example.source}


def test_what_makes_no_sense() -> None:
    colors = load("colors")["train"]
    with pytest.raises(ConfigError, match="depth = -1 makes no sense"):
        augment(colors, "rules", {"depth": -1})
    with pytest.raises(ConfigError, match="depth = 1000000000 is deeper than any sentence"):
        augment(colors, "rules", {"depth": 1_000_000_000})
    with pytest.raises(ConfigError, match="Leave the limit out"):
        fresh_examples(colors, AugmentationConfig("rules", 0.5, {"limit": 5}), 0)
    with pytest.raises(ConfigError, match="no parameter 'deep'"):
        fresh_examples(colors, AugmentationConfig("rules", 0.5, {"deep": 5}), 0)


def test_training_where_the_rules_derive_nothing_new(tmp_path: Path) -> None:
    (tmp_path / "rules.txt").write_text("_ twice ↦ #0 #0\n[C]\nwalk ↦ I_WALK\n")
    config = AugmentationConfig("rules", 0.5, {"rules": str(tmp_path / "rules.txt"), "depth": 1})
    examples = [Example(("walk",), ("I_WALK",)), Example(("walk", "twice"), ("I_WALK", "I_WALK"))]
    with pytest.raises(ConfigError, match="derive no new sentence"):
        fresh_examples(examples, config, 0)


def test_a_small_language_is_drawn_from_evenly_and_to_the_end() -> None:
    """3 words, of which *walk* is known, 3 of them twice, 3 *twice twice*, and 6² sentences with *and* or *after*."""
    known = [Example(("walk",), ("I_WALK",) * 20)]
    made = augment_with(scan(), known, 200, depth=2, length=9)
    assert len(made) == 3 - 1 + 3 + 3 + 2 * 6 * 6
    few = [augment_with(scan(), known, 5, depth=2, length=9, seed=seed) for seed in range(40)]
    joined = sum("and" in example.source for drawn in few for example in drawn)
    assert joined > 60  # 36 of 80 sentences have *and*, though the counts of the book say more


def test_data_without_rules(tmp_path: Path) -> None:
    silent = RuleBook(measured=Measured(silence="there is no small grammar here"))
    save_rules(silent, tmp_path / "none.json")
    with pytest.raises(
        ConfigError, match=r"no rules: there is no small grammar here. Augment this data with another"
    ):
        augment_rules(SEEN, rules=str(tmp_path / "none.json"))


@pytest.mark.parametrize("kill_at", [3, 9])
def test_a_killed_run_resumes_to_the_same_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kill_at: int
) -> None:
    monkeypatch.setattr("fewlex.training.trainer.CHECKPOINT_SECONDS", 0.0)  # after every update
    text = "R1\t_ twice ↦ #0 #0\nsentence\tR1 C\n[C]\nwalk ↦ WALK\njump ↦ JUMP\nrun ↦ RUN\n"
    (tmp_path / "rules.txt").write_text(text)
    augmentation = AugmentationConfig("rules", 0.4, {"rules": str(tmp_path / "rules.txt"), "depth": 2})
    config = dataclasses.replace(config_of(), augmentation=augmentation)
    whole = train(CORPUS, config, tmp_path / "whole").path

    def kill(news: Progress) -> None:
        if news.update == kill_at:
            raise KilledError

    with pytest.raises(KilledError):
        train(CORPUS, config, tmp_path / "resumed", observe=kill)
    resumed = train(CORPUS, config, tmp_path / "resumed").path
    assert json.loads((resumed / "result.json").read_text())["updates"] == 4 * 5
    expected, found = (load_file(path / "model.safetensors") for path in (whole, resumed))
    assert all(torch.equal(expected[name], found[name]) for name in expected)


@pytest.mark.slow
def test_a_network_that_was_trained_with_samples_passes_the_ceiling(tmp_path: Path) -> None:
    from fewlex.config_layers import build_config
    from fewlex.evaluation import evaluate
    from fewlex.translator import Translator

    settings = ["augmentation.method=rules", "augmentation.ratio=0.9", "training.epochs=60"]
    run = train(load("colors"), build_config("fast", "colors", settings=settings, seed=0), tmp_path / "run")
    scores = evaluate(Translator.load(run.path), load("colors")["test"], corpus=load("colors"))
    assert scores.exact_match == 1.0
