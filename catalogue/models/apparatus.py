"""Readings of a game, and why each is so: clauses, questions with their answers, claims with verdicts, anchors, terms.

The simulator knows a ruleset by its content only. A reading says whose understanding of which records it encodes, and
is tied to the simulator's named versions by its slug alone, so that either side can be loaded without the other.
"""

from typing import TYPE_CHECKING, Any, ClassVar, Optional

from django.core.exceptions import ValidationError
from django.db import models
from django.urls import get_script_prefix
from simple_history.models import HistoricalRecords

from catalogue.models.evidence import Evidence, Game
from catalogue.models.fields import DatedModel, NaturalKeyManager, NaturalKeyModel, VerbatimTextField
from catalogue.texts.anchors import Span, digest_of, selectors

if TYPE_CHECKING:
    from simulator.models import RulesetVersion


class Basis(models.TextChoices):
    """What a rule rests on."""

    STATED = "stated", "stated"
    ENTAILED = "entailed", "entailed"
    BY_ANALOGY = "by_analogy", "by analogy"
    DRAWN = "drawn", "drawn"
    OTHER_SOURCE = "other_source", "another source"
    CONJECTURE = "conjecture", "conjecture"


class Reading(NaturalKeyModel):
    """One executable understanding of a game; `slug` is also the slug of its ruleset versions."""

    class Kind(models.TextChoices):
        INTERPRETATION = "interpretation", "interpretation of a source"
        RECONSTRUCTION = "reconstruction", "reconstruction beyond the source"
        PROGRAM = "program", "how another program plays it"
        REFERENCE = "reference", "game of published rules, for reference"

    slug = models.SlugField(max_length=100, unique=True)
    title = models.CharField(max_length=150)
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="readings")
    evidence = models.ManyToManyField(Evidence, related_name="readings", blank=True)
    authority = models.SlugField(max_length=40, db_index=True, help_text="For example parker, das-gupta, dlp, ludii.")
    kind = models.CharField(max_length=20, choices=Kind)
    summary = models.TextField(help_text="What is characteristic of this reading.")
    rests_on = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="rested_on_by",
        help_text="The reading whose clauses hold wherever both give a parameter the same value.",
    )
    rests_basis = models.CharField(max_length=15, choices=Basis, blank=True)
    rests_text = models.TextField(blank=True, help_text="Why it may rest on that reading.")
    encoded_by = models.CharField(max_length=100, blank=True)
    checked_by = models.CharField(max_length=100, blank=True)
    position = models.PositiveSmallIntegerField(default=0, help_text="Order among the readings of the game.")

    history = HistoricalRecords(m2m_fields=[evidence])

    class Meta:
        ordering = ["game", "position", "slug"]
        constraints = [models.UniqueConstraint(fields=["game", "authority"], name="one_reading_per_authority")]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return f"{get_script_prefix()}rulesets/{self.slug}/"

    def clean(self) -> None:
        """Nobody signs a reading that he made."""
        if self.checked_by and self.checked_by.strip().casefold() == self.encoded_by.strip().casefold():
            raise ValidationError({"checked_by": f"{self.checked_by} has made this reading: somebody else checks it."})

    @property
    def ruleset_version(self) -> Optional["RulesetVersion"]:
        """The newest version of that name in the simulator, or None if none has been loaded."""
        from simulator.models import RulesetVersion

        return RulesetVersion.objects.filter(slug=self.slug).select_related("ruleset").order_by("-number").first()


class Question(NaturalKeyModel):
    """A point that the sources of a game leave open, and the parameters that its answers set."""

    key_fields = ("game", "slug")

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="questions")
    slug = models.SlugField(max_length=60, help_text="Unique within the game.")
    title = models.CharField(max_length=200)
    text = models.TextField(help_text="What is asked, and why the words leave it open.")
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


