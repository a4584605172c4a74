"""Two small languages of the kind that users bring: commands to an assistant as calls, and questions as queries."""

from __future__ import annotations

import random

from tests.rules.random_grammars import Language, sample
from tests.rules.synchronous import Grammar, Hole, Production, Symbol

ASSISTANT_WORDS = {
    "device": "lamp:lamp, heating:heater, oven:oven, radio:radio, garage door:garage_door, front door:front_door, "
    "coffee machine:coffee_maker, blinds:blinds, shutters:blinds",
    "room": "kitchen:kitchen, living room:living_room, hall:hall, bathroom:bathroom, cellar:cellar",
    "person": "anna:anna, tom:tom, my sister:contact . sister, my boss:contact . boss",
    "hour": "six:6, seven:7, eight:8, noon:12, midnight:0",
}
ASSISTANT = """
thing = device ↦ #0
thing = the device ↦ #0
place = room ↦ #0
place = the room ↦ #0
object = thing ↦ #0
object = thing in place ↦ #0 ( room = #1 )
act = turn on object ↦ set ( #0 , on )
act = turn off object ↦ set ( #0 , off )
act = switch object on ↦ set ( #0 , on )
act = open object ↦ open ( #0 )
act = call person ↦ call ( #0 )
act = tell person about object ↦ message ( to = #0 , about = #1 )
act = set an alarm for hour ↦ alarm ( #0 )
timed = act ↦ #0
timed = act at hour ↦ at ( #1 , #0 )
timed = act twice ↦ repeat ( 2 , #0 )
series = timed ↦ #0
series = timed and then series ↦ do ( #0 , #1 )
series = timed after series ↦ do ( #1 , #0 )
plan = series ↦ #0
plan = remind person to plan ↦ remind ( #0 , #1 )
plan = when object is ready plan ↦ on ( ready ( #0 ) , #1 )
S = plan ↦ #0
S = please plan ↦ #0
"""

QUERY_WORDS = {
    "table": "employees:employee, workers:employee, products:product, orders:order, shops:shop, "
    "open invoices:invoice_open",
    "column": "name:name, price:price, city:city, salary:salary, age:age, delivery date:delivered_at",
    "value": "berlin:'berlin', paris:'paris', ten:10, twenty:20, one hundred:100, zero:0",
}
QUERIES = """
rows = table ↦ FROM #0
cond = column is value ↦ #0 = #1
cond = column is above value ↦ #0 > #1
cond = column is below value ↦ #0 < #1
cond = column is between value and value ↦ #0 BETWEEN #1 AND #2
cond = column is not known ↦ #0 IS NULL
test = cond ↦ #0
test = cond or test ↦ ( #0 OR #1 )
part = rows ↦ #0
part = rows whose test ↦ #0 WHERE #1
part = rows that have part ↦ #0 WHERE EXISTS ( SELECT * #1 )
S = show part ↦ SELECT * #0 ;
S = show me part ↦ SELECT * #0 ;
S = how many part are there ↦ SELECT COUNT ( * ) #0 ;
S = what is the column of part ↦ SELECT #0 #1 ;
S = what is the average column of part ↦ SELECT AVG ( #0 ) #1 ;
S = list part by column ↦ SELECT * #0 ORDER BY #1 ;
S = list the column of part from high to low ↦ SELECT #0 #1 ORDER BY #0 DESC ;
"""


def assistant(size: int = 300, seed: int = 0) -> Language:
    return _language("assistant", ASSISTANT_WORDS, ASSISTANT, size, seed)


def queries(size: int = 300, seed: int = 0) -> Language:
    return _language("queries", QUERY_WORDS, QUERIES, size, seed)


def _language(name: str, words: dict[str, str], text: str, size: int, seed: int) -> Language:
    grammar = Grammar((*_words(words), *_productions(text)))
    for attempt in range(100):
        language = sample(name, grammar, random.Random(f"{name}/{seed}/{attempt}"), size)
        if language is not None:
            return language
    raise AssertionError(f"{size} pairs do not teach {name}")


def _words(words: dict[str, str]) -> list[Production]:
    made = []
    for category, listed in words.items():
        for entry in listed.split(", "):
            source, target = (tuple(side.split()) for side in entry.split(":"))
            tags = {"term"} if len(source) > 1 else set()
            tags |= {"several tokens"} if len(target) > 1 else set()
            made.append(
                Production(
                    f"{category}:{' '.join(source)}", category, source, target, frozenset(tags), is_word=True
                )
            )
    return made


def _productions(text: str) -> list[Production]:
    lines = [line for line in text.splitlines() if line]
    categories = {line.split(" = ")[0] for line in lines} | {*ASSISTANT_WORDS, *QUERY_WORDS}
    made = []
    for line in lines:
        category, rule = line.split(" = ", 1)
        source_text, target_text = rule.split(" ↦ ")
        source: tuple[Symbol, ...] = tuple(
            Hole(symbol) if symbol in categories else symbol for symbol in source_text.split()
        )
        target = tuple(int(part[1:]) if part[0] == "#" else part for part in target_text.split())
        is_step = len(source) == 1 and target == (0,)
        weight = 0.5 if category in source_text.split() else 1.0
        made.append(
            Production("" if is_step else line, category, source, target, _tags(source, target), weight)
        )
    return made


def _tags(source: tuple[Symbol, ...], target: tuple[str | int, ...]) -> frozenset[str]:
    order = [part for part in target if isinstance(part, int)]
    tags = {"bracketed"} if "(" in target else {"bracket-free"}
    tags |= {"swap"} if order != sorted(order) else set()
    tags |= {"separator"} if "," in target else set()
    tags |= {"vanishing words"} if target == (0,) and len(source) > 1 else set()
    return frozenset(tags)
