"""Throw away what is only a cache and has had its time; what somebody may cite stays. For a timer, once a day."""

import datetime
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from django.apps import apps
from django.contrib.sessions.models import Session
from django.db.models import QuerySet
from django.utils import timezone

from catalogue.models import Draft, Suggestion
from catalogue.web.files import old_files
from catalogue.workshop.pictures import NOTE_SECONDS, stray_files
from simulator.engine import kernel_cache
from simulator.management.command_line import SimulatorCommand, add_common_arguments
from simulator.models import Batch, GameRecord, Reply
from simulator.problems import whole_number

KEPT_DAYS, MOST_DAYS = 90, 3650
AT_ONCE = 500  # rows of a transaction, so that whoever writes meanwhile does not wait long
DAY = datetime.timedelta(days=1)
LOGINS_KEPT = 30 * DAY


@dataclass(frozen=True, slots=True)
class Expired:
    """what: in words; number: how many of them are gone, or would go"""

    what: str
    number: int


def expire(age: datetime.timedelta, dry_run: bool = False) -> Iterator[Expired]:
    """Delete expired rows, and yield the number of each kind. age: how long computed rows are kept

    Batches with their rows and plots, comparisons, studies, solutions, ladders, verdicts and rulesets never expire:
    somebody may cite them. The keys of the shared cache have a time of their own.
    """
    old = timezone.now() - age
    yield Expired("sessions that are over", _delete(Session.objects.filter(expire_date__lt=timezone.now()), dry_run))
    yield Expired("games told turn by turn", _delete(GameRecord.objects.filter(created__lt=old), dry_run))
    yield Expired("replies of players", _delete(Reply.objects.filter(created__lt=old), dry_run))
    yield Expired("visitors' batches without a result", _delete(_unplayed(old), dry_run))
    yield Expired("drafts of visitors that nobody goes on with", _delete(Draft.expired(), dry_run))
    marks = sum(_forget_visitors(model, dry_run) for model in (Batch, Reply, Suggestion, Draft))
    yield Expired("marks of visitors, which bounds count for an hour", marks)
    yield Expired("failed and other attempts to log in", _delete_login_attempts(dry_run))
    yield Expired("files of tables and archives that nobody asked for", _delete_files(age, dry_run))
    yield Expired("pictures that were sent and never described", _delete_pictures(dry_run))
    yield Expired("folders of kernels of other versions", _delete_kernels(dry_run))


def _unplayed(old: datetime.datetime) -> QuerySet[Batch]:
    """Batches that were cancelled or failed, and are in no comparison; a new request plays them under the same name."""
    ended = Batch.objects.filter(state__in=(Batch.State.CANCELLED, Batch.State.FAILED), created__lt=old)
    return ended.filter(origin=Batch.Origin.VISITOR, compared=None)


def _delete(rows: QuerySet[Any], dry_run: bool) -> int:
    if dry_run:
        return rows.count()
    return _in_batches(rows, lambda some: some.delete())


def _forget_visitors(model: Any, dry_run: bool) -> int:
    old = timezone.now() - DAY
    rows = model.objects.filter(created__lt=old).exclude(visitor="")
    if model is Batch:
        rows = rows.exclude(charged__gte=old)
    return rows.count() if dry_run else _in_batches(rows, lambda some: some.update(visitor=""))


def _delete_login_attempts(dry_run: bool) -> int:
    """Attempts to log in that are counted no more, where the throttle of logins is installed."""
    if not apps.is_installed("axes"):
        return 0
    old = timezone.now() - LOGINS_KEPT
    models = (model for model in apps.get_app_config("axes").get_models() if hasattr(model, "attempt_time"))
    return sum(_delete(model._default_manager.filter(attempt_time__lt=old), dry_run) for model in models)


def _delete_files(age: datetime.timedelta, dry_run: bool) -> int:
    found = list(old_files(age.total_seconds()))
    for file in () if dry_run else found:
        file.unlink(missing_ok=True)
    return len(found)


def _delete_pictures(dry_run: bool) -> int:
    found = list(stray_files(2 * NOTE_SECONDS))
    for file in () if dry_run else found:
        file.unlink(missing_ok=True)
    return len(found)


def _delete_kernels(dry_run: bool) -> int:
    old = len(kernel_cache.old_folders())
    if not dry_run:
        kernel_cache.remove_old()  # as whoever compiles does
    return old


def _in_batches(rows: QuerySet[Any], do: Callable[[QuerySet[Any]], object]) -> int:
    """Delete rows a few at a time, and return their number."""
    keys, number = iter(list(rows.order_by("pk").values_list("pk", flat=True))), 0
    while some := list(islice(keys, AT_ONCE)):
        do(rows.model._default_manager.filter(pk__in=some))
        number += len(some)
    return number


class Command(SimulatorCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        about = "how long games told, replies of players and files are kept (default %(default)s)"
        parser.add_argument("--days", default=KEPT_DAYS, help=about)
        parser.add_argument("--dry-run", action="store_true", help="say how many there are, and throw nothing away")
        add_common_arguments(parser, "--json")

    def handle(self, **options: Any) -> None:
        age = datetime.timedelta(days=whole_number("days", options["days"], 1, MOST_DAYS))
        found = [asdict(expired) for expired in expire(age, options["dry_run"])]
        self.print_answer(found, lambda rows: "\n".join(map("{number:>9,}  {what}".format_map, rows)), options["json"])
