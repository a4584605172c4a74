"""Corpora: what they are made of, where they come from, and how they become batches. Needs no torch."""

from fewlex.data.batching import bucketed_batches
from fewlex.data.corpus import Corpus
from fewlex.data.dataset import DataSet
from fewlex.data.example import Example
from fewlex.data.form import Form
from fewlex.data.readers import TextPair, read_examples, read_pairs
from fewlex.data.registry import DATASETS, find_dataset, find_notation, load
from fewlex.data.tokenizers import TOKENIZERS, Tokenizer, make_tokenizer
from fewlex.data.vocabulary import Vocabulary
from fewlex.data.writers import write_jsonl, write_tsv

__all__ = [
    "DATASETS",
    "TOKENIZERS",
    "Corpus",
    "DataSet",
    "Example",
    "Form",
    "TextPair",
    "Tokenizer",
    "Vocabulary",
    "bucketed_batches",
    "find_dataset",
    "find_notation",
    "load",
    "make_tokenizer",
    "read_examples",
    "read_pairs",
    "write_jsonl",
    "write_tsv",
]
