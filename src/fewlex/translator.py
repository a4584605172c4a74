"""A run folder in use: text in, text out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from fewlex.config import Config, DecodingConfig
from fewlex.data import load
from fewlex.data.example import Corpus, Example
from fewlex.data.tokenizers import make_tokenizer
from fewlex.data.vocabulary import UNK
from fewlex.decoding import Hypothesis, decode_all
from fewlex.evaluation import Scores, score
from fewlex.model.assemble import Knowledge, build_model
from fewlex.model.batch import encode_source, make_batch
from fewlex.training import RunFolder, max_output_length

SCORING_BATCH = 128


@dataclass(frozen=True)
class Translation:
    """One output with where it came from. Row i of `attention` and `write_gate[i]` belong to `tokens[i]`."""

    text: str
    source: tuple[str, ...]
    tokens: tuple[str, ...]
    log_prob: float
    attention: tuple[tuple[float, ...], ...]
    """Over the source tokens; what is missing to 1 went to the sentence boundaries."""
    write_gate: tuple[float, ...]
    """p_gate of eq. 6: 1 = written, 0 = translated by the lexicon."""


class Translator:
    """A trained model with its vocabularies, lexicon and tokenizers."""

    def __init__(self, config: Config, knowledge: Knowledge, folder: RunFolder, device: str = "cpu") -> None:
        self.config, self.knowledge = config, knowledge
        self.device = torch.device(device)
        self.model = build_model(config, knowledge)
        folder.load_weights(self.model)
        self.model.to(self.device).eval()
        self.source_vocab, self.target_vocab = knowledge.with_taught_words()
        self.source_tokenizer = make_tokenizer(config.data.source_tokenizer)
        self.target_tokenizer = make_tokenizer(config.data.target_tokenizer)

    @classmethod
    def load(cls, run: Path | str, device: str = "cpu") -> Translator:
        folder = RunFolder(Path(run))
        return cls(folder.read_config(), folder.read_knowledge(), folder, device)

    def translate(self, text: str, *, beam: int | None = None) -> str:
        """The best output for one line of text."""
        return self.translate_tokens([self.source_tokenizer.tokenize(text)], beam=beam)[0][0].text

    def translate_lines(
        self,
        lines: Iterable[str],
        *,
        beam: int | None = None,
        on_batch: Callable[[int], None] = lambda done: None,
    ) -> list[list[Translation]]:
        """The n-best outputs of many lines, n being the beam."""
        return self.translate_tokens(
            [self.source_tokenizer.tokenize(line) for line in lines], beam=beam, on_batch=on_batch
        )

    def translate_tokens(
        self,
        sources: Sequence[Sequence[str]],
        *,
        beam: int | None = None,
        on_batch: Callable[[int], None] = lambda done: None,
    ) -> list[list[Translation]]:
        """The n-best outputs of sentences that are tokens already."""
        hypotheses = decode_all(
            self.model,
            [encode_source(source, self.source_vocab) for source in sources],
            self._decoding(beam),
            max_output_length(self.config, self.knowledge),
            self.device,
            on_batch,
        )
        return [
            [self._translation(tuple(source), hypothesis) for hypothesis in n_best]
            for source, n_best in zip(sources, hypotheses, strict=True)
        ]

    def evaluate(
        self,
        examples: Sequence[Example],
        *,
        corpus: Corpus | None = None,
        beam: int | None = None,
        on_batch: Callable[[int], None] = lambda done: None,
    ) -> Scores:
        """Scores of the best outputs; `corpus` adds further references for BLEU."""
        outputs = self.translate_tokens(
            [example.source for example in examples], beam=beam, on_batch=on_batch
        )
        return score(examples, [n_best[0].tokens for n_best in outputs], corpus)

    def score(
        self, examples: Sequence[Example], *, on_batch: Callable[[int], None] = lambda done: None
    ) -> list[list[float]]:
        """log p(y_i | y_<i, x) of each target token, the end marker last; −∞ for a word the model cannot produce."""
        rows: list[list[float]] = []
        for first in range(0, len(examples), SCORING_BATCH):
            chunk = examples[first : first + SCORING_BATCH]
            batch = make_batch(
                [encode_source(example.source, self.source_vocab) for example in chunk],
                [self.target_vocab.encode(example.target) for example in chunk],
            ).to(self.device)
            with torch.inference_mode():
                log_probs = self.model.log_probs(batch).masked_fill(batch.target == UNK, float("-inf"))
            rows.extend(row[: len(e.target) + 1] for row, e in zip(log_probs.tolist(), chunk, strict=True))
            on_batch(len(chunk))
        return rows

    def load_data(self, data: str) -> Corpus:
        """Data tokenized as this run's training data was."""
        return load(
            data,
            source_tokenizer=self.config.data.source_tokenizer,
            target_tokenizer=self.config.data.target_tokenizer,
        )

    def _decoding(self, beam: int | None) -> DecodingConfig:
        return self.config.decoding if beam is None else replace(self.config.decoding, beam=beam)

    def _translation(self, source: tuple[str, ...], hypothesis: Hypothesis) -> Translation:
        tokens = self.target_vocab.decode(hypothesis.ids)
        kept = slice(0, len(tokens))
        attention = hypothesis.attention[kept, 1 : len(source) + 1]
        return Translation(
            text=self.target_tokenizer.detokenize(tokens),
            source=source,
            tokens=tokens,
            log_prob=hypothesis.log_prob,
            attention=tuple(map(tuple, attention.tolist())),
            write_gate=tuple(hypothesis.write_gate[kept].tolist()),
        )
