"""Commands for an assistant at home, and the calls that they stand for.

    python examples/languages/assistant.py commands
    fewlex train commands --out runs/commands

`turn on the fan in the attic` ↦ `on ( device = dev.fan , room = room.attic )`. Training never has a room after *dim*,
and joins at most three commands.
"""

from __future__ import annotations

from sampling import Draw, Language, Sentence, main


def sentence(draw: Draw) -> Sentence:
    return _commands(draw, 0)


def _commands(draw: Draw, level: int) -> Sentence:
    source, target = _command(draw)
    if not draw.nest(level, 0.4):
        return source, target
    rest_source, rest_target = _commands(draw, level + 1)
    joined = draw.rng.choice(("then", "when"))
    if joined == "then":
        return [*source, "and", "then", *rest_source], ["then", "(", *target, ",", *rest_target, ")"]
    sensor, condition = draw.word("sensor")
    return (
        ["when", "the", *sensor, "rings", *source, "and", "then", *rest_source],
        ["when", "(", *condition, ",", "then", "(", *target, ",", *rest_target, ")", ")"],
    )


def _command(draw: Draw) -> Sentence:
    form = draw.rng.choice(("switch", "switch", "dim", "play", "set", "remind", "politely"))
    if form == "politely":
        source, target = _command(draw)
        return ["please", *source] if source[0] != "please" else source, target
    if form == "remind":
        task, time = draw.word("task"), draw.word("time")
        source = ["remind", "me", "to", *task[0], "at", *time[0]]
        return source, ["remind", "(", "task", "=", *task[1], ",", "time", "=", *time[1], ")"]
    if form == "play":
        music = draw.word("music")
        return _with_room(draw, ["play", *music[0]], ["media", "(", "query", "=", *music[1]], 0.5, False)
    device = draw.word("device")
    if form == "set":
        level = draw.word("level")
        source = ["set", "the", *device[0], "to", *level[0], "percent"]
        return source, ["set", "(", "device", "=", *device[1], ",", "level", "=", *level[1], ")"]
    verb = draw.word("verb") if form == "switch" else (["dim"], ["dim"])
    source, target = [*verb[0], "the", *device[0]], [*verb[1], "(", "device", "=", *device[1]]
    return _with_room(draw, source, target, 0.5, is_new=form == "dim")


def _with_room(draw: Draw, source: list[str], target: list[str], chance: float, is_new: bool) -> Sentence:
    if draw.combine(0.15 if is_new else chance, is_new):
        room = draw.word("room")
        source, target = [*source, "in", "the", *room[0]], [*target, ",", "room", "=", *room[1]]
    return source, [*target, ")"]


def named(prefix: str, words: str) -> list[tuple[str, str]]:
    return [(word.replace("_", " "), f"{prefix}{word.replace('_', '')}") for word in words.split()]


LANGUAGE = Language(
    "assistant",
    sentence,
    words={
        "device": named(
            "dev.", "lamp fan heater radio oven camera screen fountain coffee_machine tea_kettle"
        ),
        "room": named("room.", "kitchen attic garden office cellar bedroom hall"),
        "music": named("music.", "jazz techno opera blues lullabies samba"),
        "task": named("task.", "cook sleep call_mother water_plants jog pay"),
        "time": [("noon", "12:00"), ("midnight", "00:00"), ("dawn", "06:00"), ("teatime", "17:00")],
        "level": [("ten", "10"), ("twenty", "20"), ("forty", "40"), ("sixty", "60"), ("ninety", "90")],
        "sensor": named("sensor.", "doorbell phone alarm timer"),
        "verb": [
            ("turn on", "on"),
            ("turn off", "off"),
            ("open", "open"),
            ("lock", "lock"),
            ("check", "status"),
        ],
    },
    once={
        "device": named("dev.", "dryer blinds robot"),
        "room": named("room.", "garage terrace"),
        "music": named("music.", "polka"),
        "task": named("task.", "swim"),
    },
    taught={
        "device": named("dev.", "blender sauna projector"),
        "room": named("room.", "library"),
        "music": named("music.", "reggae"),
    },
    depth=2,
    test_depth=4,
)

if __name__ == "__main__":
    main(LANGUAGE)
