"""Who is anonymous, when."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from fewlex.config import Config
from fewlex.config_layers import build_config
from fewlex.data import load
from fewlex.data.example import Example
from fewlex.data.form import Form
from fewlex.data.vocabulary import BOS, Vocabulary
from fewlex.familiarity import LEXICON_WORD, Familiarity
from fewlex.knowledge import Knowledge, Lesson
from fewlex.model.assemble import build_model
from fewlex.model.batch import encode_source, pad
from fewlex.model.fast_mapping import Anonymizer
from fewlex.model.seq2seq import Seq2Seq
from tests.model.conftest import EXAMPLES, batch_of, small_config, small_model


def anonymizer_of(model: Seq2Seq) -> Anonymizer:
    assert model.anonymizer is not None
    return model.anonymizer


def hidden_words(policy: str, sentence: str) -> list[str]:
    """Which words of a sentence are read as anonymous under a policy."""
    model, knowledge = small_model(small_config(fast_mapping={"probability": 0.5, "policy": policy}))
    source = torch.tensor([encode_source(sentence.split(), knowledge.source_vocab)])
    marks = anonymizer_of(model).hide_for_translation(source)[0, 1:-1].tolist()
    return [word for word, mark in zip(sentence.split(), marks, strict=True) if mark]


def test_familiarity_counts_sentences_and_neighbours() -> None:
    found = Familiarity.collect(EXAMPLES, ["walk", "run", "jump"], {})
    assert found.sentences == {"jump": 1, "run": 2, "walk": 4}
    assert found.left["walk"] == ("<s>", "and")
    assert found.right["walk"] == ("</s>", "and", "twice")
    assert found.left["jump"] == ("<s>",)


def test_a_lexicon_word_as_neighbour_counts_as_any() -> None:
    assert Familiarity.collect(EXAMPLES, ["walk", "and", "run"], {}).left["walk"] == ("<pad>", "<s>")
    assert LEXICON_WORD == "<pad>"


def test_policies() -> None:
    assert hidden_words("never", "jump twice and walk") == []
    assert hidden_words("rare", "jump twice and walk") == ["jump"], "jump was seen in one sentence"
    assert hidden_words("always", "jump twice and walk") == ["jump", "walk"]
    assert hidden_words("word", "walk and run twice") == ["run"], "run was never seen after 'and'"
    assert hidden_words("word", "run and walk") == []
    assert hidden_words("sentence", "walk and run twice") == ["walk", "run"]
    assert hidden_words("sentence", "run and walk") == []


def test_rare_words_are_hidden_in_training_whatever_is_drawn() -> None:
    """Only that way do they learn what they are read as when translating."""
    model, knowledge = small_model(small_config(fast_mapping={"probability": 1e-9}))
    source = torch.tensor([encode_source(["jump", "and", "walk"], knowledge.source_vocab)])
    assert anonymizer_of(model).hide_for_training(source).tolist() == [[False, True, False, False, False]]


@pytest.mark.parametrize(("policy", "is_written"), [("always", False), ("never", True)])
def test_the_translation_of_a_hidden_word_is_never_written(policy: str, is_written: bool) -> None:
    """However much the network would like to write it: the word may come through the lexicon alone (step 3)."""
    model, knowledge = small_model(small_config(fast_mapping={"probability": 1.0, "policy": policy}))
    walk = knowledge.target_vocab.id("WALK")
    state, previous = model.start(batch_of(knowledge).source[:1]), torch.tensor([BOS])
    before = model.step(state, previous).probs[0, walk]
    model.decoder.output.project.bias.data[walk] += 50
    after = model.step(state, previous).probs[0, walk]
    assert 0 < before < 1
    assert bool(torch.isclose(after, before)) is not is_written


def test_training_does_not_credit_writing_the_translation_of_a_hidden_word() -> None:
    model, knowledge = small_model(small_config(fast_mapping={"probability": 1.0}))
    batch = batch_of(knowledge)
    walk = knowledge.target_vocab.id("WALK")
    with torch.no_grad():
        before = model.train().log_probs(batch)
        model.decoder.output.project.bias[walk] += 50
        after = model.log_probs(batch)
        hidden = (batch.source == knowledge.source_vocab.id("walk")).any(1)
    torch.testing.assert_close(after[hidden], before[hidden])
    assert (after[~hidden] < before[~hidden]).any(), "where no walk is hidden, WALK may be written"


def test_backing_off_holds_for_the_whole_sentence() -> None:
    assert hidden_words("word", "run and run") == ["run", "run"]


def test_hiding_is_by_type_and_as_often_as_asked() -> None:
    model, knowledge = small_model(small_config(fast_mapping={"probability": 0.3, "max_rare_sentences": 0}))
    sentence = encode_source(["walk", "and", "walk", "twice"], knowledge.source_vocab)
    torch.manual_seed(0)
    hidden = anonymizer_of(model).hide_for_training(torch.tensor([sentence] * 4000))
    assert torch.equal(hidden[:, 1], hidden[:, 3]), "both occurrences of a word share its fate"
    assert not hidden[:, [0, 2, 4, 5]].any(), "only lexicon words hide"
    assert abs(hidden[:, 1].float().mean().item() - 0.3) < 0.03


def test_hidden_words_are_read_as_anonymous_on_both_sides_and_never_written() -> None:
    model, knowledge = small_model(small_config(fast_mapping={"probability": 0.5, "policy": "always"}))
    batch = batch_of(knowledge)
    anonymizer = anonymizer_of(model)
    hidden = anonymizer.hide_for_translation(batch.source)
    hidden_targets = anonymizer.hidden_targets(batch.source, hidden)
    anonymous_source, anonymous_target = len(knowledge.source_vocab), len(knowledge.target_vocab)
    read = anonymizer.read_source(batch.source, hidden)
    assert (read[hidden] == anonymous_source).all()
    assert (read[~hidden] == batch.source[~hidden]).all()
    read_target = anonymizer.read_target(batch.target_read, hidden_targets)
    words = batch.target_read > 3
    assert (read_target[words] == anonymous_target).all()
    assert (read_target[~words] == batch.target_read[~words]).all()
    step = model.step(model.start(batch.source), batch.target_read[:, 0])
    _only_through_the_lexicon(model, knowledge, step.probs)


def _only_through_the_lexicon(model: Seq2Seq, knowledge: Knowledge, probs: torch.Tensor) -> None:
    """`jump` alone: nothing may write JUMP, so its probability is bounded by what the gate leaves."""
    row = next(i for i, example in enumerate(EXAMPLES) if example.source == ("jump",))
    gate = model.step(model.start(batch_of(knowledge).source), torch.ones(len(EXAMPLES), dtype=torch.long))
    lexical_share = 1 - gate.write_gate[row]
    assert probs[row, knowledge.target_vocab.id("JUMP")] <= lexical_share + 1e-6


def test_a_taught_word_needs_only_a_row() -> None:
    """A word that no embedding knows is translated through its row, into a word no softmax knows."""
    config = small_config(fast_mapping={"probability": 0.5})
    model, knowledge = small_model(config)
    knowledge = knowledge.taught([Lesson("crawl", "CRAWL")])
    taught, knowledge = model_like(model, knowledge, config)
    source_vocab, target_vocab = knowledge.extended_vocabs
    source = pad([encode_source(["crawl", "twice"], source_vocab)])
    step = taught.step(taught.start(source), torch.tensor([1]))
    crawl = target_vocab.id("CRAWL")
    expected = (1 - step.write_gate) * step.attention[:, 1]
    assert step.output_ids[-1] == crawl
    torch.testing.assert_close(step.probs[:, -1], expected)
    again = taught.step(step.state, torch.tensor([crawl]))
    torch.testing.assert_close(again.probs.sum(), torch.tensor(1.0))


def model_like(model: Seq2Seq, knowledge: Knowledge, config: Config) -> tuple[Seq2Seq, Knowledge]:
    rebuilt = build_model(config, knowledge).eval()
    rebuilt.load_state_dict(model.state_dict())
    return rebuilt, knowledge


def test_vocabularies_keep_their_ids_when_words_are_taught() -> None:
    vocab = Vocabulary(["a", "b"])
    assert vocab.extended(["c", "a", "c"]).words == ("a", "b", "c")


def test_words_with_exact_rows_are_translated_but_never_anonymous() -> None:
    nouns = ("cat", "dog", "cow", "hen")
    examples = tuple(Example(("the", noun), ("*", noun.upper()), index=i) for i, noun in enumerate(nouns))
    config = small_config(fast_mapping={"probability": 1.0, "policy": "always"}, lexicon={"exact_rows": True})
    knowledge = Knowledge.learn(examples, config)
    model = build_model(config, knowledge)
    source = pad([encode_source(("the", "cat"), knowledge.source_vocab)])
    assert model.anonymizer is not None
    for hide in (anonymizer_of(model).hide_for_training, anonymizer_of(model).hide_for_translation):
        assert hide(source).tolist() == [[False, False, True, False]]
    assert model.lexicon is not None
    star = torch.tensor([[knowledge.target_vocab.id("*")]])
    assert model.lexicon.lookup(source, star)[0, 0].tolist() == [0.0, 1.0, 0.0, 0.0]


def test_stand_ins_hide_from_the_encoder_in_training_alone() -> None:
    """*the* begins a phrase as names do: it hides as one, but its translation is read back as it is."""
    people, things = ("Ann", "Bob", "Cid", "Dan"), ("cat", "dog", "cow", "hen")
    examples = tuple(
        Example(source, (*target, "!"), index=i)
        for i, (source, target) in enumerate(
            [
                *((("see", name), ("see", "=", name.upper())) for name in people),
                *((("see", "the", noun), ("see", "=", "*", noun.upper())) for noun in things),
            ]
        )
    )
    fast_mapping = {"probability": 1.0, "policy": "always", "classes": "target"}
    config = small_config(fast_mapping=fast_mapping, lexicon={"exact_rows": True})
    knowledge = Knowledge.learn(examples, config)
    classes = knowledge.familiarity.classes
    assert classes["Ann"] == classes["Dan"] != classes["cat"]
    assert knowledge.familiarity.stand_ins == {"the": classes["Ann"]}

    model = build_model(config, knowledge)
    anonymizer, batch = model.anonymizer, batch_of(knowledge, examples[-1:])
    assert anonymizer is not None
    assert anonymizer.hide_for_translation(batch.source)[0, 1:-1].tolist() == [False, False, True]
    hidden = anonymizer.hide_for_training(batch.source)
    assert hidden[0, 1:-1].tolist() == [False, True, True]
    read = anonymizer.read_source(batch.source, hidden)[0] - len(knowledge.source_vocab)
    assert read[2:4].tolist() == [classes["Ann"], classes["hen"]]
    targets = anonymizer.hidden_targets(batch.source, hidden)
    star, hen = (knowledge.target_vocab.id(word) for word in ("*", "HEN"))
    assert targets.nonzero()[:, 1].tolist() == sorted([star, hen])
    read_target = anonymizer.read_target(torch.tensor([[star, hen]]), targets)[0].tolist()
    assert read_target == [star, len(knowledge.target_vocab) + classes["hen"]]


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "stand_ins"), [("fast+nested", {"a", "the"}), ("fast", set())])
def test_determiners_of_cogs_stand_in_for_names(published: Path, preset: str, stand_ins: set[str]) -> None:
    """docs/fast_mapping.md: in nested notation *a* and *the* share the place of names; in compact nothing does."""
    config = build_config(preset, "cogs")
    corpus = load("cogs")
    form = Form.learn(corpus, notation=config.data.notation, truecase=True)
    familiarity = Knowledge.learn(form.prepare(corpus)["train"], config, form).familiarity
    assert familiarity.stand_ins == dict.fromkeys(stand_ins, familiarity.classes["Emma"])
