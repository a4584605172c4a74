"""A translator uses a finished run: it translates text, and it can be taught words."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from fewlex.answer import Answer
from fewlex.config import Config
from fewlex.config_layers import at_translation
from fewlex.data.corpus import Corpus
from fewlex.data.example import Example
from fewlex.data.own import texts_of
from fewlex.errors import ConfigError, RunError, did_you_mean
from fewlex.knowledge import Knowledge
from fewlex.lexicon import GLOSSARY, Entry, Lexicon
from fewlex.mind import ASKED, Advance, Mind
from fewlex.run import Run

if TYPE_CHECKING:
    from fewlex.network import Network


def _silent(done: int) -> None:
    pass


class Translator:
    """Translates with the rules of a run if they are sure, otherwise with its network.

    Threads may share a translator. A call keeps the rules and the network that it began with, and teaching puts others
    in their place for later calls.
    """

    def __init__(self, config: Config, mind: Mind) -> None:
        self.config, self._mind = config, mind
        self._teaching = threading.Lock()

    @classmethod
    def load(cls, run: Path | str, device: str = "cpu", settings: Iterable[str] = ()) -> Translator:
        """Load the translator of a finished run. A run of rules alone needs no torch.

        `settings` such as `decoding.beam=5` take the place of those that the run was trained with, where no weight
        depends on them (`config_layers.AT_TRANSLATION`).
        """
        opened = Run.open(run)
        config = at_translation(opened.read_config(), settings)
        return cls(config, Mind.load(opened, config, device))

    @property
    def network(self) -> Network:
        """The network as it is now. It does not change when something is taught later."""
        if self._mind.network is None:
            raise RunError(
                "this run has only rules and no network. Train it with another preset to get a network."
            )
        return self._mind.network

    @property
    def knowledge(self) -> Knowledge:
        return self._mind.knowledge

    @property
    def has_network(self) -> bool:
        return self._mind.network is not None

    @property
    def has_rules(self) -> bool:
        return self._mind.grammar is not None

    @property
    def lexicon(self) -> Lexicon:
        """A copy of the lexicon. To use a changed copy, give it to `with_lexicon`."""
        return self.knowledge.lexicon.copy()

    @property
    def rows(self) -> Mapping[str, Mapping[str, float]]:
        """The probabilities of translations, for each source term that the lexicon knows (the matrix L of §3)."""
        return self.network.rows

    def teach(self, source: str, target: str, *, like: str = "", also: bool = False) -> None:
        """Give a source term this translation and no other, from now on; the run's files are not touched.

        `like` names a known word that behaves alike, for rules and for runs with typed fast mapping. With `also`, the
        term keeps what it meant before: rules choose the meaning that fits, a network takes the first.
        """
        with self._teaching:
            knowledge = self.knowledge
            self._mind = self._mind.knowing(
                knowledge.taught([knowledge.lesson(source, target, like, also=also)])
            )

    def forget(self, source: str) -> None:
        """Remove a source term from the lexicon."""
        with self._teaching:
            lexicon = self.lexicon
            lexicon.remove(self.knowledge.forgettable(source)[0])
            self._mind = self._mind.knowing(self.knowledge.with_lexicon(lexicon))

    def with_lexicon(self, lexicon: Lexicon) -> Translator:
        """A translator that shares this one's weights and translates words with another lexicon."""
        return Translator(self.config, self._mind.knowing(self.knowledge.with_lexicon(lexicon)))

    def with_glossary(self, glossary: Lexicon | Mapping[str, str], *, required: bool = False) -> Translator:
        """A translator that shares this one's weights and knows the glossary's rows too, in place of its own.

        The glossary may be a plain dictionary from words to their translations. With `required`, the translation of a
        glossary term must appear where the term is attended.
        """
        if not isinstance(glossary, Lexicon):
            lessons = [self.knowledge.lesson(source, target) for source, target in glossary.items()]
            glossary = Lexicon((lesson.source, lesson.target, Entry(1.0, GLOSSARY)) for lesson in lessons)
        if not glossary.sources:
            return self
        mind, lexicon = self._mind, self.lexicon
        for source in glossary.sources:
            lexicon.replace_row(source, glossary.row(source))
        must = frozenset(glossary.sources) if required else frozenset()
        return Translator(self.config, mind.knowing(mind.knowledge.with_lexicon(lexicon), must))

    @overload
    def translate(  # type: ignore[overload-overlap]  # a string is also an iterable of strings
        self, text: str, *, beam: int | None = None, by: str = "both"
    ) -> str: ...
    @overload
    def translate(self, text: Iterable[str], *, beam: int | None = None, by: str = "both") -> list[str]: ...
    def translate(
        self, text: str | Iterable[str], *, beam: int | None = None, by: str = "both"
    ) -> str | list[str]:
        """The best output for one line of text; for many lines, a list of them."""
        if isinstance(text, str):
            return self.translate_lines([text], beam=beam, by=by)[0][0].text
        return [answers[0].text for answers in self.translate_lines(texts_of(text), beam=beam, by=by)]

    def predict(self, texts: Any) -> list[str]:
        """The best outputs for a list of texts, a data frame (its column `source`, or else the first), or a path."""
        return self.translate(texts_of(texts))

    def translate_lines(
        self,
        lines: Iterable[str],
        *,
        beam: int | None = None,
        by: str = "both",
        on_batch: Advance = _silent,
    ) -> list[list[Answer]]:
        """The answers to many lines, best first. The network gives as many as the beam is wide, the rules give one."""
        mind = self._asked(by)
        return mind.answer([*map(mind.knowledge.form.source_tokens, lines)], beam, by, on_batch)

    def translate_tokens(
        self,
        sources: Sequence[Sequence[str]],
        *,
        beam: int | None = None,
        by: str = "both",
        on_batch: Advance = _silent,
    ) -> list[list[Answer]]:
        """The answers to sentences that are tokenized already."""
        return self._asked(by).answer(sources, beam, by, on_batch)

    def _asked(self, by: str) -> Mind:
        mind = self._mind
        if by not in ASKED:
            raise ConfigError(f"there is nobody called {by!r} to ask. {did_you_mean(by, ASKED)}")
        if by == "network" and mind.network is None:
            raise ConfigError("this run has no network to ask. Ask its rules, or both.")
        if by == "rules" and mind.grammar is None:
            raise ConfigError("this run has no rules to ask. Ask its network, or both.")
        return mind

    def score(self, examples: Sequence[Example], *, on_batch: Advance = _silent) -> list[list[float]]:
        """log p(y_i | y_<i, x) of each target token, the end marker last; −∞ for a word that the model cannot produce.

        Targets must be in the notation of the run (`knowledge.form.in_notation`).
        """
        return self.network.score(examples, on_batch)

    def load_data(self, data: str) -> Corpus:
        """Load data and tokenize it as this run's training data was tokenized."""
        return self.knowledge.form.load(data)
