"""Readings: what a ruleset means.

The simulator knows a ruleset by its content only. A reading says whose understanding of which records it encodes, and
is tied to the simulator's named versions by its slug alone, so that either side can be loaded without the other.
"""

from typing import TYPE_CHECKING, Optional

from django.db import models
from django.urls import get_script_prefix
from simple_history.models import HistoricalRecords

from catalogue.models.evidence import Evidence
from catalogue.models.games import Game
from catalogue.models.natural_keys import NaturalKeyModel

if TYPE_CHECKING:
    from simulator.models import RulesetVersion


class Basis(models.TextChoices):
    """What a rule rests on."""

    STATED = "stated", "stated"
    ENTAILED = "entailed", "entailed"
    BY_ANALOGY = "by_analogy", "by analogy"
    OTHER_SOURCE = "other_source", "another source"
    CONJECTURE = "conjecture", "conjecture"


class Reading(NaturalKeyModel):
    """One executable understanding of a game; `slug` is also the slug of its ruleset versions."""

    class Kind(models.TextChoices):
        INTERPRETATION = "interpretation", "interpretation of a source"
        RECONSTRUCTION = "reconstruction", "reconstruction beyond the source"
        PROGRAM = "program", "how another programme plays it"
        REFERENCE = "reference", "modern game that checks the engine"

    slug = models.SlugField(max_length=100, unique=True)
    title = models.CharField(max_length=150)
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="readings")
    evidence = models.ManyToManyField(Evidence, related_name="readings", blank=True)
    authority = models.SlugField(max_length=40, db_index=True, help_text="For example parker, das-gupta, dlp, ludii.")
    kind = models.CharField(max_length=20, choices=Kind)
    summary = models.TextField(help_text="What is characteristic of this reading.")
    rests_on = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="rested_on_by",
        help_text="The reading whose clauses hold wherever both give a parameter the same value.",
    )
    rests_basis = models.CharField(max_length=15, choices=Basis, blank=True)
    rests_text = models.TextField(blank=True, help_text="Why it may rest on that reading.")
    encoded_by = models.CharField(max_length=100, blank=True)
    checked_by = models.CharField(max_length=100, blank=True)
    position = models.PositiveSmallIntegerField(default=0, help_text="Order among the readings of the game.")

    history = HistoricalRecords(m2m_fields=[evidence])

    class Meta:
        ordering = ["game", "position", "slug"]
        constraints = [models.UniqueConstraint(fields=["game", "authority"], name="one_reading_per_authority")]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return f"{get_script_prefix()}rulesets/{self.slug}/"

    @property
    def ruleset_version(self) -> Optional["RulesetVersion"]:
        """The newest version of that name in the simulator, or None if none has been loaded."""
        from simulator.models import RulesetVersion

        return RulesetVersion.objects.filter(slug=self.slug).select_related("ruleset").order_by("-number").first()
