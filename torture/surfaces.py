"""Every place where fewlex reads what somebody else may have written, as a function from bytes.

`Surface.feed` does with the bytes what a command would do. Only a `FewlexError` may come out of it.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fewlex.config_layers import build_config, from_layers, read_toml
from fewlex.data import load
from fewlex.data.lines import lines_as_they_come
from fewlex.data.readers import read_examples
from fewlex.lexicon import Lexicon, learn_lexicon
from fewlex.lexicon.alignment.aligner import Aligner
from fewlex.lexicon.alignment.scoring import read_gold
from fewlex.lexicon.glossary import read_glossary, read_keep
from fewlex.remembered import Remembered
from fewlex.rules import RuleParser
from fewlex.rules.storage import load_rules
from fewlex.run import Run
from fewlex.tables import parse_setting
from torture.mutation import Mutate, damaged, json_mutation, jsonl_mutation, unsealed

QUICK: dict[str, dict[str, int]] = {"bayesian": {"burn_in": 1, "samples": 2, "chains": 1, "thinning": 1}}
"""Parameters with which a learner that takes its time is done in a blink."""

READERS, STORAGE, SETTINGS = "readers", "storage", "settings"


@dataclass(frozen=True)
class Surface:
    """A place where bytes come in."""

    group: str
    feed: Callable[[bytes], object]
    seeds: Sequence[bytes]
    """Valid content, which mutations start from."""
    mutate: Mutate = damaged
    weight: float = 1
    """How often it is fed, compared with others: a slow one less often, so that the others come to a million."""


def readers(folder: Path) -> Iterator[tuple[str, Surface]]:
    """Text that people bring: corpora, glossaries, links, standard input."""
    pairs = {
        "tsv": [b"dax fep\tRED RED RED\nlug\tBLUE\tcolour\n", b"source\ttarget\tcategory\ndax\tRED\tx\n"],
        "csv": [b'dax fep,"RED, RED"\nlug,BLUE\n', b'source;target\n"a ""b""";c\n'],
        "jsonl": [b'{"source": "dax", "target": "RED"}\n{"source": "l", "target": "B", "category": "c"}\n'],
        "txt": [b"dax fep ||| RED RED\nlug ||| BLUE\n", b"IN: jump OUT: I_JUMP\n", b"a\tb\n"],
    }
    for suffix, seeds in pairs.items():
        path = folder / f"pairs.{suffix}"
        mutate = jsonl_mutation if suffix == "jsonl" else damaged
        yield f"pairs.{suffix}", Surface(READERS, _through(path, read_examples), seeds, mutate, 3)

    def parallel(data: bytes) -> None:
        source, _, target = data.partition(b"\0\0")
        (folder / "a.txt").write_bytes(source)
        (folder / "b.txt").write_bytes(target)
        read_examples(f"{folder / 'a.txt'},{folder / 'b.txt'}")

    yield "parallel files", Surface(READERS, parallel, [b"dax fep\nlug\n\0\0RED RED RED\nBLUE\n"])
    for suffix in ("tsv", "csv"):
        path = folder / f"glossary.{suffix}"
        seeds = [b"New York\tNY\nlug\tBLUE\n", b"source\ttarget\tlike\nzup\tYELLOW\tdax\n"]
        seeds = [seed.replace(b"\t", b",") for seed in seeds] if suffix == "csv" else seeds
        yield f"glossary.{suffix}", Surface(READERS, _through(path, _glossary), seeds)
    yield "words to keep", Surface(READERS, _through(folder / "keep.txt", _keep), [b"New York\nParis\n"])
    yield "gold links", Surface(READERS, _through(folder / "gold.txt", read_gold), [b"0-0 1?2 2p1\n\n3-3\n"])
    yield "standard input", Surface(READERS, _stdin, [b"dax fep\nzup\n", b"\xef\xbb\xbfdax\r\nlug"], weight=3)


