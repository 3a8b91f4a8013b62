"""What operators see to: analyses that wait or have failed, workers and their queues, log-ins and tokens.

Analyses are looked at, cancelled and thrown away; nothing of them is typed. The package that bounds guesses of
passwords locks a name together with an address, so that a stranger cannot lock an editor out; it is the same for names
that nobody has, so that it discloses none. Many addresses that try one name, or one that tries many names, stay below
that bound, and meet higher ones: an editor whom strangers guess at logs in from an address of his own until that many
have been counted, and a reading room behind one address is not locked out by a few who mistype.
"""

from http import HTTPStatus
from typing import Any, ClassVar

from axes.attempts import get_cool_off_threshold
from axes.handlers.database import AxesDatabaseHandler
from axes.helpers import get_client_username
from axes.models import AccessAttempt
from celery import current_app
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.views.main import ChangeList
from django.db.models import Q, QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from kombu.exceptions import OperationalError

from catalogue import models
from catalogue.admin.forms import Untyped
from catalogue.analyses.comparisons import COMPARISONS
from catalogue.analyses.studies import STUDIES
from catalogue.analyses.wear_studies import WEAR
from catalogue.models import Comparison, Study, WearStudy
from catalogue.permissions import CANCEL
from catalogue.web.addresses import UNKNOWN, address_of
from simulator import health
from simulator.analyses.ladders import LADDERS
from simulator.analyses.protocol import CANCELLED_BY_EDITORS, AnalysisKind, AnalysisStatus
from simulator.models import Analysis, Batch, Ladder, Worker


