"""The index follows what is saved and deleted, once the transaction is through.

Many rows of one transaction are looked at together. What a row lends to others (a game's name to its records, an answer
to its question) is followed too; of a game or a place that is `MOST_FOLLOWED` times used, the entries are brought up to
date by `manage.py index_search`.
"""

import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Model
from django.db.models.signals import m2m_changed, post_save, pre_delete

from catalogue import models

MOST_FOLLOWED = 5_000
Changed = Mapping[str, Iterable[int | None]]


class _Waiting(threading.local):
    """The changes of this thread that are not yet in the index; entries are made when it is written."""

    def __init__(self) -> None:
        self.changes: list[Callable[[], Changed]] = []


_waiting = _Waiting()


def of_game(game: models.Game) -> Changed:
    return {
        "game": [game.pk],
        "record": game.evidence.values_list("pk", flat=True)[:MOST_FOLLOWED],
        "ruleset": game.readings.values_list("pk", flat=True),
        "question": game.questions.values_list("pk", flat=True),
        "claim": game.claims.values_list("pk", flat=True),
        "rule": models.Clause.objects.filter(reading__game=game).values_list("pk", flat=True)[:MOST_FOLLOWED],
    }


def _of_place(place: models.Place) -> Changed:
    placed = place.evidence.order_by("pk")
    return {
        "record": placed.values_list("pk", flat=True)[:MOST_FOLLOWED],
        "game": placed.values_list("game", flat=True)[:MOST_FOLLOWED],
    }


def _of_source(source: models.Source) -> Changed:
    return {"source": [source.pk], "record": source.evidence.values_list("pk", flat=True)[:MOST_FOLLOWED]}


def _of_reading(reading: models.Reading) -> Changed:
    return {
        "ruleset": [reading.pk],
        "game": [reading.game_id],
        "record": reading.evidence.values_list("pk", flat=True),
        "rule": reading.clauses.values_list("pk", flat=True),
    }


def _of_claim(claim: models.Claim) -> Changed:
    anchored = models.Anchor.objects.filter(claim=claim).values_list("evidence", flat=True)
    return {"claim": [claim.pk], "game": [claim.game_id], "record": anchored}


# What is to be written anew when a row is saved, or when it goes.
TOUCHED: dict[type[Model], Callable[[Any], Changed]] = {
    models.Game: of_game,
    models.GameName: lambda name: of_game(models.Game(pk=name.game_id)),
    models.Evidence: lambda record: {
        "record": [record.pk],
        "game": [record.game_id],
        "term": record.terms.values_list("pk", flat=True),
    },
    models.Term: lambda term: {"term": [term.pk]},
    models.Citation: lambda one: {"record": [one.evidence_id], "source": [one.source_id]},
    models.EvidenceUncertainty: lambda one: {"record": [one.evidence_id]},
    models.EditorsNote: lambda note: {"record": [note.evidence_id]},
    models.Anchor: lambda anchor: {"record": [anchor.evidence_id]} if anchor.claim_id else {},
    models.Source: _of_source,
    models.Place: _of_place,
    models.Reading: _of_reading,
    models.Clause: lambda clause: {"rule": [clause.pk]},
    models.Question: lambda question: {"question": [question.pk]},
    models.Answer: lambda answer: {"question": [answer.question_id]},
    models.Claim: _of_claim,
    models.PortalGame: lambda words: {"game": [words.game_id]},
    models.PortalRuleset: lambda words: {"game": [words.game_id]},
}


def connect() -> None:
    """Called once, when the catalogue is ready."""
    for model in TOUCHED:
        post_save.connect(_saved, sender=model, dispatch_uid=f"search-{model.__name__}")
        pre_delete.connect(_before_delete, sender=model, dispatch_uid=f"search-{model.__name__}")
    for links in (models.Evidence.places.through, models.Reading.evidence.through):
        m2m_changed.connect(_linked, sender=links, dispatch_uid=f"search-{links.__name__}")


def _saved(instance: Model, raw: bool = False, **_: Any) -> None:
    if not raw:
        _later(lambda: _touched(instance))


def _touched(instance: Model) -> Changed:
    """Return what a saved row changes; one that is gone again by the end of its transaction was noted when it went."""
    return TOUCHED[type(instance)](instance) if instance.pk is not None else {}


def _before_delete(instance: Model, **_: Any) -> None:
    """Note the rows linked to one that is about to be deleted, as they can be found only now."""
    touched = {kind: list(keys) for kind, keys in TOUCHED[type(instance)](instance).items()}
    _later(lambda: touched)


def _linked(instance: Model, action: str, model: type[Model], pk_set: set[int] | None, **_: Any) -> None:
    """Records and their places; readings and their records, whichever of the two was linked to the other.

    A place has no entry of its own, and what else is there stays as it was.
    """
    if action == "pre_clear":
        _before_delete(instance)
    elif action in ("post_add", "post_remove"):
        if not isinstance(instance, models.Place):
            _later(partial(_touched, instance))
        if model is not models.Place:
            for other in model._default_manager.filter(pk__in=pk_set or ()):
                _later(partial(_touched, other))


def _later(change: Callable[[], Changed]) -> None:
    _waiting.changes.append(change)
    # A change that cannot be written into the index is named in the log; what was saved stays saved.
    transaction.on_commit(write_waiting, robust=True)


def write_waiting() -> None:
    """Write the noted changes into the index; changes of an undone transaction are written as they are."""
    from catalogue.search.indexing import index_changed  # words are analysed by those who write, not by every process

    changes, _waiting.changes = _waiting.changes, []
    keys: defaultdict[str, set[int]] = defaultdict(set)
    for change in changes:
        for kind, some in change().items():
            keys[kind].update(key for key in some if key is not None)
    if any(keys.values()):
        index_changed(keys)
