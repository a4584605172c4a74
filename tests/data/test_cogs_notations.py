"""Nested and compact COGS: what they look like, that nothing is lost, and what is no such form."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fewlex.data import load
from fewlex.data.codec import Codec, Pointed, published_form
from fewlex.data.cogs_compact import COMPACT
from fewlex.data.cogs_form import Statement, read_form, write_form
from fewlex.data.cogs_nested import NESTED
from fewlex.errors import NotationError

FORMS = {
    # A frog ate a cake on the table .
    "frog ( x _ 1 ) AND eat . agent ( x _ 2 , x _ 1 ) AND eat . theme ( x _ 2 , x _ 4 ) AND cake ( x _ 4 ) "
    "AND cake . nmod . on ( x _ 4 , x _ 7 )": (
        "* table ( x _ 7 ) ;",
        "eat ( agent = a frog , theme = a cake ( nmod . on = * table",
        "* table x_7 frog x_1 eat agent x_2 x_1 eat theme x_2 x_4 cake x_4 cake nmod.on x_4 x_7",
    ),
    # Liam meant that Sophia slept .
    "mean . agent ( x _ 1 , Liam ) AND mean . ccomp ( x _ 1 , x _ 4 ) AND sleep . agent ( x _ 4 , Sophia )": (
        "",
        "mean ( agent = Liam , ccomp = sleep ( agent = Sophia",
        "mean agent x_1 Liam mean ccomp x_1 x_4 sleep agent x_4 Sophia",
    ),
    # The girl in the house wanted to run .   (The girl is mentioned twice, the house once.)
    "girl . nmod . in ( x _ 1 , x _ 4 ) AND want . agent ( x _ 5 , x _ 1 ) AND want . xcomp ( x _ 5 , x _ 7 ) "
    "AND run . agent ( x _ 7 , x _ 1 )": (
        "* girl ( x _ 1 ) ; * house ( x _ 4 ) ;",
        "want ( agent = * girl ( nmod . in = * house ) , xcomp = run ( agent = * girl",
        "* girl x_1 * house x_4 girl nmod.in x_1 x_4 want agent x_5 x_1 want xcomp x_5 x_7 run agent x_7 x_1",
    ),
    # Single words.
    "Paula": ("", "Paula", "Paula"),
    "LAMBDA a . shark ( a )": ("", "LAMBDA a . shark ( a )", "LAMBDA a . shark ( a )"),
}
CASES = [
    (tuple(f"{definite} {body}".split()), nested, compact)
    for body, (definite, nested, compact) in FORMS.items()
]
CODECS = pytest.mark.parametrize("codec", [NESTED, COMPACT], ids=["nested", "compact"])


def as_from_a_network(output: Pointed) -> Pointed:
    """With a position for every token, also where none is needed."""
    return Pointed(output.tokens, tuple(0 if p is None else p for p in output.positions))


@pytest.mark.parametrize(("flat", "nested", "compact"), CASES)
def test_what_the_notations_look_like(flat: tuple[str, ...], nested: str, compact: str) -> None:
    assert " ".join(NESTED.encode(flat).tokens) == nested
    assert " ".join(COMPACT.encode(flat).tokens) == compact


@CODECS
@pytest.mark.parametrize("flat", [flat for flat, _, _ in CASES])
def test_round_trip(codec: Codec, flat: tuple[str, ...]) -> None:
    assert codec.decode(as_from_a_network(codec.encode(flat))) == flat


def test_positions_are_the_numbers_of_the_variables() -> None:
    encoded = NESTED.encode(CASES[0][0])
    pointing = {t: p for t, p in zip(encoded.tokens, encoded.positions, strict=True) if p is not None}
    assert pointing == {"eat": 2, "frog": 1, "cake": 4, "table": 7}


def test_other_positions_are_other_variables() -> None:
    output = Pointed(("sleep", "(", "agent", "=", "a", "cat"), (9, 9, 9, 9, 9, 3))
    assert " ".join(NESTED.decode(output)) == "cat ( x _ 3 ) AND sleep . agent ( x _ 9 , x _ 3 )"


def test_what_has_neither_marker_nor_roles_is_a_name() -> None:
    output = Pointed(("sleep", "(", "agent", "=", "rose"), (2, 0, 0, 0, 1))
    assert " ".join(NESTED.decode(output)) == "sleep . agent ( x _ 2 , rose )"


@pytest.mark.slow
@CODECS
def test_round_trip_on_all_sentences(codec: Codec, published: Path) -> None:
    splits = load("cogs").splits
    for example in (example for split in splits.values() for example in split):
        encoded = codec.encode(example.target)
        assert codec.decode(as_from_a_network(encoded)) == example.target
        assert all(p is None or p < len(example.source) for p in encoded.positions)
    assert sum(map(len, splits.values())) == 51_012 + 143


@pytest.mark.slow
def test_every_noun_verb_and_name_has_its_row(published: Path) -> None:
    """docs/lab/notations.md: which words Simple finds in nested targets, and the classes of typed fast mapping."""
    from fewlex.lexicon import best_translations, learn_lexicon, word_classes

    published_train = load("cogs")["train"]
    train = load("cogs").in_notation(NESTED)["train"]
    meanings: dict[str, set[str]] = {}
    for example in published_train:
        encoded = NESTED.encode(example.target)
        for token, position in zip(encoded.tokens, encoded.positions, strict=True):
            if position is not None:
                meanings.setdefault(example.source[position], set()).add(token)
    sizes = {3: [400, 216, 101], 8: [406, 222, 103]}
    for max_competitors, expected in sizes.items():
        rows = best_translations(learn_lexicon(train, max_competitors=max_competitors))
        assert sorted(Counter(word_classes(train, rows).values()).values(), reverse=True) == expected
        assert all(meanings.get(source, {source}) == {target} for source, target in rows.items())
    assert meanings.keys() <= rows.keys()
    assert rows.keys().isdisjoint(
        {"a", "A", "the", "The", "was", "by", "to", "that", "on", "in", "beside", "."}
    )


Tree = tuple[str, str, list[tuple[str, "Tree"]]]
words = st.text("abcdefghijklmnopqrstuvwxyzABC", min_size=2, max_size=4).filter(
    lambda w: w not in ("AND", "a", "x")
)
roles = st.sampled_from(["agent", "theme", "recipient", "nmod . on", "ccomp"])
trees: st.SearchStrategy[Any] = st.recursive(
    st.tuples(st.sampled_from(["a", "*", ""]), words, st.just([])),
    lambda inner: st.tuples(
        st.sampled_from(["a", "*", ""]), words, st.lists(st.tuples(roles, inner), min_size=1, max_size=3)
    ),
    max_leaves=12,
)


def statements_of(tree: Tree, positions: list[int]) -> list[Statement]:
    """What a tree says, in the published order; positions are given out depth first."""
    said: list[Statement] = []

    def walk(node: Tree) -> int | str:
        marker, lemma, its_roles = node
        if not marker and not its_roles:
            return lemma
        position = positions.pop()
        if marker:
            said.append(Statement(lemma, position, is_definite=marker == "*"))
        for role, filler in its_roles:
            said.append(Statement(lemma, position, role=tuple(role.split()), filler=walk(filler)))
        return position

    walk(tree)
    return sorted(said, key=lambda s: (not s.is_definite, s.position))


@given(trees.filter(lambda tree: tree[0] != "" or tree[2] != []), st.permutations(range(60)))
def test_any_tree_can_be_written(tree: Tree, positions: list[int]) -> None:
    said = statements_of(tree, list(positions))
    assume(not said[-1].is_definite)  # a published form has more than definite nouns
    flat = write_form(said)
    assert read_form(flat) == said
    for codec in (NESTED, COMPACT):
        assert codec.decode(as_from_a_network(codec.encode(flat))) == flat


TOKENS = "( ) , = . * a AND x_1 x_2 agent nmod on cat eat Emma LAMBDA x _ 1 ;"
tokens = st.sampled_from(TOKENS.split())


@CODECS
@given(st.lists(st.tuples(tokens, st.integers(0, 5) | st.none()), max_size=30))
def test_no_output_of_a_network_is_an_error(codec: Codec, output: list[tuple[str, int | None]]) -> None:
    pointed = Pointed(tuple(token for token, _ in output), tuple(position for _, position in output))
    assert all(isinstance(token, str) for token in published_form(codec, pointed))


@pytest.mark.parametrize(
    ("output", "problem"),
    [
        ("", "a word is expected at the beginning, but there is the end"),
        ("eat (", "a word is expected after 'eat (', but there is the end"),
        ("eat ( )", "a word is expected"),
        ("eat ( agent a frog", "'=' is expected after 'eat ( agent', but there is 'a'"),
        ("eat ( agent = a frog theme = Emma", "')' is expected after 'agent = a frog', but there is 'theme'"),
        ("eat ( agent = a frog ) )", "the end is expected"),
        ("eat ( agent = a", "a word is expected"),
        ("= eat", "a word is expected at the beginning, but there is '='"),
        ("a " + "w ( r = " * 101 + "a", "more than 100 levels"),
    ],
)
def test_malformed_trees_are_wrong_and_stay_as_they_are(output: str, problem: str) -> None:
    pointed = Pointed(tuple(output.split()), tuple(range(len(output.split()))))
    with pytest.raises(NotationError, match=re.escape(problem)):
        NESTED.decode(pointed)
    assert published_form(NESTED, pointed) == pointed.tokens


def test_two_different_nodes_at_one_word_are_malformed() -> None:
    output = Pointed(
        ("see", "(", "agent", "=", "a", "cat", ",", "theme", "=", "a", "dog"), (2, *[0] * 4, 1, *[0] * 4, 1)
    )
    with pytest.raises(NotationError, match="word 1 is both"):
        NESTED.decode(output)


@pytest.mark.parametrize(
    "output",
    ["* table", "cat x_1 *", "eat agent x_1", "eat agent Emma x_1", "* cat agent x_1 x_2", "AND x_1", ""],
)
def test_malformed_compact_forms_are_wrong_and_stay_as_they_are(output: str) -> None:
    pointed = Pointed(tuple(output.split()), ())
    with pytest.raises(NotationError):
        COMPACT.decode(pointed)
    assert published_form(COMPACT, pointed) == pointed.tokens


@pytest.mark.parametrize(
    ("form", "problem"),
    [
        ("cat ( x _ 1 ) dog ( x _ 2 )", "'AND' is expected after 'x _ 1 )', but there is 'dog'"),
        ("* cat ( x _ 1 )", "';' is expected"),
        ("* cat ( x _ 1 ) ;", "a word is expected after"),
        ("cat ( x _ one )", "a number is expected after 'cat ( x _', but there is 'one'"),
        ("cat sat ( x _ 1 )", "'.' is expected after 'cat', but there is 'sat'"),
        ("cat ( x _ 1 ) AND dog ( x _ 2 )", "no tree, because 2 variables fill no role"),
        ("eat . agent ( x _ 1 , x _ 1 )", "no tree, because 0 variables fill no role"),
        ("eat . agent ( x _ 1 , x _ 2 )", "x _ 2 fills a role, but no statement describes it"),
        ("eat . agent ( x _ 2 , x _ 1 ) AND cat ( x _ 1 )", "not in the order of COGS"),
    ],
)
def test_targets_that_are_no_logical_forms(form: str, problem: str) -> None:
    with pytest.raises(NotationError, match=re.escape(problem)):
        NESTED.encode(tuple(form.split()))
