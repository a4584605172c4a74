"""A run in use: text in, text out, and words taught in between."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from pathlib import Path

from fewlex.answer import Answer
from fewlex.config import Config
from fewlex.data.corpus import Corpus
from fewlex.data.example import Example
from fewlex.knowledge import Knowledge
from fewlex.lexicon import Lexicon
from fewlex.network import Advance, Network, Rows
from fewlex.run import Run


def _silent(done: int) -> None:
    pass


class Translator:
    """Answers in the words of a run.

    Threads may share a translator. All that it answers with is one `Network` that never changes: a call holds on to
    the network that it began with, and teaching puts another one in its place.
    """

    def __init__(self, network: Network) -> None:
        self._network = network
        self._teaching = threading.Lock()

    @classmethod
    def load(cls, run: Path | str, device: str = "cpu") -> Translator:
        return cls(Network.load(Run.open(run), device))

    @property
    def network(self) -> Network:
        """The network as it is now; whatever is taught later, this one does not change."""
        return self._network

    @property
    def config(self) -> Config:
        return self._network.config

    @property
    def knowledge(self) -> Knowledge:
        return self._network.knowledge

    @property
    def lexicon(self) -> Lexicon:
        """A copy of the lexicon: change it and give it to `with_lexicon`."""
        return self.knowledge.lexicon.copy()

    @property
    def rows(self) -> Rows:
        """For each source term that the lexicon knows, the probabilities of its translations (the matrix L of §3)."""
        return self._network.rows

    def teach(self, source: str, target: str, *, like: str = "") -> None:
        """Give a source term this translation and no other, from now on; the run's files are not touched.

        `like` names a known word that behaves alike, for runs with typed fast mapping.
        """
        with self._teaching:
            knowledge = self.knowledge
            self._network = self._network.with_knowledge(
                knowledge.taught([knowledge.lesson(source, target, like)])
            )

    def forget(self, source: str) -> None:
        """Drop what the lexicon says of a source term."""
        with self._teaching:
            lexicon = self.lexicon
            lexicon.remove(self.knowledge.forgettable(source)[0])
            self._network = self._network.with_knowledge(self.knowledge.with_lexicon(lexicon))

    def with_lexicon(self, lexicon: Lexicon) -> Translator:
        """A translator that shares this one's weights and translates words with another lexicon."""
        network = self._network
        return Translator(network.with_knowledge(network.knowledge.with_lexicon(lexicon)))

    def with_glossary(self, glossary: Lexicon, *, required: bool = False) -> Translator:
        """A translator that shares this one's weights and knows the glossary's rows too, in place of its own.

        With `required`, the translation of a glossary term must appear where the term is attended.
        """
        if not glossary.sources:
            return self
        network, lexicon = self._network, self.lexicon
        for source in glossary.sources:
            lexicon.replace_row(source, glossary.row(source))
        must = frozenset(glossary.sources) if required else frozenset()
        knowledge = network.knowledge.with_lexicon(lexicon)
        return Translator(network.with_knowledge(knowledge, network.required | must))

    def translate(self, text: str, *, beam: int | None = None) -> str:
        """The best output for one line of text."""
        return self.translate_lines([text], beam=beam)[0][0].text

    def translate_lines(
        self, lines: Iterable[str], *, beam: int | None = None, on_batch: Advance = _silent
    ) -> list[list[Answer]]:
        """The n-best outputs of many lines, n being the beam."""
        network = self._network
        return network.answer([*map(network.knowledge.form.source_tokens, lines)], beam, on_batch)

    def translate_tokens(
        self, sources: Sequence[Sequence[str]], *, beam: int | None = None, on_batch: Advance = _silent
    ) -> list[list[Answer]]:
        """The n-best outputs of sentences that are tokens already."""
        return self._network.answer(sources, beam, on_batch)

    def score(self, examples: Sequence[Example], *, on_batch: Advance = _silent) -> list[list[float]]:
        """log p(y_i | y_<i, x) of each target token, the end marker last; −∞ for a word the model cannot produce.

        Tokens are those of the run's notation (`knowledge.form.in_notation`).
        """
        return self._network.score(examples, on_batch)

    def load_data(self, data: str) -> Corpus:
        """Data tokenized as this run's training data was."""
        return self.knowledge.form.load(data)
