"""What was deleted of the kinds that keep no history: games, sources and places."""

from django.conf import settings
from django.db import models


class DeletedRow(models.Model):
    """kind, key: as in identifiers, "game" and "dam"; author: None if a command deleted it"""

    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=100)
    date = models.DateTimeField(auto_now_add=True)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", verbose_name="deleted by"
    )
    reason = models.CharField(max_length=100, blank=True)

    class Meta:
        indexes = (models.Index(fields=("kind", "key"), name="deleted_row_by_key"),)

    def __str__(self) -> str:
        return f"{self.kind}/{self.key}"
