"""Ladders: players with ever larger budgets, each against the one below it, with the seats exchanged.

A ladder says how much a larger budget is worth in a ruleset, and thereby how much there is to be understood in it. Its
games are batches like any others: kept, citable, and not played again when the ladder is requested again. A request is
checked, with the batches of each match, before any game is played (`ladder_matches`, which also computes the figures).
"""

import datetime
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db.models import Case, QuerySet, When

from simulator import rulesets
from simulator.analyses.ladder_matches import (
    DEFAULT_MOST,
    FIRST_BUDGET,
    POOR,
    TERMS,
    LadderRequest,
    check_ladder,
    document_of,
    doubling,
)
from simulator.analyses.protocol import AnalysisKind, Document, Replays, register
from simulator.batches import finalize, levels
from simulator.batches.prices import MICROSECONDS, UNITS, span
from simulator.batches.requests import as_options
from simulator.batches.service import keeps_rows
from simulator.engine.players.names import sides_of
from simulator.engine.ruleset import Ruleset
from simulator.models import Batch, Ladder
from simulator.models import Ruleset as RulesetRow
from simulator.problems import QueueFull, WrongRequest
from simulator.strength import beating

OFFERED_GAMES, FEWEST_GAMES = 120, 24  # of each match; both can be divided among two, three and four sides
BOUNDED = 2  # the version from which on stopped games bound strengths both ways
OTHER_PLAYERS = "It was played by players that are no longer the level’s."
HALVES = "Its strengths count stopped games as halves."
SHARE = 2  # a ladder that is offered takes at most this part of what a visitor may ask for in an hour


@dataclass(frozen=True, slots=True)
class LadderOffer:
    """A ladder that is offered.

    most: iterations of its highest rung; fits: whether a visitor may request it; work: as `prices.UNITS` counts
    """

    most: int
    rungs: int
    games: int
    work: int
    fits: bool

    @property
    def time(self) -> str:
        """ "24.0 seconds" of a processor."""
        return span(self.work / UNITS / MICROSECONDS)


