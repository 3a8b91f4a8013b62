"""One game of a batch by API: how it went turn by turn, with the parameters that fired, or that it is to come."""

from http import HTTPStatus
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from catalogue.api.shapes import Document
from catalogue.web.problem_document import RefusedRequest
from simulator.engine.family import family
from simulator.models import Batch, GameRecord
from simulator.problems import WrongRequest
from simulator.replays.service import LOOK_AGAIN, OlderEngine, game_number, replay_facts, request_replay


class ReplaySerializer(serializers.Serializer[Any]):
    """A game turn by turn, or one that a worker is listing: then `state` is waiting, and there is no `end` or later."""

    state = serializers.ChoiceField(choices=[("done", "done"), ("waiting", "waiting")])
    batch = serializers.CharField()
    ruleset = serializers.CharField(help_text="slug@number, or the hash where the content has no name.")
    ruleset_hash = serializers.CharField()
    engine_version = serializers.CharField(help_text="Family and version, for example sowing 1.")
    players = serializers.CharField()
    seed = serializers.IntegerField()
    game = serializers.IntegerField(help_text="From 0.")
    cap = serializers.IntegerField()
    until = serializers.ChoiceField(choices=Batch.Until.choices)
    page = serializers.URLField(help_text="The same game for readers.")
    text = serializers.URLField(help_text="The same game as plain text.")
    end = serializers.CharField(required=False, help_text="win, draw, endless or unfinished.")
    winners = serializers.ListField(child=serializers.IntegerField(), required=False, help_text="Seats, from 0.")
    row = serializers.DictField(child=serializers.IntegerField(), required=False, help_text="Its line of rows.csv.")
    turns_told = serializers.IntegerField(required=False, help_text="Fewer than its turns only if it is very long.")
    turns = serializers.ListField(
        child=Document("ReplayTurn"),
        required=False,
        help_text="Each turn with its plies; a ply has its move, the number of options, events with parameters that "
        "fired, the same in sentences, and the position it led to.",
    )


def answer(request: Request, batch: Batch, typed: str) -> Response:
    """The game of that number; raises RefusedRequest and QueueFull."""
    try:
        game = game_number(batch, typed)
        found = request_replay(batch, game)
    except WrongRequest as error:
        raise RefusedRequest(error.problems, HTTPStatus.NOT_FOUND) from error
    except OlderEngine as error:
        version = family(batch.ruleset.family).version
        message = f"was played by version {batch.family_version} of the engine; installed here is version {version}"
        raise RefusedRequest.of("batch", message, status=HTTPStatus.CONFLICT) from error
    head = {
        **replay_facts(batch, game),
        "page": reverse("replay", args=[batch.id, game], request=request),
        "text": reverse("replay-text", args=[batch.id, game], request=request),
    }
    if isinstance(found, GameRecord):
        if found.state == GameRecord.State.FAILED:
            raise RefusedRequest.of(
                "game", f"could not be told: {found.error}", status=HTTPStatus.INTERNAL_SERVER_ERROR
            )
        waiting = {"state": "waiting", **head}
        return Response(waiting, status=HTTPStatus.ACCEPTED, headers={"Retry-After": str(LOOK_AGAIN)})
    return Response({"state": "done", **head, "turns_told": found.turns_told, **found.document()})
