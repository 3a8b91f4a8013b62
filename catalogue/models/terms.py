"""Terms: what players call their boards, counters, throws and moves, as the records print it."""

from typing import ClassVar

from django.db import models
from django.urls import get_script_prefix

from catalogue.models.apparatus import Anchor
from catalogue.models.evidence import Evidence
from catalogue.models.fields import VerbatimTextField
from catalogue.models.natural_keys import NaturalKeyManager, NaturalKeyModel


class TermManager(NaturalKeyManager["Term"]):
    def shown(self) -> "models.QuerySet[Term]":
        """Those of records that readers may see."""
        return self.filter(evidence__withdrawn_on=None)


class Term(NaturalKeyModel):
    """One word of the players' language in one record, and the words of the record that give it."""

    key_fields = ("evidence", "slug")

    evidence = models.ForeignKey(Evidence, on_delete=models.CASCADE, related_name="terms")
    slug = models.SlugField(max_length=60, help_text="Unique within the record.")
    word = models.CharField(max_length=60, help_text="As the record prints it.")
    language = models.CharField(max_length=50, blank=True, help_text="Only if the record says so.")
    meaning = models.CharField(max_length=200, help_text="What is called so.")
    field = models.CharField(max_length=10, choices=Anchor.Field, default=Anchor.Field.QUOTATION)
    exact = VerbatimTextField(help_text="The words of the record that give it.")

    objects: ClassVar[TermManager] = TermManager()

    class Meta:
        ordering = ["evidence", "slug"]
        constraints = [models.UniqueConstraint(fields=["evidence", "slug"], name="one_term_per_slug")]

    def __str__(self) -> str:
        return f"{self.evidence}: {self.slug}"

    def get_absolute_url(self) -> str:
        return f"{get_script_prefix()}terms/#{self.place_on_page}"

    @property
    def place_on_page(self) -> str:
        """Among the terms of all records."""
        return f"{self.evidence.identifier}-{self.slug}"
