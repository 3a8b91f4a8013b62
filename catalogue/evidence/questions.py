"""Questions with their answers, the study that says how much each matters, and the questions that are idle.

Which reading gives which answer follows from the rulesets, and is never typed in. `manage.py idle_questions` plays the
answers against each other and writes a file, which is read here: for every question and every reading of its game it
says whether the answers ever gave different games, of the same numbers and seed. It holds for a ruleset, for answers
and for a version of the engine, and nothing is known where one of these has changed since.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from django.conf import settings
from django.db.models import Prefetch, QuerySet

from catalogue.evidence.clauses import Parameters, gives
from catalogue.models import Anchor, Answer, Question, Reading, Study
from catalogue.models.querysets import ReadingWithVersion, with_versions
from catalogue.texts.formatting import shortened
from simulator.batches.levels import LEVELS, rank
from simulator.batches.requests import content_hash
from simulator.engine.family import Family, family, sentence
from simulator.engine.players.wording import played_in_words
from simulator.engine.ruleset import Ruleset

KEPT = 1_000  # documents, and documents with answers, of which something derived is kept
FILE = Path(settings.BASE_DIR) / "fixtures" / "idle_questions.json"

IDLE, DIFFERENT, NOT_ARISING, OUT_OF_DATE, NOT_PLAYED = "idle", "different", "not_arising", "out_of_date", "not_played"
STATES = (IDLE, DIFFERENT, NOT_ARISING, OUT_OF_DATE, NOT_PLAYED)
NOTHING_KNOWN = {
    OUT_OF_DATE: "Rules, answers or engine have changed since its answers were played against each other.",
    NOT_PLAYED: "Its answers have not been played against each other.",
}

Answers = Mapping[str, Mapping[str, Any]]  # slug of an answer that can be played → what it sets


@dataclass(frozen=True, slots=True)
class IdleFinding:
    """The result of playing the answers to a question against each other, in one reading.

    state:      one of STATES
    text:       the same in a sentence or two
    because:    the proof that no game could tell its answers apart, where there is one
    same:       slugs of answers, in groups that gave the same games; empty unless it is known
    impossible: slugs of answers that make no ruleset here
    first_different: the first game that was not the same under all answers; None if there is none
    games, seed, players: of the games that were played
    """

    reading: Reading
    state: str
    text: str
    because: str = ""
    same: tuple[tuple[str, ...], ...] = ()
    impossible: tuple[str, ...] = ()
    first_different: int | None = None
    games: int | None = None
    seed: int | None = None
    players: str = ""

    @property
    def is_idle(self) -> bool:
        return self.state == IDLE


def playable(question: Question) -> dict[str, Mapping[str, Any]]:
    """The answers to a question that a ruleset can give, with what they set."""
    return {answer.slug: answer.values for answer in question.answers.all() if answer.values is not None}


def request_digest(document: Mapping[str, Any], answers: Answers) -> str:
    """A digest of ruleset and answers, 16 hex digits: the file is out of date where it differs."""
    return _digest_of(json.dumps([document, answers]))


@lru_cache(KEPT)
def _digest_of(written: str) -> str:
    document, answers = json.loads(written)
    return content_hash(ruleset=document, answers=answers)[:16]


@cache
def _file() -> dict[str, dict[str, Any]]:
    kept: dict[str, dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
    return kept


def kept_findings() -> dict[str, Any]:
    """The file: game → {version, games, seed, players, cap, until, questions: slug → {reading → finding}}."""
    return _file()["found"]


def kept_first_rounds() -> dict[str, Any]:
    """The same of first rounds, of games with rounds."""
    return _file()["first_rounds"]


def why_not_in_first_rounds(game: str, question: str) -> str:
    """Why a study of first rounds cannot tell of a question; empty where its answers give different first rounds."""
    terms = kept_first_rounds().get(game, {})
    of_readings = terms.get("questions", {}).get(question)
    if of_readings is None:
        return "it is not known whether it can change a first round"
    if DIFFERENT in {state_of(entry) for entry in of_readings.values()}:
        return ""
    return (
        f"in each reading {terms['games']:,} first rounds of {terms['players']} players (seed {terms['seed']}) are the "
        "same whichever of its answers is given: only whole games can tell"
    )


def idle_by_file() -> set[tuple[str, str]]:
    """(game, question) of what the file calls idle in some reading, and different in none."""
    return {
        (game, slug)
        for game, terms in kept_findings().items()
        for slug, of_readings in terms["questions"].items()
        if IDLE in (states := {state_of(entry) for entry in of_readings.values()}) and DIFFERENT not in states
    }


def idle_findings(question: Question, documents: Mapping[Reading, Mapping[str, Any]]) -> tuple[IdleFinding, ...]:
    """The findings on a question in each of these readings of its game; no query.

    documents: those of the readings' rulesets
    """
    answers = playable(question)
    if len(answers) < 2:
        return ()
    terms = kept_findings().get(question.game.slug, {})
    of_readings = terms.get("questions", {}).get(question.slug, {})
    return tuple(
        _finding(question, answers, reading, document, terms, of_readings.get(reading.slug))
        for reading, document in documents.items()
    )


def _finding(
    question: Question,
    answers: Answers,
    reading: Reading,
    document: Mapping[str, Any],
    terms: Mapping[str, Any],
    entry: Mapping[str, Any] | None,
) -> IdleFinding:
    if entry is None:
        return IdleFinding(reading, NOT_PLAYED, NOTHING_KNOWN[NOT_PLAYED])
    if terms["version"] != family(document["family"]).rules_version or entry["asked"] != request_digest(
        document, answers
    ):
        return IdleFinding(reading, OUT_OF_DATE, NOTHING_KNOWN[OUT_OF_DATE])
    state = state_of(entry)
    return IdleFinding(
        reading,
        state,
        " ".join(_sentences(question, state, terms, entry, document)),
        question.idle_because.get(reading.slug, "") if state == IDLE else "",
        tuple(map(tuple, entry["same"])),
        tuple(entry["impossible"]),
        entry["first_different"],
        **{name: terms[name] for name in ("games", "seed", "players")},
    )


def state_of(entry: Mapping[str, Any]) -> str:
    """The state of a finding of the file."""
    if entry["rulesets"] < 2:
        return NOT_ARISING
    return DIFFERENT if entry["first_different"] is not None else IDLE


def _sentences(
    question: Question, state: str, terms: Mapping[str, Any], entry: Mapping[str, Any], document: Mapping[str, Any]
) -> Iterator[str]:
    documents = [{**document, **values} for values in playable(question).values()]
    players = played_in_words(terms["players"], documents, terms["until"])
    games = f"{terms['games']:,} games of {players} (seed {terms['seed']})"
    if state == NOT_ARISING:
        yield "It does not arise in this reading: every answer makes the same ruleset."
    elif state == IDLE:
        yield f"Not told apart in this reading: {games} are the same under every answer."
    else:
        first = f"number {entry['first_different']} of seed {terms['seed']}"
        yield f"Its answers give different games: {first} is the first."
        alike = (group for group in entry["same"] if len(group) > 1)
        yield from (f"{games} are the same under {_named(question, group)}." for group in alike)
    if entry["impossible"]:
        yield f"No ruleset here has the answer {_named(question, entry['impossible'], 'or')}."


def _named(question: Question, slugs: Iterable[str], word: str = "and") -> str:
    texts = {answer.slug: answer.text.replace("*", "").rstrip(".") for answer in question.answers.all()}
    *others, last = (f"“{shortened(texts[slug])}”" for slug in slugs)
    return f"{', '.join(others)} {word} {last}" if others else last


def level_of(players: str) -> str:
    """The level of play that was requested for every seat; empty if there is none."""
    (first, *others) = set(players.split(","))
    return first if not others and first in LEVELS else ""


def rank_studies(studies: Iterable[Study]) -> list[Study]:
    """Studies by the strength of their players, of the same strength the newest first; only summaries are read.

    Those of players of no level come last, and behind them those of which nothing is told. Studies that were made
    together, as those of the edition are, have the same date, which says nothing between them: then their keys decide.
    """
    newest_first = sorted(sorted(studies, key=lambda study: study.pk), key=lambda study: study.created, reverse=True)
    ranked = sorted(newest_first, key=lambda study: rank(level_of(study.summary["players"])), reverse=True)
    return sorted(ranked, key=_is_withheld)


Studies = Mapping[int, Sequence[Study]]  # by the primary key of their game, the best first


def ranked_studies(games: Iterable[int]) -> dict[int, list[Study]]:
    """The studies of each game, by `rank_studies`, without documents and plots. One query."""
    found: dict[int, list[Study]] = {}
    for study in rank_studies(Study.objects.filter(game__in=set(games)).defer("document", "plots")):
        found.setdefault(study.game_id, []).append(study)
    return found


NOT_STUDIED: Studies = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """An answer, the readings whose rulesets give it, and what it sets in words: (title of the parameter, sentence)."""

    answer: Answer
    readings: tuple[Reading, ...]
    sets: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question with its answers, and how much it matters.

    silent:  readings whose rulesets give none of the answers
    study:   the best of the game that measured it, if there is one
    why_not: why the best study of the game did not, empty if it did
    found:   what games said of it in each reading: whether its answers ever gave different ones
    """

    question: Question
    answers: tuple[GivenAnswer, ...]
    silent: tuple[Reading, ...]
    study: Study | None
    found: tuple[IdleFinding, ...] = ()
    why_not: str = ""

    @property
    def is_proved_idle(self) -> bool:
        """Whether it is proved to change nothing in every reading in which games were the same."""
        return bool(self.idle) and all(finding.because for finding in self.idle)

    @property
    def idle(self) -> tuple[IdleFinding, ...]:
        """The readings in which games were the same under every answer."""
        return tuple(finding for finding in self.found if finding.is_idle)

    @property
    def is_disputed(self) -> bool:
        """Whether readings of the game answer it differently."""
        return sum(bool(answer.readings) for answer in self.answers) > 1

    @property
    def matters(self) -> dict[str, str]:
        """Outcome -> the share of its variance that the question has on its own; empty if it was not varied."""
        shares: dict[str, str] = self.study.summary["shares"].get(self.question.slug, {}) if self.study else {}
        return shares

    def given_by(self, parameters: Parameters) -> GivenAnswer | None:
        """The answer that a ruleset with these parameters gives, if it gives one that is listed."""
        return next((given for given in self.answers if gives(parameters, given.answer.values)), None)

    def arises(self, ruleset: Ruleset) -> bool:
        """Return whether the answer makes any difference in a ruleset."""
        return not set(self.question.parameters) <= set(inactive_parameters(ruleset))


