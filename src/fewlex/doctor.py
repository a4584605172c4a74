"""The doctor looks whether every file of a run is as fewlex has written it, and mends what can be mended.

- A lexicon or a rule book is made again from what was learned and from the edits in the log.
- What was learned is made again by taking back all edits.
- A log that is damaged or cut off begins anew: what was taught stays, and only cannot be undone any more.
- Everything else follows from the data and the settings. It is set aside, so that the same `fewlex train` makes it
  again, with all edits.

Nothing is deleted: what is replaced is kept beside it, with the ending `.damaged`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fewlex.errors import FewlexError, RunError
from fewlex.files import cannot_write
from fewlex.lexicon import Journal, Lexicon
from fewlex.own_files import DAMAGED as SET_ASIDE_ENDING
from fewlex.own_files import require_files
from fewlex.rules.journal import RuleJournal
from fewlex.rules.storage import load_rules
from fewlex.run import Run
from fewlex.seal import check, is_sealed

SOUND, UNSEALED, DAMAGED, MENDED, SET_ASIDE = "sound", "unsealed", "damaged", "mended", "set aside"

MADE = (
    "config.toml",
    "knowledge.json",
    "model.safetensors",
    "checkpoint.safetensors",
    "confidence.json",
    "memory.json",
    "metrics.jsonl",
    "result.json",
)
"""The files that training makes, and can make again."""

OPTIONAL = ("confidence.json", "metrics.jsonl")
"""A run works without these."""


@dataclass(frozen=True)
class Finding:
    """How one file of a run is, and what was done or can be done about it."""

    file: str
    state: str
    told: str = ""

    @property
    def is_good(self) -> bool:
        return self.state in (SOUND, UNSEALED, MENDED)


def examine(path: Path | str, *, mend: bool = False) -> list[Finding]:
    """Look at every file of a run; with `mend`, mend what can be mended."""
    run = Run(Path(path))
    if not any((run.path / name).exists() for name in ("config.toml", "knowledge.json", "lexicon.json")):
        raise RunError(f"{path} is not a run folder. Name the folder that `fewlex train` has written.")
    require_files(run.path)
    with run.locked_for_training() if mend else nullcontext():
        of_networks = [finding for member in run.members for finding in _look_at_network(member, mend=mend)]
        if mend and not all(finding.is_good for finding in of_networks) and run.is_finished:
            _move(run.path / "result.json")  # so that the same `fewlex train` trains what is missing
        return [*_look(run, mend=mend), *of_networks]


def _look_at_network(member: Run, *, mend: bool) -> list[Finding]:
    """The files of one of several networks that answer together, named as they are seen from the run folder."""
    where = member.path.relative_to(member.path.parent.parent)
    return [replace(found, file=str(where / found.file)) for found in _look(member, mend=mend)]


def _look(run: Run, *, mend: bool) -> list[Finding]:
    made = [_made(run, name, mend=mend) for name in MADE if (run.path / name).exists()]
    lost = [finding.file for finding in made if not finding.is_good and finding.file not in OPTIONAL]
    if mend and lost and run.is_finished:
        # With a result, the same `fewlex train` would say that there is nothing to do. Without a config it begins anew,
        # with the lexicon as the data gives it and not as an earlier training has left it.
        for name in ("result.json", "config.toml"):
            if (run.path / name).exists():
                _move(run.path / name)
    journals: list[tuple[Any, Callable[[Path], Any]]] = [(Journal(run.path), Lexicon.load)]
    rules = RuleJournal(run.path)
    if rules.path.exists() or rules.learned_path.exists():
        journals.append((rules, load_rules))
    log = _log(run, journals, mend=mend)
    return [*made, *log, *(found for each in journals for found in _edited(*each, mend=mend))]


def _made(run: Run, name: str, *, mend: bool) -> Finding:
    """A file that training has made, and the line that it has in the findings."""
    path, data = run.path / name, (run.path / name).read_bytes()
    try:
        for part in data.splitlines() if name.endswith(".jsonl") else [data]:
            check(part, str(path), required=name.endswith(".safetensors") and _has_seals(run))
            if name.endswith(".json"):
                run.read_json(name)
        if name == "config.toml":
            run.read_config()
    except FewlexError:
        cure = "The run works without it." if name in OPTIONAL else _again("it")
        return _set_aside(path, cure, mend=mend)
    return _sound(name, data)


def _has_seals(run: Run) -> bool:
    """True if the run is none of an older fewlex, which wrote no checksums."""
    return any(is_sealed((run.path / name).read_bytes()) for name in MADE[:2] if (run.path / name).exists())


def _log(run: Run, journals: list[tuple[Any, Callable[[Path], Any]]], *, mend: bool) -> list[Finding]:
    """The log of edits, which begins anew if it is damaged and what it has edited is whole."""
    log = run.edits
    if not log.path.exists():
        return []
    try:
        run.history(log.count)
        for journal, _ in journals:
            if journal.path.exists():
                log.require_edits_of(journal.path)
    except FewlexError:
        told = "What was taught is there, but the edits cannot be undone any more."
        states = [_read(journal.path, load) for journal, load in journals]
        if None in states:
            return [
                Finding(log.path.name, DAMAGED, "What it has edited is damaged too. Take both from a backup.")
            ]
        if not mend:
            return [Finding(log.path.name, DAMAGED, f"{told} --mend begins a new log.")]
        with log.locked():
            _copy(log.path)
            log.begin_anew()
        for (journal, _), state in zip(journals, states, strict=True):
            journal.begin_anew(state)
        return [Finding(log.path.name, MENDED, f"A new log begins. {told}")]
    return [_sound(log.path.name, log.path.read_bytes())]


def _edited(journal: Any, load: Callable[[Path], Any], *, mend: bool) -> list[Finding]:
    """A lexicon or a rule book, and what was learned before it was edited. Each can be made from the other one."""
    now, learned = _read(journal.path, load), None
    findings = []
    if journal.learned_path.exists():
        learned = _read(journal.learned_path, load)
        findings.append(_mended_or_sound(journal.learned_path, learned, can=now is not None, mend=mend))
    findings.append(_mended_or_sound(journal.path, now, can=learned is not None, mend=mend))
    if (
        mend
        and (now is None) != (learned is None)
        and not all(f.state in (SOUND, UNSEALED) for f in findings)
    ):
        try:
            journal.begin_anew(learned if now is None else journal.learned())
        except FewlexError as error:
            return [Finding(journal.path.name, DAMAGED, f"{error} Take the file from a backup.")]
    return findings


def _mended_or_sound(path: Path, content: Any, *, can: bool, mend: bool) -> Finding:
    if content is not None:
        return _sound(path.name, path.read_bytes())
    if not can:
        return _set_aside(path, _again("it"), mend=mend and path.exists())
    if not mend:
        return Finding(
            path.name, DAMAGED, "--mend makes it again from what was learned and the log of edits."
        )
    if path.exists():
        _move(path)
    return Finding(path.name, MENDED, "It was made again from what was learned and the log of edits.")


def _read(path: Path, load: Callable[[Path], Any]) -> Any:
    """The content of a file; None if it is damaged or not there."""
    try:
        return load(path)
    except FewlexError:
        return None


def _sound(name: str, data: bytes) -> Finding:
    if is_sealed(data[:128]) or not data:
        return Finding(name, SOUND)
    return Finding(name, UNSEALED, "It has no checksum: an older fewlex or a person has written it.")


def _set_aside(path: Path, cure: str, *, mend: bool) -> Finding:
    if not mend:
        return Finding(path.name, DAMAGED, f"--mend sets it aside. {cure}")
    _move(path)
    return Finding(path.name, MENDED if path.name in OPTIONAL else SET_ASIDE, cure)


def _again(what: str) -> str:
    return f"The same `fewlex train` command makes {what} again, and keeps all edits."


def _move(path: Path) -> None:
    try:
        os.replace(path, path.with_name(path.name + SET_ASIDE_ENDING))
    except OSError as error:
        raise cannot_write(path, error) from error


def _copy(path: Path) -> None:
    path.with_name(path.name + SET_ASIDE_ENDING).write_bytes(path.read_bytes())
