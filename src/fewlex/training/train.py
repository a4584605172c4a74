"""From a corpus and a config to a finished run folder, in one call that may be killed and called again."""

from __future__ import annotations

import dataclasses
import resource
from collections.abc import Callable, Sequence
from pathlib import Path

import torch

from fewlex.augment import Mixture, fresh_examples, synthetic_examples
from fewlex.config import Config
from fewlex.data import find_notation
from fewlex.data.example import Corpus, Example
from fewlex.data.parts import find_halves
from fewlex.data.truecase import learn_truecase
from fewlex.decoding import decode_all
from fewlex.errors import ConfigError, RunError
from fewlex.lexicon import Entry, Lexicon
from fewlex.model.assemble import Knowledge, build_model
from fewlex.model.batch import Encoded, encode, make_batch
from fewlex.model.lexicon_matrix import LexiconMatrix
from fewlex.model.seq2seq import Seq2Seq
from fewlex.training.distributed import Workers, join_workers
from fewlex.training.progress import Observer, Progress, Validation
from fewlex.training.run_folder import RunFolder
from fewlex.training.schedule import stopped_by
from fewlex.training.trainer import Trainer, precision

VALIDATION_BATCH = 128


def train(
    corpus: Corpus,
    config: Config,
    out: Path | str,
    *,
    device: str = "cpu",
    observe: Observer = lambda news: None,
) -> RunFolder:
    """Train on `corpus["train"]` and leave the run in `out`; go on where a killed run of the same config stopped.

    Started by torchrun, all workers do so together; the first of them writes and tells `observe`.
    """
    folder = RunFolder(Path(out))
    corpus = corpus.with_validation(config.data.validation_share, config.seed)
    truecase = learn_truecase(e.source for e in corpus["train"]) if config.data.truecase else {}
    corpus = corpus.truecased(truecase) if truecase else corpus
    codec = find_notation(config.data.notation, corpus.name)
    if codec is not None:
        corpus = corpus.in_notation(codec)
    if config.training.stop_on != "never" and not corpus.splits.get("validation"):
        raise ConfigError(
            f"training.stop_on = {config.training.stop_on!r} needs validation examples, and {corpus.name} has none. "
            "Set data.validation_share above 0, or training.stop_on to 'never'."
        )
    with join_workers(device) as workers:
        if folder.exists():
            _require_same(folder, config, corpus.name)
        elif workers.is_first:
            folder.write_start(config, Knowledge.learn(corpus["train"], config, truecase), corpus.name)
        workers.wait()
        if not folder.exists():
            raise RunError(
                f"worker {workers.rank} does not see {folder.path}. Put --out where all machines can read it."
            )
        if not folder.is_finished:
            _train_together(corpus, config, folder, workers, observe)
        workers.wait()  # whoever goes on finds the run finished
    return folder


def _train_together(
    corpus: Corpus, config: Config, folder: RunFolder, workers: Workers, observe: Observer
) -> None:
    knowledge = folder.read_knowledge()
    # Dropout and initial weights draw from torch's own generator: seeded here, kept in the checkpoint.
    torch.manual_seed(config.seed)
    model = build_model(config, knowledge, for_training=True).to(workers.device)
    validation = corpus.splits.get("validation", ())
    examples, mixture, fresh = _examples(corpus["train"], config, knowledge)
    trainer = Trainer(
        model,
        examples,
        config.training,
        workers,
        seed=config.seed,
        hidden=config.model.hidden,
        validate=_validator(model, config, knowledge, validation, workers),
        observe=_recorder(folder, observe) if workers.is_first else lambda news: None,
        checkpoint=folder.checkpoint,
        mixture=mixture,
        fresh=fresh,
    )
    if workers.is_first:
        folder.cut_metrics(trainer.position.update)
    end = trainer.run()
    if not workers.is_first:
        return
    if config.lexicon.trained and model.lexicon is not None:
        trained_lexicon(model.lexicon, knowledge, config.lexicon.temperature).save(
            folder.path / "lexicon.json"
        )
    folder.write_end(
        model,
        {
            "data": corpus.name,
            "preset": config.preset,
            "seed": config.seed,
            "epochs": end.epoch,
            "updates": end.update,
            "seconds": round(end.seconds, 1),
            "stopped_by": stopped_by(config.training, end),
            "stopped_early": end.stopped,
            "device": str(workers.device),
            "workers": workers.count,
            "threads": torch.get_num_threads(),
            "precision": precision(config.training, workers.device),
            "peak_memory_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
            "parameters": sum(parameter.numel() for parameter in model.parameters()),
        },
    )


def _examples(
    real: Sequence[Example], config: Config, knowledge: Knowledge
) -> tuple[list[Encoded], Mixture, Callable[[int], list[Encoded]] | None]:
    """The examples to train on, which of them an epoch has, and what gives an epoch more of them."""
    augmentation = config.augmentation
    synthetic = synthetic_examples(real, augmentation, config.seed)
    of_epoch = fresh_examples(real, augmentation, config.seed)

    def encoded(more: Sequence[Example]) -> list[Encoded]:
        examples = (*real, *more)
        codes = encode(examples, knowledge.source_vocab, knowledge.target_vocab)
        return _with_halves(codes, examples) if config.fast_mapping.uses_halves else codes

    fresh = None if of_epoch is None else lambda epoch: encoded(of_epoch(epoch))[len(real) :]
    return encoded(synthetic), Mixture(len(real), len(synthetic), augmentation.ratio, config.seed), fresh


def trained_lexicon(matrix: LexiconMatrix, knowledge: Knowledge, temperature: float) -> Lexicon:
    """The fine-tuned L as entries whose softmax at the configured τ is L again."""
    rows = matrix.learned_rows(knowledge.source_vocab, knowledge.target_vocab)
    lines = [(source, target, Entry(temperature * logit, "trained")) for source, target, logit in rows]
    return Lexicon(lines, {**knowledge.lexicon.provenance, "trained": True})


def _with_halves(encoded: Sequence[Encoded], examples: Sequence[Example]) -> list[Encoded]:
    return [e._replace(halves=halves) for e, halves in zip(encoded, find_halves(examples), strict=True)]


def max_output_length(config: Config, knowledge: Knowledge) -> int:
    """The configured limit, or twice the longest training target and some."""
    return config.decoding.max_length or 2 * knowledge.longest_target + 10


def _require_same(folder: RunFolder, config: Config, data: str) -> None:
    other = "settings (see its config.toml)" if folder.read_config() != config else ""
    if folder.read_data_name() != data:
        other = f"data ({folder.read_data_name()})"
    if other:
        raise RunError(
            f"{folder.path} holds a run with other {other}. Choose another --out, or delete the folder."
        )


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
            model, [e.source for e in own], greedy, max_output_length(config, knowledge), workers.device
        )
        right = sum(list(hypotheses[0].ids) == e.target for hypotheses, e in zip(outputs, own, strict=True))
        all_loss, all_right = workers.sum([loss, right])
        tokens = sum(len(example.target) + 1 for example in examples)
        return Validation(all_loss / tokens, all_right / len(examples))

    return validate


def _recorder(folder: RunFolder, observe: Observer) -> Observer:
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
            folder.append_metrics(row)
        observe(news)

    return record