def inactive_parameters(ruleset: Ruleset) -> dict[str, str]:
    """The parameters that never fire in a ruleset, and why."""
    return family(ruleset.family).inactive(ruleset.parameters)


def question_rows() -> "QuerySet[Question]":
    """Questions with their game, answers and the answers' words."""
    words = Anchor.objects.with_records().order_by("-stance", "position", "key")
    return questions_with_answers(Prefetch("anchors", words))


def questions_with_answers(*of_answers: "Prefetch[str, QuerySet[Anchor], str]") -> "QuerySet[Question]":
    """Questions with their game and answers, and what `of_answers` names of these."""
    answers = Answer.objects.order_by("position", "slug").prefetch_related(*of_answers)
    return (
        Question.objects.select_related("game")
        .prefetch_related(Prefetch("answers", answers))
        .order_by("game__name", "position", "slug")
    )


def open_questions(
    questions: Iterable[Question], readings: Iterable[ReadingWithVersion] | None = None
) -> list[OpenQuestion]:
    """Each question with the readings that give each answer. Three queries more than those of the questions, or one.

    readings: all of the games of the questions, where they are at hand
    """
    rows = list(questions)
    games = {row.game_id for row in rows}
    if readings is None:
        readings = with_versions(Reading.objects.filter(game__in=games).order_by("position", "slug"))
    return answered_and_played(rows, readings, ranked_studies(games))


