"""Pictures of a record: sent by an editor, described, with rights; corrected, and taken down by a curator.

What was sent is written anew before anything else is looked at, so a file that was taken need not be sent again when a
field was wrong: the form keeps a signed note of it. Files of notes that nobody came back with are thrown away by
`manage.py expire`.
"""

import datetime
import hashlib
import os
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core import signing
from django.core.exceptions import ValidationError
from django.core.validators import MinLengthValidator
from django.db import transaction
from django.db.models import Max, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from catalogue.history.histories import write_recorded
from catalogue.models import Evidence, Picture
from catalogue.models.lookup import NothingHere, record_called
from catalogue.models.pictures import DIGITS, picture_path
from catalogue.pages.answers import RefusableForm, form_page
from catalogue.permissions import TAKE_DOWN
from catalogue.web.routes import routes_below
from catalogue.workshop.encoding import PictureProblem, WrittenAnew, encode_apart
from simulator.locks import exclusive

MOST_BYTES = (settings.PICTURE_MB + 1) << 20  # of a form with a picture
MAY_ADD, MAY_CHANGE = "catalogue.add_picture", "catalogue.change_picture"
NOTE, NOTE_SECONDS = "catalogue.picture", 24 * 3600
FIRST, CORRECTED, TAKEN_DOWN = "Added in the workshop", "Corrected in the workshop", "Taken down"


def keep(made: WrittenAnew) -> dict[str, Any]:
    """Write both files, and return what a row has to say of them. Writing the same picture again changes nothing."""
    name = f"{hashlib.sha256(made.whole).hexdigest()[:DIGITS]}.{made.ending}"
    told = {"file": name, "width": made.width, "height": made.height, "bytes": len(made.whole)}
    for path, data in zip(Picture(**told).paths, (made.whole, made.small), strict=True):
        _write(path, data)
    return told


def _write(path: Path, data: bytes) -> None:
    """Nobody sees half a file; nobody but the site reads it, so that no proxy sends what was taken down."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".", delete=False) as unfinished:
        unfinished.write(data)
    os.chmod(unfinished.name, 0o640)
    os.replace(unfinished.name, path)


class PictureForm(RefusableForm, forms.ModelForm):
    """A picture with its rights and description. `kept` names a picture that was sent before."""

    picture = forms.FileField(
        required=False,
        help_text=f"PNG, JPEG, WebP or TIFF, at most {settings.PICTURE_MB} MB and {settings.PICTURE_MEGAPIXELS} "
        "megapixels. What a camera writes beside the pixels is left out.",
        widget=forms.FileInput(attrs={"accept": "image/png,image/jpeg,image/webp,image/tiff"}),
    )
    kept = forms.CharField(required=False, widget=forms.HiddenInput)

    class Meta:
        model = Picture
        fields = ("kind", "description", "origin", "address", "rights", "credit")
        widgets = {"description": forms.Textarea(attrs={"rows": 4}), "kind": forms.RadioSelect}
        labels = {"address": "Its address on the web, if it has one"}

    def __init__(self, *args: Any, record: Evidence, user: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.record, self.user = record, user
        self.told: dict[str, Any] = {}
        self.fields["kind"].choices = Picture.Kind.choices  # type: ignore[attr-defined]
        self.fields["description"].validators.append(MinLengthValidator(10))
        if self.instance.pk:
            del self.fields["picture"], self.fields["kept"]
            if not user.has_perm(TAKE_DOWN):
                self.fields["rights"].disabled = True
                self.fields["rights"].help_text = "Only a curator changes the rights of a picture that is here."

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if self.instance.pk:
            return cleaned
        try:
            self.told = self._told(cleaned)
        except (PictureProblem, ValidationError) as problem:
            self.add_error("picture", str(problem) if isinstance(problem, PictureProblem) else problem)
        return cleaned

    def _told(self, cleaned: dict[str, Any]) -> dict[str, Any]:
        """What is known of the file. Raises PictureProblem, ValidationError if there is none or no room for it."""
        sent = cleaned.get("picture")
        if sent is None:
            return self._of_note(cleaned.get("kept", ""))
        if sent.size > settings.PICTURE_MB << 20:
            raise PictureProblem(f"It has {sent.size / (1 << 20):.1f} MB, and at most {settings.PICTURE_MB} are taken.")
        check_room(self.record, self.user)
        told = keep(encode_apart(sent.read()))
        note = signing.dumps({**told, "user": self.user.pk}, salt=NOTE)
        self.data = {**self.data.dict(), "kept": note}  # type: ignore[attr-defined]  # it is shown with the form
        return told

    def _of_note(self, note: str) -> dict[str, Any]:
        if not note:
            raise ValidationError("Choose a picture.")
        try:
            told: dict[str, Any] = signing.loads(note, salt=NOTE, max_age=NOTE_SECONDS)
        except signing.BadSignature as problem:
            raise ValidationError("The picture is no longer kept: choose it again.") from problem
        if told.pop("user") != self.user.pk or not picture_path(told["file"]).is_file():
            raise ValidationError("The picture is no longer kept: choose it again.")
        return told

    @property
    def is_kept(self) -> bool:
        """Whether the picture need not be sent again."""
        return bool(self.told)

    def add(self) -> Picture:
        """Save the picture as the next of its record. Raises ValidationError if there is no room by now."""
        for name, value in self.told.items():
            setattr(self.instance, name, value)
        with transaction.atomic():
            exclusive("pictures")  # of two at once the second is counted too
            check_room(self.record, self.user)
            check_not_here(self.record, self.told["file"])
            last = self.record.pictures.aggregate(last=Max("number"))["last"] or 0
            self.instance.evidence, self.instance.number = self.record, last + 1
            self.instance.added_by = self.user
            self.instance._change_reason = FIRST
            self.instance.save()
        added: Picture = self.instance
        return added


def stray_files(seconds: float) -> Iterator[Path]:
    """Yield the files that no row names, and that were written so long ago: nobody came back to their forms."""
    folder = picture_path("x").parent
    names = {path.name for one in Picture.objects.filter(taken_down_on=None) for path in one.paths}
    old = time.time() - seconds
    for file in sorted(folder.iterdir()) if folder.is_dir() else ():
        if file.name not in names and file.stat().st_mtime <= old:
            yield file


def check_room(record: Evidence, user: Any) -> None:
    """Raises ValidationError that says which bound is reached."""
    shown = record.pictures.filter(taken_down_on=None).count()
    if shown >= settings.PICTURES_OF_A_RECORD:
        most = settings.PICTURES_OF_A_RECORD
        raise ValidationError(f"This record has {shown} pictures, and at most {most} are kept of one.")
    day = timezone.now() - datetime.timedelta(days=1)
    added = Picture.objects.filter(added_by=user, added__gt=day).count()
    if added >= settings.PICTURES_A_DAY:
        raise ValidationError(f"You have added {added} pictures within 24 hours, which is the most. Go on tomorrow.")
    taken = Picture.objects.filter(taken_down_on=None).aggregate(sum=Sum("bytes"))["sum"] or 0
    if taken >= settings.PICTURES_MB * 1_000_000:
        raise ValidationError(f"All pictures together have {taken // 1_000_000:,} MB, and there is no room for more.")


def check_not_here(record: Evidence, file: str) -> None:
    """Raises ValidationError if this picture is one of the record's, or was taken down wherever it stood."""
    same = Picture.objects.filter(file=file)
    if down := same.exclude(taken_down_on=None).first():
        raise ValidationError(
            f"This picture was taken down on {down.taken_down_on:%-d %B %Y}: {down.taken_down_reason}"
        )
    if twice := same.filter(evidence=record).first():
        raise ValidationError(f"This is picture {twice.number} of the record already.")


