"""Computations that are done once and kept: replies, games, solutions, and the analyses of batches.

All of it may be deleted and computed again. An analysis is concluded from batches of games and kept under a permanent
id.
"""

import datetime
import logging
from collections.abc import Callable
from typing import Any, ClassVar, Self

from django.db import models
from django.db.models import Q
from django.utils import timezone

from simulator.models.batches import Batch, Ruleset

logger = logging.getLogger(__name__)


class Computation(models.Model):
    """Something a worker works out once: `waiting` until it is `done`, or `failed` with its text."""

    class State(models.TextChoices):
        WAITING = "waiting"
        DONE = "done"
        FAILED = "failed"

    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    error = models.TextField(blank=True, default="")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True


class WorkerTask(Computation):
    """A computation that somebody waits for: workers are notified of it, and one of them holds it under a lease.

    announced: when workers were last notified; lease_until: until when the worker that computes it may take
    """

    NEEDED: ClassVar[tuple[str, ...]] = ()  # the rows that a worker looks at too
    LEASE: ClassVar[datetime.timedelta]
    SILENCE = datetime.timedelta(seconds=10)  # before workers are notified again
    RETRY: ClassVar[datetime.timedelta]  # before they are after a failure

    announced = models.DateTimeField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    def mark_announced(self) -> bool:
        """Record that workers are notified of it now; False if they were notified too recently."""
        now = timezone.now()
        due = Q(announced__isnull=True) | Q(state=self.State.WAITING, announced__lt=now - self.SILENCE)
        due |= Q(state=self.State.FAILED, announced__lt=now - self.RETRY)
        # One UPDATE decides which of several processes notifies.
        open_ = type(self)._default_manager.filter(due, pk=self.pk).exclude(state=self.State.DONE)
        if not open_.update(announced=now, state=self.State.WAITING):
            return False
        self.state = self.State.WAITING
        return True

    @classmethod
    def claim(cls, *mine: Q, **which: Any) -> Self | None:
        """Claim the row that waits longest, of those that `which` selects and no worker holds; None if there is none.

        mine: conditions that select what this worker can compute
        """
        now = timezone.now()
        free = cls._default_manager.filter(
            Q(lease_until__isnull=True) | Q(lease_until__lt=now), *mine, state=cls.State.WAITING, **which
        )
        for row in free.select_related(*cls.NEEDED).order_by("created")[:1]:
            # Filtered again by the lease: another worker may have claimed it since it was read.
            if free.filter(pk=row.pk).update(lease_until=now + cls.LEASE):
                return row
        return None

    def keep(self, **result: Any) -> None:
        """Keep what a worker found, and mark the row as done."""
        self._end(state=self.State.DONE, error="", **result)

    def fail(self, error: str) -> None:
        self._end(state=self.State.FAILED, error=error)

    def _end(self, **fields: Any) -> None:
        type(self)._default_manager.filter(pk=self.pk).update(lease_until=None, **fields)

    @classmethod
    def work_on_next(cls, work: Callable[[Self], None], *mine: Q, **which: Any) -> bool:
        """Claim a row as `claim` does and do the work, which keeps its result; an error is kept with its text.

        Return False if no such row waits: it is done, or another worker's.
        """
        claimed = cls.claim(*mine, **which)
        if claimed is None:
            return False
        try:
            work(claimed)
        except Exception as error:
            logger.exception("%s %s failed", cls._meta.verbose_name, claimed)
            claimed.fail(f"{type(error).__name__}: {error}")
        return True


class GameRecord(WorkerTask):
    """One game of a batch, replayed once and kept for its readers.

    moves:     codes of its family, in order; null while they are not listed
    row:       its row, as the compiled engine wrote it
    telling:   slices of its first turns (`simulator.engine.replay`) as compressed JSON; turns_told: how many
    """

    NEEDED = ("batch__ruleset",)
    LEASE = datetime.timedelta(minutes=10)
    RETRY = datetime.timedelta(minutes=10)

    batch = models.ForeignKey(Batch, on_delete=models.CASCADE, related_name="records")
    game = models.PositiveBigIntegerField()
    moves = models.JSONField(null=True, blank=True)
    row = models.JSONField(null=True, blank=True)
    telling = models.BinaryField(null=True, blank=True)
    turns_told = models.PositiveIntegerField(default=0)

    class Meta:
        indexes = (models.Index(fields=("state", "created"), name="game_record_by_state"),)
        constraints = (models.UniqueConstraint(fields=("batch", "game"), name="one_record_per_game"),)

    def __str__(self) -> str:
        return f"{self.batch_id} game {self.game}"


class Reply(WorkerTask):
    """A player's move in a position. The position is the game so far: its seed and the moves that led to it.

    key:  SHA-256 of ruleset hash, versions of family and players, player, seed and moves, in canonical JSON
    expected: what the player expects for the mover, as `expectations.Expectation`; null if it does not say
    work: what the search costs, as `Batch.work`; visitor: a keyed digest of the first visitor who waited for it
    """

    NEEDED = ("ruleset",)
    LEASE = datetime.timedelta(minutes=5)  # longer than any search a visitor may ask for, compiling included
    RETRY = datetime.timedelta(minutes=10)

    key = models.CharField(max_length=64, primary_key=True)
    ruleset = models.ForeignKey(Ruleset, on_delete=models.CASCADE, related_name="replies")
    family_version = models.PositiveIntegerField()
    players_version = models.PositiveIntegerField(null=True, blank=True)
    player = models.CharField(max_length=100)
    seed = models.BigIntegerField()
    moves = models.JSONField()
    move = models.IntegerField(null=True, blank=True)
    expected = models.JSONField(null=True, blank=True)
    work = models.PositiveBigIntegerField(default=0)
    visitor = models.CharField(max_length=32, blank=True, default="")

    class Meta:
        verbose_name_plural = "replies"
        indexes = (
            models.Index(fields=("state", "created"), name="reply_by_state"),
            models.Index(fields=("visitor", "created"), name="reply_by_visitor"),
        )

    def __str__(self) -> str:
        return self.key[:16]


class Solution(Computation):
    """The proved result of best play in a ruleset.

    document: its method, the value of the start, values of the first moves, counts; or chances, where throws decide
    """

    ruleset = models.OneToOneField(Ruleset, on_delete=models.CASCADE, primary_key=True, related_name="solution")
    family_version = models.PositiveIntegerField()
    document = models.JSONField(null=True, blank=True)

    def __str__(self) -> str:
        return f"solution of {self.ruleset_id[:8]}"


class Analysis(models.Model):
    """waiting → done or failed. Requested again, a failed one waits again.

    id:        first 16 hex digits of the SHA-256 of the request: the same request is the same analysis
    error:     why it failed; empty otherwise
    announced: when workers were last notified that it waits
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
    document: see `simulator.analyses.ladder_matches`
    """

    ruleset = models.ForeignKey(Ruleset, on_delete=models.CASCADE, related_name="ladders")
    request = models.JSONField()
