"""Games with the names they go by, and records of the sources with the places and publications that they name.

A game is a row of its own because records, names and readings disagree about it; it carries no rule.
"""

import re
from textwrap import shorten
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator, URLValidator
from django.db import models
from django.db.models import Value
from django.db.models.functions import Coalesce, Left, Length, NullIf
from django.urls import get_script_prefix
from simple_history.models import HistoricalRecords

from catalogue.models.fields import DatedModel, NaturalKeyManager, NaturalKeyModel, VerbatimTextField
from catalogue.texts import dates
from catalogue.texts.formatting import as_sure_as, span_words, year_words
from catalogue.texts.names import called, parsed


class Game(NaturalKeyModel, DatedModel):
    """A game as the catalogue knows it; `is_reference` marks one of published rules, without records."""

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


class GameName(NaturalKeyModel, DatedModel):
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


class Place(NaturalKeyModel, DatedModel):
    class Kind(models.TextChoices):
        COUNTRY = "country", "country"
        PEOPLE = "people", "people"
        REGION = "region", "region"
        TOWN = "town", "town"
        POINT = "point", "point given by its coordinates"
        UNKNOWN = "unknown", "not yet said"

    name = models.CharField(max_length=100, unique=True)
    slug = models.SlugField(max_length=100, unique=True)
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.UNKNOWN)
    latitude = models.DecimalField(max_digits=7, decimal_places=4, null=True, blank=True, help_text="degrees north")
    longitude = models.DecimalField(max_digits=7, decimal_places=4, null=True, blank=True, help_text="degrees east")
    coordinates_note = models.CharField(max_length=200, blank=True, help_text="What the point stands for.")
    part_of = models.ForeignKey("self", on_delete=models.PROTECT, null=True, blank=True, related_name="parts")
    part_of_is_derived = models.BooleanField(
        "part of it by its coordinates",
        default=False,
        db_default=False,
        help_text="No source says so: the point lies within the outline of that country today.",
    )

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(condition=models.Q(latitude__range=(-90, 90)), name="latitude_on_the_globe"),
            models.CheckConstraint(condition=models.Q(longitude__range=(-180, 180)), name="longitude_on_the_globe"),
            models.CheckConstraint(
                condition=models.Q(latitude__isnull=True, longitude__isnull=True)
                | models.Q(latitude__isnull=False, longitude__isnull=False),
                name="both_coordinates_or_none",
            ),
            models.CheckConstraint(condition=~models.Q(part_of=models.F("id")), name="no_place_is_part_of_itself"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return f"{get_script_prefix()}places/{self.slug}/"


is_web_address = URLValidator(["http", "https"])


LONGEST_HEADING = 80  # characters of a reference without authors
MOST_NAMED = 3  # authors; of more than so many the first is named


def source_words(authors: str, year: int | None, as_printed: str = "") -> str:
    """Name a source by surnames and year, "Parker 1909" or "Crist et al. 2026".

    Without authors the printed reference names it, or its beginning. A year with a letter (1999b) keeps it.
    """
    named = [called(name) for name in parsed(authors)[1]]
    surnames = ", ".join(named) if len(named) <= MOST_NAMED else f"{named[0]} et al."
    if not surnames and as_printed:
        return shorten(" ".join(as_printed.split()), LONGEST_HEADING, placeholder="…").rstrip(".")
    lettered = re.search(rf"\b{year}[a-z]\b", as_printed) if year else None
    return f"{surnames or 'Anonymous'} {lettered[0] if lettered else year_words(year) or 'n.d.'}"


def heading(path: str = "") -> Coalesce:
    """Return the expression that sorts sources: by authors, else by the printed reference. path: of the source"""
    return Coalesce(NullIf(f"{path}authors", Value("")), Left(f"{path}as_printed", LONGEST_HEADING))


class Source(NaturalKeyModel, DatedModel):
    """A publication; `authors` are separated by semicolons, surname first, as in "Parker, H."."""

    key_fields = ("key",)

    key = models.SlugField(max_length=80, unique=True, help_text="For example parker-1909.")
    authors = models.CharField(max_length=300, blank=True)
    year = models.IntegerField(null=True, blank=True, db_index=True)
    title = models.CharField(max_length=300, blank=True)
    container = models.CharField(max_length=300, blank=True, help_text="The journal or the book it appeared in.")
    volume = models.CharField(max_length=30, blank=True)
    pages = models.CharField(max_length=50, blank=True)
    place = models.CharField("place of publication", max_length=100, blank=True)
    publisher = models.CharField(max_length=200, blank=True)
    as_printed = VerbatimTextField(unique=True, help_text="The reference exactly as the Ludii portal prints it.")
    address = models.CharField(
        max_length=500,
        blank=True,
        validators=[is_web_address],
        help_text="Where the Ludii portal says it can be read.",
    )
    note = models.TextField(blank=True, help_text="The editors' remarks on the reference.")

    class Meta:
        ordering = [heading(), "year", "key"]
        indexes = [models.Index(heading(), "year", "key", name="source_by_heading")]

    def __str__(self) -> str:
        return source_words(self.authors, self.year, self.as_printed)

    @property
    def link(self) -> str:
        """Return the address if it is one of the web; anything else is words, and no link."""
        try:
            is_web_address(self.address)
        except ValidationError:
            return ""
        return self.address

    def get_absolute_url(self) -> str:
        return f"{get_script_prefix()}sources/{self.key}/"


UNDATED = 9_999  # where a record without a year stands among the years
TEXTS = {"content": "quotation", "rules": "paraphrase"}  # what the portal calls a text: the field that holds it
OF_PORTAL = "DLP."  # with which the identifiers of the Digital Ludeme Project begin
OPENING_QUOTES = ("'", '"', "‘", "“", "«")
is_identifier = RegexValidator(
    r"^[A-Za-z][A-Za-z0-9._-]*$", "Letters, digits, dots and dashes, for example DLP.Evidence.692."
)


class UncertaintyFactor(NaturalKeyModel, DatedModel):
    """A reason why a record may not tell how a game was played."""

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=100, unique=True)
    definition = models.TextField()

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class EvidenceManager(NaturalKeyManager["Evidence"]):
    def shown(self) -> "models.QuerySet[Evidence]":
        """The records that lists, search and the API show: all but the withdrawn ones, whose pages say why they are."""
        return self.filter(withdrawn_on=None)


