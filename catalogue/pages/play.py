"""Playing a ruleset in the browser: the page of a position, the moves from it, and the replies of engine players.

The address holds the game, and every form and link leads to the one address of what comes next. Nothing is written
but the replies that engines think out, and they can be thrown away.
"""

import datetime
import itertools
from dataclasses import replace
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from catalogue.pages.rulesets import NamedRuleset, named_ruleset, ruleset_route
from catalogue.play import game_view, players
from catalogue.play.solutions import solution_page
from catalogue.texts.words import Suggested, nearest_word
from catalogue.web.addresses import WrongAddress, on_behalf
from catalogue.web.middleware import embeddable
from simulator.batches.levels import resolve_players, untuned
from simulator.engine.illegal_move import Interpretation, interpret
from simulator.engine.session import Session, WrongMove, append_move, encode, nearest_move, play_moves
from simulator.models import Reply
from simulator.problems import QueueFull, WrongRequest
from simulator.strength.replies import PERFECT, check_bounds, missing_table, request_reply, within_bounds
from simulator.strength.solutions import solution_of

KEYS = ("players", "seed", "moves")
MOVE = "move"  # what is tried now; never part of the address of a position, nor are the next
HINT, STANDING = "hint", "standing"
ADVICE = (HINT, STANDING)  # what may be asked beside
LONGEST_TRIED = 60
YOU_IN_WORDS = "you, before this screen"
# Of each page of play: its template, and that of the page before the first move.
PAGES = {
    "play-a-game": ("catalogue/play.html", "catalogue/play_set_up.html"),
    "play-embedded": ("catalogue/play_framed.html", "catalogue/play_framed_start.html"),
    "play-in-a-kiosk": ("catalogue/play_framed.html", "catalogue/play_framed_start.html"),
}
UNTOUCHED = 120  # seconds after which a kiosk begins anew
SLOW = datetime.timedelta(seconds=10)  # after which the page says why it may take longer


def _address_of(game: NamedRuleset, address: players.Address) -> str:
    return f"{reverse(address.page, args=[game.name])}?{address.query}"


@ruleset_route("play-a-game/", query="?players=you,you&seed=1", elsewhere=False)
def play_a_game(request: HttpRequest, name: str) -> HttpResponse:
    return _play_on(request, named_ruleset(name))


@ruleset_route("play-a-game/embed/", query="?players=you,you&seed=1")
@embeddable
def play_embedded(request: HttpRequest, name: str) -> HttpResponse:
    """The board alone, for a frame on a page of another site."""
    return _play_on(request, named_ruleset(name))


@ruleset_route("play-a-game/kiosk/", query="?players=you,you&seed=1")
@embeddable
def play_in_a_kiosk(request: HttpRequest, name: str) -> HttpResponse:
    """The board alone, for a screen in a room: it leads nowhere else, and begins anew when nobody has touched it."""
    return _play_on(request, named_ruleset(name))


def _play_on(request: HttpRequest, game: NamedRuleset) -> HttpResponse:
    if not request.GET:
        return _set_up(request, game)
    address = replace(_read(request, game), page=_page_of(request))
    session = Session(game.ruleset, address.seed)
    address = _played(session, game, address)
    if MOVE in request.GET and not session.is_over and address.players[session.mover] == players.YOU:
        typed = request.GET[MOVE][:LONGEST_TRIED]
        interpretation = interpret(session, typed)
        if interpretation.move is None:
            near = None if interpretation.choices or interpretation.refusals else nearest_move(session, typed)
            return _page(request, game, session, address, wanted=interpretation, typed=typed, near=near)
        address = _play(session, address, interpretation.move)
    extra: dict[str, Any] = {}
    try:
        address, extra["reply"] = _let_engines_play(request, session, address)
        extra["advice"] = _advice(request, session, address)
    except QueueFull as error:
        extra["refused"] = error
    if not _is_here(request, address):
        return redirect(_address_of(game, address))
    return _page(request, game, session, address, **extra)


def _page_of(request: HttpRequest) -> str:
    """The name of the page that was asked for: that of the site, or that for frames or for kiosks."""
    assert request.resolver_match is not None
    return str(request.resolver_match.url_name)


def _is_here(request: HttpRequest, address: players.Address) -> bool:
    """Return whether the request is for that position, with advice or without."""
    return [item for item in request.GET.items() if item[0] not in ADVICE] == address.items


def _advice(request: HttpRequest, session: Session, address: players.Address) -> players.Advice | None:
    """The requested advice, done or waiting. Raises QueueFull."""
    is_asked = any(key in request.GET for key in ADVICE)
    if is_asked and _is_here(request, address) and _is_to_choose(session, address):
        return players.request_advice(session, on_behalf(request).get("visitor", ""))
    return None


def _is_to_choose(session: Session, address: players.Address) -> bool:
    """Return whether a player at the screen has several moves."""
    return not session.is_over and address.players[session.mover] == players.YOU and len(session.options) > 1


