"""Identifiers: the name of a thing leads to the page or the document that tells of it."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from catalogue.identifiers.resolution import identifier_of, kind_of, nearest, resolve
from catalogue.models import Anchor
from catalogue.models.lookup import NothingHere, key_of
from catalogue.pages.linked_data import wants_linked_data
from catalogue.texts.errors import LONGEST_COMPARED, Suggested
from catalogue.web.addresses import page_of
from catalogue.web.routes import route


@route("id/<path:identifier>", name="identifier", identifies="{identifier}", example="/id/DLP.Evidence.692", status=303)
@require_safe
def identifier(request: HttpRequest, identifier: str) -> HttpResponse:
    """303 See Other: a name may stand for a game, which no server can send; its page it can.

    A page gives linked data itself to whoever asks for it; words of a record have none, but they are an annotation.
    """
    wanted = identifier.rstrip("/")
    row = resolve(wanted)
    if row is None:
        message = f"Nothing in this catalogue is called “{wanted[:LONGEST_COMPARED]}”."
        suggested = [Suggested(f"{kind_of(one).name} {key_of(one)}", identifier_of(one)) for one in nearest(wanted)]
        raise NothingHere(message, suggested)
    address = page_of(row)
    if isinstance(row, Anchor) and wants_linked_data(request):
        address = reverse("v1:annotation-detail", args=[row.key])
    response = HttpResponse(status=HTTPStatus.SEE_OTHER, headers={"Location": address})
    patch_vary_headers(response, ["Accept"])
    return response
