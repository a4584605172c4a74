"""English–Chinese sentence pairs of Tatoeba: the tokenized splits of the paper, and the steps that tokenized them."""

from __future__ import annotations

from pathlib import Path

from fewlex.data.download import PublishedFile, locate
from fewlex.data.example import Example
from fewlex.data.readers import read_examples, read_pairs
from fewlex.data.tokenizers import Jieba, Moses

_ADDRESS = "ekinakyurek/lexical/3956fa2a2dd976d99a94e8ad9ed8d3a6f65a5c78/TRANSLATE/cmn.txt"

FILES = {
    split: PublishedFile(f"eng-cmn/{part}.tsv", f"{_ADDRESS}_{part}_tokenized.tsv", sha256)
    for split, part, sha256 in (
        ("train", "train", "2fe353961739cab75bc34b8c987e64fa776eb83792adb0d94d868085b4cd4720"),
        ("validation", "dev", "1246a1a9b26636b35bd7b997f871c5d0a486d7709f6e66c8dbd8b4621ea87b15"),
        ("test", "test", "4ef83fb2586c0a88de9182144c9cbdf03a4ffc4dd0810a69609f7484e89bf8c5"),
    )
}

RAW_FILE = PublishedFile(
    "eng-cmn/cmn.txt", _ADDRESS, "6d9734ce952db2b694ac8a6abae52b445f8dbc6a599959b0971a2bc74eec1918"
)
"""The pairs as people wrote them, with the attribution that their licence asks for as a third column."""

# They are applied in this order. The published data was made like this, so `'s` always becomes `is` (Tom's → Tom is),
# and `'d` stays unless `like to` follows.
_CONTRACTIONS = {
    "won't": "will not",
    "can't": "can not",
    "n't": " not",
    "'re": " are",
    "'s": " is",
    "'ll": " will",
    "'ve": " have",
    "'m": " am",
    "'d like to": " would like to",
}
_PUNCTUATION = {"，": ", ", "。": ". "}


def splits() -> dict[str, tuple[Example, ...]]:
    """The published train, validation and test examples."""
    return {split: read_examples(locate(file)) for split, file in FILES.items()}


def build_from_raw(path: str | Path) -> tuple[Example, ...]:
    """The examples of a file of raw pairs such as RAW_FILE, tokenized as the published ones are."""
    english, chinese = Moses("en", escape=True), Jieba(by_part_of_speech=True)
    return tuple(
        Example(
            source=english.tokenize(_replaced(pair.source, _CONTRACTIONS)),
            target=chinese.tokenize(_replaced(pair.target, _PUNCTUATION)),
            index=index,
        )
        for index, pair in enumerate(read_pairs(path))
    )


def _replaced(text: str, replacements: dict[str, str]) -> str:
    for old, new in replacements.items():
        text = text.replace(old, new)
    return text
