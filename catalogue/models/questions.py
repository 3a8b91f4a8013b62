"""Questions: points at which a source can be read in more than one way, with the answers that can be given."""

from django.db import models
from django.urls import get_script_prefix
from simple_history.models import HistoricalRecords

from catalogue.models.games import Game
from catalogue.models.natural_keys import NaturalKeyModel


class Question(NaturalKeyModel):
    """A point of doubt about a game, and the parameters that its answers set."""

    key_fields = ("game", "slug")

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="questions")
    slug = models.SlugField(max_length=60, help_text="Unique within the game.")
    title = models.CharField(max_length=200)
    text = models.TextField(help_text="What the doubt is, and why the words leave it open.")
    parameters = models.JSONField(default=list)
    idle_because = models.JSONField(
        default=dict,
        db_default={},
        blank=True,
        help_text="Reading -> why its games are the same under every answer, where it is known.",
    )
    position = models.PositiveSmallIntegerField(default=0)

    history = HistoricalRecords()

    class Meta:
        ordering = ["game", "position", "slug"]
        constraints = [models.UniqueConstraint(fields=["game", "slug"], name="one_question_per_slug")]

    def __str__(self) -> str:
        return f"{self.game_id and self.game.slug}/{self.slug}"

    def get_absolute_url(self) -> str:
        return f"{get_script_prefix()}questions/{self.game.slug}/{self.slug}/"


class Answer(NaturalKeyModel):
    """One answer to a question. Which readings give it follows from their rulesets."""

    key_fields = ("question", "slug")

    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="answers")
    slug = models.SlugField(max_length=60, help_text="Unique within the question.")
    text = models.TextField()
    values = models.JSONField(null=True, blank=True, help_text="Parameter -> value; empty if no ruleset can encode it.")
    position = models.PositiveSmallIntegerField(default=0)

    history = HistoricalRecords()

    class Meta:
        ordering = ["question", "position", "slug"]
        constraints = [models.UniqueConstraint(fields=["question", "slug"], name="one_answer_per_slug")]

    def __str__(self) -> str:
        return f"{self.question}/{self.slug}"

    def get_absolute_url(self) -> str:
        return self.question.get_absolute_url()
