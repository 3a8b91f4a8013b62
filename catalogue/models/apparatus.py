"""The apparatus: which words of which record became which rule, and where they stand."""

from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.db import models
from simple_history.models import HistoricalRecords

from catalogue.models.evidence import Evidence
from catalogue.models.fields import VerbatimTextField
from catalogue.models.natural_keys import NaturalKeyManager, NaturalKeyModel
from catalogue.models.readings import Basis, Reading
from catalogue.texts.anchors import Span, digest_of, selectors


class Clause(NaturalKeyModel):
    """One rule of a reading: the parameters that hold it, what it rests on, and why these words mean that rule."""

    key_fields = ("reading", "slug")

    reading = models.ForeignKey(Reading, on_delete=models.CASCADE, related_name="clauses")
    slug = models.SlugField(max_length=60, help_text="Unique within the reading.")
    parameters = models.JSONField(default=list, help_text="Keys of the ruleset that this clause covers.")
    basis = models.CharField(max_length=15, choices=Basis, db_index=True)
    text = models.TextField(help_text="The rule in our words, and the step from the source to it.")
    source = models.CharField(max_length=200, blank=True, help_text="Where the rule is from, if from no record.")
    position = models.PositiveSmallIntegerField(default=0)

    history = HistoricalRecords()

    class Meta:
        ordering = ["reading", "position", "slug"]
        constraints = [models.UniqueConstraint(fields=["reading", "slug"], name="one_clause_per_slug")]

    def __str__(self) -> str:
        return f"{self.reading_id and self.reading.slug}/{self.slug}"

    def get_absolute_url(self) -> str:
        return f"{self.reading.get_absolute_url()}#clause-{self.slug}"


class AnchorManager(NaturalKeyManager["Anchor"]):
    def shown(self) -> "models.QuerySet[Anchor]":
        """Those whose words readers may see: none of a record that was withdrawn."""
        return self.filter(evidence__withdrawn_on=None)

    def with_records(self) -> "models.QuerySet[Anchor]":
        """Those that readers may see with their records, but without the texts of these."""
        return self.shown().select_related("evidence").defer("evidence__quotation", "evidence__paraphrase")


class Anchor(NaturalKeyModel):
    """Words of a record, and what they are said of: a clause, an answer, a claim, or that one reading rests on another.

    Offsets count code points of the field as it was when `text_sha256` was taken.
    """

    key_fields = ("key",)

    class Field(models.TextChoices):
        # The values are the portal's names, as the apparatus files and the API have them.
        QUOTATION = "content", "the quotation"
        PARAPHRASE = "rules", "the portal’s paraphrase"

    class Stance(models.TextChoices):
        SUPPORTS = "supports", "speaks for it"
        CONTRADICTS = "contradicts", "speaks against it"

    key = models.CharField(max_length=200, unique=True, help_text="Its owner’s key, for or against, and a number.")
    clause = models.ForeignKey(Clause, on_delete=models.CASCADE, null=True, blank=True, related_name="anchors")
    answer = models.ForeignKey(
        "catalogue.Answer", on_delete=models.CASCADE, null=True, blank=True, related_name="anchors"
    )
    claim = models.ForeignKey(
        "catalogue.Claim", on_delete=models.CASCADE, null=True, blank=True, related_name="anchors"
    )
    reading = models.ForeignKey(
        Reading, on_delete=models.CASCADE, null=True, blank=True, related_name="anchors_of_resting"
    )
    stance = models.CharField(max_length=12, choices=Stance, default=Stance.SUPPORTS)
    evidence = models.ForeignKey(Evidence, on_delete=models.PROTECT, related_name="anchors")
    field = models.CharField(max_length=10, choices=Field)
    exact = VerbatimTextField()
    prefix = VerbatimTextField(blank=True)
    suffix = VerbatimTextField(blank=True)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    text_sha256 = models.CharField("digest of the text", max_length=64)
    position = models.PositiveSmallIntegerField(default=0)

    objects: ClassVar[AnchorManager] = AnchorManager()
    history = HistoricalRecords()

    class Meta:
        ordering = ["evidence", "field", "start", "key"]
        indexes = [models.Index(fields=["evidence", "field"], name="anchor_by_text")]
        constraints = [
            models.CheckConstraint(condition=models.Q(start__lt=models.F("end")), name="anchor_has_words"),
            models.CheckConstraint(
                condition=models.Q(clause__isnull=False, answer=None, claim=None, reading=None)
                | models.Q(clause=None, answer__isnull=False, claim=None, reading=None)
                | models.Q(clause=None, answer=None, claim__isnull=False, reading=None)
                | models.Q(clause=None, answer=None, claim=None, reading__isnull=False),
                name="anchor_has_one_owner",
            ),
        ]

    def __str__(self) -> str:
        return self.key

    def get_absolute_url(self) -> str:
        return f"{self.evidence.get_absolute_url()}#{self.place_on_page}"

    def clean(self) -> None:
        if self.evidence_id and self.field and self.problem():
            raise ValidationError({"exact": self.problem()})

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)

    @property
    def place_on_page(self) -> str:
        """What the words are called on the page of their record, so that an address can lead to them."""
        return f"words.{self.key.replace('/', '.')}"

    @property
    def selectors(self) -> list[dict[str, Any]]:
        return selectors(self.exact, self.prefix, self.suffix, self.span)

    def problem(self, digest: str = "") -> str:
        """What is wrong with this anchor against its record's text as it is now; empty if nothing is.

        digest: of that text, if it is known
        """
        text: str = self.evidence.text(self.field)
        if text[self.start : self.end] != self.exact:
            return f"the words {self.exact!r} do not stand at {self.start} to {self.end} of {self.evidence}"
        if (digest or digest_of(text)) != self.text_sha256:
            return f"{self.evidence}, {self.get_field_display()}: the text was changed since the anchor was set"
        return ""