def storage(folder: Path, run: Path) -> Iterator[tuple[str, Surface]]:
    """Files that fewlex writes and somebody may have damaged; `run` is a folder of a run with rules and edits."""
    lexicon = unsealed((run / "lexicon.json").read_bytes())
    table = b"source\ttarget\tweight\torigin\tdice\tlike\ndax\tRED\t6.0\tsimple\t1.0\t\nzup\tY\t1\tperson\t0\tdax\n"
    yield (
        "lexicon.json",
        Surface(STORAGE, _through(folder / "l.json", Lexicon.load), [lexicon], json_mutation, 4),
    )
    yield "lexicon.tsv", Surface(STORAGE, _through(folder / "l.tsv", Lexicon.load), [table], weight=2)
    rules = unsealed((run / "rules.json").read_bytes())
    yield "rules.json", Surface(STORAGE, _through(folder / "r.json", _rules), [rules], json_mutation, 4)
    text = _text_of_rules(run)
    yield "rules.txt", Surface(STORAGE, _through(folder / "r.txt", _rules), [text], weight=2)
    for name, use, mutate in (
        ("knowledge.json", lambda: Run(run).read_knowledge().unknown_in(("zup", "x")), json_mutation),
        ("config.toml", lambda: Run(run).read_config(), damaged),
        ("confidence.json", lambda: Run(run).read_confidence(), json_mutation),
        ("memory.json", lambda: Remembered.read(Run(run)), json_mutation),
        ("edits.jsonl", lambda: Run(run).history(10), jsonl_mutation),
        ("edits.jsonl, undone", lambda: [Run(run).undo() for _ in range(2)], jsonl_mutation),
    ):
        yield name, _in_run(run, name, use, mutate)
    yield (
        "config file",
        Surface(
            STORAGE,
            _through(folder / "c.toml", lambda p: from_layers([read_toml(p)])),
            [unsealed((run / "config.toml").read_bytes())],
        ),
    )
    aligner = folder / "seed.safetensors"
    corpus = load("colors")["train"]
    Aligner.fit(corpus).save(aligner)

    def align(path: Path) -> None:
        for _ in Aligner.load(path).align(corpus[:2]):
            pass

    seed = aligner.read_bytes()
    yield "parameters of the aligner", Surface(STORAGE, _through(folder / "a.safetensors", align), [seed])


def settings() -> Iterator[tuple[str, Surface]]:
    """What comes on the command line: `--set` of `train` and of the learners."""
    one = [
        b"model.hidden=64",
        b"training.adam_beta2=0.99",
        b"lexicon.method=pmi",
        b"data.truecase=true",
        b"seed=3",
    ]
    yield (
        "--set of train",
        Surface(SETTINGS, lambda data: build_config(settings=[_text(data)]), one, weight=0.2),
    )
    examples = load("colors")["train"]

    def learn(data: bytes) -> None:
        method, _, setting = _text(data).partition(" ")
        if re.search(r"[1-9]\d\d|e", setting.partition("=")[2]):
            return  # a learner that is told to take a thousand rounds takes them
        learn_lexicon(examples, method, **(QUICK.get(method, {}) | dict(parse_setting(setting))))

    few = [
        b"simple rule=C1", b"simple tolerance=0.1", b"pmi max_entries=5", b"ibm2 iterations=2", b"ibm2 tension=4.0",
        b"ibm2 symmetrize=union", b"bayesian burn_in=2", b"bayesian samples=2", b"uniform x=1", b"random seed=3",
    ]  # fmt: skip
    yield "--set of learners", Surface(SETTINGS, learn, few, weight=0.2)


def _through(path: Path, read: Callable[[Path], object]) -> Callable[[bytes], object]:
    """Read bytes through a file, as everybody does."""

    def feed(data: bytes) -> object:
        path.write_bytes(data)
        return read(path)

    return feed


def _in_run(run: Path, name: str, use: Callable[[], object], mutate: Mutate) -> Surface:
    """A file of a run, which is put back afterwards, as is what taking back an edit changes."""
    path = run / name.partition(",")[0]
    whole = path.read_bytes()
    beside = {file: file.read_bytes() for file in (run / "lexicon.json", run / "rules.json")}
    writes = "undone" in name

    def feed(data: bytes) -> object:
        path.write_bytes(data)
        try:
            return use()
        finally:
            path.write_bytes(whole)
            for file, content in beside.items() if writes else ():
                file.write_bytes(content)

    return Surface(STORAGE, feed, [unsealed(whole), whole], mutate)


def _glossary(path: Path) -> object:
    return read_glossary(path, _words, _words)


def _keep(path: Path) -> object:
    return read_keep(path, _words, _words)


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _rules(path: Path) -> object:
    """A book that can be read must also answer."""
    return RuleParser(load_rules(path)).parse(["zup", "fep"])


def _text_of_rules(run: Path) -> bytes:
    from fewlex.rules.text import to_text

    return to_text(load_rules(run)).encode()


def _text(data: bytes) -> str:
    """Bytes as the system hands them over on a command line."""
    return data.decode(errors="surrogateescape").replace("\0", "")


def _stdin(data: bytes) -> None:
    kept: Any = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(data))
    try:
        for _ in lines_as_they_come(4):
            pass
    finally:
        sys.stdin = kept
