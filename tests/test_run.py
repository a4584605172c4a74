"""A run and its data, its lexicon and its teachers agree, or say why not."""

from __future__ import annotations

import dataclasses
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from fewlex.cli import app
from fewlex.config import Config, DataConfig, TrainingConfig
from fewlex.data import Corpus, Example, load
from fewlex.errors import ConfigError, FewlexError, LexiconError, RunError
from fewlex.lexicon import Entry, Lexicon
from fewlex.run import Run
from fewlex.training import train
from fewlex.translator import Translator
from tests.model.conftest import EXAMPLES, small_config

CORPUS = Corpus("small", {"train": EXAMPLES})


def config_of(data: DataConfig | None = None, epochs: int = 1, **model: object) -> Config:
    config = small_config({"dropout": 0.0, **model}, {"probability": 0.0 if model else 0.5})
    training = TrainingConfig(updates=0, epochs=epochs, batch_examples=3, learning_rate=0.01)
    return dataclasses.replace(config, training=training, data=data or DataConfig(validation_share=0))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return train(CORPUS, config_of(epochs=60), tmp_path_factory.mktemp("runs") / "small").path


@pytest.fixture
def text_pairs(tmp_path: Path) -> Path:
    (tmp_path / "pairs.tsv").write_text("Don't go.\tNO GO\nGo.\tGO\n" * 3, encoding="utf-8")
    return tmp_path / "pairs.tsv"


def test_a_run_reads_text_as_its_corpus_was_read(text_pairs: Path, tmp_path: Path) -> None:
    corpus = load(text_pairs, source_tokenizer="moses")
    run = train(corpus, config_of(), tmp_path / "run")
    assert run.read_config().data.source_tokenizer == "moses"
    answer = Translator.load(run.path).translate_lines(["Don't go."])[0][0]
    assert answer.source == ("Don", "'t", "go", ".")


def test_a_config_and_a_corpus_that_disagree(text_pairs: Path, tmp_path: Path) -> None:
    asked = config_of(DataConfig(validation_share=0, source_tokenizer="moses"))
    with pytest.raises(ConfigError, match="was read with 'whitespace'"):
        train(load(text_pairs), asked, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_given_lexicon_takes_the_place_of_a_learned_one(tmp_path: Path) -> None:
    given = Lexicon([("walk", "WALK", Entry(1.0, "mine"))])
    run = train(CORPUS, config_of(), tmp_path / "run", lexicon=given)
    assert run.read_knowledge().lexicon == given
    assert train(CORPUS, config_of(), tmp_path / "run", lexicon=given).path == run.path
    with pytest.raises(RunError, match="has a run with other lexicon"):
        train(CORPUS, config_of(), tmp_path / "run")
    with pytest.raises(ConfigError, match="does not use one"):
        train(CORPUS, config_of(output="write"), tmp_path / "other", lexicon=given)


def test_a_run_does_not_go_on_with_changed_data(tmp_path: Path) -> None:
    train(CORPUS, config_of(), tmp_path / "run")
    changed = Corpus("small", {"train": (*EXAMPLES, Example(("new",), ("NEW",)))})
    with pytest.raises(RunError, match="the data has changed since"):
        train(changed, config_of(), tmp_path / "run")


@pytest.mark.parametrize(
    ("source", "target", "like"),
    [("<unk>", "X", ""), ("blork", "<s>", ""), ("blork", "X", "nonexistent"), (" ", "X", "")],
)
def test_python_and_the_command_line_refuse_in_the_same_words(
    run: Path, source: str, target: str, like: str
) -> None:
    with pytest.raises(LexiconError) as caught:
        Translator.load(run).teach(source, target, like=like)
    arguments = ["teach", str(run), source, target, *(["--like", like] if like else [])]
    result = CliRunner().invoke(app, arguments)
    assert isinstance(result.exception, FewlexError)
    assert str(result.exception) == str(caught.value)


@pytest.mark.parametrize("output", ["lexical", "copy", "write"])
def test_a_run_without_fast_mapping_survives_being_taught(tmp_path: Path, output: str) -> None:
    run = train(CORPUS, config_of(output=output), tmp_path / "run")
    opened = Run.open(run.path)
    opened.teach([opened.read_knowledge().lesson("blork", "BLORK")])
    assert opened.teaching_caveat() != ""
    translator = Translator.load(run.path)
    assert isinstance(translator.translate("blork twice"), str)
    assert translator.score([Example(("blork", "twice"), ("BLORK", "BLORK"))])


def test_the_matrix_is_finished_once(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from fewlex.model import assemble

    finished: list[object] = []
    real = assemble.finished_lexicon

    def watch(*arguments: Any) -> Any:
        finished.append(arguments)
        return real(*arguments)

    monkeypatch.setattr(assemble, "finished_lexicon", watch)
    translator = Translator.load(run).with_glossary(Lexicon())
    translator.translate("walk twice")
    assert len(finished) == 1
    translator.teach("blork", "BLORK")
    assert len(finished) == 2


def test_threads_share_a_translator_that_is_being_taught(run: Path) -> None:
    translator = Translator.load(run)
    words = [f"word{i}" for i in range(12)]

    def use(word: str) -> str:
        translator.teach(word, word.upper())
        return translator.translate(f"{word} twice")

    with ThreadPoolExecutor(4) as pool:
        outputs = list(pool.map(use, words))
    assert all(isinstance(output, str) for output in outputs)
    assert {word: translator.translate(word) for word in words} == {word: word.upper() for word in words}
    assert set(words) <= set(translator.lexicon.sources), "no lesson is lost"


def test_a_copy_of_the_lexicon_changes_nothing_by_itself(run: Path) -> None:
    translator = Translator.load(run)
    lexicon = translator.lexicon
    lexicon.replace_row("walk", {"STROLL": Entry(1.0)})
    assert translator.translate("walk") == "WALK"
    assert translator.with_lexicon(lexicon).translate("walk") == "STROLL"
    assert translator.translate("walk") == "WALK"


def test_metrics_on_a_full_disk_are_told(tmp_path: Path) -> None:
    """Issue L, item 8: a disk that was full when an epoch ended gave a traceback."""
    (tmp_path / "metrics.jsonl").symlink_to("/dev/full")
    with pytest.raises(
        FewlexError, match=r"cannot write .*metrics.jsonl: No space left on device. Free some space"
    ):
        Run(tmp_path).append_metrics({"epoch": 1, "loss": 0.5})
