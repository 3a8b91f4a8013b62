"""One game of a batch, told turn by turn with the rules that fired: the page, its slices, and the game to take away."""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.db.models import prefetch_related_objects
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse

from catalogue.filters.parameters import refuse_unknown
from catalogue.models.lookup import NothingHere
from catalogue.pages import answers
from catalogue.pages.batches import get_batch
from catalogue.play.game_view import Wording, end_in_words, summarise
from catalogue.texts.words import Suggested
from catalogue.web.addresses import WrongAddress
from catalogue.web.routes import route, routes_below
from simulator import replays
from simulator.engine import board_sheet, narration
from simulator.engine import replay as replay_slices
from simulator.engine.family import family
from simulator.models import Batch, GameRecord
from simulator.problems import QueueFull, WrongRequest, whole_number


@route("batches/<batch_id:batch_id>/games/", example="/batches/{batch}/games/?number=1", status=302)
def choose_game(request: HttpRequest, batch_id: str) -> HttpResponse:
    """`?number=N`, from the field on a batch's page, leads to game N."""
    batch, typed = get_batch(batch_id), request.GET.get("number", "0")
    try:
        number = replays.game_number(batch, typed)
    except WrongRequest as error:
        nearest = error.problems[0].nearest
        suggested = Suggested(f"game {nearest}", reverse("replay", args=[batch.id, nearest]))
        raise WrongAddress(_of_games(batch, typed), suggested) from error
    return redirect("replay", batch_id=batch.id, game=number)


def for_a_game(
    view: Callable[[HttpRequest, Batch, int, replays.ReplayView], HttpResponse],
) -> Callable[..., HttpResponse]:
    """Answers for a view where its game cannot be shown (yet)."""

    @wraps(view)
    def answer(request: HttpRequest, batch_id: str, game: str) -> HttpResponse:
        batch, number = _named_game(request, batch_id, game)
        replayed = _replayed(request, batch, number)
        return view(request, batch, number, replayed) if isinstance(replayed, replays.ReplayView) else replayed

    return answer


replay_route = routes_below("batches/<batch_id:batch_id>/games/<str:game>/", "/batches/{batch}/games/0/")


@replay_route(query="?turn=3")
@for_a_game
def replay(request: HttpRequest, batch: Batch, game: int, replayed: replays.ReplayView) -> HttpResponse:
    """The page of a game at one turn; while a worker lists the moves, the page says so and looks again."""
    turn = _turn(request, batch, game, replayed)
    part = replayed.part(replay_slices.slice_number(turn))
    turns = summarise(replayed.ruleset, part["turns"])
    board = replay_slices.board_after(part, turn)
    now = [one for one in part["turns"] if one["turn"] == turn]
    context = {
        **_heading(batch, game),
        "telling": replayed,
        "turn": turn,
        "end": end_in_words(replayed.ruleset, replayed.row, batch.until),
        "board": board,
        "board_in_words": board_sheet.words(board)[1],
        "summary": next(iter(summarise(replayed.ruleset, now, _wording(batch, replayed))), None),
        "turns": turns,
        "previous": turn - 1 if turn else None,
        "next": turn + 1 if turn < replayed.turns_told else None,
        "earlier": turns[0].number - replay_slices.SLICE if turns and turns[0].number > 1 else None,
        "later": turns[-1].number + 1 if turns and turns[-1].number < replayed.turns_told else None,
        "reading": narration.reading(replayed.ruleset),
        "command": replays.replay_command(batch, game),
    }
    return render(request, "catalogue/replay.html", context)


@replay_route("turns.json")
@for_a_game
def replay_turns(request: HttpRequest, batch: Batch, game: int, replayed: replays.ReplayView) -> HttpResponse:
    """The slice of turns that has `?turn=N`, for the page's own script: what each shows, and what it changes."""
    part = replayed.part(replay_slices.slice_number(_turn(request, batch, game, replayed)))
    turns = summarise(replayed.ruleset, part["turns"], _wording(batch, replayed))
    documents = [
        {"turn": one.number, "html": render_to_string("partials/turn_summary.html", {"summary": one}), **raw["board"]}
        for one, raw in zip(turns, part["turns"], strict=True)
    ]
    index = render_to_string("partials/turn_index.html", {"turns": turns})
    return JsonResponse({"first": part["first"], "board": part["board"], "turns": documents, "index": index})


