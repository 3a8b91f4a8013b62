"""Verdicts: what the tests of claims said, as a command or a worker computed it. No page computes any."""

from django.db import models

from catalogue.models.claims import Claim
from catalogue.texts.outcomes import OUTCOMES


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
