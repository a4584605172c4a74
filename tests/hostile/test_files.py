"""Files that somebody has damaged or made up: each is refused by name, in bounded time and memory."""

from __future__ import annotations

import json
import random
import time
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from safetensors import safe_open
from safetensors.numpy import save

from fewlex.augment import augment
from fewlex.config_layers import build_config
from fewlex.data import load
from fewlex.data.example import Example
from fewlex.data.limits import MAX_LINE_BYTES, MAX_TOKENS
from fewlex.data.own import texts_of
from fewlex.data.readers import read_examples
from fewlex.errors import ConfigError, DataError, FewlexError, LexiconError, RuleError, RunError
from fewlex.lexicon import Lexicon, learn_lexicon
from fewlex.lexicon import counts as counts_module
from fewlex.lexicon.alignment.aligner import Aligner
from fewlex.lexicon.alignment.scoring import read_gold
from fewlex.lexicon.bayes.sampling import sample_posterior
from fewlex.lexicon.bayes.settings import BayesianSettings
from fewlex.lexicon.counts import Counts
from fewlex.rules.storage import from_json
from fewlex.rules.text import from_text
from fewlex.run import Run
from torture.command import rules_run
from torture.mutation import damaged, reshaped, unsealed
from torture.surfaces import QUICK

DEEP = "[" * 100_000
LONG = "7" * 6000


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return rules_run(tmp_path_factory.mktemp("runs") / "run")


@pytest.mark.parametrize(
    "text", [DEEP, LONG, '{"format": "fewlex-lexicon", "version": 1, "provenance": {"a": NaN}, "rows": {}}']
)
def test_lexicons_and_rules_of_json_without_end(tmp_path: Path, text: str) -> None:
    (tmp_path / "lexicon.json").write_text(text)
    with pytest.raises(LexiconError, match=r"lexicon\.json.*this is not JSON"):
        Lexicon.load(tmp_path / "lexicon.json")
    with pytest.raises(RuleError, match="not JSON"):
        from_json(text, "rules.json")


@pytest.mark.parametrize(
    "setting",
    [
        "lexicon=3",
        "model=3",
        "augmentation=[1]",
        f"seed={LONG}",
        f"seed={DEEP}",
        "training.adam_beta2=1",
        "training.learning_rate=nan",
        "decoding.length_penalty=inf",
        "a." * 5000 + "b=1",
        "=1",
        "seed=1979-05-27",
    ],
    ids=lambda text: text[:30],
)
def test_settings_that_are_no_settings(setting: str) -> None:
    with pytest.raises(ConfigError):
        build_config(settings=[setting])


@pytest.mark.parametrize("name", ["<unk>", "</s>", "<s>", "<pad>", "New </s> York"])
def test_fewlex_s_own_symbols_are_no_words_of_a_lexicon(tmp_path: Path, name: str) -> None:
    (tmp_path / "l.tsv").write_text(f"source\ttarget\tweight\ndax\t{name}\t1\n")
    with pytest.raises(LexiconError, match=r"l\.tsv:2: .*one of fewlex's own symbols"):
        Lexicon.load(tmp_path / "l.tsv")
    with pytest.raises(LexiconError, match="own symbols"):
        Lexicon().set(name, "RED")


def test_a_run_of_another_shape_is_refused_before_anybody_translates_with_it(run: Path) -> None:
    path = run / "knowledge.json"
    whole, rng = unsealed(path.read_bytes()), random.Random(1)
    refused = 0
    for _ in range(200):
        path.write_bytes(reshaped(whole, rng))
        try:
            Run(run).read_knowledge().unknown_in(("zup", "blork"))
        except FewlexError:
            refused += 1
    path.write_bytes(whole)
    Run(run).read_knowledge()
    assert refused > 100


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"longest_target": 10**9}, "longest_target must be from 0 to 5000"),
        ({"source_vocab": []}, "source_vocab is empty"),
        ({"source_vocab": [["dax"]]}, "source_vocab must be a list of texts"),
        ({"target_vocab": ["RED", "RED"]}, "'RED' twice"),
        ({"truecase": {"A": 1}}, "truecase.A must be a text"),
        ({"format": "1"}, "was written by fewlex"),
    ],
)
def test_knowledge_that_cannot_be(run: Path, changes: dict[str, Any], message: str) -> None:
    path = run / "knowledge.json"
    whole = unsealed(path.read_bytes()).decode()
    path.write_text(json.dumps(json.loads(whole) | changes))
    with pytest.raises(RunError, match=message):
        Run(run).read_knowledge()
    path.write_text(whole)


