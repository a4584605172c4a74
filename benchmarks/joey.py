"""Joey NMT (PyPI: joeynmt) is the peer of the speed benchmarks. This module builds its network with the same sizes.

Embeddings, hidden size, layers, dropout, bilinear attention and examples are the same. These things differ:

- Joey NMT has no lexicon, no gate and no fast mapping, so it computes less.
- Its decoder has a tanh layer over state and context before the output, as `fast` has. The paper's equations have none.
- It goes through the target step by step, with input feeding (its default) or without (as fewlex's presets do).
- An encoder of one direction does not run in Joey NMT 2.3, because it always takes the state of the second direction.
  If fewlex has one direction of width 512, Joey NMT gets two of width 256. That is the same width of memory and a
  quarter less work.
- It reads a source without a start marker.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from types import SimpleNamespace

import torch
from joeynmt.batch import Batch
from joeynmt.builders import build_gradient_clipper, build_optimizer
from joeynmt.model import build_model
from joeynmt.search import search
from joeynmt.vocabulary import Vocabulary

from fewlex.config import Config
from fewlex.data.example import Example
from fewlex.knowledge import Knowledge

logging.disable(logging.INFO)

SYMBOLS = SimpleNamespace(
    unk_token="<unk>", pad_token="<pad>", bos_token="<s>", eos_token="</s>", sep_token=None,
    unk_id=0, pad_id=1, bos_id=2, eos_id=3, sep_id=None, lang_tags=[],
)  # fmt: skip


class Joey:
    def __init__(self, config: Config, knowledge: Knowledge, *, input_feeding: bool) -> None:
        """A model with fresh weights and its Adam."""
        sizes = config.model
        self.source_vocab = Vocabulary(list(knowledge.source_vocab.words), SYMBOLS)
        self.target_vocab = Vocabulary(list(knowledge.target_vocab.words), SYMBOLS)
        common = {
            "type": "recurrent",
            "rnn_type": "lstm",
            "embeddings": {"embedding_dim": sizes.embedding, "dropout": sizes.dropout},
            "num_layers": sizes.layers,
            "dropout": sizes.dropout,
        }
        encoder = {
            "bidirectional": True,
            "hidden_size": sizes.hidden if sizes.lstm.bidirectional else sizes.hidden // 2,
        }
        decoder = {
            "hidden_size": sizes.hidden,
            "hidden_dropout": sizes.dropout,
            "attention": "luong",
            "init_hidden": "bridge",
            "input_feeding": input_feeding,
        }
        network = {"encoder": {**common, **encoder}, "decoder": {**common, **decoder}}
        self.model = build_model(network, self.source_vocab, self.target_vocab)
        self.model.loss_function = ("crossentropy", 0.0)
        self.optimizer = build_optimizer({"optimizer": "adam"}, self.model.parameters())
        self.clip = build_gradient_clipper({"clip_grad_val": None, "clip_grad_norm": config.training.clip})

    def train_step(self, examples: Sequence[Example]) -> None:
        """Train on a batch, as Joey NMT's TrainManager does."""
        self.model.train()
        self.model.zero_grad()
        batch = self._batch(examples)
        loss, *_ = self.model(return_type="loss", **vars(batch))
        batch.normalize(loss, "tokens").backward()
        self.clip(parameters=self.model.parameters())
        self.optimizer.step()

    def decode(self, examples: Sequence[Example], steps: int, beam: int) -> list[list[str]]:
        """Outputs of exactly `steps` tokens, because no end marker may come before. Long sources come first."""
        self.model.eval()
        outputs, _, _ = search(
            self.model,
            self._batch(examples),
            max_output_length=steps,
            beam_size=beam,
            beam_alpha=0.0,
            min_output_length=steps,
            generate_unk=False,
        )
        return self.target_vocab.arrays_to_sentences(outputs.astype(int))

    def _batch(self, examples: Sequence[Example]) -> Batch:
        """Make a batch, as Joey NMT's data loader does. Its encoder needs long sources first."""
        source, lengths, _ = self.source_vocab.sentences_to_ids([e.source for e in examples], bos=False)
        target, _, _ = self.target_vocab.sentences_to_ids([e.target for e in examples])
        batch = Batch(
            src=torch.tensor(source),
            src_length=torch.tensor(lengths),
            src_prompt_mask=None,
            trg=torch.tensor(target),
            trg_prompt_mask=None,
            indices=torch.arange(len(examples)),
            device=torch.device("cpu"),
            pad_index=SYMBOLS.pad_id,
            eos_index=SYMBOLS.eos_id,
        )
        batch.sort_by_src_length()
        return batch
