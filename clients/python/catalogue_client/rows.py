"""The rows of the catalogue, as far as one works with them; everything an answer holds is in `raw`.

Documents of many parts (`summary`, `document`) are plain dictionaries; the OpenAPI document describes them.
"""

from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

Raw = dict[str, Any]
Made = TypeVar("Made")


@dataclass(frozen=True, kw_only=True)
class Row:
    """raw: the whole answer, with fields that this version of the client does not know"""

    raw: Raw = field(default_factory=dict, repr=False, compare=False)


@dataclass(frozen=True, kw_only=True)
class GameLink(Row):
    slug: str
    name: str


@dataclass(frozen=True, kw_only=True)
class PlaceLink(Row):
    slug: str
    name: str
    kind: str


@dataclass(frozen=True, kw_only=True)
class ReadingLink(Row):
    ruleset: str
    title: str
    authority: str
    kind: str


@dataclass(frozen=True, kw_only=True)
class Date(Row):
    """A date. earliest, latest: years, None where unknown"""

    as_printed: str
    earliest: int | None
    latest: int | None


@dataclass(frozen=True, kw_only=True)
class Evidence(Row):
    """A record: what a source says of a game, as it says it."""

    identifier: str
    page: str
    type: str
    game: GameLink
    places: list[PlaceLink]
    date: Date
    quotation: str
    remark_on_source: str
    paraphrase: str
    readings: list[ReadingLink]


@dataclass(frozen=True, kw_only=True)
class Game(Row):
    slug: str
    page: str
    name: str
    description: str
    records: int
    readings: list[ReadingLink]


@dataclass(frozen=True, kw_only=True)
class Rule(Row):
    parameter: str
    title: str
    rule: str
    left_out: bool


@dataclass(frozen=True, kw_only=True)
class Reading(Row):
    """Whose understanding of which records a ruleset is."""

    title: str
    game: GameLink
    evidence: list[str]
    authority: str
    kind: str
    summary: str


@dataclass(frozen=True, kw_only=True)
class Ruleset(Row):
    name: str
    hash: str
    page: str
    family: str
    document: Raw
    rules: list[Rule]
    reading: Reading | None


@dataclass(frozen=True, kw_only=True)
class PlayedRuleset(Row):
    title: str
    name: str
    hash: str


@dataclass(frozen=True, kw_only=True)
class Progress(Row):
    games_done: int
    percent: int
    waits_for: str


@dataclass(frozen=True, kw_only=True)
class Batch(Row):
    """A batch of games. Fields with a default are not in lists; `summary` is there once it is done."""

    id: str
    url: str
    page: str
    title: str
    ruleset: PlayedRuleset
    engine: str
    players: str
    seed: int
    games: int
    cap: int
    until: str
    state: str
    digest: str
    progress: Progress | None = None
    command: str = ""
    summary: Raw | None = None


@dataclass(frozen=True, kw_only=True)
class Compared(Row):
    name: str
    ruleset: str
    batch: str


@dataclass(frozen=True, kw_only=True)
class Comparison(Row):
    """Readings side by side: `sentences` in words, `document` with every measure once it is done."""

    id: str
    url: str
    page: str
    title: str
    state: str
    compared: list[Compared]
    sentences: list[str]
    error: str = ""
    document: Raw | None = None


@dataclass(frozen=True, kw_only=True)
class Study(Row):
    """All open questions of a game varied together: `sentences` by outcome; `document` is not in lists."""

    id: str
    url: str
    page: str
    game: GameLink
    base: str
    questions: list[str]
    combinations: int
    complete: bool
    games: int
    players: str
    sentences: dict[str, str]
    document: Raw | None = None


@dataclass(frozen=True, kw_only=True)
class RequestedStudy(Row):
    """A study that is waited for, has failed or was cancelled: `wait` gives the study."""

    id: str
    url: str
    page: str
    game: GameLink
    state: str
    progress: Progress
    takes: str
    error: str


@dataclass(frozen=True, kw_only=True)
class Ladder(Row):
    """How much foresight is worth in a ruleset: `document` has every match with its figures."""

    id: str
    url: str
    ruleset: PlayedRuleset
    request: Raw
    document: Raw


@dataclass(frozen=True, kw_only=True)
class RequestedLadder(Row):
    """A ladder that is waited for, has failed or was cancelled: `wait` gives the ladder."""

    id: str
    url: str
    ruleset: PlayedRuleset
    state: str
    progress: Progress
    takes: str
    error: str


@dataclass(frozen=True, kw_only=True)
class Measurement(Row):
    """One figure of one reading on one level of play, with its 95 % limits; None where the games do not give it."""

    game: str
    records: list[str]
    reading: str
    ruleset: str
    level: str
    players: str
    measure: str
    title: str
    unit: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    censored: float
    batch: str


@dataclass(frozen=True, kw_only=True)
class FindingLink(Row):
    text: str
    page: str


