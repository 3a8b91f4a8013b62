"""The operators' page: which workers there are, what waits and is played, which batches run or failed, the disk."""

from typing import Any

from celery import current_app
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from kombu.exceptions import OperationalError

from simulator import health
from simulator.models import Batch, Worker

SHOWN = 20  # batches of each kind
LOOKS = (health.database, health.broker, health.workers, health.kernel_cache, health.disk)


@admin.register(Worker)
class WorkerAdmin(admin.ModelAdmin):
    """Nothing is typed here: workers write their rows themselves."""

    change_list_template = "admin/workers.html"
    list_display = ("name", "is_alive", "takes_from", "processes", "plays", "started", "heartbeat")
    list_display_links = None
    actions = ("stop", "forget")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        return False

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
    """What the page shows besides the workers themselves."""
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
