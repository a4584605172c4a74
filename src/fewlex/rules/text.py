"""The text form of rules, which people read, write and edit: one rule a line.

    R1	_ twice ↦ #0 #0	#0: C0×12 R3×4
    R2	_ was _ by _ . ↦ #1 ( theme = #0 , agent = #2 )	#0: C1×9	#1: C2×9	#2: C1×9

    sentence	R1×10 R2×9

    [C0]
    walk ↦ I_WALK
    garage door ↦ garage_door

`_` is a hole and `#0` is what fills the first one. Columns are separated by tabs, and all but the rule may be left out:
a hole of which nothing is said takes whatever another hole takes. Words stand below the name of their class. Lines that
begin with `# ` are comments. What learners measure (counts of rules, habits of words, calibration) is not in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count

from fewlex.errors import RuleError
from fewlex.rules.book import Calibration, RuleBook, Word
from fewlex.rules.rule import ARROW, PERSON, Fillers, Rule, Symbol, as_token

ASCII_ARROWS = ("->", "=>")
"""What people type who have no ↦ on their keyboard; only looked for where there is no ↦."""

SENTENCE = "sentence"
"""The name of the line that says what a whole sentence may be."""

HEAD = """\
# One rule a line: its name, the rule, and what fills each hole; columns are separated by tabs.
# `_` is a hole, `#0` is what fills the first one. Names and fillers may be left out.
"""

_HOLE = re.compile(r"#(\d{1,9})")
_TIMES = "×"


def read_sides(text: str) -> tuple[tuple[Symbol, ...], tuple[Symbol, ...]]:
    """The source and the target of `_ twice ↦ #0 #0`; a backslash makes a token of what looks like a hole."""
    parts = text.split()
    arrow = next((sign for sign in (ARROW, *ASCII_ARROWS) if sign in parts), None)
    if arrow is None or parts.count(arrow) > 1:
        how_many = "no arrow" if arrow is None else f"{parts.count(arrow)} arrows"
        raise RuleError(
            f"{text.strip()!r} has {how_many}. Write one between source and target, such as "
            f"`_ twice {ARROW} #0 #0`; -> will do, and an arrow that is a token is written \\{ARROW}."
        )
    middle = parts.index(arrow)
    source: list[Symbol] = []
    holes = 0
    for part in parts[:middle]:
        if part == "_" or _HOLE.fullmatch(part):
            if part not in ("_", f"#{holes}"):
                raise RuleError(
                    f"{text.strip()!r}: the source has the hole {part} where #{holes} comes next. "
                    "Write every hole of the source as _; they are numbered from left to right."
                )
            source.append(holes)
            holes += 1
        else:
            source.append(_unescaped(part))
    return tuple(source), tuple(_target_symbol(part, text) for part in parts[middle + 1 :])


def _target_symbol(part: str, text: str) -> Symbol:
    if part == "_":
        raise RuleError(
            f"{text.strip()!r}: a hole of the target has no number. Write #0 for what fills the first hole "
            "of the source, #1 for the second; a token that is an underscore is written \\_."
        )
    hole = _HOLE.fullmatch(part)
    return int(hole[1]) if hole else _unescaped(part)


def _unescaped(part: str) -> str:
    return part[1:] if part.startswith("\\") and len(part) > 1 else part


def read_rule(text: str, name: str, fillers: Mapping[int, Fillers] | None = None) -> Rule:
    """A person's rule from its text form, with what may fill its holes."""
    source, target = read_sides(text)
    n_holes = sum(isinstance(symbol, int) for symbol in source)
    for hole in fillers or {}:
        if hole >= n_holes:
            raise RuleError(f"{text.strip()!r} has no hole #{hole}, but fillers for it. Remove them.")
    return Rule(
        name, source, target, tuple((fillers or {}).get(i, {}) for i in range(n_holes)), origin=PERSON
    )


def free_names(taken: Iterable[str]) -> Iterator[str]:
    """`R7`, `R8` … where `R1` … `R6` are taken."""
    taken = set(taken)
    return (name for name in (f"R{number}" for number in count(1)) if name not in taken)


def to_text(book: RuleBook) -> str:
    """All rules and words of a book."""
    lines = [HEAD]
    lines += ["\t".join(_columns(rule)) + "\n" for rule in book.rules]
    if book.sentences:
        lines.append(f"\n{SENTENCE}\t{_fillers_text(book.sentences)}\n")
    for kind, words in book.kinds.items():
        lines.append(f"\n[{kind}]\n")
        lines += [f"{_word_text(word)}\n" for word in words]
    return "".join(lines)