def answered_and_played(
    questions: Iterable[Question], readings: Iterable[ReadingWithVersion], studies: Studies = NOT_STUDIED
) -> list[OpenQuestion]:
    """Each question as the readings answer it, with what games said of it; no query beside that of the questions.

    readings: all of the games of the questions
    """
    known = {read.reading: read.version.ruleset.document for read in readings if read.version}
    return [
        replace(row, found=idle_findings(row.question, _of_game(known, row.question)))
        for row in answered(questions, known, studies)
    ]


def answered(
    questions: Iterable[Question],
    documents: Mapping[Reading, Mapping[str, Any]],
    studies: Studies = NOT_STUDIED,
) -> list[OpenQuestion]:
    """Each question as the readings of its game answer it.

    documents: those of the readings' rulesets; keys at their off value may be left out
    """
    active = {reading: _active_parameters(document) for reading, document in documents.items()}
    return [_answered(row, _of_game(active, row), studies) for row in questions]


def _of_game(of_readings: Mapping[Reading, Parameters], question: Question) -> dict[Reading, Parameters]:
    return {reading: rules for reading, rules in of_readings.items() if reading.game_id == question.game_id}


def _active_parameters(document: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of a document that can fire, with those it leaves out at their off value. Nobody changes them."""
    return _active_of(json.dumps(document))


@lru_cache(KEPT)
def _active_of(written: str) -> dict[str, Any]:
    document = json.loads(written)
    kind = family(document["family"])
    parameters = {key: document.get(key, spec.get("default")) for key, spec in kind.schema["properties"].items()}
    return kind.active(parameters)


def _answered(question: Question, active: Mapping[Reading, Parameters], studies: Studies) -> OpenQuestion:
    kind = family(next(iter(active.values()))["family"]) if active else None
    answers = []
    for answer in question.answers.all():
        readings = tuple(reading for reading, rules in active.items() if gives(rules, answer.values))
        answers.append(GivenAnswer(answer, readings, tuple(_in_words(kind, answer.values or {}))))
    speaking = {reading for given in answers for reading in given.readings}
    silent = tuple(reading for reading in active if reading not in speaking)
    of_game = studies.get(question.game_id, ())
    study = next((one for one in of_game if question.slug in one.summary["questions"] and not _is_withheld(one)), None)
    reasons = (one.summary.get("not_varied", {}).get(question.slug, "").partition(";")[0] for one in of_game)
    return OpenQuestion(question, tuple(answers), silent, study, why_not=next(filter(None, reasons), ""))


def _is_withheld(study: Study) -> bool:
    return bool(study.summary.get("withheld"))


def _in_words(kind: Family | None, values: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    for key, value in values.items():
        spec = kind.schema["properties"].get(key) if kind else None
        if spec is not None:
            yield spec["title"], sentence(value, spec)