def test_a_class_that_would_need_a_billion_vectors(run: Path) -> None:
    path = run / "knowledge.json"
    whole = unsealed(path.read_bytes()).decode()
    content = json.loads(whole)
    content["familiarity"]["classes"] = {"dax": 10**9}
    path.write_text(json.dumps(content))
    with pytest.raises(RunError, match="1000000000, but not as many words"):
        Run(run).read_knowledge()
    path.write_text(whole)


def test_parameters_of_an_aligner_that_do_not_fit_together(tmp_path: Path) -> None:
    path, corpus, rng = tmp_path / "a.safetensors", load("colors")["train"], random.Random(2)
    Aligner.fit(corpus).save(path)
    whole = path.read_bytes()
    for _ in range(300):
        path.write_bytes(damaged(whole, rng))
        try:
            list(Aligner.load(path).align(corpus[:2]))
        except FewlexError:
            continue


def _negative(probs: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.where(np.arange(len(probs)) == 0, -0.5, probs)


@pytest.mark.parametrize(
    ("tensors", "metadata", "message"),
    [
        ({}, {"source_words": '{"a": 1}'}, "source must be a list"),
        ({}, {"source_words": "[1]"}, "source must be a list of texts"),
        ({}, {"target_words": DEEP}, "nested more than"),
        ({}, {"settings": '{"sideways": {}}'}, "there is no direction 'sideways'"),
        ({}, {"settings": '{"forward": {"tension": "x"}}'}, "forward.tension must be"),
        ({}, {"settings": '{"forward": {"iterations": -1}}'}, "iterations"),
        ({}, {"settings": "[]"}, "must be a JSON object"),
        ({"probs": None}, {}, "forward.probs"),
        ({"pairs": lambda pairs: pairs.astype(np.int32)}, {}, "do not belong together"),
        ({"probs": lambda probs: probs.astype(np.float32)}, {}, "do not belong together"),
        ({"probs": lambda probs: probs[:-1]}, {}, "do not belong together"),
        (dict.fromkeys(("pairs", "probs"), lambda one: one.reshape(1, -1)), {}, "do not belong together"),
        (dict.fromkeys(("pairs", "probs"), lambda one: one[:0]), {}, "are not in order"),
        ({"pairs": lambda pairs: pairs[::-1].copy()}, {}, "are not in order"),
        ({"pairs": np.zeros_like}, {}, "are not in order"),
        ({"probs": lambda probs: probs + 1}, {}, "are no probabilities"),
        ({"probs": _negative}, {}, "are no probabilities"),
        ({"probs": lambda probs: probs * np.nan}, {}, "are no probabilities"),
    ],
)
def test_each_part_of_an_aligner_is_checked(
    tmp_path: Path, tensors: dict[str, Any], metadata: dict[str, str], message: str
) -> None:
    path = tmp_path / "a.safetensors"
    Aligner.fit(load("colors")["train"]).save(path)
    with safe_open(path, framework="numpy") as file:
        told = {**file.metadata(), **metadata}
        kept = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  # `file` is not a mapping
    for name, change in tensors.items():
        tensor = kept.pop(f"forward.{name}")
        if change is not None:
            kept[f"forward.{name}"] = change(tensor)
    path.write_bytes(save(kept, told))
    with pytest.raises(LexiconError, match=rf"a\.safetensors: .*{message}"):
        Aligner.load(path)


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\x1e"])
def test_only_a_line_feed_ends_a_line(tmp_path: Path, mark: str) -> None:
    """Otherwise answers, links and rules would stand beside other lines than their own."""
    (tmp_path / "text.txt").write_text(f"a{mark}b\nc\r\n", newline="")
    assert texts_of(tmp_path / "text.txt") == [f"a{mark}b", "c"]
    (tmp_path / "gold.txt").write_text(f"0-0{mark}1-1\n\n2-2\n")
    assert [sure for sure, _ in read_gold(tmp_path / "gold.txt")] == [{(0, 0), (1, 1)}, set(), {(2, 2)}]
    with pytest.raises(RuleError, match="rules:2:"):
        from_text(f"_ twice{mark}-> #0 #0\n->\n", "rules")
    (tmp_path / "pairs.tsv").write_text(f"a{mark}b\tX\n")
    assert [example.source for example in read_examples(tmp_path / "pairs.tsv")] == [("a", "b")]


def test_texts_and_links_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(b"\xff\xff\n")
    for read in (texts_of, read_gold):
        for name in ("bytes", "nothing", "."):
            with pytest.raises(DataError):
                read(tmp_path / name)


@pytest.mark.parametrize("line", ["0-" + "7" * 5000, "9999999999-1", "-", "0-0-0", "1?", "²-1", "a-b"])
def test_gold_links_that_are_none(tmp_path: Path, line: str) -> None:
    (tmp_path / "gold.txt").write_text(f"0-0\n{line}\n")
    with pytest.raises(DataError, match=r"gold\.txt:2: .* is not a link"):
        read_gold(tmp_path / "gold.txt")


@pytest.mark.parametrize(
    "changes",
    [
        {"entries": [10**6]},
        {"entries": [0, 0]},
        {"entries": ["0"]},
        {"seen": [[1]]},
        {"seen": [[10**6, 1]]},
        {"step": -1},
        {"step": 10**9},
        {"trace": ["a"]},
        {"accepted": "x"},
        {"accepted": -1},
        {"seen": [["0", 1]]},
        {"generator": {}},
        {
            "generator": {
                "bit_generator": "PCG64",
                "state": {"state": -1, "inc": 0},
                "has_uint32": 0,
                "uinteger": 0,
            }
        },
    ],
    ids=str,
)
def test_a_chain_whose_state_cannot_be(tmp_path: Path, changes: dict[str, Any]) -> None:
    """One of these made a chain that never ended."""
    settings = BayesianSettings(**QUICK["bayesian"])
    sample_posterior(load("colors")["train"], settings, state=tmp_path)
    path = tmp_path / "chain-0.json"
    state = json.loads(path.read_text()) | changes
    del state["seal"]  # somebody who knows of seals has made this file
    path.write_text(json.dumps(state))
    with pytest.raises(
        LexiconError, match=r"chain-0\.json: the state of the chain cannot be read .* Remove the file"
    ):
        sample_posterior(load("colors")["train"], settings, state=tmp_path)


def test_spans_longer_than_any_sentence_take_no_time() -> None:
    started = time.monotonic()
    augment(load("colors")["train"], parameters={"size": 1_000_000_000, "limit": 3})
    assert time.monotonic() - started < 20


# Sizes: each has a documented behaviour (docs/reliability.md).


def test_a_line_of_two_million_tokens_is_named(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text("dax\tRED\n" + "a " * 2_000_000 + "\tb\n")
    with pytest.raises(
        DataError, match=r"pairs\.tsv:2: the source has 2,000,000 tokens, and at most 5,000 are read"
    ):
        read_examples(path)


def test_a_line_without_end_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_bytes(b"dax\tRED\n" + b"a" * (MAX_LINE_BYTES + 5) + b"\tb\n")
    with pytest.raises(DataError, match=r"pairs\.tsv:2: the line has more than 16,777,216 bytes"):
        read_examples(path)


def test_learners_take_no_line_that_readers_would_refuse() -> None:
    with pytest.raises(LexiconError, match="example 2: the target has 5,001 tokens"):
        learn_lexicon([Example.of("a", "b"), Example(("a",), ("b",) * (MAX_TOKENS + 1))])


def test_a_long_pair_is_counted_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pair of 200 different words has 40,000 pairs, which are more than one part holds here."""
    monkeypatch.setattr(counts_module, "CHUNK_PAIRS", 1000)
    words = tuple(f"w{i}" for i in range(200))
    counts = Counts.from_examples([Example(words, words), Example(words[:2], words[:3])])
    assert len(counts.cooccurrence) == 200 * 200
    assert counts.cooccurrence.sum() == 200 * 200 + 6
    assert (counts.pair_source[:3] == 0).all()
    assert counts.cooccurrence[:4].tolist() == [2, 2, 2, 1]


def test_pmi_keeps_the_heaviest_pairs_of_each_word_where_there_are_too_many() -> None:
    examples = [
        Example.of("a b", "A B"),
        Example.of("a", "A"),
        Example.of("b c", "B C"),
        Example.of("c", "C"),
    ]
    every = learn_lexicon(examples, "pmi")
    few = learn_lexicon(examples, "pmi", max_entries=4)
    assert len(every) == 7
    assert len(few) == 3
    for source in every.sources:
        (kept,) = few.row(source)
        assert every.row(source)[kept].weight == max(entry.weight for entry in every.row(source).values())
    assert learn_lexicon(examples, "pmi", max_entries=7) == every


@pytest.mark.parametrize("method", ["simple", "pmi", "ibm2", "bayesian", "identity", "uniform", "random"])
@pytest.mark.parametrize(
    "examples",
    [
        [("a", "b")],
        [("a", "a")] * 50,
        [("a " * 300, "b " * 300)],
        [(f"a{i}", f"b{i}") for i in range(200)],
    ],
    ids=["one token", "all the same", "one long pair", "no word twice"],
)
def test_odd_corpora_are_learned_from(method: str, examples: list[tuple[str, str]]) -> None:
    lexicon = learn_lexicon(examples, method, **QUICK.get(method, {}))  # type: ignore[arg-type]  # pairs of texts will do
    assert all(np.isfinite(entry.weight) for _, _, entry in lexicon)