def _columns(rule: Rule) -> Iterator[str]:
    yield rule.name
    yield str(rule)
    for hole, fillers in enumerate(rule.fillers):
        if fillers:
            yield f"#{hole}: {_fillers_text(fillers)}"


def _fillers_text(fillers: Fillers) -> str:
    return " ".join(kind if count == 1 else f"{kind}{_TIMES}{count}" for kind, count in fillers.items())


def _word_text(word: Word) -> str:
    source, target = (" ".join(map(as_token, side)) for side in (word.source, word.target))
    return ("\\" if source[0] in "#[" else "") + f"{source} {ARROW} {target}"


def from_text(text: str, where: str) -> RuleBook:
    """The book that a text describes; `where` names the text in error messages.

    Whoever writes rules by hand vouches for them, so derivations that follow them to the letter count as sure.
    """
    reading = _Reading()
    for number, line in enumerate(
        text.split("\n"), start=1
    ):  # a form feed or a U+2028 is a space, as everywhere
        try:
            reading.take(line)
        except RuleError as error:
            raise RuleError(f"{where}:{number}: {error}") from error
    try:
        return reading.book()
    except RuleError as error:
        raise RuleError(f"{where}: {error}") from error


@dataclass
class _Reading:
    """What was read so far, line by line."""

    rules: dict[str, Rule] = field(default_factory=dict)
    unnamed: list[tuple[str, Mapping[int, Fillers]]] = field(default_factory=list)
    words: dict[tuple[str, ...], Word] = field(default_factory=dict)
    sentences: dict[str, int] = field(default_factory=dict)
    kind: str = ""

    def take(self, line: str) -> None:
        stripped = line.strip()
        if not stripped or stripped.split()[0] == "#":
            return
        if stripped.startswith("[") and stripped.endswith("]"):
            self.kind = stripped[1:-1].strip()
            return
        columns = [column.strip() for column in line.split("\t") if column.strip()]
        if columns[0] == SENTENCE and len(columns) == 2 and ARROW not in columns[1].split():
            self.sentences.update(_read_fillers(columns[1]))
        elif self.kind:
            self._take_word(stripped)
        else:
            self._take_rule(columns)

    def _take_word(self, text: str) -> None:
        source, target = read_sides(text)
        words, tokens = (tuple(s for s in side if isinstance(s, str)) for side in (source, target))
        word = Word(words, tokens, self.kind, PERSON)
        if (words, tokens) != (source, target) or not words:
            raise RuleError(
                f"{text!r} stands among the words of {self.kind}, and a word has no hole. "
                "Move the rule above the first [class]."
            )
        if word.source in self.words:
            raise RuleError(f"the word {word.term!r} is there a second time. Keep one.")
        self.words[word.source] = word

    def _take_rule(self, columns: list[str]) -> None:
        is_named = len(columns) > 1 and not {ARROW, *ASCII_ARROWS}.intersection(columns[0].split())
        name, rule_text, *told = columns if is_named else ["", *columns]
        fillers: dict[int, Fillers] = {}
        for column in told:
            match = re.fullmatch(r"#(\d{1,9}):\s*(.+)", column)
            if match is None:
                raise RuleError(
                    f"{column!r} does not say what fills a hole. Write `#0: C0 R3`, after a tab, or nothing."
                )
            fillers[int(match[1])] = _read_fillers(match[2])
        rule = read_rule(rule_text, name or "R?", fillers)
        if name in self.rules:
            raise RuleError(f"a second rule has the name {name!r}. Give it another one, or none.")
        if name:
            self.rules[name] = rule
        else:
            self.unnamed.append((rule_text, fillers))

    def book(self) -> RuleBook:
        for name, (rule_text, fillers) in zip(free_names(self.rules), self.unnamed, strict=False):
            self.rules[name] = read_rule(rule_text, name, fillers)
        named = tuple(self.rules.values())
        kinds = dict.fromkeys(word.kind for word in self.words.values())
        sentences = self.sentences or dict.fromkeys((*self.rules, *kinds), 1)
        return RuleBook(named, tuple(self.words.values()), sentences, calibration=Calibration({0: 1.0}))


def _read_fillers(text: str) -> dict[str, int]:
    fillers = {}
    for part in text.split():
        kind, _, count = part.partition(_TIMES)
        if count and not (count.isdecimal() and len(count) < 10 and int(count)):
            raise RuleError(f"{part!r} has a count that is no number. Write `C0{_TIMES}12`, or `C0`.")
        fillers[kind] = int(count or 1)
    return fillers
