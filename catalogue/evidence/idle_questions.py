"""Idle questions: what games say of them. `manage.py idle_questions` plays them and writes the file that is read here.

Of every question and every reading of its game the file says whether its answers ever gave different games, of the same
numbers and seed. It says so of a ruleset, of answers and of a version of the engine: where one of these has changed
since, it says nothing.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings

from catalogue.models import Question, Reading
from catalogue.texts.formatting import shortened
from simulator.batches.requests import content_hash
from simulator.engine.family import family
from simulator.engine.players.wording import played_in_words

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
    """What games say of a question in one reading.

    state:      one of STATES
    text:       the same in a sentence or two
    because:    why it is idle, where the editors know it
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
    return content_hash(ruleset=document, answers=answers)[:16]


@cache
def kept_findings() -> dict[str, Any]:
    """The file: game → {version, games, seed, players, cap, until, questions: slug → {reading → finding}}."""
    games: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))["found"]
    return games


def idle_by_file() -> set[tuple[str, str]]:
    """(game, question) of what the file calls idle in some reading, and different in none."""
    return {
        (game, slug)
        for game, terms in kept_findings().items()
        for slug, of_readings in terms["questions"].items()
        if IDLE in (states := {state_of(entry) for entry in of_readings.values()}) and DIFFERENT not in states
    }


def idle_findings(question: Question, documents: Mapping[Reading, Mapping[str, Any]]) -> tuple[IdleFinding, ...]:
    """What is known of a question in each of these readings of its game; no query.

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
    """What a finding of the file comes to."""
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
        yield f"Idle in this reading: {games} are the same under every answer."
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