class AnalysisList(ChangeList):
    """The states of the analyses on the page, found together."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        rows: list[Any] = list(self.result_list)
        kind: AnalysisKind[Any, Any] = self.model_admin.kind  # type: ignore[attr-defined]
        statuses = kind.statuses(rows)
        for row in rows:
            row.status = statuses[row.pk]
        self.result_list = rows


class AnalysisAdmin(Untyped, admin.ModelAdmin):
    """kind: of analysis"""

    kind: ClassVar[AnalysisKind[Any, Any]]
    own: ClassVar[tuple[str, ...]]  # what is shown of its request

    actions = ("cancel",)

    def get_list_display(self, request: HttpRequest) -> tuple[str, ...]:
        return ("id", *self.own, "status", "batches_needed", "created")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("id", *self.own, "status", "why", "batches_needed", "announced", "created")

    def get_queryset(self, request: HttpRequest) -> "QuerySet[Any]":
        return self.kind.rows().exclude(state=Analysis.State.DONE).order_by("-created", "id").defer("document")

    def get_changelist(self, request: HttpRequest, **options: Any) -> type[ChangeList]:
        return AnalysisList

    def has_cancel_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(CANCEL)

    @admin.display(description="state")
    def status(self, row: Any) -> str:
        return self._status(row).state

    @admin.display
    def why(self, row: Any) -> str:
        return self._status(row).why

    @admin.display(description="batches")
    def batches_needed(self, row: Any) -> str:
        ids = self.kind.batch_ids(row)
        return f"{len(ids)}: {', '.join(ids)}"[:200]

    def _status(self, row: Any) -> AnalysisStatus:
        """Return the status that the list has found, or find that of this worker."""
        found: AnalysisStatus = getattr(row, "status", None) or self.kind.statuses([row])[row.pk]
        return found

    @admin.action(description="Cancel the chosen ones, and stop their games", permissions=["cancel"])
    def cancel(self, request: HttpRequest, chosen: "QuerySet[Any]") -> None:
        statuses = self.kind.statuses(chosen)
        waiting = [row for row in chosen if statuses[row.pk].state in (AnalysisStatus.PLAYED, AnalysisStatus.COMPUTED)]
        stopped = 0
        for row in waiting:
            stopped += self.kind.cancel(row, CANCELLED_BY_EDITORS)
            self.log_change(request, row, "Cancelled.")
        words = f"{len(waiting)} of {len(chosen)} {self.kind.plural} cancelled, {stopped} batches stopped."
        self.message_user(request, words)


@admin.register(Comparison)
class ComparisonAdmin(AnalysisAdmin):
    kind, own = COMPARISONS, ("names", "players")
    search_fields = ("id", "error")


@admin.register(Study)
class StudyAdmin(AnalysisAdmin):
    kind, own = STUDIES, ("game", "terms")
    list_filter = ("game",)
    search_fields = ("id", "game__name", "error")


@admin.register(WearStudy)
class WearStudyAdmin(AnalysisAdmin):
    kind, own = WEAR, ("record", "candidates", "terms")
    list_filter = ("record",)
    search_fields = ("id", "record__identifier", "error")


@admin.register(Ladder)
class LadderAdmin(AnalysisAdmin):
    kind, own = LADDERS, ("ruleset", "request")
    search_fields = ("id", "ruleset__versions__slug", "error")


SHOWN = 20  # batches of each kind
LOOKS = (health.database, health.broker, health.workers, health.kernel_cache, health.disk)


@admin.register(Worker)
class WorkerAdmin(Untyped, admin.ModelAdmin):
    """Workers, which write their rows themselves."""

    change_list_template = "admin/workers.html"
    list_display = ("name", "is_alive", "takes_from", "processes", "plays", "started", "heartbeat")
    list_display_links = None
    actions = ("stop", "forget")

    def has_delete_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        return False

    def has_operate_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("simulator.operate_worker")

    @admin.display(description="alive", boolean=True)
    def is_alive(self, worker: Worker) -> bool:
        return worker.heartbeat >= timezone.now() - Worker.silence()

    @admin.display(description="takes from")
    def takes_from(self, worker: Worker) -> str:
        return ", ".join(worker.queues)

    @admin.display(description="can play")
    def plays(self, worker: Worker) -> str:
        return ", ".join(f"{family} {version}" for family, version in worker.versions.items())

    @admin.action(description="Stop once they have finished what they play; their service starts them anew")
    def stop(self, request: HttpRequest, chosen: QuerySet[Worker]) -> None:
        names = [worker.name for worker in chosen]
        try:
            current_app.control.shutdown(destination=names)
        except (OperationalError, OSError) as error:
            self.message_user(request, f"The broker does not answer: {error}", "ERROR")
            return
        self.message_user(request, f"Told to stop: {', '.join(names)}.")

    @admin.action(description="Forget those that are silent")
    def forget(self, request: HttpRequest, chosen: QuerySet[Worker]) -> None:
        silent = [worker.pk for worker in chosen if not self.is_alive(worker)]
        Worker.objects.filter(pk__in=silent).delete()
        self.message_user(request, f"{len(silent)} of {len(chosen)} forgotten; the others live.")

    stop.allowed_permissions = forget.allowed_permissions = ("operate",)  # type: ignore[attr-defined]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return super().changelist_view(request, {**operation(), "title": "Workers and queues"})


def operation() -> dict[str, Any]:
    """Return what the page shows besides the workers themselves."""
    batches = Batch.objects.select_related("ruleset").defer("tally", "summary")
    running = batches.filter(state=Batch.State.RUNNING).order_by("created")
    failed = batches.filter(state=Batch.State.FAILED).order_by("-created")
    return {
        "queues": health.queues(),
        "claimed": health.claimed()[:SHOWN],
        "recent": health.recent(),
        "counts": health.open_batches(),
        "shown": [("running", running[:SHOWN]), ("failed", failed[:SHOWN])],
        "looks": list(health.looked(*LOOKS)),
    }


class LoginThrottle(AxesDatabaseHandler):
    """Speaks of failures in parts of each bound: AXES_FAILURE_LIMIT of them are a bound that is reached."""

    def get_failures(self, request: Any, credentials: dict[str, str] | None = None) -> int:
        name, recent = get_client_username(request, credentials), get_cool_off_threshold(request)
        own, everywhere = Q(ip_address=request.axes_ip_address), Q(username=name)
        counts = AccessAttempt.objects.filter(own | everywhere, attempt_time__gte=recent).aggregate(
            both=Sum("failures_since_start", filter=own & everywhere, default=0),
            address=Sum("failures_since_start", filter=own, default=0),
            name=Sum("failures_since_start", filter=everywhere, default=0),
        )
        limit = settings.AXES_FAILURE_LIMIT
        bounds = {"both": limit, "address": settings.GUESSES_OF_AN_ADDRESS, "name": settings.GUESSES_OF_A_NAME}
        return max(int(counts[one]) * limit // bound for one, bound in bounds.items())


def counted_address(request: HttpRequest) -> str | None:
    """The address that guesses are counted by, as the database keeps one: of a network its first."""
    counted = address_of(request).partition("/")[0]
    return None if counted == UNKNOWN else counted


def locked(request: HttpRequest, response: HttpResponse | None = None, credentials: Any = None) -> HttpResponse:
    seconds = int(settings.AXES_COOLOFF_TIME.total_seconds())
    answer = render(request, "admin/locked.html", {"minutes": seconds // 60}, status=HTTPStatus.TOO_MANY_REQUESTS)
    answer["Retry-After"] = str(seconds)
    return answer


@admin.register(AccessAttempt)
class FailedLoginAdmin(Untyped, admin.ModelAdmin):
    """Names that were given with a wrong password. Whoever deletes one lets that name try again at once."""

    list_display = ("username", "ip_address", "failures_since_start", "attempt_time")
    search_fields = ("username", "ip_address")
    fields = readonly_fields = ("username", "ip_address", "failures_since_start", "attempt_time", "user_agent")


@admin.register(models.ReadingToken)
class ReadingTokenAdmin(admin.ModelAdmin):
    list_display = (
        "name",
        "owner",
        "contact",
        "requests_per_minute",
        "requests_per_hour",
        "expires",
        "revoked",
        "last_day_used",
    )
    list_select_related = ("owner",)
    search_fields = ("name", "contact", "owner__username")
    readonly_fields = ("created", "last_day_used", "revoked")
    actions = ("revoke",)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        return {"owner": request.user.pk, **super().get_changeform_initial_data(request)}

    def save_model(self, request: HttpRequest, obj: models.ReadingToken, form: Any, change: bool) -> None:
        token = "" if change else obj.new_token()
        obj.save()
        if token:
            message = f"The token of {obj}, shown only now: {token} – sent as “Authorization: Bearer {token}”."
            messages.warning(request, message)

    @admin.action(description="Revoke the chosen tokens, for good", permissions=["change"])
    def revoke(self, request: HttpRequest, chosen: QuerySet[models.ReadingToken]) -> None:
        open_tokens = chosen.filter(revoked=None)
        for token in open_tokens:
            self.log_change(request, token, "Revoked.")
        revoked = open_tokens.update(revoked=timezone.now())
        self.message_user(request, f"{revoked} of {len(chosen)} tokens revoked; the others were already.")
