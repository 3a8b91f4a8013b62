"""The room where everything begins: for editors the desk, and what waits on it; for visitors the way to a draft."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache

from catalogue.admin.desk import queues_of
from catalogue.models import Evidence
from catalogue.web.routes import route
from catalogue.workshop.ownership import draft_by_link, go_on_with

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


@route(
    "workshop/drafts/<slug:key>/open/<slug:proof>/",
    example="/workshop/drafts/0/open/0/",
    methods="GET POST",
    status=404,
    elsewhere=False,
)
@never_cache
def open_draft(request: HttpRequest, key: str, proof: str) -> HttpResponse:
    """A visitor's draft by its private link: it is gone on with in the browser that opens it."""
    draft = draft_by_link(key, proof)
    if request.method == "POST":
        go_on_with(request, draft)
        messages.success(request, "You go on with this draft here.")
        return redirect(draft)
    return render(request, "workshop/open.html", {"draft": draft})
