"""Comparisons: batches of the same game numbers, laid side by side by a worker and kept under a permanent address."""

from django.db import models
from django.urls import get_script_prefix

from simulator.models import Analysis, Batch


class Comparison(Analysis):
    """Rulesets compared by games of the same numbers.

    names:    of the rulesets, in order, as they were first asked for: slug, slug@number or hash
    players:  of every seat, as they were first asked for, by name or level: "club,random"
    margins:  {"shares": 0.02, "amounts": 0.05}
    document: see `catalogue.analyses.comparison_document`
    plot:     {"title", "description", "caption", "svg", "height", "table"}; null until it is done
    """

    names = models.JSONField()
    players = models.CharField(max_length=200, default="", db_default="", blank=True)
    margins = models.JSONField()
    bootstrap_seed = models.BigIntegerField()
    version = models.PositiveSmallIntegerField()
    closed = models.DateTimeField(null=True, blank=True)
    plot = models.JSONField(null=True, blank=True)

    class Meta(Analysis.Meta):
        pass

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
