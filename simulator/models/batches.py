"""Rulesets with their names, batches of games with their chunks and drawings, and the workers that play.

The content of a ruleset is known by its hash; a version gives it a name.

A batch is `running` from the moment it is requested. It becomes `done` when its last chunk is done, `failed` when a
chunk had to be quarantined, `cancelled` when somebody stops it. A failed or cancelled batch that is requested again
continues from the chunks it has.

A chunk is `queued`, then `claimed` under a lease, then `done`. A claimed chunk whose lease has run out may be claimed
by any worker. An error makes it `queued` again, three times; then it is quarantined (`set_aside`) with its text.
"""

import datetime
from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone

# Which batch is shown is decided from these alone: rows are long, and need not be read for it.
TO_SHOW = ("ruleset", "state", "players", "origin", "family_version", "players_version", "until", "games", "id")
SHORTEST_SILENCE = datetime.timedelta(seconds=30)  # a busy database may hold a heartbeat up for so long


class Ruleset(models.Model):
    """A canonical ruleset document. The same content is one row."""

    hash = models.CharField(max_length=64, primary_key=True)
    family = models.CharField(max_length=30)
    document = models.JSONField()
    created = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.family} {self.hash[:8]}"

    @property
    def name(self) -> str:
        """The newest name, for an address or a command, else the hash. Uses prefetched versions."""
        return self.versioned_name.partition("@")[0]

    @property
    def versioned_name(self) -> str:
        """The newest name as `slug@number`, else the hash. Uses prefetched versions."""
        versions = sorted(self.versions.all(), key=lambda version: (version.slug, -version.number))
        return str(versions[0]) if versions else self.hash


class RulesetVersion(models.Model):
    """A name for a ruleset: `puhulmutu-parker@1`. The highest number is what the bare slug means."""

    slug = models.SlugField(max_length=80)
    number = models.PositiveIntegerField(default=1)
    ruleset = models.ForeignKey(Ruleset, on_delete=models.PROTECT, related_name="versions")
    parent = models.ForeignKey("self", on_delete=models.PROTECT, null=True, blank=True, related_name="children")
    date = models.DateField()

    class Meta:
        ordering = ("slug", "-number")
        constraints = (models.UniqueConstraint(fields=("slug", "number"), name="one_ruleset_per_version"),)

    def __str__(self) -> str:
        return f"{self.slug}@{self.number}"

    def natural_key(self) -> tuple[str, int]:
        return self.slug, self.number


class Batch(models.Model):
    """Games of one ruleset, played by given players from one seed.

    id:           first 16 hex digits of the SHA-256 of the request: the same request is the same batch
    work:         expected processor time, in tenths of a microsecond: about a turn of random play each
    players_version: of the players, where any of them searches; null for random play, which has none
    provenance:   by what code and machines it was played: `simulator.batches.versions`, with the games of each
    counts_traffic: whether what its games leave on the board is counted (`Traffic`); part of the request where it is
    digest:       of the rows in game order, or of the tally where no rows are kept (`rows_kept`)
    tally_digest: of the merged tally's canonical JSON
    visitor:      a keyed digest of the address that the visitor came from who asked for it, or had it run on last;
                  never the address
    charged:      when it was run on, and counts from, where it is not from when it was created
    shared:       whether somebody else requested it too while it was open: a visitor cannot cancel it then
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
    players = models.CharField(max_length=300)
    seed = models.BigIntegerField()
    games = models.PositiveBigIntegerField()
    cap = models.PositiveIntegerField()
    until = models.CharField(max_length=10, choices=Until, default=Until.GAME)
    work = models.PositiveBigIntegerField()
    rows_kept = models.BooleanField(default=True)
    counts_traffic = models.BooleanField(default=False, db_default=False)

    state = models.CharField(max_length=10, choices=State, default=State.RUNNING)
    origin = models.CharField(max_length=10, choices=Origin, default=Origin.COMMAND)
    visitor = models.CharField(max_length=32, blank=True, default="")
    shared = models.BooleanField(default=False, db_default=False)
    created = models.DateTimeField(auto_now_add=True)
    charged = models.DateTimeField(null=True, blank=True)
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
            models.Index(
                fields=TO_SHOW,
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
        """The request besides the ruleset, as `simulator.batches.requests.check_request` takes it."""
        terms = {name: getattr(self, name) for name in ("games", "seed", "players", "cap", "until")}
        return {**terms, "traffic": True} if self.counts_traffic else terms

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
    traffic:    what its games left on the board, as `engine.traffic.Sums` packs it, until the batch is closed
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
    traffic = models.BinaryField(null=True, blank=True)
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


class Traffic(models.Model):
    """What the games of a closed batch left on the board.

    sums:    as `engine.traffic.Sums` packs them; digest: of these numbers; version: of what its family counts
    figures: shares with intervals, as pages and the API tell them: `simulator.batches.traffic`
    """

    batch = models.OneToOneField(Batch, on_delete=models.CASCADE, primary_key=True, related_name="traffic")
    sums = models.BinaryField()
    digest = models.CharField(max_length=64)
    figures = models.JSONField()
    version = models.PositiveSmallIntegerField(default=1, db_default=1)

    class Meta:
        verbose_name_plural = "traffic"

    def __str__(self) -> str:
        return f"traffic of {self.batch_id}"


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


class Worker(models.Model):
    """A worker node: one main process, which never plays, and the processes that do.

    name:      of the node: what it was started as, and its machine
    queues:    the queues it takes messages from
    versions:  of the families it can play, and of the players: {"sowing": 3, …, "players": 3}
    release:   the release of its code, with the revision behind it if that is known
    heartbeat: when it last reported, by its own clock; ahead: seconds its clock was before the database's
    """

    name = models.CharField(max_length=200, primary_key=True)
    queues = models.JSONField()
    processes = models.PositiveIntegerField()
    versions = models.JSONField()
    release = models.CharField(max_length=100, blank=True, default="")
    ahead = models.FloatField(default=0)
    started = models.DateTimeField()
    heartbeat = models.DateTimeField(db_index=True)

    class Meta:
        ordering = ("name",)
        permissions = (("operate_worker", "Can stop workers and forget silent ones"),)

    def __str__(self) -> str:
        return self.name

    @classmethod
    def silence(cls) -> datetime.timedelta:
        """Return how long a worker may be silent before it is taken for dead."""
        return max(SHORTEST_SILENCE, datetime.timedelta(seconds=4 * settings.RECOVERY_SECONDS))

    @classmethod
    def alive(cls) -> "models.QuerySet[Worker]":
        return Worker.objects.filter(heartbeat__gte=timezone.now() - cls.silence())
