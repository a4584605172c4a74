"""What training copies is hidden behind slots, learned once for all, and put back."""

from __future__ import annotations

import pytest

import fewlex
from fewlex.data.copies import SLOTS, Copies, find_copies
from fewlex.data.example import Example

TIMERS = [(f"set a timer for {n} minutes", f"timer ( PT{n}M )") for n in range(3, 60, 4)]
CALLS = [
    (f"please call {name} now", f"call ( {name} )")
    for name in ["Ann", "Bob", "Carl", "Dora", "Emil", "Fay", "Gus", "Hanna", "Igor", "Jo", "Kai"]
]
NOTES = [
    (f'write "{text}" down', f'note ( "{text}" )')
    for text in ("buy milk", "be kind", "go on now", "ok", "yes")
]


def example(pair: tuple[str, str]) -> Example:
    return Example.of(*pair)


def test_a_slot_stands_for_a_number_on_both_sides() -> None:
    hidden = Copies(("numbers",)).hide_in_pair(example(TIMERS[2]))
    (slot,) = {token for token in hidden.source if token in SLOTS}
    assert hidden.target == ("timer", "(", f"PT{slot}M", ")")
    copied = Copies(("numbers",)).hide(TIMERS[2][0].split())
    assert copied.tokens == hidden.source
    assert [copied.restored(token) for token in hidden.target] == [("timer",), ("(",), ("PT11M",), (")",)]


def test_equal_things_share_a_slot_and_others_do_not() -> None:
    first, second, third = (
        Copies(("numbers",)).hide(["move", "3", "to", "5", "and", "3"]).tokens[place] for place in (1, 3, 5)
    )
    assert first == third != second


def test_what_the_target_lacks_is_not_hidden() -> None:
    pair = example(("add 1 egg", "add ( egg )"))
    assert Copies(("numbers",)).hide_in_pair(pair) == pair


def test_more_things_than_slots_stay_as_they_are() -> None:
    copied = Copies(("numbers",)).hide([str(n) for n in range(len(SLOTS) + 2)])
    assert copied.tokens[-2:] == ("6", "7")
    assert set(copied.tokens[:-2]) == set(SLOTS)


@pytest.mark.parametrize(
    ("pairs", "kinds"),
    [
        (TIMERS, ("numbers",)),
        (CALLS, ("names",)),
        (NOTES, ("quotations",)),
        ([(f"mail {name}@x.org", f"mail ( {name}@x.org )") for name in "abcdef"], ("codes",)),
        ([(f"at {n} pm", f"{n + 12}:00") for n in range(1, 9)], ()),
        (CALLS[:5] * 3, ()),  # five names that come again and again are words
        ([("jump twice", "JUMP JUMP")] * 9, ()),
    ],
)
def test_what_is_copied_is_found_in_the_pairs(pairs: list[tuple[str, str]], kinds: tuple[str, ...]) -> None:
    assert find_copies([*map(example, pairs)]).kinds == kinds


def test_what_no_pair_has_is_copied() -> None:
    translator = fewlex.fit([*TIMERS, *CALLS, *NOTES])
    assert translator.config.data.copies == "numbers+names+quotations"
    (answer,), *others = translator.translate_lines(
        ["set a timer for 917 minutes", "please call Ngozi now", 'write "the cat sat on the mat" down']
    )
    assert answer.text == "timer ( PT917M )"
    assert answer.source == ("set", "a", "timer", "for", "917", "minutes")
    assert answer.unknown == ()
    assert answer.published == answer.tokens == ("timer", "(", "PT917M", ")")
    assert [found.text for (found,) in others] == ["call ( Ngozi )", 'note ( "the cat sat on the mat" )']
    translator.teach("917", "many")
    assert translator.knowledge.hide(("917", "918")).tokens[0] == "917", "what was taught is translated"
