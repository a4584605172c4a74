"""One network of a run: built, trained and written."""

from __future__ import annotations

import dataclasses
import resource
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

import torch

from fewlex.augment import EpochSampler, fresh_examples, synthetic_examples
from fewlex.config import Config
from fewlex.data.corpus import Corpus
from fewlex.data.example import Example
from fewlex.data.parts import find_allowed_sources
from fewlex.deadline import OutOfTime, ending, preparing
from fewlex.decoding import decode_all
from fewlex.knowledge import Knowledge
from fewlex.lexicon import Entry, Lexicon
from fewlex.model.assemble import build_model
from fewlex.model.batch import Encoded, encode, make_batch
from fewlex.model.lexicon_matrix import LexiconMatrix
from fewlex.model.memory import Memory
from fewlex.model.seq2seq import Seq2Seq
from fewlex.model.weights import save_weights
from fewlex.remembered import MAX_REMEMBERED, Remembered, drawn
from fewlex.run import Run
from fewlex.training.checking import learn_confidence
from fewlex.training.checkpoint import Position
from fewlex.training.distributed import Workers
from fewlex.training.interruption import Interruption
from fewlex.training.progress import Observer, Progress, Validation
from fewlex.training.remembering import learn_trust
from fewlex.training.schedule import stopped_by
from fewlex.training.trainer import Trainer, precision

Checked = TypeVar("Checked")

VALIDATION_BATCH = 128
GRACE = 0.5
"""A check that begins within the time budget may end so much later, as a share of the budget; then it is given up."""


def train_network(
    corpus: Corpus,
    config: Config,
    run: Run,
    workers: Workers,
    observe: Observer,
    interruption: Interruption,
    began: float,
) -> None:
    """Train the network of a run that has begun, from wherever its checkpoint left off, and finish the run."""
    with preparing(config.training.seconds, began, "building the network"):
        knowledge = run.learned_knowledge()
        # Dropout and initial weights draw from torch's own generator: seeded here, kept in the checkpoint.
        torch.manual_seed(config.seed)
        model = build_model(config, knowledge, for_training=True).to(workers.device)
        examples, sampler, fresh = _examples(corpus["train"], config, knowledge)
    validation = corpus.splits.get("validation", ())
    latest = latest_end(config, began, workers)
    trainer = Trainer(
        model,
        examples,
        config.training,
        workers,
        seed=config.seed,
        hidden=config.model.hidden,
        validate=partial(if_in_time, latest, _validator(model, config, knowledge, validation, workers)),
        observe=recorder(run, observe) if workers.is_first else lambda news: None,
        checkpoint=run.checkpoint,
        sampler=sampler,
        fresh=fresh,
        interruption=interruption,
        began=began,
    )
    if workers.is_first:
        run.cut_metrics(trainer.position.update)
    end = trainer.run()
    if not workers.is_first:
        return
    if config.memory.sentences:
        remembered = if_in_time(latest, partial(_remember, model, config, knowledge, corpus, workers.device))
        if remembered is not None:
            remembered.write(run)
    if validation:
        sure = partial(learn_confidence, model, config, knowledge, validation, workers.device)
        run.write_confidence(if_in_time(latest, sure))
    write_end(run, corpus.name, knowledge, model, end, workers, stopped_by(config.training, end))


def _remember(
    model: Seq2Seq, config: Config, knowledge: Knowledge, corpus: Corpus, device: torch.device
) -> Remembered | None:
    """The training sentences for the network to recall, if validation examples are the better for it."""
    vocabs = knowledge.source_vocab, knowledge.target_vocab
    kept = drawn(corpus["train"], MAX_REMEMBERED, config.seed)
    memory = Memory(encode(kept, *vocabs), config.memory)
    greedy, longest = (
        dataclasses.replace(config.decoding, beam=1),
        knowledge.max_output_length(config.decoding),
    )

    def translate(examples: Sequence[Encoded]) -> list[list[int]]:
        found = decode_all(model, [e.source for e in examples], greedy, longest, device)
        return [list(hypotheses[0].ids) for hypotheses in found]

    validation = encode(corpus.splits.get("validation", ()), *vocabs)
    trust = learn_trust(model, memory, validation, translate)
    return None if trust is None else Remembered(kept, trust.numbers())


def latest_end(config: Config, began: float, workers: Workers) -> float | None:
    """When checking must end if there is a time budget. Several workers check together, so none of them may leave."""
    budget = config.training.seconds
    return began + (1 + GRACE) * budget if budget and workers.count == 1 else None


