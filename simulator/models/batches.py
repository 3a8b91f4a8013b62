"""Batches of games, the chunks they are played in, and their drawings.

A batch is `running` from the moment it is asked for. It becomes `done` when its last chunk is done, `failed` when a
chunk had to be set aside, `cancelled` when somebody says so. A failed or cancelled batch that is asked for again runs
on from the chunks it has.

A chunk is `queued`, then `claimed` under a lease, then `done`. A claimed chunk whose lease has run out may be claimed
by anybody. An error makes it `queued` again, three times; then it is `set_aside` with its text.
"""

from typing import Any

from django.db import models

from simulator.models.rulesets import Ruleset


class Batch(models.Model):
    """Games of one ruleset, played by given players from one seed.

    id:           first 16 hex digits of the SHA-256 of what was asked for: the same request is the same batch
    work:         expected processor time, in tenths of a microsecond: about a turn of random play each
    players_version: of the players, where any of them thinks; null for random play, which has none
    provenance:   by what code and machines it was played: `simulator.batches.versions`, with the games of each
    digest:       of the rows in game order, or of the tally where no rows are kept (`rows_kept`)
    tally_digest: of the merged tally's canonical JSON
    visitor:      a keyed digest of the address a visitor came from, never the address
    shared:       whether somebody else asked for it too while it was open: a visitor cannot cancel it then
    """

    class State(models.TextChoices):
        RUNNING = "running"
        DONE = "done"
        CANCELLED = "cancelled"
        FAILED = "failed"

    class Origin(models.TextChoices):
        DEMO = "demo"
        COMMAND = "command"
        EDITOR = "editor"
        VISITOR = "visitor"

    class Until(models.TextChoices):
        GAME = "game", "the end of the game"
        ROUND = "round", "the end of the first round"

    id = models.CharField(max_length=16, primary_key=True)
    ruleset = models.ForeignKey(Ruleset, on_delete=models.PROTECT, related_name="batches")
    family_version = models.PositiveIntegerField()
    row_version = models.PositiveIntegerField(null=True, blank=True)
    players_version = models.PositiveIntegerField(null=True, blank=True)
    players = models.CharField(max_length=200)
    seed = models.BigIntegerField()
    games = models.PositiveBigIntegerField()
    cap = models.PositiveIntegerField()
    until = models.CharField(max_length=10, choices=Until, default=Until.GAME)
    work = models.PositiveBigIntegerField()
    rows_kept = models.BooleanField(default=True)

    state = models.CharField(max_length=10, choices=State, default=State.RUNNING)
    origin = models.CharField(max_length=10, choices=Origin, default=Origin.COMMAND)
    visitor = models.CharField(max_length=32, blank=True, default="")
    shared = models.BooleanField(default=False, db_default=False)
    created = models.DateTimeField(auto_now_add=True)
    closed = models.DateTimeField(null=True, blank=True)

    tally = models.JSONField(null=True, blank=True)
    summary = models.JSONField(null=True, blank=True)
    digest = models.CharField(max_length=64, blank=True, default="")
    tally_digest = models.CharField(max_length=64, blank=True, default="")
    provenance = models.JSONField(default=list, null=True, blank=True)

    class Meta:
        verbose_name_plural = "batches"
        ordering = ("-created", "id")
        permissions = (
            ("request_large_batch", "Can ask for batches beyond the bounds of visitors"),
            ("cancel_batch", "Can cancel batches"),
            ("requeue_batch", "Can run cancelled or failed batches again"),
        )
        indexes = (
            models.Index(fields=("state", "created"), name="batch_by_state"),
            models.Index(fields=("visitor", "created"), name="batch_by_visitor"),
            # Which batch is shown is decided from these alone: rows are long, and need not be read for it.
            models.Index(
                fields=(
                    "ruleset",
                    "state",
                    "players",
                    "origin",
                    "family_version",
                    "players_version",
                    "until",
                    "games",
                    "id",
                ),
                name="batch_to_show",
            ),
        )
        constraints = (
            models.CheckConstraint(condition=models.Q(games__gte=1, cap__gte=1, seed__gte=0), name="batch_has_games"),
        )

    def __str__(self) -> str:
        return self.id

    @property
    def terms(self) -> dict[str, Any]:
        """What was asked for besides the ruleset, as `simulator.batches.requests.check_request` takes it."""
        return {name: getattr(self, name) for name in ("games", "seed", "players", "cap", "until")}

    @property
    def columns_version(self) -> int:
        """The version of its rows."""
        return self.family_version if self.row_version is None else self.row_version

    @property
    def engine_version(self) -> str:
        return f"{self.ruleset.family} {self.family_version}"

    @property
    def is_open(self) -> bool:
        return self.state == self.State.RUNNING


