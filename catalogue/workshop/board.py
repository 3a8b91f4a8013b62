"""The board of a draft on a page of its own: what makes it, parameter by parameter, and how it looks."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from catalogue.models import Draft
from catalogue.play.game_view import start_board
from catalogue.workshop import checking
from catalogue.workshop.drafts import board_fields, draft_route
from catalogue.workshop.ownership import draft_called, is_own


@draft_route("board/", name="draft-board", status=404)
@never_cache
def board(request: HttpRequest, key: str) -> HttpResponse:
    draft = draft_called(request, key)
    found = checking.checked(draft.document)
    ruleset = found.ruleset or found.near
    context = {
        "draft": draft,
        "is_own": is_own(request, draft) and draft.state == Draft.State.OPEN,
        "found": found,
        "board": start_board(ruleset) if ruleset else None,
        "board_fields": board_fields(draft),
    }
    return render(request, "workshop/board.html", context)
