"""What an engine has thought out and is kept for whoever asks again: all of it may be thrown away and had again."""

from django.db import models

from simulator.models.batches import Batch
from simulator.models.rulesets import Ruleset


class Thought(models.Model):
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


class GameRecord(Thought):
    """One game of a batch, told once and kept for its readers.

    moves:     codes of its family, in order; null while nobody has listed them
    row:       its row, as the compiled engine wrote it
    telling:   slices of its first turns (`simulator.engine.replay_slices`) as compressed JSON; turns_told: how many
    announced: when workers were last told; lease_until: whoever lists it now has until then
    """

    batch = models.ForeignKey(Batch, on_delete=models.CASCADE, related_name="records")
    game = models.PositiveBigIntegerField()
    moves = models.JSONField(null=True, blank=True)
    row = models.JSONField(null=True, blank=True)
    telling = models.BinaryField(null=True, blank=True)
    turns_told = models.PositiveIntegerField(default=0)
    announced = models.DateTimeField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = (models.Index(fields=("state", "created"), name="game_record_by_state"),)
        constraints = (models.UniqueConstraint(fields=("batch", "game"), name="one_record_per_game"),)

    def __str__(self) -> str:
        return f"{self.batch_id} game {self.game}"


class Reply(Thought):
    """What a player does in a position. The position is the game so far: its seed and the moves that led to it.

    key:         SHA-256 of (ruleset hash, family version, player, seed, moves) in canonical JSON
    work:        about how many turns the player thinks through; visitor: a keyed digest of who asked first
    announced:   when workers were last told; lease_until: whoever thinks about it now has until then
    """

    key = models.CharField(max_length=64, primary_key=True)
    ruleset = models.ForeignKey(Ruleset, on_delete=models.CASCADE, related_name="replies")
    family_version = models.PositiveIntegerField()
    player = models.CharField(max_length=40)
    seed = models.BigIntegerField()
    moves = models.JSONField()
    move = models.IntegerField(null=True, blank=True)
    work = models.PositiveBigIntegerField(default=0)
    visitor = models.CharField(max_length=32, blank=True, default="")
    announced = models.DateTimeField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "replies"
        indexes = (
            models.Index(fields=("state", "created"), name="reply_by_state"),
            models.Index(fields=("visitor", "created"), name="reply_by_visitor"),
        )

    def __str__(self) -> str:
        return self.key[:16]


class Ladder(Thought):
    """How much a larger budget is worth in a ruleset: each rung plays the rung below, seats exchanged.

    id:       first 16 hex digits of the SHA-256 of what was asked for: the same request is the same ladder
    request:  rungs (names of players, weakest first), games of each pair of seats, seed, cap, until, family version
    document: what came of it, once it is done
    """

    id = models.CharField(max_length=16, primary_key=True)
    ruleset = models.ForeignKey(Ruleset, on_delete=models.CASCADE, related_name="ladders")
    request = models.JSONField()
    document = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ("-created", "id")

    def __str__(self) -> str:
        return self.id


class Solution(Thought):
    """What best play comes to in a ruleset, proved by looking at every position.

    document: value of the start for each seat, counts of positions, longest forced win, values of the first moves
    """

    ruleset = models.OneToOneField(Ruleset, on_delete=models.CASCADE, primary_key=True, related_name="solution")
    family_version = models.PositiveIntegerField()
    document = models.JSONField(null=True, blank=True)

    def __str__(self) -> str:
        return f"solution of {self.ruleset_id[:8]}"