@replay_route("progress.json")
def replay_progress(request: answers.HtmxRequest, batch_id: str, game: str) -> HttpResponse:
    """Whether the game can be shown by now; it also tells the workers again if they seem not to have heard."""
    replayed = _replayed(request, *_named_game(request, batch_id, game))
    state = "done"
    if not isinstance(replayed, replays.ReplayView):
        state = "waiting" if replayed.status_code == HTTPStatus.ACCEPTED else "failed"
    return answers.progress_answer(request, state)


@replay_route("replay.json")
@for_a_game
def replay_json(request: HttpRequest, batch: Batch, game: int, replayed: replays.ReplayView) -> HttpResponse:
    """The game for programs: what `manage.py replay --json` prints."""
    document = {**replays.replay_facts(batch, game), **replayed.document()}
    return _taken_away(JsonResponse(document, json_dumps_params={"ensure_ascii": False}), batch, game, "json")


@replay_route("replay.txt")
@for_a_game
def replay_text(request: HttpRequest, batch: Batch, game: int, replayed: replays.ReplayView) -> HttpResponse:
    """The game for readers, as plain text."""
    heading = ", ".join(f"{key} {value}" for key, value in replays.replay_facts(batch, game).items())
    text = "\n".join([heading, "", narration.reading(replayed.ruleset), "", *replayed.text(), ""])
    return _taken_away(HttpResponse(text, content_type="text/plain; charset=utf-8"), batch, game, "txt")


def _taken_away(response: HttpResponse, batch: Batch, game: int, ending: str) -> HttpResponse:
    response["Content-Disposition"] = f'inline; filename="batch-{batch.id}-game-{game}.{ending}"'
    return response


def _named_game(request: HttpRequest, batch_id: str, game: str) -> tuple[Batch, int]:
    """The batch with its names, and the number of the game; NothingHere names the nearest game."""
    batch = get_batch(batch_id)
    prefetch_related_objects([batch], "ruleset__versions")
    try:
        return batch, replays.game_number(batch, game)
    except WrongRequest as error:
        nearest = error.problems[0].nearest
        page = request.resolver_match.url_name if request.resolver_match else "replay"
        suggested = Suggested(f"game {nearest}", reverse(page, args=[batch.id, nearest]))
        raise NothingHere(_of_games(batch, game), [suggested]) from error


def _of_games(batch: Batch, typed: str) -> str:
    return f"This batch has no game “{typed[:40]}”: its games are numbered from 0 to {batch.games - 1}."


def _wording(batch: Batch, replayed: replays.ReplayView) -> Wording:
    """The words of its rules, by the reading that its ruleset's first name means."""
    versions = sorted(batch.ruleset.versions.all(), key=lambda version: (version.slug, -version.number))
    return Wording(replayed.ruleset, versions[0] if versions else None)


def _turn(request: HttpRequest, batch: Batch, game: int, replayed: replays.ReplayView) -> int:
    """The turn that the address names, from 0, the start. Raises WrongAddress, with the nearest."""
    here = reverse("replay", args=[batch.id, game])
    refuse_unknown(request, ("turn",))
    try:
        return whole_number("turn", request.GET.get("turn", 0), 0, replayed.turns_told)
    except WrongRequest as error:
        nearest = error.problems[0].nearest
        raise WrongAddress(f"The {error}.", Suggested(f"turn {nearest}", f"{here}?turn={nearest}")) from error


def _heading(batch: Batch, game: int) -> dict[str, Any]:
    return {"batch": batch, "game": game, "game_before": game - 1 if game else None, "last_game": batch.games - 1}


def _replayed(request: HttpRequest, batch: Batch, game: int) -> replays.ReplayView | HttpResponse:
    """The game, or the page that says why it cannot be shown (yet)."""
    context = {**_heading(batch, game), "look_again": replays.LOOK_AGAIN}
    status, wait = HTTPStatus.ACCEPTED, replays.LOOK_AGAIN
    try:
        replayed = replays.request_replay(batch, game)
        if isinstance(replayed, replays.ReplayView):
            return replayed
        context["record"] = replayed
        if replayed.state == GameRecord.State.FAILED:
            status, wait = HTTPStatus.INTERNAL_SERVER_ERROR, 0
    except replays.OlderEngine:
        context["engine_version"] = family(batch.ruleset.family).rules_version
        status, wait = HTTPStatus.CONFLICT, 0
    except QueueFull as error:
        context["queue_full"] = error
        status, wait = HTTPStatus.TOO_MANY_REQUESTS, error.retry_after
    response = render(request, "catalogue/replay_missing.html", context, status=status)
    if wait:
        response["Retry-After"] = str(wait)
    return response
