"""Templates: pairs in which linked words are variables. *jump twice* ↦ `JUMP JUMP` becomes `0 twice` ↦ `0 0`.

Targets are coded as strings with one character for each token, so that parts of a target can be searched, cut and put
together by the fast methods of `str`. Variables have characters of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from fewlex.data.terms import TermMatcher
from fewlex.rules.words.links import Pair

FIRST_TOKEN, FIRST_VARIABLE = 0x10000, 0xF0000


def variable(number: int) -> str:
    """The character of a variable."""
    return chr(FIRST_VARIABLE + number)


def is_variable(character: str) -> bool:
    return ord(character) >= FIRST_VARIABLE


class Coder:
    """Gives each target token a character."""

    def __init__(self) -> None:
        self._characters: dict[str, str] = {}
        self._tokens: list[str] = []

    def character(self, token: str) -> str:
        found = self._characters.get(token)
        if found is None:
            found = self._characters[token] = chr(FIRST_TOKEN + len(self._tokens))
            self._tokens.append(token)
        return found

    def token(self, character: str) -> str:
        return self._tokens[ord(character) - FIRST_TOKEN]

    @property
    def tokens(self) -> Mapping[str, str]:
        """Token → character."""
        return self._characters


@dataclass(frozen=True, slots=True)
class Template:
    """`source` holds words and, as integers, variables; words with one translation are one variable."""

    source: tuple[str | int, ...]
    kinds: tuple[str, ...]
    """For each unit of the source its class; empty for words that are no variables."""
    target: str
    is_whole: bool
    """True if each variable of the source occurs in the target."""
    is_plain: bool
    """True if moreover each variable occurs in the source once."""
    is_clean: bool
    """True if moreover the target has no token of words that are not in the source."""
    values: tuple[str, ...]
    """For each unit of the source what stands for it in the target; empty for words that are no variables."""

    @property
    def symbols(self) -> tuple[str, ...]:
        """The source with the classes of its variables."""
        return tuple(kind or str(word) for kind, word in zip(self.kinds, self.source, strict=True))

    @property
    def size(self) -> int:
        return len(self.source) + len(self.target)


@dataclass(frozen=True, slots=True)
class Reading:
    """A pair as units and variables; a template but for the classes of its words."""

    units: tuple[str, ...]
    source: tuple[str | int, ...]
    target: str
    is_whole: bool
    is_plain: bool
    is_clean: bool
    values: tuple[str, ...]


@dataclass
class Lexis:
    """Linked words, their classes, and words that say nothing: what it takes to turn pairs into templates."""

    links: Mapping[str, tuple[str, ...]]
    classes: Mapping[str, str]
    silent: frozenset[str] = frozenset()
    same: Mapping[str, str] = field(default_factory=dict)
    """For a word of rules that can be exchanged for another one: that one."""
    coder: Coder = field(default_factory=Coder)
    shared: frozenset[str] = frozenset()
    """Words whose tokens rules say as well: `2` is said by *two*, and by *the square of _*."""

    def __post_init__(self) -> None:
        self._matcher = TermMatcher(self.links) if any(" " in term for term in self.links) else None
        self._coded = {
            term: "".join(map(self.coder.character, tokens)) for term, tokens in self.links.items()
        }
        self._shared = {self._coded[term] for term in self.shared if term in self._coded}
        self._linked = {
            character for coded in self._coded.values() if coded not in self._shared for character in coded
        }

    def with_classes(self, classes: Mapping[str, str]) -> Lexis:
        return replace(self, classes=classes)

    def units(self, source: tuple[str, ...]) -> tuple[str, ...]:
        """The source with each term as one unit and without the words that say nothing."""
        units = self._matcher.segment(source) if self._matcher else source
        if self.silent or self.same:
            units = tuple([self.same.get(unit, unit) for unit in units if unit not in self.silent])
        return units

    def read(self, pairs: Iterable[Pair]) -> list[Reading]:
        return [self._read(self.units(source), target) for source, target in pairs]

    def _read(self, units: tuple[str, ...], target: Sequence[str]) -> Reading:
        numbers: dict[str, int] = {}
        source: list[str | int] = []
        n_variables = 0
        coded_of = self._coded
        for unit in units:
            coded = coded_of.get(unit)
            if coded is None:
                source.append(unit)
            else:
                source.append(numbers.setdefault(coded, len(numbers)))
                n_variables += 1
        text = "".join(map(self.coder.character, target))
        values = {coded: variable(number) for coded, number in numbers.items()}
        for coded in sorted(numbers, key=len, reverse=True):
            if coded in self._shared and text.count(coded) > source.count(numbers[coded]):
                values[coded] = (
                    coded  # Nobody knows which of them the word has said, so all stay as they are.
                )
            else:
                text = text.replace(coded, values[coded])
        is_whole = all(value in text for value in values.values())
        is_plain = is_whole and n_variables == len(numbers)
        is_clean = is_plain and self._linked.isdisjoint(text) and values.keys().isdisjoint(values.values())
        said = tuple([values[coded_of[unit]] if unit in coded_of else "" for unit in units])
        return Reading(units, tuple(source), text, is_whole, is_plain, is_clean, said)


@dataclass
class TemplateCount:
    """The sentences of one template, as units."""

    template: Template
    sentences: list[tuple[str, ...]] = field(default_factory=list)

    @property
    def n(self) -> int:
        return len(self.sentences)


def count_templates(readings: Iterable[Reading], lexis: Lexis) -> list[TemplateCount]:
    """The templates of pairs, each with its sentences, short ones first."""
    found: dict[tuple[object, ...], TemplateCount] = {}
    kind_of = lexis.classes.get
    for reading in readings:
        kinds = tuple([kind_of(unit, "") for unit in reading.units])
        key = (reading.source, kinds, reading.target)
        if key not in found:
            flags = (reading.is_whole, reading.is_plain, reading.is_clean)
            found[key] = TemplateCount(
                Template(reading.source, kinds, reading.target, *flags, reading.values)
            )
        found[key].sentences.append(reading.units)
    return sorted(found.values(), key=lambda count: (count.template.size, -count.n, count.template.target))
