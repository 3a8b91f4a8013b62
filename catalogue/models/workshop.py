"""Drafts of the workshop: a reading that is being made of a record, which only its maker sees.

Clauses and questions stand in a draft as the files of the apparatus have them, so that what is published, exported and
loaded is one form. A ruleset is a row only once it is played; a draft keeps its document as it is, whether it can be
played yet or not.
"""

import datetime
import secrets
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.urls import get_script_prefix
from django.utils import timezone

from catalogue.models.apparatus import Basis, Reading
from catalogue.models.evidence import Evidence, Game

KEPT_DAYS = 14  # of a visitor's draft, from its last change
NOTICE_DAYS = 3  # before it is thrown away
LARGEST_DRAFT = 600_000  # characters of its clauses, questions and rules together


def new_key() -> str:
    """64 random bits: the address of a draft cannot be guessed."""
    return secrets.token_hex(8)


class Draft(models.Model):
    """A reading that is being made.

    maker, visitor: who makes it; of a visitor, whose session knows its key, a keyed digest of his address
    document: the ruleset, as its file has it; clauses, questions: as the file of the apparatus has them
    number:  rises with each saving; who saves an older one is shown both
    before:  what savings changed, so that they can be undone, and what was undone, so that it can be brought back
    taken_from: the draft of a reader that an editor has taken over
    parent:  the version, "jodu-parker@1", that the published ruleset comes after; empty for a new reading
    """

    class State(models.TextChoices):
        OPEN = "open", "being made"
        SENT = "sent", "sent to the editors"
        PUBLISHED = "published", "published"

    key = models.CharField(max_length=16, unique=True, default=new_key, editable=False)
    maker = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="drafts"
    )
    visitor = models.CharField(max_length=32, blank=True, default="", editable=False)
    state = models.CharField(max_length=10, choices=State, default=State.OPEN, db_index=True)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="drafts")
    records = models.ManyToManyField(Evidence, related_name="drafts", blank=True)
    title = models.CharField(max_length=150, blank=True)
    authority = models.SlugField(max_length=40, blank=True)
    kind = models.CharField(max_length=20, choices=Reading.Kind, default=Reading.Kind.INTERPRETATION)
    summary = models.TextField(blank=True)
    encoded_by = models.CharField(max_length=100, blank=True)
    document = models.JSONField(default=dict)
    clauses = models.JSONField(default=list)
    questions = models.JSONField(default=list)
    rests_on = models.ForeignKey(Reading, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    rests_basis = models.CharField(max_length=15, choices=Basis, blank=True)
    rests_text = models.TextField(blank=True)
    parent = models.CharField(max_length=120, blank=True)
    taken_from = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    published_as = models.CharField(max_length=120, blank=True)
    number = models.PositiveIntegerField(default=0)
    before = models.JSONField(null=True, blank=True)
    created = models.DateTimeField(auto_now_add=True)
    changed = models.DateTimeField(auto_now=True, db_index=True)

    class Meta:
        ordering = ["-changed"]
        permissions = [("publish_draft", "Can publish drafts as readings"), ("sign_reading", "Can sign readings")]

    def __str__(self) -> str:
        return self.title or f"A reading of {self.game}"

    def get_absolute_url(self) -> str:
        return f"{get_script_prefix()}workshop/drafts/{self.key}/"

    def clean(self) -> None:
        if sum(len(str(part)) for part in (self.clauses, self.questions, self.document)) > LARGEST_DRAFT:
            raise ValidationError(f"A draft has at most {LARGEST_DRAFT:,} characters.")

    @property
    def trail(self) -> dict[str, list[dict[str, Any]]]:
        """Earlier states that undoing brings back, and undone ones, the newest last; of each what it has otherwise."""
        kept = self.before or {}
        return {"done": kept.get("done", []), "undone": kept.get("undone", [])}

    @property
    def expires(self) -> datetime.date | None:
        """The day after which a visitor's draft may be thrown away; None of one that is kept."""
        if self.maker_id or self.state != self.State.OPEN:
            return None
        return (self.changed + datetime.timedelta(days=KEPT_DAYS)).date()

    @property
    def is_nearly_over(self) -> bool:
        """Whether a visitor's draft will be thrown away within three days."""
        return bool(self.expires and self.expires - timezone.now().date() <= datetime.timedelta(days=NOTICE_DAYS))

    @classmethod
    def expired(cls) -> "models.QuerySet[Draft]":
        """Drafts of visitors that nobody has changed for so long."""
        old = timezone.now() - datetime.timedelta(days=KEPT_DAYS + 1)
        return cls.objects.filter(maker=None, state=cls.State.OPEN, changed__lt=old)
