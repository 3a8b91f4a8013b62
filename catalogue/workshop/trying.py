"""Trying a draft: what cannot be combined, three games told with the rule and the words of every ply, games by the
thousand, and whether an open question matters.

Games told are played by the referee, in plain Python; thousands go through the queue, as for any what-if.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache

from catalogue.models import Draft
from catalogue.outcomes.figure import FigureRow, OutcomeFigure, alike
from catalogue.outcomes.played import outcome_figure
from catalogue.outcomes.wording import what_an_answer_changes
from catalogue.pages import batches, figures
from catalogue.play.game_view import seat_names, start_board
from catalogue.texts.formatting import capitalised
from catalogue.web.addresses import address_of
from catalogue.workshop import checking
from catalogue.workshop.drafts import draft_route
from catalogue.workshop.ownership import draft_called
from catalogue.workshop.publishing import readings_of
from simulator import rulesets
from simulator.batches.queueing import admit_ruleset
from simulator.batches.requests import check_request
from simulator.engine import narration
from simulator.engine.documents import parse
from simulator.engine.family import family
from simulator.engine.referee_playout import Ply, plies
from simulator.engine.ruleset import Ruleset, RulesetProblem
from simulator.engine.tables import looked_up, read_place
from simulator.locks import RULESETS, exclusive
from simulator.models import Ruleset as RulesetRow
from simulator.problems import QueueFull, WrongRequest

GAMES_TOLD, PLIES_TOLD, EVENTS_TOLD = 3, 12, 8
MOST_TOLD = 400  # plies of a game that is told to its end
GAMES = 2_000
SEED = 1
PLAYERS = "random"


@dataclass(frozen=True, slots=True)
class ToldRule:
    """A rule that made something happen.

    slug: of its clause, empty where it has none; words: the first that carry it, where it is named for the first time
    """

    title: str
    sentence: str
    slug: str
    words: str


@dataclass(frozen=True, slots=True)
class ToldPly:
    """more: how many things happen that are not told"""

    who: str
    move: str
    events: tuple[tuple[str, tuple[ToldRule, ...]], ...]
    more: int = 0


@dataclass(frozen=True, slots=True)
class ToldGame:
    """is_over: whether it is told to its end; is_whole: whether that was asked"""

    number: int
    plies: tuple[ToldPly, ...]
    is_over: bool
    is_whole: bool


def told_games(draft: Draft, ruleset: Ruleset, whole: int = 0) -> list[ToldGame]:
    """Three games of random players, by the referee. whole: the number of one that is told to its end, of others the
    beginning is told"""
    kind = family(ruleset.family)
    sentences = kind.sentences(ruleset)
    covering = {place: clause for clause in reversed(draft.clauses) for place in clause["parameters"]}
    rules: dict[str, ToldRule] = {}

    def rule(key: str) -> ToldRule:
        if key in rules:
            return replace(rules[key], words="")
        clause: Mapping[str, Any] = looked_up(covering, key) or {}
        words = next((one["exact"] for one in clause.get("words", ())), "")
        sentence = sentences.get(key) or kind.sentence(key, ruleset.parameters)
        rules[key] = ToldRule(kind.title_of(key), sentence, clause.get("slug", ""), words)
        return rules[key]

    def is_told(key: str) -> bool:
        """Whether the draft sets a rule, or says of it by a clause that there is none."""
        return read_place(key)[0] in ruleset.document or looked_up(covering, key) is not None

    def told(ply: Ply) -> ToldPly:
        move = str(ruleset.module("notation").move_name(ruleset.parameters, ply.before, ply.move))
        happens = list(narration.events(ruleset, ply))
        events = tuple(
            (capitalised(event.sentence), tuple(rule(key) for key in dict.fromkeys(event.keys) if is_told(key)))
            for event in happens[:EVENTS_TOLD]
        )
        return ToldPly(seat_names(ruleset)[ply.seat], move, events, len(happens) - len(events))

    def game(number: int) -> ToldGame:
        rules.clear()
        is_whole = number + 1 == whole
        some = list(islice(plies(ruleset, SEED, number), MOST_TOLD if is_whole else PLIES_TOLD))
        is_over = bool(some) and some[-1].played.position.end >= 0
        return ToldGame(number + 1, tuple(told(ply) for ply in some), is_over, is_whole)

    return [game(number) for number in range(GAMES_TOLD)]


@dataclass(frozen=True, slots=True)
class TriedAnswer:
    """An answer to a question as a ruleset; None where it cannot be played, and why"""

    text: str
    ruleset: Ruleset | None
    problem: str = ""


def answers_of(draft: Draft, slug: str) -> tuple[Mapping[str, Any] | None, list[TriedAnswer]]:
    """A question of the draft and its answers as rulesets; all else is as in the draft."""
    question = next((one for one in draft.questions if one["slug"] == slug), None)
    found = []
    kind = checking.kind_of(draft)
    for answer in question["answers"] if question else ():
        document = {key: value for key, value in draft.document.items() if key not in answer["values"]}
        document |= {key: value for key, value in answer["values"].items() if not checking.at_off(kind, key, value)}
        try:
            found.append(TriedAnswer(answer["text"], parse(document)))
        except RulesetProblem as error:
            found.append(TriedAnswer(answer["text"], None, str(error)))
    return question, found


def _row(ruleset: Ruleset, label: str, place: int, address: str, change: str = "") -> FigureRow:
    row = RulesetRow(hash=ruleset.hash, family=ruleset.family, document=ruleset.document)
    return FigureRow(label, label, label, address, place % figures.STYLES, row, change, awaited=True)


def _figure(request: HttpRequest, draft: Draft, ruleset: Ruleset, tried: Sequence[TriedAnswer]) -> OutcomeFigure:
    address = draft.get_absolute_url()
    rows = [_row(ruleset, "this draft", 0, address)]
    others = [one for one in tried if one.ruleset and one.ruleset.hash != ruleset.hash]
    rows += [
        _row(one.ruleset, "this draft, but", place, address, one.text)
        for place, one in enumerate(others, start=1)
        if one.ruleset
    ]
    figure = figures.figure_for(request, rows)
    # As the button plays them, and as answers to a question are compared, unless another level is asked for.
    by_lot = figures.LEVEL not in request.GET and PLAYERS in [level.key for level in figure.levels]
    return outcome_figure(rows, PLAYERS) if by_lot and figure.level and figure.level.key != PLAYERS else figure


def _verdicts(figure: OutcomeFigure) -> Iterator[tuple[str, str, str]]:
    """(answer, verdict, sentence) of each answer whose games are played, beside those of the draft."""
    for bar in figure.bars[1:]:
        if both := alike(figure.bars[0], bar):
            yield (bar.row.change, *what_an_answer_changes(*both))


@draft_route("try/", name="draft-try", methods="GET POST", status=404)
@never_cache
def try_draft(request: HttpRequest, key: str) -> HttpResponse:
    draft = draft_called(request, key)
    found = checking.checked(draft.document)
    if request.method == "POST" and found.ruleset:
        try:
            return _asked(request, draft, found.ruleset)
        except (WrongRequest, QueueFull) as error:
            messages.error(request, str(error))
    question, tried = answers_of(draft, request.GET.get("matters", ""))
    figure = _figure(request, draft, found.ruleset, tried) if found.ruleset else None
    # While games are played the figure alone is asked for.
    told = found.ruleset if "HX-Request" not in request.headers else None
    context = {
        "draft": draft,
        "found": found,
        "board": start_board(found.ruleset) if found.ruleset else None,
        "games": told_games(draft, told, _number(request.GET.get("whole", ""))) if told else [],
        "figure": figure,
        "same": readings_of(draft, found.ruleset),
        "levels": _levels(request, figure) if figure else [],
        "is_played": figure is not None and _is_played(figure),
        "how_to_read": _how_to_read(told) if told else "",
        "asked": figure is not None and any(bar.outcomes or bar.waiting for bar in figure.bars),
        "question": question,
        "unplayable": [one for one in tried if one.problem],
        "verdicts": list(_verdicts(figure)) if figure and question else [],
        "many": GAMES,
    }
    return render(request, "workshop/try.html", context)


def _is_played(figure: OutcomeFigure) -> bool:
    """Whether there are as many games of the draft as the button would have played, or they are being played."""
    own = figure.bars[0]
    of_lot = own.batch is not None and own.batch.players == PLAYERS and own.batch.games >= GAMES
    return own.waiting is not None or of_lot


def _levels(request: HttpRequest, figure: OutcomeFigure) -> list[tuple[str, str, bool]]:
    """(players, address, whether it is shown) of each level on which the draft, or an answer, was played."""
    query = request.GET.copy()
    found = []
    for level in figure.levels:
        query[figures.LEVEL] = level.key
        found.append((level.short, f"?{query.urlencode()}#games", level == figure.level))
    return found


def _how_to_read(ruleset: Ruleset) -> str:
    """How places and moves are written, without what is said of boards in text."""
    return " ".join(narration.reading(ruleset).split()).partition(" In brackets behind")[0]


def _number(words: str) -> int:
    return int(words) if words.isdecimal() and len(words) == 1 else 0


def _asked(request: HttpRequest, draft: Draft, ruleset: Ruleset) -> HttpResponse:
    """Have 2,000 games played of the draft, or of every answer to a question; or play it oneself."""
    if "yourself" in request.POST:
        if not RulesetRow.objects.filter(hash=ruleset.hash).exists():
            with transaction.atomic():
                exclusive(RULESETS)
                admit_ruleset(address_of(request))
                rulesets.save(ruleset)
        return redirect("play-a-game", name=ruleset.hash)
    slug = request.POST.get("matters", "")
    messages.success(request, f"{GAMES:,} games of random players: below, as soon as they are played.")
    _, tried = answers_of(draft, slug)
    wanted = {one.hash: one for one in (ruleset, *(one.ruleset for one in tried if one.ruleset))}
    for one in wanted.values():
        batches.requested_batch(request, check_request(one, games=GAMES, seed=SEED, players=PLAYERS))
    query = f"?{urlencode({'matters': slug})}" if slug else ""
    response = redirect("draft-try", key=draft.key)
    response["Location"] += f"{query}#games"
    return response
