"""Logical forms of COGS as trees without variables.

    A frog ate a cake on the table .
    eat ( agent = a frog , theme = a cake ( nmod . on = * table

A node consists of a marker, a lemma, and roles with the nodes that fill them. Brackets that would close at the end are
left out. The tree needs no variables: the number in a variable is the number of a word in the sentence, and this is the
word that the lemma's token points at. A node that has neither a marker nor roles is a name, because names have no
statement of their own in the published form. A node that fills several roles (`a cat` in *A cat wanted to sleep*) is
written once for each of them; if it has a marker, its roles are written only the first time. The forms of single words
(`LAMBDA …`) stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

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

INDEFINITE, PLAIN = "a", ""
"""The markers that a node can have besides DEFINITE. Verbs have none."""

MAX_DEPTH = 100
"""A deeper tree is an error. The deepest tree of COGS has 16 levels, so only a network that repeats itself goes
further."""


@dataclass(frozen=True)
class _Node:
    lemma: str
    marker: str = PLAIN
    roles: tuple[tuple[Tokens, Argument], ...] = ()


def encode(target: Tokens) -> Pointed:
    """The tree of a published form."""
    if is_primitive(target):
        return Pointed(target, (None,) * len(target))
    nodes = _nodes(read_form(target))
    fillers = {filler for node in nodes.values() for _, filler in node.roles}
    roots = [position for position in nodes if position not in fillers]
    if len(roots) != 1:
        raise NotationError(
            f"this form is no tree, because {len(roots)} variables fill no role: {' '.join(target)}"
        )
    tree = _Writer(nodes).write(roots[0])
    if decode(tree) != target:
        raise NotationError(f"the statements are not in the order of COGS: {' '.join(target)}")
    return tree


def decode(output: Pointed) -> Tokens:
    """The published form of a tree."""
    if output.tokens[:1] == ("LAMBDA",):
        return output.tokens
    reader = _Reader(output)
    root = reader.read()
    return (root,) if isinstance(root, str) else write_form(_statements(reader.nodes))


NESTED = Codec(encode, decode)


def _nodes(statements: Iterable[Statement]) -> dict[int, _Node]:
    """For each variable the node that its statements describe."""
    nodes: dict[int, _Node] = {}
    for statement in statements:
        node = nodes.setdefault(statement.position, _Node(statement.lemma))
        if statement.role:
            node = replace(node, roles=(*node.roles, (statement.role, statement.filler)))
        else:
            node = replace(node, marker=DEFINITE if statement.is_definite else INDEFINITE)
        nodes[statement.position] = node
    return nodes


def _statements(nodes: dict[int, _Node]) -> Iterator[Statement]:
    """The statements about all variables in the published order."""
    for position in sorted(nodes):
        if nodes[position].marker == DEFINITE:
            yield Statement(nodes[position].lemma, position, is_definite=True)
    for position in sorted(nodes):
        node = nodes[position]
        if node.marker == INDEFINITE:
            yield Statement(node.lemma, position)
        for role, filler in node.roles:
            yield Statement(node.lemma, position, role=role, filler=filler)


class _Writer:
    """Writes a tree, depth first."""

    def __init__(self, nodes: dict[int, _Node]) -> None:
        self.nodes = nodes
        self.written: set[int] = set()
        self.tokens: list[str] = []
        self.positions: list[int | None] = []

    def write(self, root: int) -> Pointed:
        self._argument(root, 1)
        end = len(self.tokens)
        while self.tokens[end - 1] == ")":
            end -= 1
        return Pointed(tuple(self.tokens[:end]), tuple(self.positions[:end]))

    def _argument(self, argument: Argument, depth: int) -> None:
        _check_depth(depth)
        if isinstance(argument, str):
            self._add(argument)
            return
        if argument not in self.nodes:
            raise NotationError(f"x _ {argument} fills a role, but no statement describes it.")
        node = self.nodes[argument]
        if node.marker:
            self._add(node.marker)
        self._add(node.lemma, position=argument)
        is_known = argument in self.written
        self.written.add(argument)
        # A verb without its roles would be taken for a name.
        if node.roles and not (is_known and node.marker):
            for number, (role, filler) in enumerate(node.roles):
                self._add("," if number else "(", *role, "=")
                self._argument(filler, depth + 1)
            self._add(")")

    def _add(self, *tokens: str, position: int | None = None) -> None:
        self.tokens += tokens
        self.positions += [position] * len(tokens)


class _Reader:
    """Reads a tree into nodes."""

    def __init__(self, output: Pointed) -> None:
        self.positions = output.positions
        self.reader = TokenReader(output.tokens, "nested form of COGS")
        self.nodes: dict[int, _Node] = {}

    def read(self) -> Argument:
        """Reads the whole tree and returns its root: a position, or a name if the tree is nothing but a name."""
        root = self._argument(1)
        if not self.reader.is_at_end:
            raise self.reader.error("the end")
        return root

    def _argument(self, depth: int) -> Argument:
        _check_depth(depth)
        marker = self.reader.next() if self.reader.peek() in (DEFINITE, INDEFINITE) else PLAIN
        at = self.reader.at
        lemma = self.reader.word()
        roles = self._roles(depth) if self.reader.accept("(") else ()
        if not (marker or roles):
            return lemma
        position = self.positions[at]
        if position is None:
            raise NotationError(f"{lemma!r} does not point at a word of the sentence.")
        self._keep(position, _Node(lemma, marker, roles))
        return position

    def _roles(self, depth: int) -> tuple[tuple[Tokens, Argument], ...]:
        """Reads the roles in a bracket. The bracket may stay open at the end of the tree."""
        roles = [self._role(depth)]
        while self.reader.accept(","):
            roles.append(self._role(depth))
        if not self.reader.is_at_end:
            self.reader.expect(")")
        return tuple(roles)

    def _role(self, depth: int) -> tuple[Tokens, Argument]:
        role = self.reader.role()
        self.reader.expect("=")
        return role, self._argument(depth + 1)

    def _keep(self, position: int, node: _Node) -> None:
        """Remember a node. If its word was mentioned before, both mentions must agree, but one of them may lack the
        roles."""
        known = self.nodes.get(position, node)
        merged = replace(node, roles=known.roles or node.roles)
        if replace(known, roles=merged.roles) != merged or node.roles not in ((), merged.roles):
            raise NotationError(f"word {position} is both {known} and {node}.")
        self.nodes[position] = merged


def _check_depth(depth: int) -> None:
    if depth > MAX_DEPTH:
        raise NotationError(f"the tree has more than {MAX_DEPTH} levels.")
