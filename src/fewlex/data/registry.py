"""The data sets that fewlex knows by name, and the one way to load data: `load`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from fewlex.data import cogs, colors, scan, tatoeba
from fewlex.data.codec import PUBLISHED, Codec
from fewlex.data.cogs_compact import COMPACT
from fewlex.data.cogs_nested import NESTED
from fewlex.data.example import Corpus, Example
from fewlex.data.readers import PARSERS, STDIN, read_examples
from fewlex.errors import ConfigError, DataError, did_you_mean

Splits = Mapping[str, tuple[Example, ...]]


@dataclass(frozen=True)
class DataSet:
    """A data set with a name: what it is, where it comes from and how to load it."""

    name: str
    summary: str
    licence: str
    address: str
    variants: Mapping[str, Callable[[], Splits]]
    """How to load each variant; a data set without variants has one that is called ''."""
    evaluation_split: str = "test"
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Categories of the evaluation split that the paper reports together."""
    target_tokenizer: str = "whitespace"
    """What the published targets were tokenized with, where they are text."""
    notations: Mapping[str, Codec] = field(default_factory=dict)
    """Ways to write the targets, other than as published (docs/notations.md)."""

    @property
    def names(self) -> tuple[str, ...]:
        """What `load` calls it: `colors`, or one name for each variant such as `scan:jump`."""
        return tuple(f"{self.name}:{variant}" if variant else self.name for variant in self.variants)


_ALL = (
    DataSet(
        name="colors",
        summary="four colour words and three functions, 14 examples to learn from",
        licence="none stated",
        address="https://arxiv.org/abs/1901.04587",
        variants={"": colors.splits},
    ),
    DataSet(
        name="scan",
        summary="commands such as 'jump left twice' and their actions, generated from the grammar",
        licence="BSD",
        address="https://github.com/brendenlake/SCAN",
        variants={variant: partial(scan.splits, variant) for variant in scan.VARIANTS},
    ),
    DataSet(
        name="cogs",
        summary="English sentences and their logical forms",
        licence="MIT",
        address="https://github.com/najoungkim/COGS",
        variants={"": cogs.splits},
        evaluation_split="gen",
        groups=cogs.PAPER_GROUPS,
        notations={"nested": NESTED, "compact": COMPACT},
    ),
    DataSet(
        name="eng-cmn",
        summary="English sentences and their Chinese translations, from Tatoeba",
        licence="CC BY 2.0 FR",
        address="https://www.manythings.org/anki",
        variants={"": tatoeba.splits},
        target_tokenizer="jieba",
    ),
)

DATASETS: dict[str, DataSet] = {dataset.name: dataset for dataset in _ALL}

NOTATIONS: dict[str, Codec] = {name: codec for dataset in _ALL for name, codec in dataset.notations.items()}
"""All notations, whichever data set brings them: one's own data may be like that data set."""


def find_notation(name: str, data: str = "") -> Codec | None:
    """The codec of a notation; None for the published one. Data that is known by name must have it."""
    if name == PUBLISHED:
        return None
    dataset = DATASETS.get(data.partition(":")[0])
    known = NOTATIONS if dataset is None else dataset.notations
    if name not in known:
        whose = f"{data} has" if dataset is not None else "there is"
        hint = did_you_mean(name, (PUBLISHED, *known))
        raise ConfigError(f"data.notation: {whose} no notation {name!r}. {hint}")
    return known[name]


def evaluation_split(corpus: Corpus) -> str:
    """The split that a data set is judged by; for a single file, its only one."""
    dataset = DATASETS.get(corpus.name.partition(":")[0])
    if dataset is not None:
        return dataset.evaluation_split
    return "test" if "test" in corpus.splits else "train"


def load(
    data: str | Path, source_tokenizer: str = "whitespace", target_tokenizer: str = "whitespace"
) -> Corpus:
    """A registered data set (`colors`, `scan:jump`), or one's own text: a file, two parallel ones, a folder.

    A file becomes the split `train`; a folder has one file per split, `train.tsv` among them. Parallel files
    are named with a comma, `source.txt,target.txt`, and `-` is standard input. A registered name comes
    before a file of the same name; write `./colors` for the file.
    """
    name = str(data)
    tokenizers = source_tokenizer, target_tokenizer
    if name.partition(":")[0] in DATASETS:
        return _load_registered(name, tokenizers)
    if Path(name).is_dir():
        return Corpus(name, _read_folder(Path(name), tokenizers), *tokenizers)
    if _is_file_name(name):
        return Corpus(name, {"train": read_examples(name, *tokenizers)}, *tokenizers)
    known = [full_name for dataset in _ALL for full_name in dataset.names]
    raise DataError(f"there is no data set and no file {name!r}. {did_you_mean(name, known)}")


def _load_registered(name: str, tokenizers: tuple[str, str]) -> Corpus:
    dataset = DATASETS[name.partition(":")[0]]
    if set(tokenizers) != {"whitespace"}:
        raise DataError(f"{name} is tokenized already. Leave both tokenizers at 'whitespace'.")
    variant = name.partition(":")[2]
    if variant not in dataset.variants:
        raise DataError(f"there is no data set {name!r}. Name one of: {', '.join(dataset.names)}.")
    return Corpus(name, dataset.variants[variant](), target_tokenizer=dataset.target_tokenizer)


def _read_folder(folder: Path, tokenizers: tuple[str, str]) -> Splits:
    """One split per file with a known extension; `dev` is another name for `validation`."""
    splits: dict[str, tuple[Example, ...]] = {}
    for path in sorted(path for path in folder.iterdir() if path.suffix in PARSERS):
        split = "validation" if path.stem == "dev" else path.stem
        if split in splits:
            raise DataError(f"{path}: the folder has the split {split!r} twice. Remove one of the two files.")
        splits[split] = read_examples(path, *tokenizers)
    if "train" not in splits:
        raise DataError(
            f"{folder}: the folder has no train.tsv or train.jsonl. Add one, or name a single file."
        )
    return splits


def _is_file_name(name: str) -> bool:
    """Whether a name is, or can only be meant as, that of a file."""
    return name == STDIN or Path(name).exists() or any(mark in name for mark in "/.,")
