"""Analyses: what is concluded from batches of games, requested, computed by a worker and kept under a permanent id."""

from typing import Any

from django.db import models

from simulator.models.rulesets import Ruleset


class Analysis(models.Model):
    """waiting → done or failed. Requested again, a failed one waits again.

    id:        first 16 hex digits of the SHA-256 of what was requested: the same request is the same analysis
    error:     why it failed; empty otherwise
    announced: when a worker was last told that it waits
    document:  what was concluded; null until it is done
    """

    class State(models.TextChoices):
        WAITING = "waiting", "waiting for its games"
        DONE = "done", "done"
        FAILED = "failed", "failed"

    id = models.CharField(max_length=16, primary_key=True)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING, db_index=True)
    error = models.TextField(blank=True, default="")
    announced = models.DateTimeField(null=True, blank=True)
    created = models.DateTimeField(auto_now_add=True)
    document: "models.JSONField[Any, Any]" = models.JSONField(null=True, blank=True)

    class Meta:
        abstract = True
        ordering = ("-created", "id")

    def __str__(self) -> str:
        return str(self.id)


class Ladder(Analysis):
    """How much a larger budget is worth in a ruleset: each rung plays the rung below, seats exchanged.

    request:  rungs (names of players, weakest first), games of each pair of seats, seed, cap, until, family version
    document: see `simulator.analyses.ladder_figures`
    """

    ruleset = models.ForeignKey(Ruleset, on_delete=models.CASCADE, related_name="ladders")
    request = models.JSONField()

    class Meta(Analysis.Meta):
        pass
