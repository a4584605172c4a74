"""The network of §3: encoder, decoder, and an output that mixes writing with the lexicon."""

from fewlex.model.assemble import build_model
from fewlex.model.seq2seq import Seq2Seq

__all__ = ["Seq2Seq", "build_model"]