class Evidence(NaturalKeyModel):
    """One record. A record without a date or without a place is an ordinary record."""

    key_fields = ("identifier",)

    identifier = models.CharField(max_length=60, unique=True, validators=[is_identifier])
    type = models.CharField(max_length=60, db_index=True, help_text="The Ludii portal’s word, for example Ethnography.")
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="evidence")
    places = models.ManyToManyField(Place, related_name="evidence", blank=True)
    ruleset_name = models.CharField(max_length=200, blank=True, help_text="The Ludii portal’s Ruleset field.")
    date_words = models.CharField("date as printed", max_length=100, blank=True)
    date_edtf = models.CharField("date (EDTF)", max_length=60, blank=True)
    year_earliest = models.IntegerField(null=True, blank=True, db_index=True, editable=False)
    year_latest = models.IntegerField(null=True, blank=True, db_index=True, editable=False)
    paraphrase = VerbatimTextField("today’s summary (the paraphrase)", blank=True)
    reference = VerbatimTextField("Reference field of the Ludii portal", blank=True)
    quotation = VerbatimTextField("quotation", blank=True)
    without_words = models.BooleanField(
        "an artefact without words",
        default=False,
        db_default=False,
        help_text="No words tell of it: its pictures, and the board that is read from them, stand for its text.",
    )
    board = models.JSONField(
        default=dict,
        blank=True,
        db_default={},
        help_text="The board that is read from its drawing, as a ruleset's document has it, with the family of games.",
    )
    confidence = models.CharField("confidence as printed", max_length=20, blank=True)
    ages = models.CharField(max_length=100, blank=True)
    spaces = models.CharField(max_length=100, blank=True)
    other_fields = models.JSONField(default=dict, blank=True, help_text="Further fields of the Ludii portal, by label.")
    withdrawn_on = models.DateField(
        null=True, blank=True, help_text="Once it is set, the page tells only the reason. The history stays readable."
    )
    withdrawn_reason = models.TextField(
        "reason of the withdrawal", blank=True, help_text="Every reader can see it, for as long as there is an address."
    )
    sources = models.ManyToManyField(Source, through="Citation", related_name="evidence")
    uncertainty_factors = models.ManyToManyField(
        UncertaintyFactor, through="EvidenceUncertainty", related_name="evidence"
    )

    objects: ClassVar[EvidenceManager] = EvidenceManager()
    history = HistoricalRecords()

    class Meta:
        ordering = [Length("identifier").asc(), "identifier"]  # so that 690 stands before 1194
        verbose_name_plural = "evidence"
        indexes = [
            models.Index(Length("identifier"), "identifier", name="evidence_in_order"),
            models.Index(Coalesce("year_earliest", UNDATED), "identifier", name="evidence_by_year"),
            # Both for the records that are shown and for those that are not, so that neither is sorted or searched for.
            models.Index(
                Length("identifier"),
                "identifier",
                condition=models.Q(withdrawn_on__isnull=True),
                name="evidence_shown_in_order",
            ),
            models.Index(
                fields=["withdrawn_on"], condition=models.Q(withdrawn_on__isnull=False), name="evidence_withdrawn"
            ),
            # What maps and time lines count.
            models.Index(
                fields=["year_earliest", "year_latest", "id"],
                condition=models.Q(withdrawn_on__isnull=True),
                name="evidence_by_span",
            ),
            models.Index(fields=["type", "id"], condition=models.Q(withdrawn_on__isnull=True), name="evidence_by_type"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(year_earliest__lte=models.F("year_latest")), name="earliest_year_before_latest"
            ),
            models.CheckConstraint(
                condition=~models.Q(date_edtf="") | models.Q(year_earliest__isnull=True, year_latest__isnull=True),
                name="no_years_without_a_date",
            ),
            models.CheckConstraint(
                condition=~models.Q(paraphrase="") | ~models.Q(quotation="") | models.Q(without_words=True),
                name="evidence_says_something",
            ),
            models.CheckConstraint(
                condition=models.Q(withdrawn_on__isnull=True) | ~models.Q(withdrawn_reason=""),
                name="withdrawn_for_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return self.identifier

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.set_years()
        super().save(*args, **kwargs)

    def get_absolute_url(self) -> str:
        return f"{get_script_prefix()}evidence/{self.identifier}/"

    def set_years(self) -> None:
        """Fill the columns that follow from the date; to be called before rows are written without `save`."""
        self.year_earliest, self.year_latest = dates.years(self.date_edtf)

    def clean(self) -> None:
        try:
            dates.years(self.date_edtf)
        except dates.DateProblem as problem:
            raise ValidationError({"date_edtf": str(problem)}) from problem
        if self.withdrawn_on and not self.withdrawn_reason.strip():
            raise ValidationError({"withdrawn_reason": "A record is withdrawn for a reason that readers are told."})

    @property
    def is_quoted(self) -> bool:
        """Whether its words are a quotation; some records of the portal only say where a description is to be found."""
        return self.quotation.startswith(OPENING_QUOTES) or bool(self.quotation and not self.is_of_portal)

    @property
    def is_of_portal(self) -> bool:
        """Whether it is one of the Digital Ludeme Project, and was not entered here."""
        return self.identifier.startswith(OF_PORTAL)

    def text(self, name: str) -> str:
        """The text that anchors and notes call by the portal's name of it, "content" or "rules"."""
        return str(getattr(self, TEXTS[name]))

    @property
    def years_in_words(self) -> str:
        """Its years, and that they are not sure where the date says so: c. 1200, 1200?"""
        return as_sure_as(self.date_edtf, span_words(self.year_earliest, self.year_latest))


class Citation(NaturalKeyModel):
    """A record's link to one of its sources, with the place in it as the record prints it."""

    key_fields = ("evidence", "source")

    class Role(models.TextChoices):
        QUOTED = "quoted", "quoted"
        REFERRED_TO = "referred-to", "referred to"
        LISTED = "listed", "only listed"

    evidence = models.ForeignKey(Evidence, on_delete=models.CASCADE, related_name="citations")
    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="citations")
    position = models.PositiveSmallIntegerField(default=0, help_text="Order in which the record lists its sources.")
    role = models.CharField(max_length=12, choices=Role, default=Role.LISTED)
    locator = models.CharField(max_length=300, blank=True, help_text="Pages, diagrams, for example 597-598.")
    as_printed = models.CharField(max_length=500, blank=True, help_text="For example Parker 1909: 597-598.")

    class Meta:
        ordering = ["evidence", "position"]
        constraints = [models.UniqueConstraint(fields=["evidence", "source"], name="one_citation_per_source")]

    def __str__(self) -> str:
        return f"{self.source}: {self.locator}" if self.locator else str(self.source)


class EvidenceUncertainty(NaturalKeyModel):
    """A factor that makes a record uncertain, with the reason."""

    key_fields = ("evidence", "factor")

    evidence = models.ForeignKey(Evidence, on_delete=models.CASCADE, related_name="uncertainties")
    factor = models.ForeignKey(UncertaintyFactor, on_delete=models.PROTECT, related_name="uncertainties")
    reason = models.TextField()

    class Meta:
        ordering = ["evidence", "factor"]
        verbose_name_plural = "evidence uncertainties"
        constraints = [models.UniqueConstraint(fields=["evidence", "factor"], name="one_reason_per_factor")]

    def __str__(self) -> str:
        return f"{self.evidence}: {self.factor}"


class EditorsNote(NaturalKeyModel):
    """What this catalogue's editors have to say about a record; never part of the record."""

    key_fields = ("evidence", "slug")

    class About(models.TextChoices):
        # The values are the portal's names, as the apparatus files and the API have them.
        PARAPHRASE = "rules", "the paraphrase"
        QUOTATION = "content", "the quotation"
        DATE = "date", "the date"
        RECORD = "record", "the record"

    evidence = models.ForeignKey(Evidence, on_delete=models.CASCADE, related_name="notes")
    slug = models.SlugField(max_length=60, help_text="Unique within the record.")
    about = models.CharField(max_length=10, choices=About, default=About.RECORD)
    text = models.TextField()
    position = models.PositiveSmallIntegerField(default=0)

    history = HistoricalRecords()

    class Meta:
        ordering = ["evidence", "position", "slug"]
        constraints = [models.UniqueConstraint(fields=["evidence", "slug"], name="one_note_per_slug")]

    def __str__(self) -> str:
        return f"{self.evidence}: {self.slug}"

    def get_absolute_url(self) -> str:
        return self.evidence.get_absolute_url()