BELOW, EXAMPLE = "workshop/records/<str:identifier>/pictures/", "/workshop/records/DLP.Evidence.692/pictures/"
picture_route = routes_below(BELOW, EXAMPLE, elsewhere=False)
one_route = routes_below(f"{BELOW}<int:number>/", f"{EXAMPLE}1/", elsewhere=False)


def _record(identifier: str) -> Evidence:
    return record_called(Evidence.objects.shown().select_related("game"), identifier)


def _picture(identifier: str, number: int) -> Picture:
    record = _record(identifier)
    picture = record.pictures.filter(number=number).first()
    if picture is None:
        raise NothingHere(f"{record} has no picture {number}.")
    picture.evidence = record
    return picture


@picture_route("new/", name="new-picture", methods="GET POST", permission=MAY_ADD, most_bytes=MOST_BYTES)
def new_picture(request: HttpRequest, identifier: str) -> HttpResponse:
    """A picture of the page, of the author's drawing or of the object, with its rights and description."""
    record = _record(identifier)
    sent = (request.POST, request.FILES) if request.method == "POST" else ()
    form = PictureForm(*sent, record=record, user=request.user)
    if request.method == "POST" and form.is_valid():
        try:
            added = form.add()
        except ValidationError as problem:
            form.add_error("picture", problem)
        else:
            messages.success(request, f"Picture {added.number} is on the page of the record.")
            return redirect("record-in-workshop", identifier=record.identifier)
    return form_page(request, "workshop/picture.html", form, {"record": record, "kept": form.told})


@one_route(name="edit-picture", methods="GET POST", permission=MAY_CHANGE)
def edit_picture(request: HttpRequest, identifier: str, number: int) -> HttpResponse:
    picture = _picture(identifier, number)
    form = PictureForm(request.POST or None, instance=picture, record=picture.evidence, user=request.user)
    if request.method == "POST" and form.is_valid():
        write_recorded(picture, form.save, CORRECTED)
        messages.success(request, f"Picture {number} is saved.")
        return redirect("record-in-workshop", identifier=identifier)
    return form_page(request, "workshop/picture.html", form, {"record": picture.evidence, "picture": picture})


class TakeDownForm(RefusableForm, forms.Form):
    reason = forms.CharField(
        label="Why",
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Every reader can see it, where the picture stood and under its address.",
    )


@one_route("take-down/", name="take-down-picture", methods="GET POST", permission=TAKE_DOWN)
def take_down_picture(request: HttpRequest, identifier: str, number: int) -> HttpResponse:
    """Take a picture down for a reason: its files go, wherever it stands, and a note stays in its place."""
    picture = _picture(identifier, number)
    form = TakeDownForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        rows = take_down(picture.file, form.cleaned_data["reason"])
        where = f" It stood on {rows} records." if rows > 1 else ""
        messages.success(request, f"Picture {number} is taken down.{where}")
        return redirect("record-in-workshop", identifier=identifier)
    return form_page(request, "workshop/take_down.html", form, {"record": picture.evidence, "picture": picture})


def take_down(file: str, reason: str) -> int:
    """Take down every picture of this file, and return how many there were; the file itself goes last."""
    with transaction.atomic():
        rows = list(Picture.objects.filter(file=file, taken_down_on=None))
        for row in rows:
            row.taken_down_on, row.taken_down_reason = timezone.now().date(), reason
            row._change_reason = TAKEN_DOWN  # type: ignore[attr-defined]
            row.save()
        paths = rows[0].paths if rows else ()
        for path in paths:
            transaction.on_commit(partial(path.unlink, missing_ok=True))
    return len(rows)
