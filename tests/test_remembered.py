"""A run of text keeps training sentences, recalls them, and lets go of them where a word is taught anew."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fewlex.config_layers import build_config
from fewlex.data.corpus import Corpus
from fewlex.data.example import Example
from fewlex.errors import DamagedError, RunError
from fewlex.model.memory import Memory
from fewlex.model.seq2seq import Seq2Seq
from fewlex.model.trust import Trust
from fewlex.remembered import FILE, Remembered, drawn
from fewlex.run import Run
from fewlex.training.pipeline import train
from fewlex.translator import Translator

NOUNS = {"dog": "狗", "cat": "猫", "bird": "鸟", "fish": "鱼", "horse": "马", "cow": "牛"}
VERBS = {"sleeps": "睡觉", "runs": "跑", "eats": "吃饭", "drinks": "喝水"}
PAIRS = [
    Example.of(f"the {noun} {verb} today .", f"今天 那 只 {meant} 在 {does} 。")
    for noun, meant in NOUNS.items()
    for verb, does in VERBS.items()
]


@pytest.fixture(scope="module")
def remembering(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network that has hardly been trained, with a memory."""
    settings = [
        "model.hidden=16",
        "model.embedding=16",
        "training.epochs=2",
        "fast_mapping.probability=0",
        "memory.sentences=8",
        "memory.neighbours=2",
    ]
    config = build_config("fast", "pairs", settings=settings)
    corpus = Corpus("pairs", {"train": tuple(PAIRS), "validation": tuple(PAIRS[::3])})
    out = tmp_path_factory.mktemp("runs") / "remembering"
    train(corpus, config, out)
    return out


def outputs(run: Path, *settings: str) -> list[str]:
    return Translator.load(run, settings=settings).predict([" ".join(e.source) for e in PAIRS])


def right(run: Path, *settings: str) -> int:
    wanted = [" ".join(e.target) for e in PAIRS]
    return sum(a == b for a, b in zip(outputs(run, *settings), wanted, strict=True))


def test_training_keeps_its_sentences_and_how_far_they_are_trusted(remembering: Path) -> None:
    kept = Remembered.read(Run.open(remembering))
    assert kept is not None
    assert [(e.source, e.target) for e in kept.examples] == [(e.source, e.target) for e in PAIRS]
    assert kept.trust.keys() == Trust().numbers().keys()


def test_a_network_recalls_what_it_could_not_learn(remembering: Path) -> None:
    assert right(remembering) > right(remembering, "memory.sentences=0")


def test_tokens_say_that_they_were_remembered(remembering: Path) -> None:
    answer = Translator.load(remembering).translate_tokens([PAIRS[0].source])[0][0]
    assert "remembered" in {origin.how for origin in answer.origins}
    answer = Translator.load(remembering, settings=["memory.sentences=0"]).translate_tokens(
        [PAIRS[0].source]
    )[0][0]
    assert "remembered" not in {origin.how for origin in answer.origins}


def memory_of(translator: Translator) -> Memory:
    model = translator.network.model
    assert isinstance(model, Seq2Seq)
    assert model.memory is not None
    return model.memory


def test_what_is_taught_anew_is_not_remembered(remembering: Path) -> None:
    translator = Translator.load(remembering)
    memory = memory_of(translator)
    dog = translator.knowledge.source_vocab.encode(["dog"])
    source = translator.knowledge.source_vocab.encode(PAIRS[0].source)
    held = [i for i, e in enumerate(PAIRS) if "dog" in e.source]
    assert set(memory._similar.nearest(source, 8, memory._hidden)) & set(held)
    translator.teach("dog", "犬")
    memory = memory_of(translator)
    assert not set(memory._similar.nearest(source, 8, memory._hidden)) & set(held)
    assert memory._similar.holding(dog).tolist() == [i in held for i in range(len(PAIRS))]


def test_a_damaged_memory_is_named_and_not_used(remembering: Path, tmp_path: Path) -> None:
    for file in remembering.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    whole = (tmp_path / FILE).read_text(encoding="utf-8")
    (tmp_path / FILE).write_text(whole.replace("狗", "猫", 1), encoding="utf-8")
    with pytest.raises(DamagedError, match=r"memory\.json"):
        Translator.load(tmp_path)
    content = json.loads(whole)
    del content["seal"]
    spoils: list[dict[str, object]] = [
        {"targets": content["targets"][1:]},
        {"trust": {"units.bias": [1e300]}},
        {"trust": {}},
        {"sources": [[1]]},
        {"more": 1},
    ]
    for spoil in spoils:
        (tmp_path / FILE).write_text(json.dumps(content | spoil), encoding="utf-8")
        with pytest.raises(RunError, match=r"memory\.json: damaged"):
            Translator.load(tmp_path)


def test_of_many_sentences_some_are_drawn() -> None:
    some = drawn(PAIRS, 5, seed=1)
    assert len(some) == 5
    assert some == drawn(PAIRS, 5, seed=1) != drawn(PAIRS, 5, seed=2)
    assert [PAIRS.index(e) for e in some] == sorted(PAIRS.index(e) for e in some)
    assert drawn(PAIRS, 100, seed=1) == tuple(PAIRS)
