"""Suggestions: what readers tell the editors about a record, reviewed in the admin."""

from django.conf import settings
from django.core.validators import MaxLengthValidator, MinLengthValidator
from django.db import models
from django.db.models.functions import Length
from django.db.models.lookups import LessThanOrEqual

from catalogue.models.evidence import Evidence

LONGEST_TEXT = 4000


class Suggestion(models.Model):
    """new → accepted or declined, by an editor. Nothing of it is shown on a page.

    visitor: a keyed digest of the address it came from, never the address
    """

    class Kind(models.TextChoices):
        PROBLEM = "problem", "report a problem"
        READING = "reading", "propose a reading"

    class State(models.TextChoices):
        NEW = "new", "new"
        ACCEPTED = "accepted", "accepted"
        DECLINED = "declined", "declined"

    kind = models.CharField(max_length=10, choices=Kind)
    evidence = models.ForeignKey(Evidence, on_delete=models.CASCADE, related_name="suggestions")
    text = models.TextField(
        max_length=LONGEST_TEXT, validators=[MinLengthValidator(10), MaxLengthValidator(LONGEST_TEXT)]
    )
    name = models.CharField(max_length=100, blank=True)
    email = models.EmailField("e-mail", max_length=200, blank=True)
    state = models.CharField(max_length=10, choices=State, default=State.NEW, db_index=True)
    visitor = models.CharField(max_length=32, blank=True, default="", editable=False)
    created = models.DateTimeField(auto_now_add=True)
    reviewed = models.DateTimeField(null=True, blank=True, editable=False)
    reviewed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, editable=False, related_name="+"
    )
    answer = models.TextField(blank=True, help_text="The editors' remark.")

    class Meta:
        ordering = ["-created"]
        indexes = [models.Index(fields=["created"], name="suggestion_by_time")]
        constraints = [
            models.CheckConstraint(
                condition=LessThanOrEqual(Length("text"), LONGEST_TEXT), name="suggestion_not_too_long"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.evidence}"
