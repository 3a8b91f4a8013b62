"""The files of pictures under addresses of their own: for everybody, for editors only, or a note where one stood."""

from http import HTTPStatus

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render

from catalogue.models import Evidence, Picture
from catalogue.models.lookup import NothingHere
from catalogue.models.pictures import SMALL, picture_path
from catalogue.web.conditional import keep_for_nobody
from catalogue.web.files import About, send
from catalogue.web.routes import route

KINDS = {"png": "image/png", "webp": "image/webp"}
MAY_SEE = "catalogue.view_picture"  # also those whose rights are not cleared


@route("pictures/<str:name>", name="picture-file", example="/pictures/{picture}")
def picture_file(request: HttpRequest, name: str) -> HttpResponseBase:
    """The picture, whole or as pages show it; the reason, where it was taken down."""
    stem, _, ending = name.rpartition(".")
    file = stem.removesuffix(SMALL)
    rows = list(Picture.objects.filter(file__in=[f"{file}.{one}" for one in KINDS]).select_related("evidence"))
    rows = [row for row in rows if name in (row.file, row.small)]
    if not rows or ending not in KINDS:
        raise NothingHere("There is no picture of this name.")
    if all(row.taken_down_on for row in rows):
        return render(request, "catalogue/picture_gone.html", {"picture": rows[0]}, status=HTTPStatus.GONE)
    for_everybody = any(row.is_shown and not row.evidence.withdrawn_on for row in rows)
    if not for_everybody:
        keep_for_nobody()
        if not request.user.has_perm(MAY_SEE):
            raise NothingHere("There is no picture of this name for everybody to see.")
    path = picture_path(name)
    if not path.is_file():
        raise NothingHere("The file of this picture is not here: a dataset brings only those that its licence allows.")
    about = About(name, KINDS[ending], name, is_shown=True, is_final=False)
    answer = send(request, path, about)
    if not for_everybody:
        answer["Cache-Control"] = "private, no-store"
        answer["Cross-Origin-Resource-Policy"] = "same-origin"
    return answer


def pictures_for(request: HttpRequest, record: Evidence) -> list[Picture]:
    """The pictures of a record that a reader sees, and the notes where others stood."""
    rows = Picture.objects.filter(evidence=record).order_by("number")
    return [row for row in rows if row.is_shown or row.taken_down_on or request.user.has_perm(MAY_SEE)]
