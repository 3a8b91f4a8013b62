"""What the Ludii portal says of games and of their rules beyond its records, kept in its own words.

A game of the portal and a game of this catalogue are told apart: here stands what the portal says, `Game` holds what
the editors of this catalogue say. The portal's rulesets are prose: a reading makes such a text executable.
"""

from django.core.validators import MinValueValidator
from django.db import models

from catalogue.models.evidence import Evidence, Game, Place, Source
from catalogue.models.fields import DatedModel, NaturalKeyModel, VerbatimTextField


class GameGroup(NaturalKeyModel):
    """A category by which the Ludii portal sorts games."""

    slug = models.SlugField(max_length=100, unique=True)
    name = models.CharField(max_length=100, unique=True)

    class Meta:
        abstract = True
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Period(GameGroup):
    """A span of time by which the Ludii portal sorts games, for example Medieval."""


class Category(GameGroup):
    """A kind of game by which the Ludii portal sorts games, for example Sow."""

    class Meta(GameGroup.Meta):
        verbose_name_plural = "categories"


class PortalGame(NaturalKeyModel):
    """A game as the Ludii portal describes it."""

    key_fields = ("game",)

    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="portal")
    number = models.PositiveBigIntegerField(
        "number at the Ludii portal",
        unique=True,
        validators=[MinValueValidator(1)],
        help_text="For example 57 of DLP.Game.57.",
    )
    description = VerbatimTextField(blank=True, help_text="The Ludii portal’s words.")
    reference = VerbatimTextField(blank=True)
    origin = VerbatimTextField(blank=True)
    other_fields = models.JSONField(default=dict, blank=True, help_text="Further columns of the Ludii portal, by name.")
    bgg_number = models.CharField(
        "number at BoardGameGeek",
        max_length=20,
        blank=True,
        default="",
        db_default="",
        help_text="Of boardgamegeek.com, as the Ludii portal has it.",
    )
    sources = models.ManyToManyField(Source, related_name="portal_games", blank=True)
    origin_points = models.ManyToManyField(
        Place,
        related_name="origin_of_games",
        blank=True,
        help_text="Where the Ludii portal’s map puts its origin.",
    )
    regions = models.ManyToManyField(Place, related_name="portal_games", blank=True)
    periods = models.ManyToManyField(Period, related_name="games", blank=True)
    categories = models.ManyToManyField(Category, related_name="games", blank=True)

    class Meta:
        ordering = ["number"]

    def __str__(self) -> str:
        return self.identifier

    @property
    def identifier(self) -> str:
        """Return the name by which the portal cites it."""
        return f"DLP.Game.{self.number}"


class PortalRuleset(NaturalKeyModel, DatedModel):
    """Rules as the portal tells them in prose. That one exists does not make a game executable: a `Reading` does."""

    key_fields = ("number",)

    number = models.PositiveBigIntegerField(
        "number at the Ludii portal",
        unique=True,
        validators=[MinValueValidator(1)],
        help_text="For example 57 of DLP.Ruleset.57.",
    )
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="portal_rulesets")
    name = models.CharField(max_length=200)
    native_name = models.CharField(max_length=200, blank=True)
    type = models.CharField(max_length=60, blank=True, db_index=True, help_text="The Ludii portal’s word.")
    is_main = models.BooleanField("the game's main ruleset", default=False)
    summary = VerbatimTextField(blank=True)
    description = VerbatimTextField(blank=True)
    rules = VerbatimTextField(blank=True)
    reference = VerbatimTextField(blank=True)
    origin = VerbatimTextField(blank=True)
    other_fields = models.JSONField(default=dict, blank=True, help_text="Further columns of the Ludii portal, by name.")
    origin_points = models.ManyToManyField(
        Place,
        related_name="origin_of_rulesets",
        blank=True,
        help_text="Where the Ludii portal’s map puts its origin.",
    )
    regions = models.ManyToManyField(Place, related_name="portal_rulesets", blank=True)
    periods = models.ManyToManyField(Period, related_name="rulesets", blank=True)
    evidence = models.ManyToManyField(Evidence, related_name="portal_rulesets", blank=True)

    class Meta:
        ordering = ["game", "number"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Return its address on the page of its game."""
        return f"{self.game.get_absolute_url()}#{self.identifier}"

    @property
    def identifier(self) -> str:
        """Return the name by which the portal cites it."""
        return f"DLP.Ruleset.{self.number}"
