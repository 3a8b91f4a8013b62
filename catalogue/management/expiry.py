"""What is only a cache and has had its time: thrown away, since it can be had again or nobody needs it any more.

What somebody may cite never expires: batches with their rows and plots, comparisons, studies, solutions, ladders,
verdicts, and rulesets, whose addresses are made of their hash. The shared cache is not looked at here: each of its keys
has a time of its own.
"""

import datetime
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.apps import apps
from django.contrib.sessions.models import Session
from django.db.models import QuerySet
from django.utils import timezone

from catalogue.models import Suggestion
from catalogue.web.files import old_files
from simulator.engine import kernel_cache
from simulator.models import Batch, GameRecord, Reply

AT_ONCE = 500  # rows of a transaction, so that whoever writes meanwhile does not wait long
DAY = datetime.timedelta(days=1)
LOGINS_KEPT = 30 * DAY


@dataclass(frozen=True, slots=True)
class Expired:
    """what: in words; number: how many of them are gone, or would go"""

    what: str
    number: int


def expire(age: datetime.timedelta, dry_run: bool = False) -> Iterator[Expired]:
    """age: how long thoughts of the engine are kept after they were asked for"""
    old = timezone.now() - age
    yield Expired("sessions that are over", _gone(Session.objects.filter(expire_date__lt=timezone.now()), dry_run))
    yield Expired("games told turn by turn", _gone(GameRecord.objects.filter(created__lt=old), dry_run))
    yield Expired("replies of players", _gone(Reply.objects.filter(created__lt=old), dry_run))
    yield Expired("visitors' batches without a result", _gone(_fruitless(old), dry_run))
    marks = sum(_forgotten(model, dry_run) for model in (Batch, Reply, Suggestion))
    yield Expired("marks of visitors, which bounds count for an hour", marks)
    yield Expired("failed and other attempts to log in", _attempts(dry_run))
    yield Expired("files of tables and archives that nobody asked for", _files(age, dry_run))
    yield Expired("folders of kernels of other versions", _old_kernels(dry_run))


def _fruitless(old: datetime.datetime) -> QuerySet[Batch]:
    """Cancelled or failed, and in no comparison: asked for again, they are played again under the same name."""
    ended = Batch.objects.filter(state__in=(Batch.State.CANCELLED, Batch.State.FAILED), created__lt=old)
    return ended.filter(origin=Batch.Origin.VISITOR, compared=None)


def _gone(rows: QuerySet[Any], dry_run: bool) -> int:
    if dry_run:
        return rows.count()
    return _in_parts(rows, lambda some: some.delete())


def _forgotten(model: Any, dry_run: bool) -> int:
    rows = model.objects.filter(created__lt=timezone.now() - DAY).exclude(visitor="")
    return rows.count() if dry_run else _in_parts(rows, lambda some: some.update(visitor=""))


def _attempts(dry_run: bool) -> int:
    """Of the throttle of logins, where one is installed."""
    if not apps.is_installed("axes"):
        return 0
    old = timezone.now() - LOGINS_KEPT
    models = (model for model in apps.get_app_config("axes").get_models() if hasattr(model, "attempt_time"))
    return sum(_gone(model._default_manager.filter(attempt_time__lt=old), dry_run) for model in models)


def _files(age: datetime.timedelta, dry_run: bool) -> int:
    found = list(old_files(age.total_seconds()))
    for file in () if dry_run else found:
        file.unlink(missing_ok=True)
    return len(found)


def _old_kernels(dry_run: bool) -> int:
    old = len(kernel_cache.old_folders())
    if not dry_run:
        kernel_cache.remove_old()  # as whoever compiles does
    return old


def _in_parts(rows: QuerySet[Any], do: Callable[[QuerySet[Any]], object]) -> int:
    """Every row, a few at a time; returns how many."""
    keys, number = iter(list(rows.order_by("pk").values_list("pk", flat=True))), 0
    while some := list(islice(keys, AT_ONCE)):
        do(rows.model._default_manager.filter(pk__in=some))
        number += len(some)
    return number
