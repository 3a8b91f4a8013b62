"""Games, and the names they go by.

A game is a row of its own because records, names and readings disagree about it; it carries no rule.
"""

from django.db import models
from django.urls import get_script_prefix

from catalogue.models.fields import NaturalKeyModel


class Game(NaturalKeyModel):
    """A game as the catalogue knows it; `is_reference` marks a modern game that only checks the engine."""

    name = models.CharField(max_length=100, unique=True)
    slug = models.SlugField(max_length=100, unique=True)
    is_reference = models.BooleanField("reference game", default=False)
    description = models.TextField(blank=True, help_text="One or two sentences of the editors, not a quotation.")

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return f"{get_script_prefix()}games/{self.slug}/"

    @property
    def native_names(self) -> list["GameName"]:
        """Filtered in Python, so that one prefetch of `names` serves this and `aliases`."""
        return [name for name in self.names.all() if name.kind == GameName.Kind.NATIVE]

    @property
    def aliases(self) -> list["GameName"]:
        return [name for name in self.names.all() if name.kind != GameName.Kind.NATIVE]


class GameName(NaturalKeyModel):
    """One name of a game, with its gloss and the record that gives it."""

    key_fields = ("game", "name")

    class Kind(models.TextChoices):
        NATIVE = "native", "native name"
        ALIAS = "alias", "another name"
        SPELLING = "spelling", "another spelling"

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="names")
    name = models.CharField(max_length=100)
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.NATIVE)
    language = models.CharField(max_length=50, blank=True, help_text="Only if the record says so.")
    gloss = models.CharField(max_length=200, blank=True, help_text="What the name means, as the record gives it.")
    evidence = models.ForeignKey(
        "catalogue.Evidence",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="names_given",
        help_text="The record in which the name is printed.",
    )

    class Meta:
        ordering = ["game", "kind", "name"]
        constraints = [models.UniqueConstraint(fields=["game", "name"], name="one_row_per_name_of_a_game")]

    def __str__(self) -> str:
        return f"{self.name} (“{self.gloss}”)" if self.gloss else self.name
