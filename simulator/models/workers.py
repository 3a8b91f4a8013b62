"""Worker nodes, as they last said that they live."""

import datetime

from django.conf import settings
from django.db import models
from django.utils import timezone

SHORTEST_SILENCE = datetime.timedelta(seconds=30)  # a busy database may hold a heartbeat up for so long


class Worker(models.Model):
    """A worker node: one main process, which never plays, and the processes that do.

    name:      of the node: what it was started as, and its machine
    queues:    those it takes messages from
    versions:  of the families it can play, and of the players: {"sowing": 3, …, "players": 3}
    release:   of its code, with the revision behind it if that is known
    heartbeat: when it last said that it lives, by its own clock; ahead: seconds its clock was before the database's
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
        """How long a worker may say nothing before it is taken for dead."""
        return max(SHORTEST_SILENCE, datetime.timedelta(seconds=4 * settings.RECOVERY_SECONDS))

    @classmethod
    def alive(cls) -> "models.QuerySet[Worker]":
        return Worker.objects.filter(heartbeat__gte=timezone.now() - cls.silence())
