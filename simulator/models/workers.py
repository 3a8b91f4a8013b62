"""Worker nodes, as they last said that they live."""

from django.db import models


class Worker(models.Model):
    """A worker node: one main process, which never plays, and the processes that do.

    name:      of the node: what it was started as, and its machine
    queues:    those it takes messages from
    versions:  of the families it can play: {"sowing": 2, …}
    heartbeat: when it last said that it lives, by its own clock
    """

    name = models.CharField(max_length=200, primary_key=True)
    queues = models.JSONField()
    processes = models.PositiveIntegerField()
    versions = models.JSONField()
    started = models.DateTimeField()
    heartbeat = models.DateTimeField(db_index=True)

    class Meta:
        ordering = ("name",)
        permissions = (("operate_worker", "Can stop workers and forget silent ones"),)

    def __str__(self) -> str:
        return self.name
