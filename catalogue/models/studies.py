"""Studies: for one game, all its open questions varied together, and how much each of them matters."""

from django.db import models
from django.urls import get_script_prefix

from catalogue.models.games import Game


class Study(models.Model):
    """A finished study, as its pages, its plots and the API show it; nothing is computed again to show it.

    id:       first 16 hex digits of the SHA-256 of what was asked for: the same request is the same study
    document: see `catalogue.sensitivity.documents`
    summary:  what lists show of it: {base, questions, size, combinations, complete, games, seed, players,
              sentences: {outcome: text}, shares: {question: {outcome: text}}}
    plots:    drawings with their words and tables, one for each outcome that has shares
    """

    id = models.CharField(max_length=16, primary_key=True)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="studies")
    document = models.JSONField()
    summary = models.JSONField()
    plots = models.JSONField(default=list)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created", "id"]
        verbose_name_plural = "studies"

    def __str__(self) -> str:
        return self.id

    def get_absolute_url(self) -> str:
        return f"{get_script_prefix()}studies/{self.id}/"


class RequestedStudy(models.Model):
    """A study whose games are being played; its row is gone once the study is kept, under the same id and address.

    id:        of the study
    terms:     what was asked for besides the game, as `catalogue.sensitivity.plans.plan` takes it
    batches:   ids of its batches
    error:     why it could not be computed; empty as long as it is waited for
    announced: when a worker was last told that it waits
    """

    id = models.CharField(max_length=16, primary_key=True)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="requested_studies")
    terms = models.JSONField()
    batches = models.JSONField()
    error = models.TextField(blank=True, default="")
    announced = models.DateTimeField(null=True, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created", "id"]
        verbose_name_plural = "requested studies"

    def __str__(self) -> str:
        return self.id

    def get_absolute_url(self) -> str:
        return f"{get_script_prefix()}studies/{self.id}/"
