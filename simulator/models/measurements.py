"""The figures of batches, a row each, so that one question can be asked of all of them."""

from django.db import models

from simulator.models.batches import Batch


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
