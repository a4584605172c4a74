"""The logical forms of COGS as published, and the statements that they consist of.

    * table ( x _ 7 ) ; frog ( x _ 1 ) AND eat . agent ( x _ 2 , x _ 1 ) AND eat . theme ( x _ 2 , Emma )

The number in a variable is the number of a word in the sentence. Names have no variable. First come the definite nouns,
then everything else, both in the order of their variables.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from fewlex.data.codec import Tokens
from fewlex.errors import NotationError

DEFINITE = "*"
SYMBOLS = frozenset(("(", ")", ",", ".", ";", DEFINITE, "AND", "_", "="))
"""The tokens of a logical form, published or nested, that are not words."""

Argument: TypeAlias = int | str
"""The number of a variable, or a name."""


@dataclass(frozen=True, slots=True)
class Statement:
    """Either `table ( x _ 7 )`, which may be definite, or, with a role, `eat . agent ( x _ 2 , filler )`."""

    lemma: str
    position: int
    is_definite: bool = False
    role: Tokens = ()
    """The tokens of the role with its dots: `agent`, or `nmod . on`."""
    filler: Argument = ""


def is_primitive(target: Tokens) -> bool:
    """True if the form belongs to a single word: it is a name, or it begins with λ."""
    return len(target) == 1 or target[:1] == ("LAMBDA",)


def write_form(statements: Iterable[Statement]) -> Tokens:
    """The published form of the statements, in the order in which they are given."""
    tokens: list[str] = []
    for statement in statements:
        if statement.is_definite:
            tokens += [DEFINITE, statement.lemma, "(", *variable(statement.position), ")", ";"]
            continue
        tokens.append(statement.lemma)
        if statement.role:
            tokens += [".", *statement.role, "(", *variable(statement.position), ","]
            tokens += variable(statement.filler) if isinstance(statement.filler, int) else [statement.filler]
        else:
            tokens += ["(", *variable(statement.position)]
        tokens += [")", "AND"]
    return tuple(tokens[:-1])


def variable(position: int) -> Tokens:
    return "x", "_", str(position)


def read_form(target: Tokens) -> list[Statement]:
    """The statements of a published form, which must not be a primitive."""
    reader = TokenReader(target, "logical form of COGS")
    statements = []
    while reader.accept(DEFINITE):
        statements.append(_definition(reader))
        reader.expect(";")
    statements.append(_conjunct(reader))
    while not reader.is_at_end:
        reader.expect("AND")
        statements.append(_conjunct(reader))
    return statements


def _definition(reader: TokenReader) -> Statement:
    lemma = reader.word()
    reader.expect("(")
    position = _variable(reader)
    reader.expect(")")
    return Statement(lemma, position, is_definite=True)


def _conjunct(reader: TokenReader) -> Statement:
    lemma = reader.word()
    if reader.accept("("):
        statement = Statement(lemma, _variable(reader))
    else:
        reader.expect(".")
        role = reader.role()
        reader.expect("(")
        position = _variable(reader)
        reader.expect(",")
        filler = _variable(reader) if reader.peek() == "x" else reader.word()
        statement = Statement(lemma, position, role=role, filler=filler)
    reader.expect(")")
    return statement


def _variable(reader: TokenReader) -> int:
    reader.expect("x")
    reader.expect("_")
    if not (reader.peek().isascii() and reader.peek().isdigit()):
        raise reader.error("a number")
    return int(reader.next())


class TokenReader:
    """Reads tokens from left to right and raises an error at the first token that does not fit."""

    def __init__(self, tokens: Tokens, what: str) -> None:
        """`what` names the kind of text that is read; the error messages begin with it."""
        self.tokens, self.what, self.at = tokens, what, 0

    @property
    def is_at_end(self) -> bool:
        return self.at == len(self.tokens)

    def peek(self) -> str:
        """The next token, which is not read yet; an empty string at the end."""
        return "" if self.is_at_end else self.tokens[self.at]

    def next(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1]

    def accept(self, token: str) -> bool:
        """True if the given token comes next. In that case it is read."""
        found = self.peek() == token
        self.at += found
        return found

    def expect(self, token: str) -> None:
        if not self.accept(token):
            raise self.error(repr(token))

    def word(self) -> str:
        if self.is_at_end or self.peek() in SYMBOLS:
            raise self.error("a word")
        return self.next()

    def role(self) -> Tokens:
        """Reads words with dots between them."""
        role = [self.word()]
        while self.accept("."):
            role += [".", self.word()]
        return tuple(role)

    def error(self, expected: str) -> NotationError:
        before = " ".join(self.tokens[max(0, self.at - 4) : self.at])
        place = f"after {before!r}" if before else "at the beginning"
        found = "the end" if self.is_at_end else repr(self.peek())
        return NotationError(f"this is no {self.what}: {expected} is expected {place}, but there is {found}.")
