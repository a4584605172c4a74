"""Brackets and quotes in targets, also where the tokenizer `marks` has cut them off."""

from __future__ import annotations

import pytest

from fewlex.data.brackets import is_balanced, uses_brackets
from fewlex.data.example import Example
from fewlex.data.tokenizers import Marks
from fewlex.rules import RuleParser, learn_rules
from fewlex.rules.brackets import are_open_ended, closed, closes, opens

CALL = Marks().tokenize('note(text="wash cups", to=[1, 2], who={"a": "b"})')


def test_what_opens_is_closed() -> None:
    assert [token for token in CALL if opens(token)] == ["￭(￭", '"￭', "[￭", "{￭", '"￭', '"￭']
    assert [token for token in CALL if closes(token)] == ['￭"', "￭]", '￭"', '￭"', "￭}", "￭)"]
    assert uses_brackets([CALL])
    assert is_balanced(CALL)
    assert not is_balanced(CALL[:-1])
    assert not is_balanced(Marks().tokenize("f(x] y)"))
    assert closed(CALL) == CALL
    assert closed(CALL[:-1]) == (*CALL[:-1], ")")
    assert not are_open_ended([CALL])
    assert are_open_ended([CALL[:-1]])


@pytest.mark.parametrize("token", ["it's", '"', "￭,", "a", "￭'￭s"])
def test_other_tokens_neither_open_nor_close(token: str) -> None:
    assert not opens(token)
    assert not closes(token)


def test_rules_of_json_are_whole() -> None:
    """`{` and `￭}` are a pair. Taken for open-ended, such targets had rules with brackets that nothing opens."""
    marks, devices, rooms = (
        Marks(),
        ("lamp", "fan", "radio", "heater"),
        ("kitchen", "garage", "office", "hall"),
    )
    switch = {
        f"start the {device} in the {room}": f'{{"do": "start", "what": "{device}", "where": "{room}"}}'
        for device in devices
        for room in rooms
    }
    later = {f"later {source}": f'{{"do": "later", "task": {target}}}' for source, target in switch.items()}
    examples = [Example(tuple(s.split()), marks.tokenize(t)) for s, t in (switch | later).items()]
    book = learn_rules(examples)
    assert not book.is_open_ended
    for rule in book.rules:
        assert is_balanced([symbol for symbol in rule.target if isinstance(symbol, str)]), rule
    deep = RuleParser(book).parse(["later", "later", "start", "the", "fan", "in", "the", "hall"])
    assert deep is not None
    inner = '{"do": "start", "what": "fan", "where": "hall"}'
    assert marks.detokenize(deep.tokens) == f'{{"do": "later", "task": {{"do": "later", "task": {inner}}}}}'
