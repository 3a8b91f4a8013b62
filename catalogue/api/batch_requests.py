"""A request for a batch as it is sent: its form is looked at here, its values by the service that takes it."""

import json
from collections.abc import Mapping
from typing import Any

from rest_framework import serializers
from rest_framework.fields import empty

from catalogue.api.fields import Document
from catalogue.texts.errors import nearest_word
from catalogue.web.problem_document import RefusedRequest
from simulator.batches.requests import (
    DEFAULT_CAP,
    DEFAULT_GAMES,
    DEFAULT_PLAYERS,
    DEFAULT_SEED,
    DEFAULT_UNTIL,
    MOST_CAP,
    MOST_GAMES,
    MOST_SEED,
)
from simulator.engine.players.wording import HINT
from simulator.engine.ruleset import Problem
from simulator.models import Batch

MOST_CHANGES, LONGEST_VALUE = 100, 200


class PassThroughField(serializers.Field[Any, Any, Any, Any]):
    """A value that is handed on as it was sent: its bounds are published here, and the service checks them."""

    def to_internal_value(self, data: Any) -> Any:
        return data

    def get_initial(self) -> Any:
        return self.default

    def run_validators(self, value: Any) -> None:
        """Left to the service, which also knows the nearest valid value."""


class WholeNumber(PassThroughField, serializers.IntegerField):
    pass


class Word(PassThroughField, serializers.ChoiceField):
    pass


class StrictSerializer(serializers.Serializer[Any]):
    """What is sent, without a field that nobody asked for."""

    def get_initial(self) -> dict[str, Any]:
        """What the form of the browsable API begins with: nothing of what may be left out and has no default."""
        return {name: value for name, value in super().get_initial().items() if value is not empty}

    def to_internal_value(self, data: Any) -> Any:
        """Fields that no request has are named, with the nearest that it has."""
        unknown = [str(name) for name in data if name not in self.fields] if isinstance(data, Mapping) else []
        if unknown:
            known = ", ".join(self.fields)
            raise RefusedRequest(
                Problem(
                    name[:60], f"a request has no field {name[:60]!r}; it has {known}", nearest_word(name, self.fields)
                )
                for name in unknown[:MOST_CHANGES]
            )
        return super().to_internal_value(data)


class BatchRequestSerializer(StrictSerializer):
    ruleset = serializers.CharField(
        max_length=100, help_text="slug, slug@number, hash, or at least eight digits of its beginning."
    )
    games = WholeNumber(
        default=DEFAULT_GAMES,
        min_value=1,
        max_value=MOST_GAMES,
        help_text="How many games to play; visitors are bounded in processor time, as measured.",
    )
    seed = WholeNumber(
        default=DEFAULT_SEED, min_value=0, max_value=MOST_SEED, help_text="The same seed gives the same games."
    )
    players = serializers.CharField(default=DEFAULT_PLAYERS, initial=DEFAULT_PLAYERS, max_length=200, help_text=HINT)
    cap = WholeNumber(
        default=DEFAULT_CAP,
        min_value=1,
        max_value=MOST_CAP,
        help_text="A game still running after so many turns is left unfinished.",
    )
    until = Word(
        default=DEFAULT_UNTIL, choices=Batch.Until.choices, help_text="Play whole games, or first rounds only."
    )
    set = serializers.DictField(
        child=Document("SentValue", allow_null=True),
        source="changes",
        required=False,
        help_text="Parameters of the ruleset to be changed, for example {“counters_per_hole”: 5}.",
    )

    def validate_set(self, changes: dict[str, Any]) -> dict[str, str]:
        """Changes as typed on a command line, which is how the service takes them."""
        if len(changes) > MOST_CHANGES:
            raise serializers.ValidationError(f"at most {MOST_CHANGES} parameters can be set, not {len(changes)}")
        typed = {key: value if isinstance(value, str) else json.dumps(value) for key, value in changes.items()}
        long = [key[:60] for key, value in typed.items() if max(len(key), len(value)) > LONGEST_VALUE]
        if long:
            raise serializers.ValidationError(f"names and values have at most {LONGEST_VALUE} characters: {long[0]}")
        return typed

    def field_of(self, key: str) -> str:
        """The field in which a value was sent that the service calls by this key."""
        return key if key in self.fields or not key else f"set.{key}"