def _read(request: HttpRequest, game: NamedRuleset) -> players.Address:
    """The address, its moves not looked at; WrongAddress for what means nothing, with the nearest that does."""
    for key in request.GET:
        if key not in (*KEYS, MOVE, *ADVICE):
            near = nearest_word(key, (*KEYS, MOVE, *ADVICE))
            suggested = _suggested(request, game, {key: None, **({near: request.GET[key]} if near else {})})
            raise WrongAddress(f"The address of a game has no “{key[:LONGEST_TRIED]}”.", suggested)
    parameters = {key: [str(value) for value in values] for key, values in request.GET.lists()}
    try:
        address = players.read_address(game.ruleset, parameters)
        _bounded(game, address, is_visitor="visitor" in on_behalf(request))
    except WrongRequest as error:
        problem = error.problems[0]
        nearest = "" if problem.nearest is None else str(problem.nearest)
        suggested = _suggested(request, game, {problem.key: nearest})
        raise WrongAddress(f"{problem.key}: {problem.message}.", suggested) from error
    return address


def _bounded(game: NamedRuleset, address: players.Address, *, is_visitor: bool) -> None:
    """Raises WrongRequest, with the nearest, for an opponent that this visitor may not request."""
    bounded = [name for name in address.players if name == PERFECT or (is_visitor and name != players.YOU)]
    try:
        for name in dict.fromkeys(bounded):
            check_bounds(game.ruleset, name)
    except WrongRequest as error:
        nearest = [within_bounds(game.ruleset, name) if name in bounded else name for name in address.players]
        raise WrongRequest.of("players", error.problems[0].message, ",".join(nearest)) from error


def _suggested(request: HttpRequest, game: NamedRuleset, changed: dict[str, str | None]) -> Suggested:
    """This address with some of its parameters replaced, or left out."""
    known = {key: ",".join(map(str, request.GET.getlist(key))) for key in KEYS if key in request.GET}
    values = {key: value for key, value in {**known, **changed}.items() if value}
    words = ", ".join(f"{key} “{value[:LONGEST_TRIED]}”" for key, value in changed.items() if value)
    query = urlencode(values, safe=",:/*")
    text = f"the address with {words}" if words else "the address without it"
    return Suggested(text, f"{reverse(_page_of(request), args=[game.name])}?{query}")


def _played(session: Session, game: NamedRuleset, address: players.Address) -> players.Address:
    """Play the address's moves; WrongAddress names the first that cannot be played, and the nearest that can."""
    try:
        return address.after(play_moves(session, address.moves))
    except WrongMove as error:
        if error.nearest is None:
            message = f"Ply {error.ply}, “{error.typed}”, comes after the end of the game."
            raise WrongAddress(
                message, Suggested("the game up to there", _address_of(game, address.after(error.played)))
            ) from error
        nearest = _address_of(game, address.after(append_move(error.played, error.nearest)))
        message = f"Ply {error.ply}, “{error.typed}”, is no move that can be played there."
        raise WrongAddress(message, Suggested(f"“{error.nearest}” at ply {error.ply}", nearest)) from error


def _play(session: Session, address: players.Address, move: int) -> players.Address:
    moves = append_move(address.moves, encode(session, move))
    session.play(move)
    return address.after(moves)


def _let_engines_play(
    request: HttpRequest, session: Session, address: players.Address
) -> tuple[players.Address, Reply | None]:
    """Play on to the next choice of a player at the screen, or to a reply still being computed. Raises QueueFull.

    Who is at the screen and cannot do anything but pass is passed over, once there is a game: an address without moves
    shows the position it names.
    """
    while not session.is_over and len(address.moves) < players.LONGEST:
        name = address.players[session.mover]
        is_forced_pass = len(session.options) == 1 and not session.places_of(session.options[0])
        if name == players.YOU and not (is_forced_pass and address.moves):
            break
        if len(session.options) == 1:
            move = session.options[0]
        elif name == "random":
            move = session.draw_move()
        else:
            visitor = on_behalf(request).get("visitor", "")
            reply = request_reply(session.ruleset, name, session.seed, session.moves, visitor)
            if reply.state != Reply.State.DONE or reply.move is None:
                return address, reply
            move = reply.move
        address = _play(session, address, move)
    return address, None


