"""Comparisons: batches of the same game numbers, laid side by side by a worker and kept under a permanent address."""

from django.db import models
from django.urls import get_script_prefix

from simulator.models import Batch


class Comparison(models.Model):
    """waiting → done or failed. Asked for again, a failed one waits again.

    id:        first 16 hex digits of the SHA-256 of what determines it: the same request is the same comparison
    names:     of the rulesets, in order, as they were first asked for: slug, slug@number or hash
    players:   of every seat, as they were first asked for, by name or level: "club,random"
    margins:   {"shares": 0.02, "amounts": 0.05}
    announced: when a worker was last told that it waits
    document:  the comparison itself, as `catalogue.comparisons.document` describes it; null until it is done
    plot:      {"title", "description", "caption", "svg", "height", "table"}; null until it is done
    """

    class State(models.TextChoices):
        WAITING = "waiting", "waiting for its games"
        DONE = "done", "done"
        FAILED = "failed", "failed"

    id = models.CharField(max_length=16, primary_key=True)
    names = models.JSONField()
    players = models.CharField(max_length=200, default="", db_default="", blank=True)
    margins = models.JSONField()
    bootstrap_seed = models.BigIntegerField()
    version = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=State, default=State.WAITING, db_index=True)
    error = models.TextField(blank=True, default="")
    announced = models.DateTimeField(null=True, blank=True)
    created = models.DateTimeField(auto_now_add=True)
    closed = models.DateTimeField(null=True, blank=True)
    document = models.JSONField(null=True, blank=True)
    plot = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ("-created", "id")

    def __str__(self) -> str:
        return self.id

    def get_absolute_url(self) -> str:
        return f"{get_script_prefix()}comparisons/{self.id}/"

    @property
    def asked(self) -> str:
        """Its players; of a comparison that a release before 0.3.0 wrote, those of its document."""
        return self.players or str((self.document or {}).get("players", ""))


class ComparedBatch(models.Model):
    """The place of a batch in a comparison; a ruleset compared with itself has one batch in two places."""

    comparison = models.ForeignKey(Comparison, on_delete=models.CASCADE, related_name="compared")
    batch = models.ForeignKey(Batch, on_delete=models.CASCADE, related_name="compared")
    place = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ("comparison", "place")
        constraints = (models.UniqueConstraint(fields=("comparison", "place"), name="one_batch_per_place"),)

    def __str__(self) -> str:
        return f"{self.comparison_id}/{self.place}"