def offer_for(ruleset: Ruleset) -> LadderOffer:
    """Return the highest ladder for which a visitor's share of an hour has room, with as many games as fit.

    If none has room, it is the lowest ladder with the fewest games, which may be too much.
    """
    room = settings.VISITOR_WORK_PER_HOUR // SHARE
    most = DEFAULT_MOST
    while True:
        request = check_ladder("", doubling(most=most), games=OFFERED_GAMES, ruleset=ruleset)
        of_luck = request.luck.work if request.luck else 0
        of_a_game = (request.work - of_luck) / OFFERED_GAMES
        games = min(OFFERED_GAMES, int((room - of_luck) / of_a_game) // FEWEST_GAMES * FEWEST_GAMES)
        if games >= FEWEST_GAMES or most <= FIRST_BUDGET:
            games = max(games, FEWEST_GAMES)
            work = round(of_luck + games * of_a_game)
            return LadderOffer(most, len(request.rungs), games, work, work <= settings.VISITOR_WORK_PER_HOUR)
        most //= 2


def _refuse_too_high(request: LadderRequest) -> None:
    """Raises WrongRequest for a ladder that no visitor may ask for, with what would fit."""
    room, work = settings.VISITOR_WORK_PER_HOUR, request.work
    if work <= room:
        return
    sides = len(sides_of(request.ruleset))
    if most := room * request.games // work // sides * sides:
        message = f"visitors may ask for {most} games of each match of this ladder, not for {request.games}"
        raise WrongRequest.of("games", message, most)
    fitting = offer_for(request.ruleset)
    message = f"one game of each match would take {span(work / request.games * sides / UNITS / MICROSECONDS)}"
    raise WrongRequest.of("most", f"{message}, and visitors may ask for less", fitting.most if fitting.fits else None)


class LadderKind(AnalysisKind[LadderRequest, Ladder]):
    """Ladders as analyses; a row names its ruleset and its players, from which its batches follow."""

    name, plural, title, needs_rows = "ladder", "ladders", "Each level of play against the one below", True
    task, model, related = "simulator.conclude_ladder", Ladder, ("ruleset",)

    def request_of(self, row: Ladder) -> LadderRequest:
        """Return what was requested. Its id is another one if the engine has changed since."""
        terms = {name: row.request[name] for name in TERMS}
        name = row.ruleset.versioned_name
        return check_ladder(name, row.request["rungs"], ruleset=rulesets.as_engine(row.ruleset), **terms)

    def columns(self, request: LadderRequest) -> dict[str, Any]:
        return {"ruleset": rulesets.save(request.ruleset), "request": request.content}

    def batch_ids(self, row: Ladder) -> list[str]:
        return [request.id for request in self.request_of(row).requests]

    def is_current(self, row: Ladder) -> bool:
        return self.request_of(row).id == row.id

    def waiting_near(self, batches: Collection[Batch]) -> QuerySet[Ladder]:
        return self.waiting().filter(ruleset__in={batch.ruleset_id for batch in batches})

    def ask_for_games(self, request: LadderRequest, origin: str, visitor: str) -> None:
        if visitor:
            _refuse_too_high(request)
        try:
            super().ask_for_games(request, origin, visitor)
        except QueueFull as error:
            minutes = (error.retry_after or 60) // 60 + 1
            message = f"There is no room for so many games just now; please try again in {minutes} minutes."
            raise QueueFull(message, error.retry_after) from error

    def computed(self, row: Ladder, batches: Mapping[str, Batch], request: LadderRequest | None) -> dict[str, Any]:
        return {"document": document_of(request or self.request_of(row), batches)}

    def shipped(self, request: LadderRequest) -> Document:
        row = self.concluded(request)
        return {"ruleset": row.ruleset_id, "request": row.request, "document": row.document}

    def keep(self, key: str, document: Document, moment: datetime.datetime) -> bool:
        if not RulesetRow.objects.filter(hash=document["ruleset"]).exists():
            return False
        content = {"ruleset_id": document["ruleset"], "request": document["request"], "document": document["document"]}
        Ladder.objects.update_or_create(id=key, defaults={"state": Ladder.State.DONE, "error": "", **content})
        Ladder.objects.filter(id=key).update(created=moment)
        return True

    def recomputed(self, request: LadderRequest, replays: Replays, document: Document) -> Document:
        batches = {key: played.batch for key, played in replays.items()}
        for key, batch in batches.items():
            if request.luck and key == request.luck.id:
                batch.summary = finalize.figures(batch, replays[key].tally)
            elif keeps_rows(replays[key].request):
                batch.summary = {finalize.VARIETY: finalize.variety(replays[key].rows)}
        document = document_of(request, batches)
        return {"ruleset": request.ruleset.hash, "request": request.content, "document": document}


LADDERS = register(LadderKind())


def unfinished_ladder(ruleset_hash: str) -> Ladder | None:
    """Return the unfinished ladder of a ruleset that was requested last, in one query."""
    rows = LADDERS.rows().filter(ruleset=ruleset_hash).exclude(state=Ladder.State.DONE)
    return rows.order_by("-created", "id").first()


@dataclass(frozen=True, slots=True)
class LadderView:
    """A ladder as a page or the API has it. ladder: None if none was climbed; kept: ids of its batches kept here.

    notes: of each rung, where it does not beat the one below, that it does not, and why
    weak:  against whom the strong player does badly, in sentences
    withheld: why its figures are not shown
    """

    ladder: Ladder | None
    kept: frozenset[str]
    command: str
    notes: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()
    withheld: str = ""

    @property
    def rungs(self) -> Iterator[tuple[Any, str, Mapping[str, Any] | None]]:
        """The strengths of the document with their notes and the match with the rung below, the weakest first."""
        if self.ladder is not None and self.ladder.document is not None:
            strengths, matches = self.ladder.document["strengths"], self.ladder.document["matches"]
            yield from zip(strengths, self.notes, [None, *matches[: len(strengths) - 1]], strict=True)

    @property
    def lowest(self) -> str:
        return str(self.ladder.document["strengths"][0]["words"]) if self.ladder and self.ladder.document else ""

    @property
    def on_no_scale(self) -> bool:
        """Whether the players are on no one scale."""
        misfit = self.ladder.document.get("misfit") if self.ladder and self.ladder.document else None
        return misfit is not None and misfit < POOR

    @property
    def leaves_out(self) -> bool:
        """Whether some rung has no strength."""
        return any(row["elo"] is None for row, _, _ in self.rungs)


def why_withheld(ruleset: Ruleset, document: Mapping[str, Any]) -> str:
    """Return why the figures of a ladder are not to be used any more, or nothing."""
    for row in document.get("strengths", ()):
        level = row.get("level", row["words"].partition(",")[0])
        if levels.rank(level) > 0 and levels.resolve_players(ruleset, level) != row["player"]:
            return OTHER_PLAYERS
    if document.get("version", BOUNDED) < BOUNDED and any(match["unfinished"] for match in document["matches"]):
        return HALVES
    return ""


def as_read(ruleset: Ruleset, document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the document of a ladder with why it is withheld, where it is."""
    why = why_withheld(ruleset, document)
    return {**document, "withheld": why} if why else dict(document)


def shown_ladder(ruleset: Ruleset, name: str) -> LadderView:
    """Return the ladder of a ruleset whose rungs are the levels of play, else the ladder that was requested last.

    One that is withheld comes after all that are not. Two queries, or one if there is none. name: for the command
    """
    of_levels = [levels.resolve_players(ruleset, level) for level in levels.LEVELS]
    of_the_scale = Case(When(request__rungs=of_levels, then=0), default=1)
    done = Ladder.objects.filter(ruleset=ruleset.hash, state=Ladder.State.DONE)
    rows = [row for row in done.order_by(of_the_scale, "-created", "id") if row.document]
    if not rows:
        options = rulesets.lasting_name(ruleset, name).options
        return LadderView(None, frozenset(), f"manage.py ladder {options} --inline")
    reasons = {row.id: why_withheld(ruleset, row.document or {}) for row in rows}
    ladder = next((row for row in rows if not reasons[row.id]), rows[0])
    assert ladder.document is not None
    ids = {batch for match in ladder.document["matches"] for batch in match["batches"]}
    below = ladder.document["matches"][: len(ladder.document["strengths"]) - 1]  # the lowest rung has none below
    kept = frozenset(Batch.objects.filter(id__in=ids).order_by().values_list("id", flat=True))
    return LadderView(
        ladder,
        kept,
        ladder_command(ruleset, name, ladder.request),
        ("", *(beating.note(ruleset, match, ladder.document) for match in below)),
        tuple(beating.weaknesses(ruleset)),
        reasons[ladder.id],
    )


def shown_better(hashes: Collection[str]) -> dict[str, dict[str, bool | None]]:
    """Return of each ruleset, by its hash, which levels above the lowest are shown to be better than the one below.

    The newest ladder says so in which the players met that the levels stand for now; else, of rulesets that ship, what
    `fixtures/scale.json` has; None where neither says anything. One query.
    """
    found: dict[str, dict[str, bool | None]] = {
        key: {level: beating.by_the_scale(key, level) for level in levels.LEVELS[1:]} for key in hashes
    }
    done = Ladder.objects.filter(ruleset__in=found, state=Ladder.State.DONE).select_related("ruleset")
    for row in done.order_by("created", "-id"):  # what a newer one says replaces what an older one said
        ruleset, document = rulesets.as_engine(row.ruleset), row.document or {}
        names = [levels.resolve_players(ruleset, level) for level in levels.LEVELS]
        met = {(match["stronger"], match["weaker"]): match for match in document.get("matches", ())}
        for level, pair in zip(levels.LEVELS[1:], zip(names[1:], names[:-1], strict=True), strict=True):
            if (match := met.get(pair)) is not None:
                found[row.ruleset_id][level] = beating.beats(match, document["fair"])
    return found


def ladder_command(ruleset: Ruleset, name: str, content: dict[str, Any]) -> str:
    """Return the command that asks for exactly this ladder, on any machine."""
    options = rulesets.lasting_name(ruleset, name).options
    terms = {key: content[key] for key in ("games", "seed", "cap", "until")}
    return f"manage.py ladder {options} {as_options(rungs=','.join(content['rungs']), **terms)} --inline --json"