class Clause(NaturalKeyModel):
    """One rule of a reading: the parameters that hold it, what it rests on, and why these words mean that rule.

    The first paragraph of the text is the rule as a player needs it; what follows a blank line is our remark on the
    sources.
    """

    key_fields = ("reading", "slug")

    reading = models.ForeignKey(Reading, on_delete=models.CASCADE, related_name="clauses")
    slug = models.SlugField(max_length=60, help_text="Unique within the reading.")
    parameters = models.JSONField(
        default=list, blank=True, help_text="Keys of the ruleset that this clause covers, or places of its tables."
    )
    basis = models.CharField(max_length=15, choices=Basis, db_index=True)
    text = models.TextField(help_text="The rule in our words, and the step from the source to it.")
    source = models.CharField(max_length=200, blank=True, help_text="Where the rule is from, if from no record.")
    not_played = models.SlugField(
        max_length=60,
        blank=True,
        default="",
        db_default="",
        help_text="Set if the words tell this rule and no parameter has it: what is missing here, in a short tag, as "
        "“captures-sideways”. Such a clause covers no parameter.",
    )
    position = models.PositiveSmallIntegerField(default=0)

    history = HistoricalRecords()

    class Meta:
        ordering = ["reading", "position", "slug"]
        constraints = [models.UniqueConstraint(fields=["reading", "slug"], name="one_clause_per_slug")]

    def __str__(self) -> str:
        return f"{self.reading_id and self.reading.slug}/{self.slug}"

    def get_absolute_url(self) -> str:
        return f"{self.reading.get_absolute_url()}#clause-{self.slug}"

    def clean(self) -> None:
        """A rule is the value of parameters, or it is not played."""
        if self.not_played and self.parameters:
            raise ValidationError({"not_played": "It is played: the clause covers parameters."})
        if not self.not_played and not self.parameters:
            raise ValidationError(
                {"parameters": "Name what it covers, or what is missing for a rule that is not played."}
            )

    @property
    def rule(self) -> str:
        """The rule alone, without the remark on the sources."""
        return self.text.partition("\n\n")[0]


class AnchorManager(NaturalKeyManager["Anchor"]):
    def shown(self) -> "models.QuerySet[Anchor]":
        """The anchors whose words readers may see: none of a record that was withdrawn."""
        return self.filter(evidence__withdrawn_on=None)

    def with_records(self) -> "models.QuerySet[Anchor]":
        """The anchors that readers may see with their records, but without the texts of these."""
        return self.shown().select_related("evidence").defer("evidence__quotation", "evidence__paraphrase")


class Anchor(NaturalKeyModel):
    """Words of a record, and what they are said of: a clause, an answer, a claim, or that one reading rests on another.

    Offsets count code points of the field as it was when `text_sha256` was taken.
    """

    key_fields = ("key",)

    class Field(models.TextChoices):
        # The values are the portal's names, as the apparatus files and the API have them.
        QUOTATION = "content", "the quotation"
        PARAPHRASE = "rules", "today’s summary"

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
        """Return the element of the words on the page of their record, to which an address can lead."""
        return f"words.{self.key.replace('/', '.')}"

    @property
    def selectors(self) -> list[dict[str, Any]]:
        return selectors(self.exact, self.prefix, self.suffix, self.span)

    def problem(self, digest: str = "") -> str:
        """Return the problem of this anchor with the current text of its record; empty if there is none.

        digest: of that text, if it is known
        """
        text: str = self.evidence.text(self.field)
        if text[self.start : self.end] != self.exact:
            return f"the words {self.exact!r} do not stand at {self.start} to {self.end} of {self.evidence}"
        if (digest or digest_of(text)) != self.text_sha256:
            return f"{self.evidence}, {self.get_field_display()}: the text was changed since the anchor was set"
        return ""


class TermManager(NaturalKeyManager["Term"]):
    def shown(self) -> "models.QuerySet[Term]":
        """The terms of records that readers may see."""
        return self.filter(evidence__withdrawn_on=None)


class Term(NaturalKeyModel, DatedModel):
    """One word of the players' language in one record, and the words of the record that give it."""

    key_fields = ("evidence", "slug")

    evidence = models.ForeignKey(Evidence, on_delete=models.CASCADE, related_name="terms")
    slug = models.SlugField(max_length=60, help_text="Unique within the record.")
    word = models.CharField(max_length=60, help_text="As the record prints it.")
    language = models.CharField(max_length=50, blank=True, help_text="Only if the record says so.")
    meaning = models.CharField(max_length=200, help_text="What is called so.")
    field = models.CharField(max_length=10, choices=Anchor.Field, default=Anchor.Field.QUOTATION)
    exact = VerbatimTextField(help_text="The words of the record that give it.")

    objects: ClassVar[TermManager] = TermManager()

    class Meta:
        ordering = ["evidence", "slug"]
        constraints = [models.UniqueConstraint(fields=["evidence", "slug"], name="one_term_per_slug")]

    def __str__(self) -> str:
        return f"{self.evidence}: {self.slug}"

    def get_absolute_url(self) -> str:
        return f"{get_script_prefix()}terms/#{self.place_on_page}"

    @property
    def place_on_page(self) -> str:
        """The address of the term in the glossary of all records."""
        return f"{self.evidence.identifier}-{self.slug}"


