"""What the fixtures last put into a row, so that a later load can tell an editor's change from our own older text."""

from django.db import models


class LoadedRow(models.Model):
    """`digest` is the SHA-256 of the fields as the fixture gave them when the row was last written from it."""

    model = models.CharField(max_length=60)
    natural_key = models.CharField(max_length=300)
    digest = models.CharField(max_length=64)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["model", "natural_key"], name="one_digest_per_loaded_row")]

    def __str__(self) -> str:
        return f"{self.model} {self.natural_key}"
