"""The memory of training sentences makes likelier what followed at places like this one."""

from __future__ import annotations

import pytest
import torch

from fewlex.config import Config, DecodingConfig, MemoryConfig
from fewlex.decoding import decode_all
from fewlex.knowledge import Knowledge
from fewlex.model.batch import Batch, Encoded, encode
from fewlex.model.memory import Memory, Places
from fewlex.model.seq2seq import Seq2Seq
from fewlex.model.trust import Trust
from fewlex.training.remembering import learn_trust
from tests.model.conftest import EXAMPLES, batch_of, small_config, small_model

SURE = Trust(share=1 - 1e-7, temperature=1e-4)


def remembering(
    trust: Trust | None, sentences: int = 10, config: Config | None = None
) -> tuple[Seq2Seq, Knowledge, list[Encoded]]:
    """An untrained network that remembers all examples."""
    model, knowledge = small_model(config or small_config())
    examples = encode(EXAMPLES, knowledge.source_vocab, knowledge.target_vocab)
    model.memory = Memory(examples, MemoryConfig(sentences, neighbours=3), trust)
    return model, knowledge, examples


def outputs(model: Seq2Seq, examples: list[Encoded], beam: int = 1) -> list[list[int]]:
    found = decode_all(
        model, [e.source for e in examples], DecodingConfig(beam=beam), 10, torch.device("cpu")
    )
    return [list(hypotheses[0].ids) for hypotheses in found]


@pytest.mark.parametrize("beam", [1, 3])
def test_a_memory_that_is_trusted_alone_gives_training_targets_back(beam: int) -> None:
    model, _, examples = remembering(SURE)
    assert outputs(model, examples, beam) == [e.target for e in examples]
    model.memory = None
    assert outputs(model, examples, beam) != [e.target for e in examples]


def test_a_memory_without_trust_changes_nothing() -> None:
    model, _, examples = remembering(None)
    remembered = outputs(model, examples, beam=3)
    model.memory = None
    assert remembered == outputs(model, examples, beam=3)


def test_probabilities_sum_to_one_with_and_without_similar_sentences(variant: Config) -> None:
    model, knowledge, examples = remembering(Trust(0.4, 1.0), config=variant)
    known, unknown = examples[4].source, encode_words(knowledge, ["nobody", "knows", "this"])
    state = model.start(torch.tensor([known, [unknown[0], *unknown[1:4], unknown[-1]]]))
    step = model.step(state, torch.tensor([1, 1]))
    torch.testing.assert_close(step.probs.sum(1), torch.ones(2))
    assert step.recalled is not None
    torch.testing.assert_close(step.recalled.sum(1), torch.tensor([0.4, 0.0]))


def encode_words(knowledge: Knowledge, words: list[str]) -> list[int]:
    return [1, *knowledge.source_vocab.encode(words), 2]


def test_each_token_says_how_much_of_it_was_remembered() -> None:
    model, _, examples = remembering(SURE)
    hypothesis = decode_all(model, [examples[4].source], DecodingConfig(), 10, torch.device("cpu"))[0][0]
    torch.testing.assert_close(hypothesis.remembered_share, torch.ones(len(hypothesis.ids) + 1))
    torch.testing.assert_close(hypothesis.lexical_share, torch.zeros(len(hypothesis.ids) + 1))


def test_sentences_with_a_taught_word_are_forgotten() -> None:
    model, knowledge, examples = remembering(SURE)
    assert model.memory is not None
    run = knowledge.source_vocab.id("run")
    model.memory = model.memory.without([run])
    places = model.memory.places(torch.tensor([examples[3].source]), model.features)
    followed = {knowledge.target_vocab.token(i) for i in places.tokens[0].tolist()}
    assert "RUN" not in followed
    assert "WALK" in followed  # walk twice is like run twice


def test_sentences_go_through_the_network_once_until_something_is_taught() -> None:
    model, knowledge, examples = remembering(SURE)
    assert model.memory is not None
    looked = []
    source = torch.tensor([examples[3].source])

    def features_of(batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
        looked.append(len(batch.source))
        return model.features(batch)

    first = model.memory.places(source, features_of)
    again = model.memory.trusted(Trust(0.5, 1.0)).places(source, features_of)
    torch.testing.assert_close(first.features[0], again.features[0])
    assert len(looked) == 1
    model.memory.without([knowledge.source_vocab.id("walk")]).places(source, features_of)
    assert len(looked) == 2


def test_a_word_that_fast_mapping_hides_is_not_remembered() -> None:
    """The network sees the same there for all hidden words, so the memory would mistake one for the other."""
    hidden = small_config(fast_mapping={"probability": 0.5, "policy": "rare", "max_rare_sentences": 1})
    model, _, examples = remembering(SURE, config=hidden)
    assert model.memory is not None
    jump = examples[1]  # jump occurs once
    places = model.memory.places(torch.tensor([jump.source]), model.features)
    assert places.tokens[0].tolist() == [2]  # the end marker alone


def test_only_the_most_similar_sentences_are_compared() -> None:
    model, _, examples = remembering(SURE, sentences=1)
    assert model.memory is not None
    places = model.memory.places(torch.tensor([examples[3].source]), model.features)
    assert places.tokens[0].tolist() == [*examples[3].target, 2]


def test_rows_of_a_search_keep_their_source() -> None:
    places = Places((), (), torch.tensor([0, 1, 2]), neighbours=1)
    assert places.select(torch.tensor([2, 2, 0])).source.tolist() == [2, 2, 0]


def test_features_in_training_and_in_a_search_are_the_same(variant: Config) -> None:
    """Otherwise a step would never find the place that it was remembered from."""
    model, knowledge = small_model(variant)
    with torch.inference_mode():
        whole, is_word = model.features(batch_of(knowledge, EXAMPLES[4:5]))
        assert is_word.all()
        places = Memory(
            encode(EXAMPLES[4:5], knowledge.source_vocab, knowledge.target_vocab), MemoryConfig(1)
        )
        found = places.places(batch_of(knowledge, EXAMPLES[4:5]).source, model.features)
    torch.testing.assert_close(found.features[0], whole[0])


def test_trust_is_learned_where_memory_helps() -> None:
    model, _, examples = remembering(None)
    assert model.memory is not None
    trust = learn_trust(model, model.memory, examples, lambda chosen: outputs(model, list(chosen)))
    assert trust is not None  # the network knows nothing, and the memory all
    assert model.memory is not None
    assert model.memory.trust is trust
    assert outputs(model, examples) == [e.target for e in examples]


def test_no_trust_where_the_network_is_as_good_alone() -> None:
    model, _, examples = remembering(None)
    assert model.memory is not None
    assert learn_trust(model, model.memory, examples, lambda chosen: [e.target for e in chosen]) is None
    assert model.memory is None


def test_no_trust_where_nothing_is_alike() -> None:
    model, _, examples = remembering(None)
    nothing = Memory([], MemoryConfig(10))
    assert learn_trust(model, nothing, examples, lambda chosen: outputs(model, list(chosen))) is None
    assert learn_trust(model, nothing, [], lambda chosen: []) is None