def if_in_time(latest: float | None, check: Callable[[], Checked | None]) -> Checked | None:
    """What a check of the network finds; None if the check would end too late."""
    try:
        with ending(latest):
            return check()
    except OutOfTime:
        return None


def write_end(
    run: Run,
    data: str,
    knowledge: Knowledge,
    model: Seq2Seq,
    end: Position,
    workers: Workers,
    reason: str,
) -> None:
    """Write everything that is known after the last update; the result last, as the sign that the run is finished."""
    config = run.read_config()
    if config.lexicon.trained and model.lexicon is not None:
        run.journal.begin_anew(trained_lexicon(model.lexicon, knowledge, config.lexicon.temperature))
    save_weights(model, run.weights)
    run.write_result(_result(data, config, model, end, workers, reason))


def _result(
    data: str, config: Config, model: Seq2Seq, end: Position, workers: Workers, reason: str
) -> dict[str, Any]:
    """How training went, for result.json."""
    return {
        "data": data,
        "preset": config.preset,
        "seed": config.seed,
        "epochs": end.epoch,
        "updates": end.update,
        "seconds": round(end.seconds, 1),
        "stopped_by": reason,
        "stopped_early": end.stopped,
        "device": str(workers.device),
        "workers": workers.count,
        "threads": torch.get_num_threads(),
        "precision": precision(config.training, workers.device),
        "peak_memory_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
    }


def _examples(
    real: Sequence[Example], config: Config, knowledge: Knowledge
) -> tuple[list[Encoded], EpochSampler, Callable[[int], list[Encoded]] | None]:
    """The examples to train on, which of them an epoch has, and what gives an epoch more of them."""
    augmentation = config.augmentation
    synthetic = synthetic_examples(real, augmentation, config.seed)
    of_epoch = fresh_examples(real, augmentation, config.seed, knowledge.rules)

    def encoded(more: Sequence[Example]) -> list[Encoded]:
        examples = (*real, *more)
        codes = encode(examples, knowledge.source_vocab, knowledge.target_vocab)
        return _with_limits(codes, examples) if config.fast_mapping.limits_sources else codes

    fresh = None if of_epoch is None else lambda epoch: encoded(of_epoch(epoch))[len(real) :]
    return encoded(synthetic), EpochSampler(len(real), len(synthetic), augmentation.ratio, config.seed), fresh


def trained_lexicon(matrix: LexiconMatrix, knowledge: Knowledge, temperature: float) -> Lexicon:
    """The fine-tuned L as entries whose softmax at the configured τ is L again."""
    rows = matrix.learned_rows(knowledge.source_vocab, knowledge.target_vocab)
    lines = [(source, target, Entry(temperature * logit, "trained")) for source, target, logit in rows]
    return Lexicon(lines, {**knowledge.lexicon.provenance, "trained": True})


def _with_limits(encoded: Sequence[Encoded], examples: Sequence[Example]) -> list[Encoded]:
    limits = find_allowed_sources(examples)
    return [e._replace(allowed_sources=allowed) for e, allowed in zip(encoded, limits, strict=True)]


def _validator(
    model: Seq2Seq, config: Config, knowledge: Knowledge, examples: Sequence[Example], workers: Workers
) -> Callable[[], Validation | None]:
    """Each worker validates on its share of the examples; all get the figures of the whole."""
    own = encode(workers.own(examples), knowledge.source_vocab, knowledge.target_vocab)
    greedy = dataclasses.replace(config.decoding, beam=1)

    @torch.inference_mode()
    def validate() -> Validation | None:
        if not examples:
            return None
        loss = 0.0
        for first in range(0, len(own), VALIDATION_BATCH):
            loss += float(model.loss(make_batch(own[first : first + VALIDATION_BATCH]).to(workers.device)))
        outputs = decode_all(
            model, [e.source for e in own], greedy, knowledge.max_output_length(greedy), workers.device
        )
        right = sum(list(hypotheses[0].ids) == e.target for hypotheses, e in zip(outputs, own, strict=True))
        all_loss, all_right = workers.sum([loss, right])
        tokens = sum(len(example.target) + 1 for example in examples)
        return Validation(all_loss / tokens, all_right / len(examples))

    return validate


def recorder(run: Run, observe: Observer) -> Observer:
    """Write the milestones to metrics.jsonl, and pass all news on."""

    def record(news: Progress) -> None:
        if news.is_milestone:
            row = {
                key: value for key, value in vars(news).items() if key not in ("is_milestone", "validation")
            }
            if news.validation is not None:
                row |= {
                    "validation_loss": news.validation.loss,
                    "validation_accuracy": news.validation.accuracy,
                }
            run.append_metrics(row)
        observe(news)

    return record
