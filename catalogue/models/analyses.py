"""Analyses of the catalogue: rulesets compared, and studies of the open questions of games, under lasting addresses."""

from typing import Any

from django.db import models
from django.urls import get_script_prefix

from catalogue.models.evidence import Evidence, Game
from simulator.batches import levels
from simulator.models import Analysis, Batch

BY_TWO_PLAYERS = 4  # the version of comparisons from which on two players play on every level that thinks


class Comparison(Analysis):
    """Rulesets compared by games of the same numbers.

    names:    of the rulesets, in order, as they were first asked for: slug, slug@number or hash
    players:  of every seat, as they were first asked for, by name or level: "club,random"
    margins:  {"shares": 0.02, "amounts": 0.05}
    document: see `catalogue.analyses.comparison_document`
    plot:     {"title", "description", "caption", "svg", "height", "table"}; null until it is done
    """

    names = models.JSONField()
    players = models.CharField(max_length=300, default="", db_default="", blank=True)
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
        """Return its players; for a comparison written before 0.3.0, those of its document."""
        return self.players or str((self.document or {}).get("players", ""))

    @property
    def second_players(self) -> str:
        """Return those who play again beside its players, "club-second,random"; empty where nobody does."""
        return levels.second_line(self.asked) if self.version >= BY_TWO_PLAYERS else ""

    @property
    def places(self) -> list[str]:
        """Return the name of the ruleset in each place: once more where second players play."""
        return [*self.names] * (2 if self.second_players else 1)

    @property
    def is_withheld(self) -> bool:
        """Return whether its document tells more of the rules than its games show.

        Before two players were asked, each ruleset had a search of its own on every level that thinks; and differences
        were concluded from games of few kinds, from stopped games, and from ends that a rule makes impossible.
        """
        return self.version < BY_TWO_PLAYERS

    @property
    def thinks(self) -> bool:
        """Return whether a level that thinks was asked for."""
        return bool(levels.second_line(self.asked))

    @property
    def told(self) -> Any:
        """Return its document; None while it is not done, and where it is withheld."""
        return None if self.is_withheld else self.document


class ComparedBatch(models.Model):
    """The place of a batch in a comparison; a ruleset compared with itself has one batch in two places.

    Of n rulesets the places from n on are those of the second players.
    """

    comparison = models.ForeignKey(Comparison, on_delete=models.CASCADE, related_name="compared")
    batch = models.ForeignKey(Batch, on_delete=models.CASCADE, related_name="compared")
    place = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ("comparison", "place")
        constraints = (models.UniqueConstraint(fields=("comparison", "place"), name="one_batch_per_place"),)

    def __str__(self) -> str:
        return f"{self.comparison_id}/{self.place}"


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
    terms:    what was requested besides the game, as `catalogue.analyses.study_plans.plan` takes it; empty for a study
              that an edition brought
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


class WearStudy(Analysis):
    """Candidate rulesets held against what is seen on the board of a record.

    candidates: the slug of the set that was asked for; empty where rulesets were named
    names:      of the candidates, in order
    of:         "lines" or "points"
    orders:     the observed orders as they were: [{more, less, certainty, numbers}, …]
    terms:      players, games, seed, cap
    batches:    ids of its batches, of the candidates and then of those of the second players
    document:   see `catalogue.analyses.wear_document`
    """

    record = models.ForeignKey(Evidence, on_delete=models.CASCADE, related_name="wear_studies")
    candidates = models.CharField(max_length=60, blank=True)
    names = models.JSONField(default=list)
    of = models.CharField(max_length=10)
    orders = models.JSONField(default=list)
    terms = models.JSONField(default=dict)
    batches = models.JSONField(default=list)

    class Meta(Analysis.Meta):
        verbose_name_plural = "wear studies"

    def get_absolute_url(self) -> str:
        return f"{get_script_prefix()}wear/{self.id}/"

    @property
    def title(self) -> str:
        """What it is called where it is cited and listed; two queries unless record and game were fetched with it."""
        name = self.record.game.name
        # "Slab from Coriovallum" is no proper name.
        of = f"the {name[:1].lower()}{name[1:]}" if " from " in name else name
        return f"Which rules would wear the board of {of}"
