"""Findings, all of them by their size; claims with their verdicts, and each claim with its tests."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from itertools import groupby
from operator import attrgetter
from types import SimpleNamespace
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

from catalogue.analyses import claims
from catalogue.analyses.claim_results import (
    COLUMNS,
    DEPENDING,
    DEPENDING_WORDS,
    ClaimResult,
    claim_results,
    claim_rows,
    row_of,
    tally,
    verdict_of,
)
from catalogue.analyses.claim_words import (
    ALIKE,
    NO_GAME,
    Stamp,
    both_seats,
    decided_first,
    how_sure,
    is_decided,
    seats,
    stamp,
    tested,
    to_see,
)
from catalogue.citations.items import findings_item
from catalogue.filters.filter_sets import ClaimFilters
from catalogue.filters.parameters import Choice, ListParameters, refuse_unknown
from catalogue.findings import finding, gathered, kept
from catalogue.identifiers.linked_data import Writer
from catalogue.models import Claim, Game, Reading, Verdict
from catalogue.models.lookup import not_here
from catalogue.models.querysets import first_readings, newest_versions, with_versions
from catalogue.outcomes.figure import OutcomeFigure
from catalogue.outcomes.played import FEWEST_GAMES, outcome_figure
from catalogue.pages.answers import page_of
from catalogue.pages.figures import reading_row
from catalogue.play.game_view import start_board
from catalogue.texts.formatting import listed
from catalogue.texts.sureness import Sureness
from catalogue.texts.words import LONGEST_COMPARED, Suggested
from catalogue.web.addresses import on_behalf, site_address
from catalogue.web.routes import route
from simulator.batches.levels import LEVELS
from simulator.models import Batch
from simulator.problems import QueueFull, WrongRequest


@route("findings/", name="findings", sitemap=True, queries=6)
def finding_list(request: HttpRequest) -> HttpResponse:
    refuse_unknown(request, ())
    findings = kept.findings()
    first, ranked, others = _lists(findings)
    context = {
        "item": findings_item(accessed=timezone.now().date(), base=site_address(request)),
        "linked": Writer(request).page(),
        "findings": findings,
        "first": first,
        "ranked": ranked,
        "others": others,
        "fewest_games": FEWEST_GAMES,
        "kinds": [(kind, words.partition(": "), len(findings.of(kind))) for kind, words in SIZED.items()],
        "idle": findings.idle,
        "tally": [(kind, words, findings.verdicts.get(kind, 0)) for kind, words in VERDICTS.items()],
        "judged": [(key, list(claims)) for key, claims in groupby(findings.claims, key=attrgetter("sign", "words"))],
        "claims": sum(findings.verdicts.values()),
    }
    return render(request, "catalogue/findings.html", context)


VERDICTS = {**dict(Verdict.Kind.choices), DEPENDING: DEPENDING_WORDS}
TEN = 10
Lists = tuple[SafeString, SafeString, SafeString]


def one_a_game(ranked: Sequence[finding.Finding], most: int = TEN) -> list[finding.Finding]:
    """The largest finding of each game, in the order of their sizes."""
    firsts: dict[Game, finding.Finding] = {}
    for one in ranked:
        firsts.setdefault(one.game, one)
    return list(firsts.values())[:most]


def _lists(findings: gathered.Findings) -> Lists:
    """Ten findings, one a game, the other ranked ones and those of other players: rendered once for each state."""
    global _rendered
    if _rendered is None or _rendered[0] is not findings:
        page = {"request": SimpleNamespace(explained_words=set())}  # a word is explained where it first stands
        firsts = one_a_game(findings.ranked)
        lists = [
            mark_safe("".join(render_to_string("partials/finding.html", {"one": one, **page}) for one in some))
            for some in (firsts, [one for one in findings.ranked if one not in firsts], findings.others)
        ]
        _rendered = (findings, (lists[0], lists[1], lists[2]))
    return _rendered[1]


_rendered: tuple[gathered.Findings, Lists] | None = None
SIZED = {kind: words for kind, words in finding.WORDS.items() if kind not in (finding.JUDGED, finding.IDLE)}


NARROWING = ("game", "verdict")


@route("claims/", sitemap=True)
def claim_list(request: HttpRequest) -> HttpResponse:
    every = claim_results(claim_rows())
    parameters = ListParameters(request, ClaimFilters, NARROWING)
    chosen = {name: parameters.given(name) for name in NARROWING}
    games = {one.claim.game.slug: one.claim.game.name for one in every}
    page = page_of(request, sorted(_narrowed(every, chosen), key=decided_first), size=60)
    boards = first_readings([one.claim.game_id for one in page])
    cards = [_card(one, boards.get(one.claim.game_id, "")) for one in page]
    at_once = [card for card in cards if any(chosen.values()) or is_decided(card.one)]
    context = {
        "cards": at_once,
        "others": _by_game([card for card in cards if card not in at_once]),
        "tally": [(one, _address(chosen, one.kind)) for one in tally(_narrowed(every, {**chosen, "verdict": ""}))],
        "columns": COLUMNS,
        "rows": [row_of(one) for one in sorted(page, key=every.index)],
        "games": _choices(every, chosen, "game", games),
        "verdicts": _choices(every, chosen, "verdict", VERDICTS),
        "chosen": chosen,
        "page": page,
    }
    return render(request, "catalogue/claim_list.html", context)


@dataclass(frozen=True, slots=True)
class ClaimCard:
    """A claim as a card.

    board: the ruleset whose board is drawn, empty without one; see: (words, address) of games; sure: of its verdict
    """

    one: ClaimResult
    stamp: Stamp
    tested: str
    board: str
    see: tuple[str, str] | None
    sure: Sureness | None


def _card(one: ClaimResult, board: str) -> ClaimCard:
    return ClaimCard(one, stamp(one), tested(one), board, to_see(one, board), how_sure(one))


def _by_game(cards: Sequence[ClaimCard]) -> list[tuple[Game, str, str, list[ClaimCard]]]:
    """(game, its board, "3 undecided and 1 that no game can decide", cards) of what is not decided, by game."""
    found = []
    for game, own in groupby(
        sorted(cards, key=lambda card: card.one.claim.game.name), lambda card: card.one.claim.game
    ):
        some = list(own)
        counts = Counter("that no game can decide" if card.stamp == NO_GAME else card.stamp.words for card in some)
        found.append((game, some[0].board, listed([f"{number} {words}" for words, number in counts.items()]), some))
    return found


def _address(chosen: dict[str, str], kind: str) -> str:
    """The claims with this verdict; all of them, where these are shown already."""
    choices = {**chosen, "verdict": "" if chosen["verdict"] == kind else str(kind)}
    query = urlencode({name: value for name, value in choices.items() if value})
    return f"{reverse('claim-list')}?{query}" if query else reverse("claim-list")


def _narrowed(claims: list[ClaimResult], chosen: dict[str, str]) -> list[ClaimResult]:
    return [claim for claim in claims if all(value in ("", _value(claim, name)) for name, value in chosen.items())]


def _choices(claims: list[ClaimResult], chosen: dict[str, str], name: str, texts: dict[str, str]) -> list[Choice]:
    """Each value with the number of claims that the other choice leaves."""
    counts = Counter(_value(one, name) for one in _narrowed(claims, {**chosen, name: ""}))
    offered = {value: text for value, text in texts.items() if counts[value] or value == chosen[name]}
    return [Choice(value, text, counts[value]) for value, text in offered.items()]


def _value(one: ClaimResult, name: str) -> str:
    return one.claim.game.slug if name == "game" else verdict_of(one)


@route(
    "claims/<str:game>/<str:slug>/",
    example="/claims/puhulmutu/lasts-for-hours/",
    identifies="claim/{game}/{slug}",
    methods="GET POST",
)
def claim(request: HttpRequest, game: str, slug: str) -> HttpResponse:
    """A claim with its tests. A POST has the games played that it waits for."""
    if request.method != "POST":
        return _claim_page(request, game, slug)
    named = Claim.objects.select_related("game").filter(game__slug=game, slug=slug).first()
    try:
        if offer := claims.offer_for(named) if named else None:
            claims.ask_for_games(offer, **on_behalf(request))
    except WrongRequest as error:
        return _claim_page(request, game, slug, str(error), HTTPStatus.BAD_REQUEST)
    except QueueFull as error:
        response = _claim_page(request, game, slug, str(error), HTTPStatus.TOO_MANY_REQUESTS)
        response["Retry-After"] = str(error.retry_after)
        return response
    return redirect(f"{reverse('claim', args=[game, slug])}#tests")


def _claim_page(
    request: HttpRequest, game: str, slug: str, refused: str = "", status: int = HTTPStatus.OK
) -> HttpResponse:
    """refused: why the games it waits for are not played"""
    results = claim_results(claim_rows().filter(game__slug=game, slug=slug))
    if not results:
        name, known = f"{game}/{slug}", {str(one): one for one in Claim.objects.select_related("game")}
        message = f"There is no claim called “{name}”."[:LONGEST_COMPARED]
        raise not_here(message, name, known, lambda near: Suggested(known[near].title, known[near].get_absolute_url()))
    one = results[0]
    reading = first_readings([one.claim.game_id]).get(one.claim.game_id, "")
    name = next((named.slug for test in one.heard for named in test.readings), reading)
    version = newest_versions([name]).get(name) if name else None
    exchanged = [batch for test in one.tests if test.test.get("both_seats") for batch in test.batches]
    batches = Batch.objects.in_bulk(exchanged) if exchanged else {}
    context = {
        "one": one,
        "readings_shown": [row.reading for row in one.rows if row.reading] if one.has_figures else [],
        "card": _card(one, reading),
        "board": start_board(version.ruleset) if version else None,
        "board_of": name,
        "tests": [(test, seats(test), both_seats(test, batches)) for test in one.tests if test.verdict],
        "unplayed": (unplayed := [test for test in one.tests if not test.verdict]),
        "seated": list(dict.fromkeys(sat for test in unplayed if (sat := seats(test)) not in ("", ALIKE))),
        "alike": _alike([test.sentence for test in unplayed]),
        "offer": _offer(one),
        "refused": refused,
        "meanwhile": None if one.has_figures else _meanwhile(one),
    }
    return render(request, "catalogue/claim.html", context, status=status)


def _alike(sentences: Sequence[str]) -> str:
    """The sentence that all tests share; empty where they do not."""
    return sentences[0] if len(set(sentences)) == 1 else ""


def _offer(one: ClaimResult) -> claims.ClaimOffer | None:
    """What can be played for a claim; a worker is told where only the judging is left."""
    if all(test.verdict or test.needs or test.is_exact for test in one.tests):
        return None
    offer = claims.offer_for(one.claim)
    if offer and offer.is_played:
        claims.announce(one.claim)
    return offer


def _meanwhile(one: ClaimResult) -> OutcomeFigure | None:
    """How the games end that there are of the readings of a claim which none of its tests has judged yet."""
    names = [reading.slug for reading in dict.fromkeys(reading for test in one.heard for reading in test.readings)]
    readings = with_versions(Reading.objects.filter(slug__in=names).order_by("position", "slug")) if names else []
    rows = [reading_row(read, place) for place, read in enumerate(readings)]
    figure = outcome_figure(rows) if rows else None
    if figure and one.claim.judged_by == Claim.JudgedBy.STRONG:
        played = [level.key for level in figure.levels]
        figure = outcome_figure(rows, next((key for key in reversed(LEVELS) if key in played), ""))
    return figure if figure and figure.played and not figure.is_proved else None
