"""Places: a country, a people, a region or a town that a record is from. A record may have none."""

from django.db import models
from django.urls import get_script_prefix

from catalogue.models.natural_keys import NaturalKeyModel


class Place(NaturalKeyModel):
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
