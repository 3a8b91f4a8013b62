"""The room where everything begins: for editors the desk, and what waits on it; for visitors the way to a draft."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from catalogue.admin.desk import queues_of
from catalogue.models import Evidence
from catalogue.web.routes import route

SHOWN = 5  # of what waits, and of records that were entered last


@route("workshop/", name="workshop", elsewhere=False, queries=20)
@never_cache
def workshop(request: HttpRequest) -> HttpResponse:
    """What waits for somebody, and the guided way from a source to a game that can be played."""
    is_editor = request.user.has_perm("catalogue.change_evidence")
    unread = Evidence.objects.shown().filter(readings=None).exclude(quotation="", without_words=False)
    context = {
        "queues": list(queues_of(request)) if request.user.is_staff else [],
        "is_editor": is_editor,
        "newest": unread.select_related("game").order_by("-pk")[:SHOWN] if is_editor else (),
        "shown": SHOWN,
        "first": f":{SHOWN}",
        "rest": f"{SHOWN}:",
    }
    return render(request, "workshop/desk.html", context)
