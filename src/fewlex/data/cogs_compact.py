"""The published logical forms of COGS without punctuation: the same statements in a third of the tokens.

    * table ( x _ 7 ) ; frog ( x _ 1 ) AND eat . agent ( x _ 2 , x _ 1 ) AND cake . nmod . on ( x _ 4 , x _ 7 )
    * table x_7 frog x_1 eat agent x_2 x_1 cake nmod.on x_4 x_7

A variable and a role are one token each. The token after a lemma tells what kind of statement it is, so brackets,
commas and conjunctions can be left out. The forms of single words (`LAMBDA …`) stay as they are.
"""

from __future__ import annotations

import re

from fewlex.data.codec import Codec, Pointed, Tokens
from fewlex.data.cogs_form import (
    DEFINITE,
    Argument,
    Statement,
    TokenReader,
    is_primitive,
    read_form,
    write_form,
)
from fewlex.errors import NotationError

_VARIABLE = re.compile(r"x_(\d+)", re.ASCII)


def encode(target: Tokens) -> Pointed:
    """A published form without punctuation."""
    short = target if is_primitive(target) else _short(read_form(target))
    if decode(Pointed(short, ())) != target:
        raise NotationError(f"some words look like variables: {' '.join(target)}")
    return Pointed(short, (None,) * len(short))


def decode(output: Pointed) -> Tokens:
    """The published form with its punctuation."""
    if is_primitive(output.tokens):
        return output.tokens
    reader = TokenReader(output.tokens, "compact form of COGS")
    statements = [_statement(reader)]
    while not reader.is_at_end:
        statements.append(_statement(reader))
    return write_form(statements)


COMPACT = Codec(encode, decode)


def _short(statements: list[Statement]) -> Tokens:
    tokens: list[str] = []
    for statement in statements:
        tokens += [DEFINITE, statement.lemma] if statement.is_definite else [statement.lemma]
        if statement.role:
            filler = statement.filler
            tokens += ["".join(statement.role), f"x_{statement.position}"]
            tokens.append(filler if isinstance(filler, str) else f"x_{filler}")
        else:
            tokens.append(f"x_{statement.position}")
    return tuple(tokens)


def _statement(reader: TokenReader) -> Statement:
    is_definite = reader.accept(DEFINITE)
    lemma, what = reader.word(), reader.word()
    if isinstance(position := _argument(what), int):
        return Statement(lemma, position, is_definite)
    position, filler = _argument(reader.word()), _argument(reader.word())
    if is_definite or isinstance(position, str):
        raise NotationError(f"a variable is expected after {lemma!r}.")
    return Statement(lemma, position, role=tuple(re.split(r"(\.)", what)), filler=filler)


def _argument(token: str) -> Argument:
    found = _VARIABLE.fullmatch(token)
    return int(found[1]) if found else token