def _page(
    request: HttpRequest, game: NamedRuleset, session: Session, address: players.Address, **extra: Any
) -> HttpResponse:
    wording = game_view.Wording(game.ruleset, game.version)
    offered = players.offered_levels(game.ruleset)
    table = game_view.GameView(session, address, wording, offered)
    interpretation: Interpretation | None = extra.get("wanted")
    refused: QueueFull | None = extra.get("refused")
    advice: players.Advice | None = extra.get("advice")
    hinted = advice.places if advice and HINT in request.GET else ()
    context = {
        **_framed(request),
        **_common(game, address.players, offered),
        **extra,
        "held": address,
        "table": table,
        "board": table.board(hinted),
        "moves": table.moves() if table.is_yours else [],
        "gist": wording.gist(),
        "best_play": solution_page(game.ruleset, game.lasting_name) if session.is_over else None,
        "most_buttons": game_view.BUTTONS,
        "choices": table.moves(interpretation.choices) if interpretation else [],
        "verdicts": [wording.explain(refusal) for refusal in interpretation.refusals] if interpretation else [],
        "is_slow": bool(extra.get("reply")) and timezone.now() - extra["reply"].created > SLOW,
        **_advisable(request, _address_of(game, address), _is_to_choose(session, address), offered),
        "is_too_long": len(address.moves) >= players.LONGEST,
        "here": _address_of(game, address),
        "absolute": request.build_absolute_uri(_address_of(game, address)),
        **_links(game, table, address),
        "next_level": _next_level(game, table, address, offered),
    }
    status = HTTPStatus.OK
    if interpretation and not interpretation.choices:
        status = HTTPStatus.BAD_REQUEST
    if refused:
        status = HTTPStatus.TOO_MANY_REQUESTS
    response = render(request, PAGES[address.page][0], context, status=status)
    response["Cache-Control"] = "no-store"
    if status == HTTPStatus.BAD_REQUEST:
        response["HX-Push-Url"] = "false"  # the page stays at the address of the position
    if refused:
        response["Retry-After"] = str(refused.retry_after)
    return response


def _advisable(
    request: HttpRequest, here: str, is_to_choose: bool, offered: list[players.OfferedLevel]
) -> dict[str, Any]:
    """The addresses at which advice is requested, and the advice that is shown."""
    shown = [key for key in ADVICE if key in request.GET]
    return {
        "shown": shown,
        "advice_address": "&".join((here, *(f"{key}=yes" for key in shown))),
        "hint_address": f"{here}&{HINT}=yes" if is_to_choose else "",
        "standing_address": f"{here}&{STANDING}=yes" if is_to_choose and players.can_judge(offered) else "",
    }


def _links(game: NamedRuleset, table: game_view.GameView, address: players.Address) -> dict[str, str]:
    """The links from a position other than moves."""
    back = table.last_choice()
    again = address.after("")
    return {
        "take_back": _address_of(game, address.taken_back_to(back)) if back is not None else "",
        "start_again": _address_of(game, again),
        "exchanged": _address_of(game, address.exchanged),
        "swapped": _address_of(game, again.exchanged),
        "new_game": f"{reverse(address.page, args=[game.name])}?players={','.join(address.players)}",
        "choose": reverse(address.page, args=[game.name]),
    }


def _next_level(
    game: NamedRuleset, table: game_view.GameView, address: players.Address, offered: list[players.OfferedLevel]
) -> tuple[str, str] | None:
    """(title, address) of the level above for the one who has won, of that below for the one who has lost."""
    others = {name for name in address.players if name != players.YOU}
    if not table.to_you() or not table.winning or len(others) != 1:
        return None
    has_won = address.players[table.winning[0]] == players.YOU
    order = offered if has_won else offered[::-1]
    after = [level for before, level in itertools.pairwise(order) if before.player in others]
    if not after:
        return None
    seated = ",".join(name if name == players.YOU else after[0].player for name in address.players)
    return after[0].title, f"{reverse(address.page, args=[game.name])}?players={seated}"


def _set_up(request: HttpRequest, game: NamedRuleset) -> HttpResponse:
    """Return who is to play: the page before the first move."""
    seats = game.family.seats(game.ruleset.parameters)
    solution = solution_of(game.ruleset, game.lasting_name)
    offered = players.levels_with(game.ruleset, solution)
    quick, your_side = players.quick_games(game.ruleset, solution)
    context = {
        **_framed(request),
        **_common(game, (players.YOU, *[resolve_players(game.ruleset, players.OPPONENT)] * (seats - 1)), offered),
        "board": game_view.start_board(game.ruleset),
        "wanting": missing_table(game.ruleset, game.lasting_name, solution),
        "one_tap": quick,
        "your_side": your_side,
    }
    return render(request, PAGES[_page_of(request)][1], context)


def _framed(request: HttpRequest) -> dict[str, Any]:
    """What pages for frames and kiosks ask: whether links lead out, and when to begin anew."""
    is_kiosk = _page_of(request) == "play-in-a-kiosk"
    return {"is_kiosk": is_kiosk, "begins_anew_after": UNTOUCHED if is_kiosk else None}


def _common(game: NamedRuleset, seated: tuple[str, ...], offered: list[players.OfferedLevel]) -> dict[str, Any]:
    usual = {players.YOU: YOU_IN_WORDS} | {level.player: str(level) for level in offered}
    others = {name: players.player_called(name, offered) for name in seated if name not in usual}
    return {
        "game": game,
        "embed": reverse("play-embedded", args=[game.name]),
        "throws": game.family.throws,
        "offered": (usual | others).items(),
        "untuned": untuned(game.ruleset),
        "seats": list(zip(game_view.seat_names(game.ruleset), seated, strict=True)),
    }
