"""The data sets that fewlex knows by name, and `load`, through which all data is loaded."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from fewlex.data import cogs, colors, scan, tatoeba
from fewlex.data.chinese_script import ONE_SCRIPT
from fewlex.data.codec import PUBLISHED, Codec
from fewlex.data.cogs_compact import COMPACT
from fewlex.data.cogs_nested import NESTED
from fewlex.data.corpus import Corpus
from fewlex.data.dataset import DataSet, Splits
from fewlex.data.example import Example
from fewlex.data.readers import STDIN, SUFFIXES, Tell, read_examples
from fewlex.errors import ConfigError, DataError, did_you_mean

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
        source_tokenizer="moses",
        target_tokenizer="jieba",
        notations={"one_script": ONE_SCRIPT},
    ),
)

DATASETS: dict[str, DataSet] = {dataset.name: dataset for dataset in _ALL}

NOTATIONS: dict[str, Codec] = {name: codec for dataset in _ALL for name, codec in dataset.notations.items()}
"""The notations of all data sets. A user's own data may use any of them, because it may be like that data set."""


def find_dataset(data: str) -> DataSet | None:
    """The published data set behind a name such as `scan:jump`; None for a user's own data."""
    return DATASETS.get(data.partition(":")[0])


def find_notation(name: str, data: str = "") -> Codec | None:
    """The codec of a notation; None for the published notation.

    If `data` names a published data set, that data set must offer the notation.
    """
    if name == PUBLISHED:
        return None
    dataset = find_dataset(data)
    known = NOTATIONS if dataset is None else dataset.notations
    if name not in known:
        whose = f"{data} has" if dataset is not None else "there is"
        hint = did_you_mean(name, (PUBLISHED, *known))
        raise ConfigError(f"data.notation: {whose} no notation {name!r}. {hint}")
    return known[name]


def load(
    data: str | Path, source_tokenizer: str = "whitespace", target_tokenizer: str = "whitespace"
) -> Corpus:
    """Load a registered data set (`colors`, `scan:jump`), or the user's own text from files or a folder.

    A file becomes the split `train`. A folder has one file for each split, and `train.tsv` must be among them. Two
    parallel files are named with a comma between them, `source.txt,target.txt`, and `-` is standard input. If a file
    has the name of a registered data set, the data set is loaded; write `./colors` to load the file.
    """
    name = str(data)
    tokenizers = source_tokenizer, target_tokenizer
    notes: list[str] = []
    if (dataset := find_dataset(name)) is not None:
        return _load_registered(name, dataset, tokenizers)
    if Path(name).is_dir():
        splits = _read_folder(Path(name), tokenizers, notes.append)
        return Corpus(name, splits, *tokenizers, notes=tuple(notes))
    if _is_file_name(name):
        splits = {"train": read_examples(name, *tokenizers, notes.append)}
        return Corpus(name, splits, *tokenizers, notes=tuple(notes))
    known = [full_name for dataset in _ALL for full_name in dataset.names]
    raise DataError(f"there is no data set and no file {name!r}. {did_you_mean(name, known)}")


def _load_registered(name: str, dataset: DataSet, tokenizers: tuple[str, str]) -> Corpus:
    if set(tokenizers) != {"whitespace"}:
        raise DataError(f"{name} is tokenized already. Leave both tokenizers at 'whitespace'.")
    variant = name.partition(":")[2]
    if variant not in dataset.variants:
        raise DataError(f"there is no data set {name!r}. Name one of: {', '.join(dataset.names)}.")
    return Corpus(name, dataset.variants[variant](), dataset=dataset)


def _read_folder(folder: Path, tokenizers: tuple[str, str], tell: Tell) -> Splits:
    """Read one split from each file with a known extension. `dev` is another name for `validation`."""
    splits: dict[str, tuple[Example, ...]] = {}
    for path in sorted(path for path in folder.iterdir() if path.suffix in SUFFIXES):
        split = "validation" if path.stem == "dev" else path.stem
        if split in splits:
            raise DataError(f"{path}: the folder has the split {split!r} twice. Remove one of the two files.")
        splits[split] = read_examples(path, *tokenizers, tell)
    if "train" not in splits:
        raise DataError(
            f"{folder}: the folder has no train.tsv, train.csv, train.jsonl or train.json. Add one, or name a file."
        )
    return splits


def _is_file_name(name: str) -> bool:
    """True if a file has this name, or if the name looks like that of a file and of nothing else."""
    return name == STDIN or Path(name).exists() or any(mark in name for mark in "/.,")
