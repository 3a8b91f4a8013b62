"""Studies: for one game, all its open questions varied together, and how much each of them matters."""

from typing import Any

from django.db import models
from django.urls import get_script_prefix

from catalogue.models.games import Game
from simulator.models import Analysis


class FinishedStudies(models.Manager[Any]):
    """The studies that readers, lists and citations see."""

    def get_queryset(self) -> "models.QuerySet[Any]":
        return super().get_queryset().filter(state=Analysis.State.DONE)


class Study(Analysis):
    """A study, as its pages, its plots and the API show it; nothing is computed again to show it.

    Whatever asks for studies without saying more gets those that are done; `every` has those that wait or failed too.

    document: see `catalogue.analyses.study_document`
    summary:  what lists show of it: {base, questions, size, combinations, complete, games, seed, players,
              sentences: {outcome: text}, shares: {question: {outcome: text}}}
    plots:    drawings with their words and tables, one for each outcome that has shares
    terms:    what was requested besides the game, as `catalogue.analyses.studies.plan` takes it; empty of a study that
              a command computed at once, or an edition brought
    batches:  ids of its batches, likewise
    created:  when it was requested; once it is done, when it was computed
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="studies")
    summary: "models.JSONField[Any, Any]" = models.JSONField(null=True, blank=True)
    plots = models.JSONField(default=list)
    terms = models.JSONField(default=dict, db_default={}, blank=True)
    batches = models.JSONField(default=list, db_default=[], blank=True)
    # An earlier release, which knew finished studies only, may still write some while this one is installed.
    state = models.CharField(
        max_length=10,
        choices=Analysis.State,
        default=Analysis.State.WAITING,
        db_default=Analysis.State.DONE,
        db_index=True,
    )
    error = models.TextField(blank=True, default="", db_default="")

    objects = FinishedStudies()
    every = models.Manager["Study"]()

    class Meta(Analysis.Meta):
        verbose_name_plural = "studies"

    def get_absolute_url(self) -> str:
        return f"{get_script_prefix()}studies/{self.id}/"
