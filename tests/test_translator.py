"""Teaching, glossaries, required terms and explanations, on a small model that is really trained."""

from __future__ import annotations

from pathlib import Path

import pytest
from torch import Tensor, nn

import fewlex
from fewlex.data.corpus import Corpus
from fewlex.data.example import Example
from fewlex.evaluation import evaluate
from fewlex.lexicon import GLOSSARY, Entry, Lexicon
from fewlex.model.batch import encode_source, pad
from fewlex.model.seq2seq import Seq2Seq
from fewlex.translator import Translator


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Colors without the word *zup*: 13 examples, some seconds."""
    colors = fewlex.load("colors")
    train = tuple(e for e in colors["train"] if "zup" not in e.source)
    corpus = Corpus("colors without zup", {"train": train, "test": colors["test"]})
    config = fewlex.build_config("fast", "colors")
    return fewlex.train(corpus, config, tmp_path_factory.mktemp("runs") / "colors").path


@pytest.fixture
def translator(run: Path) -> Translator:
    return Translator.load(run)


def glossary(*pairs: tuple[str, str]) -> Lexicon:
    return Lexicon((source, target, Entry(1.0, GLOSSARY)) for source, target in pairs)


def test_a_word_taught_after_training_is_used_in_sentences(translator: Translator) -> None:
    assert "YELLOW" not in translator.translate("zup fep")
    translator.teach("zup", "YELLOW")
    assert translator.translate("zup fep") == "YELLOW YELLOW YELLOW"
    assert translator.translate("dax blicket zup") == "RED YELLOW RED"
    right = evaluate(translator, fewlex.load("colors")["test"]).exact_match
    assert right >= 0.7, "YELLOW was in no training example and in no vocabulary"


def test_teaching_does_not_touch_the_run(run: Path, translator: Translator) -> None:
    before = (run / "lexicon.json").read_bytes()
    translator.teach("zup", "YELLOW")
    assert (run / "lexicon.json").read_bytes() == before
    assert "zup" not in Translator.load(run).lexicon


def test_teaching_does_not_touch_the_weights_that_another_thread_decodes_with(
    translator: Translator, monkeypatch: pytest.MonkeyPatch
) -> None:
    def touched(module: nn.RNNBase, *_: object) -> None:
        raise AssertionError("the LSTM that others decode with is taken apart for a moment")

    monkeypatch.setattr(nn.RNNBase, "_apply", touched)
    translator.teach("zup", "YELLOW")
    assert translator.translate("zup fep") == "YELLOW YELLOW YELLOW"


def test_a_known_word_can_be_corrected_and_forgotten(translator: Translator) -> None:
    assert translator.translate("dax fep") == "RED RED RED"
    translator.teach("dax", "CRIMSON")
    assert translator.translate("dax fep") == "CRIMSON CRIMSON CRIMSON"
    translator.teach("zup", "YELLOW")
    translator.forget("zup")
    assert "YELLOW" not in translator.translate("zup fep")


def test_terms_of_several_words_on_both_sides(translator: Translator) -> None:
    translator.teach("big zup", "DARK YELLOW")
    (best,) = translator.translate_lines(["big zup fep"])[0]
    assert best.source == ("big zup", "fep")
    assert best.tokens == ("DARK", "YELLOW") * 3
    assert set(best.alignment) == {(source, target) for source in (0, 1) for target in range(6)}


def test_the_longest_term_wins(translator: Translator) -> None:
    translator.teach("zup", "YELLOW")
    translator.teach("zup zup", "GOLD")
    assert translator.translate("zup zup") == "GOLD"


def test_a_glossary_holds_for_one_translator_only(translator: Translator) -> None:
    helped = translator.with_glossary(glossary(("zup", "YELLOW")))
    assert helped.translate("zup fep") == "YELLOW YELLOW YELLOW"
    assert "YELLOW" not in translator.translate("zup fep")
    assert helped.network.model.encoder is translator.network.model.encoder, "weights are shared"


@pytest.mark.parametrize("beam", [1, 3])
def test_required_terms_appear_where_their_word_is_attended(translator: Translator, beam: int) -> None:
    """Nonsense that the network would rather drop: ten unknown words in a row, all of them required."""
    words = [f"new{i}" for i in range(10)]
    pairs = [(word, word.upper()) for word in words]
    soft = translator.with_glossary(glossary(*pairs))
    hard = translator.with_glossary(glossary(*pairs), required=True)
    (free,) = soft.translate_tokens([words], beam=beam)
    (forced,) = hard.translate_tokens([words], beam=beam)
    assert {word.upper() for word in words} > set(free[0].tokens)
    assert {word.upper() for word in words} <= set(forced[0].tokens)


def test_a_required_term_that_is_there_anyway_changes_nothing(translator: Translator) -> None:
    soft = translator.with_glossary(glossary(("zup", "YELLOW")))
    hard = translator.with_glossary(glossary(("zup", "YELLOW")), required=True)
    sentences = [example.source for example in fewlex.load("colors")["test"][:8]]
    assert [n[0].tokens for n in hard.translate_tokens(sentences)] == [
        n[0].tokens for n in soft.translate_tokens(sentences)
    ]


def test_explanations_name_the_translated_word(translator: Translator) -> None:
    translator.teach("zup", "YELLOW")
    (best,) = translator.translate_lines(["dax blicket zup"])[0]
    assert [(o.token, o.how, o.source) for o in best.origins] == [
        ("RED", "translated", "dax"),
        ("YELLOW", "translated", "zup"),
        ("RED", "translated", "dax"),
    ]
    assert best.pharaoh == "0-0 0-2 2-1"
    assert all(0 <= o.write_gate <= 1 for o in best.origins)
    assert all(len(row) == 3 for row in best.attention)


def test_an_empty_sentence_has_no_origins(translator: Translator) -> None:
    (best,) = translator.translate_lines([""])[0]
    assert best.origins == ()
    assert best.pharaoh == ""


def test_ten_thousand_taught_words_widen_no_step(translator: Translator) -> None:
    """A batch has columns for its own taught words alone, however many there are."""
    translator = translator.with_glossary(glossary(*((f"word{i}", f"WORD{i}") for i in range(10_000))))
    assert translator.translate("word77 fep") == "WORD77 WORD77 WORD77"
    model = translator.network.model
    assert isinstance(model, Seq2Seq)
    state = model.start(translator_batch(translator, "word77 kiki word5"))
    assert state.entries is not None
    assert len(state.entries.output_ids) == len(translator.knowledge.target_vocab) + 2


def translator_batch(translator: Translator, sentence: str) -> Tensor:
    return pad([encode_source(sentence.split(), translator.knowledge.extended_vocabs[0])])


def test_scoring_knows_taught_words(translator: Translator) -> None:
    example = Example(("zup", "fep"), ("YELLOW",) * 3)
    assert sum(translator.score([example])[0]) == float("-inf")
    translator.teach("zup", "YELLOW")
    assert sum(translator.score([example])[0]) > -1.0


def test_a_trained_lexicon_is_kept_in_its_file(tmp_path: Path) -> None:
    """Fine-tuned rows end up in lexicon.json, and the loaded model is the trained one."""
    corpus = fewlex.load("colors")
    config = fewlex.build_config(
        "fast",
        "colors",
        settings=[
            "lexicon.method=pmi",
            "lexicon.temperature=1.0",
            "lexicon.trained=true",
            "training.epochs=5",
            "fast_mapping.probability=0",
        ],
    )
    losses: list[float] = []
    run = fewlex.train(corpus, config, tmp_path / "run", observe=lambda news: losses.append(news.loss))
    lexicon = Lexicon.load(run.path / "lexicon.json")
    learned = fewlex.learn_lexicon(corpus["train"], "pmi")
    assert {entry.origin for _, _, entry in lexicon} == {"trained"}
    assert {(s, t) for s, t, _ in lexicon} == {(s, t) for s, t, _ in learned}
    assert lexicon.row("lug") != learned.row("lug")
    before = Translator.load(run.path).score(corpus["train"])
    assert -sum(map(sum, before)) / sum(map(len, before)) < losses[0]