@dataclass(frozen=True, kw_only=True)
class FindingShare(Row):
    """A share that a finding holds against another. measure: what is counted of the rows of its batch

    Of a study it is the mean of the cells with an answer, and has no batch of its own.
    """

    ruleset: str
    answer: str
    batch: str
    players: str
    measure: str
    games: int
    value: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class Finding(Row):
    """A sentence that follows from games. value: how far two shares lie apart, if any are; with its 95 % limits

    games: of each of the two; counted: whole "games", or "first rounds" of them
    looked_at: of how many differences it is the largest, all of which its limits hold for; margin: the least one told
    study, question, claim: what it is of, empty else
    """

    rank: int
    kind: str
    game: GameLink
    headline: str
    sentence: str
    value: float | None
    low: float | None
    high: float | None
    level: str
    players: str
    games: int | None
    counted: str
    batches: list[str]
    links: list[FindingLink]
    margin: float | None = None
    looked_at: int | None = None
    shares: list[FindingShare] = field(default_factory=list)
    study: str = ""
    question: str = ""
    claim: str = ""


@dataclass(frozen=True, kw_only=True)
class ReadingVerdict(Row):
    ruleset: str
    verdict: str


@dataclass(frozen=True, kw_only=True)
class Claim(Row):
    """What a source says of how games go, and what became of it under each reading."""

    key: str
    page: str
    game: GameLink
    title: str
    text: str
    verdict: str
    reason: str
    readings: list[ReadingVerdict]


@dataclass(frozen=True, kw_only=True)
class Words(Row):
    """Words of a record that speak for something, or against it. field: "quotation" or "paraphrase" """

    annotation: str
    record: str
    field: str
    stance: str
    exact: str


@dataclass(frozen=True, kw_only=True)
class Clause(Row):
    """A rule of a reading, with what it rests on. source: where it is from, if from no record"""

    key: str
    page: str
    reading: ReadingLink
    parameters: list[str]
    basis: str
    text: str
    source: str
    words: list[Words]


@dataclass(frozen=True, kw_only=True)
class Answer(Row):
    """One answer to a question. values: what it sets; None if no ruleset can express it"""

    slug: str
    text: str
    values: Raw | None
    readings: list[ReadingLink]
    words: list[Words]


@dataclass(frozen=True, kw_only=True)
class IdleFinding(Row):
    """Whether the answers to a question ever gave different games in one reading. same: answers that did not"""

    reading: ReadingLink
    state: str
    text: str
    because: str
    same: list[list[str]]
    impossible: list[str]
    first_different: int | None
    games: int | None
    seed: int | None
    players: str


@dataclass(frozen=True, kw_only=True)
class Question(Row):
    """An open question about a game, its answers, and the readings that give them. silent: those that give none"""

    key: str
    page: str
    game: GameLink
    title: str
    text: str
    parameters: list[str]
    answers: list[Answer]
    disputed: bool
    silent: list[ReadingLink]
    idle: list[IdleFinding]


@dataclass(frozen=True, kw_only=True)
class Agent(Row):
    """type: "Person" or "Organization" """

    type: str
    name: str


@dataclass(frozen=True, kw_only=True)
class Body(Row):
    """What words are said of. source: its page; value: what it says, or what that rests on, in one word"""

    type: str
    purpose: str
    source: str = ""
    value: str = ""


@dataclass(frozen=True, kw_only=True)
class Selector(Row):
    """The words with what stands round them, or their place in code points, from 0."""

    type: str
    exact: str = ""
    prefix: str = ""
    suffix: str = ""
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, kw_only=True)
class State(Row):
    """value: "sha-256:…", the digest of the text in which the words stand"""

    type: str
    value: str


@dataclass(frozen=True, kw_only=True)
class Target(Row):
    """Where words stand. source: the text in the API; scope: its page"""

    type: str
    source: str
    scope: str
    selector: list[Selector]
    state: State


@dataclass(frozen=True, kw_only=True)
class Annotation(Row):
    """Words of a record and what was read from them, as a W3C Web Annotation; its `@context` is in `raw`.

    motivation: "linking" where the words speak for what the body says, "questioning" where they speak against it
    """

    id: str
    type: str
    canonical: str
    creator: list[Agent]
    rights: str
    motivation: str
    body: list[Body]
    target: Target


def made(kind: type[Made], raw: Raw) -> Made:
    """Make a row of an answer. Unknown fields are ignored; KeyError names a missing one."""
    given: Raw = {"raw": raw}
    for name, hint, is_needed in _fields(kind):  # type: ignore[arg-type]
        if is_needed or name in raw:
            given[name] = _value(hint, raw[name])
    return kind(**given)


@cache
def _fields(kind: type[Any]) -> tuple[tuple[str, Any, bool], ...]:
    """(name, type, whether it is always there) of each but `raw`"""
    hints = get_type_hints(kind)
    known = {field.name: field for field in fields(kind) if field.name != "raw"}
    return tuple((name, hints[name], one.default is one.default_factory) for name, one in known.items())


def _value(hint: Any, raw: Any) -> Any:
    if raw is None:
        return None
    if get_origin(hint) is UnionType:
        (hint,) = (arg for arg in get_args(hint) if arg is not type(None))
    if get_origin(hint) is list:
        (of,) = get_args(hint)
        return [_value(of, value) for value in raw]
    return made(hint, raw) if is_dataclass(hint) and isinstance(hint, type) else raw
