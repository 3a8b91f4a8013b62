"""The words of a rule: those of the clause that a reading holds for it, else the plain sentence of its parameter."""

from collections.abc import Iterable
from dataclasses import dataclass

from catalogue.evidence.clauses import ReadingClause, clauses_of
from catalogue.models.querysets import newest_versions
from simulator.engine.family import family, sentence
from simulator.engine.forbidding import Verdict
from simulator.engine.ruleset import Ruleset
from simulator.models import RulesetVersion


@dataclass(frozen=True, slots=True)
class RuleWords:
    """A rule of a ruleset in words. clause: None where no reading says what it rests on."""

    key: str
    title: str
    sentence: str
    clause: ReadingClause | None


@dataclass(frozen=True, slots=True)
class VerdictInWords:
    """Why a move cannot be played. missing: the sentence of a rule that would allow it, but is none here."""

    verdict: Verdict
    rules: tuple[RuleWords, ...]
    missing: str


class Wording:
    """The rules of one ruleset in words. Five queries if it has a name, however many rules are asked for."""

    def __init__(self, ruleset: Ruleset, version: RulesetVersion | None) -> None:
        self.ruleset = ruleset
        self.specs = family(ruleset.family).schema["properties"]
        self.sentences = family(ruleset.family).sentences(ruleset)
        self.clauses: dict[str, ReadingClause] = {}
        # Clauses are of the newest version: of another they may say what is no longer so.
        if version and newest_versions([version.slug])[version.slug].ruleset_id == ruleset.hash:
            held = clauses_of([version.slug])[version.slug]
            self.clauses = {key: one for one in reversed(held) for key in one.parameters}

    def of(self, keys: Iterable[str]) -> tuple[RuleWords, ...]:
        """What these parameters say, each clause once."""
        found: list[RuleWords] = []
        for key in keys:
            clause = self.clauses.get(key)
            if clause is None or all(one.clause is not clause for one in found):
                found.append(RuleWords(key, self.specs[key]["title"], self.sentences[key], clause))
        return tuple(found)

    def fired(self, keys: Iterable[str]) -> tuple[RuleWords, ...]:
        """Of the parameters that made something happen those that are a rule of this ruleset."""
        return self.of(key for key in keys if key in self.ruleset.document)

    def explain(self, verdict: Verdict) -> VerdictInWords:
        missing = ""
        rules = self.of(verdict.keys)
        if verdict.missing:
            key, value = verdict.missing
            rules = self.of([key])
            missing = "" if rules[0].clause else sentence(value, self.specs[key])
        return VerdictInWords(verdict, rules, missing)
