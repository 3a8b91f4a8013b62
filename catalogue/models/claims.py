"""Claims: what a source says of how games go, and how that can be tested."""

from django.db import models
from django.urls import get_script_prefix
from simple_history.models import HistoricalRecords

from catalogue.models.fields import NaturalKeyModel
from catalogue.models.games import Game


class Claim(NaturalKeyModel):
    """A sentence about the course of games, with its operational tests."""

    key_fields = ("game", "slug")

    class JudgedBy(models.TextChoices):
        RANDOM = "random", "games of random players"
        STRONG = "strong", "games of strong players"
        NOTHING = "nothing", "nothing that can be simulated"

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="claims")
    slug = models.SlugField(max_length=60, help_text="Unique within the game.")
    title = models.CharField(max_length=200)
    text = models.TextField(help_text="What is claimed, in our words, and how it is taken.")
    judged_by = models.CharField(max_length=10, choices=JudgedBy)
    about_rules = models.BooleanField(
        default=False,
        db_default=False,
        help_text="It follows from the rules alone, and no player can change it; else it is about how people play.",
    )
    why_not = models.TextField(blank=True, help_text="Why it cannot be tested by simulation.")
    tests = models.JSONField(default=list, blank=True)
    limits = models.TextField(blank=True, help_text="What a verdict does not show.")
    position = models.PositiveSmallIntegerField(default=0)

    history = HistoricalRecords()

    class Meta:
        ordering = ["game", "position", "slug"]
        constraints = [models.UniqueConstraint(fields=["game", "slug"], name="one_claim_per_slug")]

    def __str__(self) -> str:
        return f"{self.game_id and self.game.slug}/{self.slug}"

    def get_absolute_url(self) -> str:
        return f"{get_script_prefix()}claims/{self.game.slug}/{self.slug}/"
