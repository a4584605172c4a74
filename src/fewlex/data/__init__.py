"""Corpora: what they are made of, where they come from, and how they become batches. Needs no torch."""

from fewlex.data.batching import bucketed_batches
from fewlex.data.example import Corpus, Example
from fewlex.data.readers import TextPair, read_examples, read_pairs
from fewlex.data.registry import DATASETS, DataSet, evaluation_split, find_notation, load
from fewlex.data.tokenizers import TOKENIZERS, Tokenizer, make_tokenizer
from fewlex.data.vocabulary import Vocabulary
from fewlex.data.writers import write_jsonl, write_tsv

__all__ = [
    "DATASETS",
    "TOKENIZERS",
    "Corpus",
    "DataSet",
    "Example",
    "TextPair",
    "Tokenizer",
    "Vocabulary",
    "bucketed_batches",
    "evaluation_split",
    "find_notation",
    "load",
    "make_tokenizer",
    "read_examples",
    "read_pairs",
    "write_jsonl",
    "write_tsv",
]
