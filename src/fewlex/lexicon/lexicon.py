"""The lexicon as people see it: rows that can be read, edited, compared and saved.

This module knows nothing of vocabularies and probabilities. `finishing.py` turns a lexicon into the matrix L of §3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from fewlex.errors import LexiconError
from fewlex.garbage import uncollected
from fewlex.lexicon.entry import PERSON, Entry, Line, checked_line
from fewlex.lexicon.storage import parse_lexicon, read_lexicon, write_lexicon


@dataclass(frozen=True, slots=True)
class Difference:
    """How two lexicons differ; a changed pair comes with its old and its new entry."""

    added: tuple[Line, ...]
    removed: tuple[Line, ...]
    changed: tuple[tuple[str, str, Entry, Entry], ...]


class Lexicon:
    """Rows source word → {target word → Entry}, in the order in which they were added.

    A word may be a term of several tokens, separated by spaces. `provenance` says how the lexicon was learned. A row is
    never changed but replaced, so copies can share rows, and a copy of a million rows takes no time.
    """

    __hash__ = None  # type: ignore[assignment]  # it can be edited, so it must not be a key

    def __init__(self, lines: Iterable[Line] = (), provenance: Mapping[str, object] | None = None) -> None:
        self._rows: dict[str, dict[str, Entry]] = {}
        self.provenance: Mapping[str, object] = dict(provenance or {})
        self.update(lines)

    @classmethod
    def load(cls, path: Path | str) -> Lexicon:
        """Read a `.json` or `.tsv` file."""
        with uncollected():
            return cls._of_checked(*read_lexicon(Path(path)))

    @classmethod
    def parse(cls, name: str, text: str) -> Lexicon:
        """Read the content of a `.json` or `.tsv` file, which messages call by its name."""
        return cls._of_checked(*parse_lexicon(Path(name), text))

    @classmethod
    def _of_checked(cls, lines: Iterable[Line], provenance: Mapping[str, object]) -> Lexicon:
        """A lexicon of lines that are known to make sense."""
        lexicon = cls(provenance=provenance)
        lexicon._put(lines)
        return lexicon

    def save(self, path: Path | str) -> None:
        """Write a `.json` file, or a `.tsv` file, which holds only the entries; it is written whole or not at all."""
        write_lexicon(Path(path), self, self.provenance)

    @property
    def sources(self) -> tuple[str, ...]:
        """The source words that have an entry, in the order of the rows."""
        return tuple(self._rows)

    @property
    def targets(self) -> tuple[str, ...]:
        """The target words of all entries, by first appearance."""
        return tuple(dict.fromkeys(target for row in self._rows.values() for target in row))

    def row(self, source: str) -> Mapping[str, Entry]:
        """The translations of a source word; the row is empty if the word has none."""
        return MappingProxyType(self._rows.get(source, {}))

    def __contains__(self, source: object) -> bool:
        return source in self._rows

    def __len__(self) -> int:
        """The number of entries, |ℓ| in §4.1."""
        return sum(map(len, self._rows.values()))

    def __iter__(self) -> Iterator[Line]:
        for source, row in self._rows.items():
            for target, entry in row.items():
                yield source, target, entry

    def __eq__(self, other: object) -> bool:
        """Whether both hold the same entries, regardless of their order and of how they were learned."""
        return isinstance(other, Lexicon) and self._rows == other._rows

    def __repr__(self) -> str:
        return f"<Lexicon: {len(self)} entries for {len(self._rows)} source words>"

    def set(
        self, source: str, target: str, weight: float = 1.0, *, origin: str = PERSON, dice: float = 0.0
    ) -> None:
        """Add one translation, or replace what was known about it."""
        self.update([(source, target, Entry(weight, origin, dice))])

    def update(self, lines: Iterable[Line]) -> None:
        """Set many entries; if one of them makes no sense, none is set."""
        self._put([checked_line(*line) for line in lines])

    def _put(self, lines: Iterable[Line]) -> None:
        rows: dict[str, dict[str, Entry]] = {}
        for source, target, entry in lines:
            row = rows.get(source)
            if row is None:
                row = rows[source] = dict(self._rows.get(source, {}))
            row[target] = entry
        self._rows |= rows

    def replace_row(self, source: str, row: Mapping[str, Entry]) -> None:
        """Give a source word these translations and no others."""
        if not row:
            raise LexiconError(f"an empty row for {source!r} says nothing. To forget the word, remove it.")
        lines = [checked_line(source, target, entry) for target, entry in row.items()]
        self._rows[source] = {target: entry for _, target, entry in lines}

    def remove(self, source: str, target: str | None = None) -> None:
        """Forget one translation of a source word, or the whole word."""
        row = self._rows.get(source)
        if row is None:
            raise LexiconError(f"the lexicon has no entry for {source!r}. Check the spelling.")
        if target is not None and target not in row:
            raise LexiconError(f"{source!r} does not mean {target!r} here. It means: {', '.join(row)}.")
        if target is None or len(row) == 1:
            del self._rows[source]
        else:
            self._rows[source] = {word: entry for word, entry in row.items() if word != target}

    def move(self, places: Mapping[str, int]) -> None:
        """Put the rows of some words to these places, counted from 0; the others keep their order."""
        others = [source for source in self._rows if source not in places]
        order: list[str] = []
        taken = 0
        for moved, (source, place) in enumerate(sorted(places.items(), key=lambda item: item[1])):
            before = max(taken, place - moved)
            order += (*others[taken:before], source)
            taken = before
        self._rows = {source: self._rows[source] for source in (*order, *others[taken:])}

    def copy(self) -> Lexicon:
        """A lexicon with the same entries, which can be edited without changing this one."""
        copied = Lexicon(provenance=self.provenance)
        copied._rows = self._rows.copy()
        return copied

    def merge(self, other: Lexicon) -> Lexicon:
        """A new lexicon with the entries of both; for a pair that both have, the entry of the other one counts."""
        merged = self.copy()
        merged.update(other)
        return merged

    def diff(self, other: Lexicon) -> Difference:
        """The changes that would turn this lexicon into the other."""
        mine, theirs = self._entries_by_pair(), other._entries_by_pair()
        return Difference(
            added=tuple((*pair, entry) for pair, entry in theirs.items() if pair not in mine),
            removed=tuple((*pair, entry) for pair, entry in mine.items() if pair not in theirs),
            changed=tuple(
                (*pair, entry, theirs[pair])
                for pair, entry in mine.items()
                if theirs.get(pair, entry) != entry
            ),
        )

    def _entries_by_pair(self) -> dict[tuple[str, str], Entry]:
        return {(source, target): entry for source, target, entry in self}
