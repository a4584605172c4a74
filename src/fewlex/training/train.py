"""From a corpus and a config to a finished run folder, in one call that may be killed and called again."""

from __future__ import annotations

import dataclasses
import resource
from collections.abc import Callable, Sequence
from pathlib import Path

import torch

from fewlex.config import Config
from fewlex.data.example import Corpus, Example
from fewlex.data.vocabulary import Vocabulary
from fewlex.decoding import decode_all
from fewlex.errors import RunError
from fewlex.lexicon import Entry, Lexicon
from fewlex.model.assemble import Knowledge, build_model
from fewlex.model.batch import encode_source, make_batch
from fewlex.model.lexicon_matrix import LexiconMatrix
from fewlex.model.seq2seq import Seq2Seq
from fewlex.training.run_folder import RunFolder
from fewlex.training.trainer import Encoded, Observer, Progress, Trainer, Validation

VALIDATION_BATCH = 128


def train(
    corpus: Corpus,
    config: Config,
    out: Path | str,
    *,
    device: str = "cpu",
    observe: Observer = lambda news: None,
) -> RunFolder:
    """Train on `corpus["train"]` and leave the run in `out`; go on where a killed run of the same config stopped."""
    folder = RunFolder(Path(out))
    corpus = corpus.with_validation(config.data.validation_share, config.seed)
    if folder.exists():
        _require_same(folder, config, corpus.name)
        if folder.is_finished:
            return folder
        knowledge = folder.read_knowledge()
    else:
        knowledge = Knowledge.learn(corpus["train"], config)
        folder.write_start(config, knowledge, corpus.name)

    # Dropout and initial weights draw from torch's own generator: seeded here, kept in the checkpoint.
    torch.manual_seed(config.seed)
    model = build_model(config, knowledge, for_training=True).to(device)
    validation = corpus.splits.get("validation", ())
    trainer = Trainer(
        model,
        encode(corpus["train"], knowledge.source_vocab, knowledge.target_vocab),
        config.training,
        seed=config.seed,
        hidden=config.model.hidden,
        validate=_validator(model, config, knowledge, validation),
        observe=_recorder(folder, observe),
        checkpoint=folder.checkpoint,
    )
    folder.cut_metrics(trainer.position.update)
    end = trainer.run()
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
            "stopped_early": end.stopped,
            "threads": torch.get_num_threads(),
            "peak_memory_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
            "parameters": sum(parameter.numel() for parameter in model.parameters()),
        },
    )
    return folder


def trained_lexicon(matrix: LexiconMatrix, knowledge: Knowledge, temperature: float) -> Lexicon:
    """The fine-tuned L as entries whose softmax at the configured τ is L again."""
    rows = matrix.learned_rows(knowledge.source_vocab, knowledge.target_vocab)
    lines = [(source, target, Entry(temperature * logit, "trained")) for source, target, logit in rows]
    return Lexicon(lines, {**knowledge.lexicon.provenance, "trained": True})


def encode(examples: Sequence[Example], source_vocab: Vocabulary, target_vocab: Vocabulary) -> list[Encoded]:
    return [(encode_source(e.source, source_vocab), target_vocab.encode(e.target)) for e in examples]


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
    model: Seq2Seq, config: Config, knowledge: Knowledge, examples: Sequence[Example]
) -> Callable[[], Validation | None]:
    encoded = encode(examples, knowledge.source_vocab, knowledge.target_vocab)
    device = next(model.parameters()).device

    @torch.inference_mode()
    def validate() -> Validation | None:
        if not encoded:
            return None
        loss = 0.0
        for first in range(0, len(encoded), VALIDATION_BATCH):
            sources, targets = zip(*encoded[first : first + VALIDATION_BATCH], strict=True)
            loss += float(model.loss(make_batch(sources, targets).to(device)))
        greedy = dataclasses.replace(config.decoding, beam=1)
        outputs = decode_all(
            model, [source for source, _ in encoded], greedy, max_output_length(config, knowledge), device
        )
        tokens = sum(len(target) + 1 for _, target in encoded)
        right = sum(
            list(hypotheses[0].ids) == target
            for hypotheses, (_, target) in zip(outputs, encoded, strict=True)
        )
        return Validation(loss / tokens, right / len(encoded))

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
