"""Claims: what a source says of how games go, how that can be tested, and the verdicts that a command wrote down."""

from django.db import models
from django.urls import get_script_prefix
from simple_history.models import HistoricalRecords

from catalogue.models.fields import NaturalKeyModel
from catalogue.models.games import Game
from catalogue.texts.outcomes import OUTCOMES


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


class Verdict(models.Model):
    """What one test of a claim says, and the games it says it of.

    figure, least, most, low, high: see `simulator.statistics.bounded.BoundedFigure`
    test: the test as it was run; a verdict of another test than the claim has now is out of date and is not shown
    """

    claim = models.ForeignKey(Claim, on_delete=models.CASCADE, related_name="verdicts")
    number = models.PositiveSmallIntegerField(help_text="Which of the claim’s tests, from 1.")
    test = models.JSONField()
    verdict = models.CharField(max_length=15, choices=OUTCOMES)
    text = models.TextField(help_text="The figure in words.")
    figure = models.FloatField(null=True, blank=True, help_text="Empty if games that were stopped leave it open.")
    least = models.FloatField(null=True, blank=True)
    most = models.FloatField(null=True, blank=True)
    low = models.FloatField(null=True, blank=True)
    high = models.FloatField(null=True, blank=True)
    n = models.PositiveBigIntegerField(help_text="Games, or pairs of games, that the figure rests on.")
    counts = models.JSONField(default=dict, blank=True)
    batches = models.JSONField(
        default=list, blank=True, help_text="Ids, one for each ruleset of the test; none of what is proved."
    )
    players = models.CharField(max_length=200, blank=True)
    games = models.PositiveBigIntegerField()
    seed = models.BigIntegerField()
    cap = models.PositiveIntegerField()
    until = models.CharField(max_length=10, blank=True)
    moves = models.TextField(
        blank=True, default="", db_default="", help_text="Of a game that is a witness, as its address writes them."
    )
    version = models.PositiveIntegerField(help_text="Of the way verdicts are computed.")
    computed = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["claim", "number"]
        constraints = [models.UniqueConstraint(fields=["claim", "number"], name="one_verdict_per_test")]

    def __str__(self) -> str:
        return f"{self.claim_id and self.claim}, test {self.number}"
