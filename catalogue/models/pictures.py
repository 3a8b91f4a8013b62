"""Pictures of sources and artefacts: what is told of each, who may see it, and where its file stands.

A file is named by a digest of its own bytes, so what stands under a name never changes. A picture is never deleted: one
that was taken down keeps its row, which says since when and why, and loses its file.
"""

from pathlib import Path
from typing import Any, ClassVar

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from simple_history.models import HistoricalRecords

from catalogue.models.evidence import Evidence, is_web_address
from catalogue.models.fields import NaturalKeyManager, NaturalKeyModel

DIGITS = 32  # hexadecimal ones of the SHA-256 of a file, which are its name
SMALL = "-small"  # behind the name of the file that pages show


class Rights(models.TextChoices):
    """On what terms a picture may be shown and passed on."""

    PUBLIC_DOMAIN = "public-domain", "public domain: no copyright is known"
    CC0 = "cc0", "CC0: dedicated to the public domain"
    CC_BY = "cc-by-4.0", "CC BY 4.0"
    CC_BY_SA = "cc-by-sa-4.0", "CC BY-SA 4.0"
    CC_BY_NC = "cc-by-nc-4.0", "CC BY-NC 4.0"
    CC_BY_NC_ND = "cc-by-nc-nd-4.0", "CC BY-NC-ND 4.0"
    PERMISSION = "permission", "shown here with permission"
    EDITORS_ONLY = "editors-only", "rights not cleared: only editors see it"


FREE = (Rights.PUBLIC_DOMAIN, Rights.CC0, Rights.CC_BY, Rights.CC_BY_SA)  # everybody may pass them on, in a dataset too
WITHOUT_CREDIT = (Rights.PUBLIC_DOMAIN, Rights.CC0, Rights.EDITORS_ONLY)
LICENCES = {
    Rights.PUBLIC_DOMAIN: "https://creativecommons.org/publicdomain/mark/1.0/",
    Rights.CC0: "https://creativecommons.org/publicdomain/zero/1.0/",
    Rights.CC_BY: "https://creativecommons.org/licenses/by/4.0/",
    Rights.CC_BY_SA: "https://creativecommons.org/licenses/by-sa/4.0/",
    Rights.CC_BY_NC: "https://creativecommons.org/licenses/by-nc/4.0/",
    Rights.CC_BY_NC_ND: "https://creativecommons.org/licenses/by-nc-nd/4.0/",
}


class PictureManager(NaturalKeyManager["Picture"]):
    def shown(self) -> "models.QuerySet[Picture]":
        """Those that everybody may see."""
        return self.filter(evidence__withdrawn_on=None, taken_down_on=None).exclude(rights=Rights.EDITORS_ONLY)


class Picture(NaturalKeyModel):
    """A picture of a page, of an author's drawing, or of an object, with its rights and its description."""

    key_fields = ("evidence", "number")

    class Kind(models.TextChoices):
        PAGE = "page", "page of the source"
        DRAWING = "drawing", "drawing by the author"
        OBJECT = "object", "the object itself"

    evidence = models.ForeignKey(Evidence, on_delete=models.PROTECT, related_name="pictures")
    number = models.PositiveSmallIntegerField(help_text="Counted within the record; it is given to no other picture.")
    kind = models.CharField("what it shows", max_length=10, choices=Kind)
    description = models.TextField(
        max_length=1_000, help_text="What is to be seen, for whoever cannot see it. From 10 to 1,000 characters."
    )
    origin = models.CharField(
        "where it is from",
        max_length=300,
        help_text="The page of the book; the collection and number of the object; who took it.",
    )
    address = models.CharField(
        max_length=500, blank=True, validators=[is_web_address], help_text="Where it can be seen, if it can."
    )
    rights = models.CharField(max_length=20, choices=Rights)
    credit = models.CharField(
        max_length=200, blank=True, help_text="Whom to name: needed by every licence, and for a permission."
    )
    file = models.CharField(max_length=80, editable=False, help_text="Its name goes by the digest of its bytes.")
    width = models.PositiveIntegerField(editable=False, help_text="In pixels.")
    height = models.PositiveIntegerField(editable=False, help_text="In pixels.")
    bytes = models.PositiveIntegerField(editable=False, help_text="Size of the file.")
    added = models.DateTimeField(auto_now_add=True)
    added_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, editable=False, related_name="+"
    )
    taken_down_on = models.DateField(null=True, blank=True, editable=False)
    taken_down_reason = models.TextField(
        "why it was taken down", max_length=500, blank=True, help_text="Every reader can see it."
    )

    objects: ClassVar[PictureManager] = PictureManager()
    history = HistoricalRecords()

    class Meta:
        ordering = ["evidence", "number"]
        permissions = [("take_down_picture", "Can take pictures down and change their rights")]
        indexes = [models.Index(fields=["file"], name="picture_by_file")]
        constraints = [
            models.UniqueConstraint(fields=["evidence", "number"], name="one_picture_of_a_number"),
            models.CheckConstraint(condition=~Q(description=""), name="picture_is_described"),
            models.CheckConstraint(
                condition=Q(taken_down_on__isnull=True) | ~Q(taken_down_reason=""), name="taken_down_for_a_reason"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.evidence}, picture {self.number}"

    def get_absolute_url(self) -> str:
        return f"{self.evidence.get_absolute_url()}#picture-{self.number}"

    def clean(self) -> None:
        if self.rights and self.rights not in WITHOUT_CREDIT and not self.credit.strip():
            raise ValidationError({"credit": f"“{self.get_rights_display()}” asks for a name: whom to credit."})

    @property
    def is_shown(self) -> bool:
        """Whether everybody may see it."""
        return self.taken_down_on is None and self.rights != Rights.EDITORS_ONLY

    @property
    def licence(self) -> str:
        """The address of its licence; empty if it has none."""
        return LICENCES.get(Rights(self.rights), "")

    @property
    def small(self) -> str:
        """The name of the smaller file, which pages show."""
        return f"{self.file.partition('.')[0]}{SMALL}.webp"

    @property
    def paths(self) -> tuple[Path, Path]:
        """Its files: whole, and as pages show it."""
        return picture_path(self.file), picture_path(self.small)

    @property
    def is_here(self) -> bool:
        """Whether its files are: a dataset brings only those that its licence lets everybody pass on."""
        return all(path.is_file() for path in self.paths)

    @property
    def shape(self) -> dict[str, Any]:
        """Width and height of the smaller file, for the page to keep its room."""
        share = min(1.0, settings.PICTURE_SHOWN_PIXELS / max(self.width, self.height, 1))
        return {"width": max(1, round(self.width * share)), "height": max(1, round(self.height * share))}


def picture_path(name: str) -> Path:
    return Path(settings.MEDIA_ROOT) / "pictures" / name