class Claim(NaturalKeyModel):
    """A sentence about the course of games, with its operational tests."""

    key_fields = ("game", "slug")

    class JudgedBy(models.TextChoices):
        RANDOM = "random", "games of random players"
        STRONG = "strong", "games of strong players"
        NOTHING = "nothing", "nothing that can be simulated"

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="claims")
    slug = models.SlugField(max_length=60, help_text="Unique within the game.")
    title = models.CharField(max_length=200)
    text = models.TextField(help_text="What is claimed, in our words, and how it is taken.")
    judged_by = models.CharField(max_length=10, choices=JudgedBy)
    about_rules = models.BooleanField(
        default=False,
        db_default=False,
        help_text="It follows from the rules alone, and no player can change it; else it is about how people play.",
    )
    why_not = models.TextField(blank=True, help_text="Why it cannot be tested by simulation.")
    tests = models.JSONField(default=list, blank=True)
    limits = models.TextField(blank=True, help_text="What a verdict does not show.")
    position = models.PositiveSmallIntegerField(default=0)

    history = HistoricalRecords()

    class Meta:
        ordering = ["game", "position", "slug"]
        constraints = [models.UniqueConstraint(fields=["game", "slug"], name="one_claim_per_slug")]

    def __str__(self) -> str:
        return f"{self.game_id and self.game.slug}/{self.slug}"

    def get_absolute_url(self) -> str:
        return f"{get_script_prefix()}claims/{self.game.slug}/{self.slug}/"


class Verdict(models.Model):
    """What one test of a claim says, and the games it says it of.

    figure, least, most, low, high: see `simulator.statistics.bounded.BoundedFigure`
    test: the test as it was run; a verdict of another test than the claim has now is out of date and is not shown
    """

    class Kind(models.TextChoices):
        SUPPORTED = "supported", "supported"
        NOT_SUPPORTED = "not_supported", "not supported"
        UNDECIDED = "undecided", "undecided"
        UNTESTABLE = "untestable", "cannot be tested by simulation"

        @property
        def sign(self) -> str:
            """Return the sign beside the word, so that nothing depends on colour."""
            return {"supported": "✓", "not_supported": "✗", "undecided": "?"}.get(self.value, "–")

    claim = models.ForeignKey(Claim, on_delete=models.CASCADE, related_name="verdicts")
    number = models.PositiveSmallIntegerField(help_text="Which of the claim’s tests, from 1.")
    test = models.JSONField()
    verdict = models.CharField(max_length=15, choices=Kind.choices)
    text = models.TextField(help_text="The figure in words.")
    figure = models.FloatField(null=True, blank=True, help_text="Empty if games that were stopped leave it open.")
    least = models.FloatField(null=True, blank=True)
    most = models.FloatField(null=True, blank=True)
    low = models.FloatField(null=True, blank=True)
    high = models.FloatField(null=True, blank=True)
    n = models.PositiveBigIntegerField(help_text="Games, or pairs of games, that the figure rests on.")
    counts = models.JSONField(default=dict, blank=True)
    batches = models.JSONField(
        default=list, blank=True, help_text="Ids, one for each ruleset of the test; none of what is proved."
    )
    players = models.CharField(max_length=200, blank=True)
    games = models.PositiveBigIntegerField()
    seed = models.BigIntegerField()
    cap = models.PositiveIntegerField()
    until = models.CharField(max_length=10, blank=True)
    moves = models.TextField(
        blank=True, default="", db_default="", help_text="Of a game that is a witness, as its address writes them."
    )
    version = models.PositiveIntegerField(help_text="Of the way verdicts are computed.")
    computed = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["claim", "number"]
        constraints = [models.UniqueConstraint(fields=["claim", "number"], name="one_verdict_per_test")]

    def __str__(self) -> str:
        return f"{self.claim_id and self.claim}, test {self.number}"
