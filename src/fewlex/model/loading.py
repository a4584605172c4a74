"""The weights of a finished run, as a model that translates."""

from __future__ import annotations

from fewlex.config import Config
from fewlex.knowledge import Knowledge
from fewlex.model.assemble import LexicalParts, build_model
from fewlex.model.batch import encode
from fewlex.model.committee import Committee
from fewlex.model.memory import Memory
from fewlex.model.seq2seq import Seq2Seq
from fewlex.model.trust import Trust
from fewlex.model.weights import load_weights, require_size
from fewlex.remembered import Remembered, damaged
from fewlex.run import Run


def load_model(
    run: Run, config: Config, knowledge: Knowledge, parts: LexicalParts, device: str
) -> Seq2Seq | Committee:
    """The network of a run, ready to translate; a committee if the run has several."""
    folders = network_folders(run, config)
    loaded = [_load_one(folder, config, knowledge, parts, device) for folder in folders]
    return loaded[0] if len(loaded) == 1 else Committee(loaded).eval()


def network_folders(run: Run, config: Config) -> list[Run]:
    """The folders with the weights: that of the run, or those of the networks that are trained if there are several."""
    if config.training.networks == 1:
        return [run]
    found = [member for member in run.members if member.is_finished]
    if not found:
        run.member(0).require("result.json")
    return found


def _load_one(run: Run, config: Config, knowledge: Knowledge, parts: LexicalParts, device: str) -> Seq2Seq:
    weights = run.require(run.weights.name)
    require_size(config.model, weights)
    model = build_model(config, knowledge, parts)
    load_weights(model, weights)
    model.to(device).eval()
    model.memory = _memory(run, config, knowledge, device)
    return model


def _memory(run: Run, config: Config, knowledge: Knowledge, device: str) -> Memory | None:
    """The training sentences that a run recalls, without those that teaching has made out of date."""
    remembered = Remembered.read(run) if config.memory.sentences else None
    if remembered is None:
        return None
    examples = encode(remembered.examples, knowledge.source_vocab, knowledge.target_vocab)
    try:
        trust = Trust.of_numbers(remembered.trust).to(device)
    except ValueError as error:
        raise damaged(run, error) from error
    return Memory(examples, config.memory, trust).without(
        knowledge.source_vocab.encode(knowledge.taught_terms)
    )
