"""The rules and the network of a run together. The rules are asked first, and the network if they are not sure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from fewlex.answer import Answer, restored
from fewlex.config import Config
from fewlex.data.copies import Copied
from fewlex.grammar import Grammar, nobody
from fewlex.knowledge import Knowledge
from fewlex.run import Run

if TYPE_CHECKING:
    from fewlex.network import Network

Advance: TypeAlias = Callable[[int], None]
"""A function that is called with the number of sentences that have just been finished."""

UNTRIED = 0.5
"""How much of its confidence is left to a network for a sentence that combines words in a new way: it was only checked
on sentences like those of training, and rules were checked on new combinations."""

HOPELESS = 0.05
"""A network that is less sure than this is wrong, so rules that derive something answer whatever their trial says."""

UNMEASURED = 0.9
"""How sure a network is taken to be of a sentence like those of training, where no pairs were left to measure it on."""

ASKED = ("both", "rules", "network")
"""Who can be asked: both (the network answers if the rules are not sure), or one of the two alone."""


@dataclass(frozen=True)
class Mind:
    """The rules and the network that a translator answers with. A mind never changes; teaching makes another one."""

    knowledge: Knowledge
    network: Network | None
    grammar: Grammar | None
    required: frozenset[str] = frozenset()
    """Source terms whose translation must appear in the output."""

    @classmethod
    def load(cls, run: Run, config: Config, device: str = "cpu") -> Mind:
        """Load the rules and the network of a finished run. A run of rules alone has no network and needs no torch."""
        knowledge, network = run.read_knowledge().wanting(config.rules.precision), None
        if not config.rules.alone:
            from fewlex.network import Network

            network = Network.load(run, config, knowledge, device)
        return cls(knowledge, network, Grammar.of(knowledge))

    def knowing(self, knowledge: Knowledge, required: frozenset[str] = frozenset()) -> Mind:
        """The same weights with other knowledge."""
        must = self.required | required
        network = None if self.network is None else self.network.with_knowledge(knowledge, must)
        return Mind(knowledge, network, Grammar.of(knowledge), must)

    def answer(
        self, sources: Sequence[Sequence[str]], beam: int | None, by: str, on_batch: Advance
    ) -> list[list[Answer]]:
        """The answers to tokenized sources, best first. An empty source has an empty answer, which nobody gives."""
        spelling = self.knowledge.spelling
        hidden = [self.knowledge.hide(source) for source in sources]
        hidden = [replace(copied, tokens=spelling.read(copied.tokens)) for copied in hidden]
        found = self._answer([copied.tokens for copied in hidden], beam, by, on_batch)
        return [
            [self._shown(answer, copied) for answer in answers]
            for answers, copied in zip(found, hidden, strict=True)
        ]

    def _shown(self, answer: Answer, copied: Copied) -> Answer:
        """The answer with what its slots stand for."""
        return restored(answer, copied, self.knowledge.form.text) if copied.values else answer

    def _answer(
        self, sources: Sequence[Sequence[str]], beam: int | None, by: str, on_batch: Advance
    ) -> list[list[Answer]]:
        found: list[list[Answer] | None] = [None if source else [nobody(source)] for source in sources]
        if by != "network":
            found = [
                answers or self._by_rules(source, by) for source, answers in zip(sources, found, strict=True)
            ]
        on_batch(sum(answers is not None for answers in found))
        left = [i for i, answers in enumerate(found) if answers is None]
        if self.network is not None and by != "rules" and left:
            for i, answers in zip(
                left, self.network.answer([sources[i] for i in left], beam, on_batch), strict=True
            ):
                found[i] = self._surer(sources[i], answers) if by == "both" else answers
        return [
            self._marked(source, answers or [nobody(source)])
            for source, answers in zip(sources, found, strict=True)
        ]

    def _marked(self, source: Sequence[str], answers: list[Answer]) -> list[Answer]:
        """The answers with the words of the source that the run does not know."""
        unknown = self.knowledge.unknown_in(source)
        return [replace(answer, unknown=unknown) for answer in answers] if unknown else answers

    def _surer(self, source: Sequence[str], answers: list[Answer]) -> list[Answer]:
        """What the network says, or what the rules say where they are not sure but surer than the network is."""
        measured = answers[0].confidence
        sure = UNMEASURED if measured is None else measured
        if self.grammar is None or self.required.intersection(source):
            return answers
        other = self.grammar.answer(source, only_if_sure=False)
        if other is None or other.confidence is None or other.derivation is None:
            return answers
        if not other.derivation.is_familiar:
            sure *= UNTRIED
        return [other] if sure < HOPELESS or other.confidence > sure else answers

    def _by_rules(self, source: Sequence[str], by: str) -> list[Answer] | None:
        """The answer of the rules. If the network can be asked instead, the rules answer only if they are sure."""
        can_ask_network = self.network is not None and by == "both"
        if self.grammar is None or (can_ask_network and self.required.intersection(source)):
            return None
        answer = self.grammar.answer(source, only_if_sure=can_ask_network)
        if answer is None:
            others = self.knowledge.spelling.other_ends(source)
            found = (self.grammar.answer(other, only_if_sure=can_ask_network) for other in others)
            answer = next(filter(None, found), None)
        return None if answer is None else [answer]