class Chunk(models.Model):
    """Consecutive games of a batch, played by one worker process at a time.

    lane, turn: the lowest are claimed first, see `simulator.batches.queueing`; 0 as earlier releases write them
    rows:       int32, little-endian, column after column, zlib-compressed; null where only tallies are kept
    provenance: by what it was played, see `simulator.batches.versions`
    """

    class State(models.TextChoices):
        QUEUED = "queued"
        CLAIMED = "claimed"
        DONE = "done"
        QUARANTINED = "set_aside", "set aside"

    class Lane(models.IntegerChoices):
        PEOPLE = 0
        SITE = 1
        PARKED = 2  # of stopped batches, so that no claim has to pass them

    batch = models.ForeignKey(Batch, on_delete=models.CASCADE, related_name="chunks")
    number = models.PositiveIntegerField()
    first_game = models.PositiveBigIntegerField()
    games = models.PositiveIntegerField()
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    lane = models.PositiveSmallIntegerField(choices=Lane, default=Lane.PEOPLE, db_default=0)
    turn = models.BigIntegerField(default=0, db_default=0)
    lease_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveIntegerField(default=0)
    error = models.TextField(blank=True, default="")
    rows = models.BinaryField(null=True, blank=True)
    tally = models.JSONField(null=True, blank=True)
    digest = models.CharField(max_length=64, blank=True, default="")
    seconds = models.FloatField(null=True, blank=True)
    finished = models.DateTimeField(null=True, blank=True, db_index=True)
    provenance = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ("batch", "number")
        indexes = (
            models.Index(fields=("state", "lease_until"), name="chunk_by_state"),
            models.Index(fields=("state", "lane", "turn", "id"), name="chunk_by_turn"),
        )
        constraints = (models.UniqueConstraint(fields=("batch", "number"), name="one_chunk_per_number"),)

    def __str__(self) -> str:
        return f"{self.batch_id}/{self.number}"


class Plot(models.Model):
    """A drawing of a closed batch, kept so that no web process ever draws. It is 640 pixels wide."""

    batch = models.ForeignKey(Batch, on_delete=models.CASCADE, related_name="plots")
    kind = models.CharField(max_length=40)
    place = models.PositiveIntegerField(default=0)
    digest = models.CharField(max_length=64)
    svg = models.TextField()
    height = models.PositiveSmallIntegerField(default=400)
    title = models.CharField(max_length=200)
    description = models.TextField()
    caption = models.TextField(blank=True, default="")
    table = models.JSONField()

    class Meta:
        ordering = ("batch", "place")
        constraints = (models.UniqueConstraint(fields=("batch", "kind"), name="one_plot_per_kind"),)

    def __str__(self) -> str:
        return f"{self.batch_id} {self.kind}"


class Measurement(models.Model):
    """A row of the summary of a batch that is done; kept beside it whenever the summary is computed.

    place:    of the row in its summary, from 0; measure: its key there
    value, low, high: in `unit`, with its 95 % limits; null where the games do not give them
    n:        games it rests on; of how often positions came back, those that were looked at
    censored: share of the games of the batch that the cap stopped
    """

    batch = models.ForeignKey(Batch, on_delete=models.CASCADE, related_name="measurements")
    place = models.PositiveSmallIntegerField()
    measure = models.CharField(max_length=80)
    title = models.CharField(max_length=200)
    unit = models.CharField(max_length=40)
    value = models.FloatField(null=True)
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    n = models.PositiveBigIntegerField()
    censored = models.FloatField()

    class Meta:
        ordering = ("batch", "place")
        indexes = (models.Index(fields=("measure", "batch"), name="measurement_by_measure"),)
        constraints = (
            models.UniqueConstraint(fields=("batch", "place"), name="one_measurement_at_a_place"),
            models.UniqueConstraint(fields=("batch", "measure"), name="one_measurement_of_a_kind"),
        )

    def __str__(self) -> str:
        return f"{self.measure} of {self.batch_id}"
