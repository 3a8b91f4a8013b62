"""Indexes by which records are listed in their orders, by page and by cursor, counted, mapped and dated."""

from django.db import migrations, models
from django.db.models.functions import Coalesce, Length


class Migration(migrations.Migration):
    dependencies = [("catalogue", "0011_portal")]

    operations = [
        migrations.AddIndex("evidence", models.Index(Length("identifier"), "identifier", name="evidence_in_order")),
        migrations.AddIndex(
            "evidence", models.Index(Coalesce("year_earliest", 9999), "identifier", name="evidence_by_year")
        ),
        migrations.AddIndex("evidence", models.Index(fields=["withdrawn_on"], name="evidence_shown")),
        migrations.AddIndex(
            "evidence",
            models.Index(
                fields=["year_earliest", "year_latest", "id"],
                condition=models.Q(withdrawn_on__isnull=True),
                name="evidence_by_span",
            ),
        ),
        migrations.AddIndex(
            "evidence",
            models.Index(
                fields=["type", "id"], condition=models.Q(withdrawn_on__isnull=True), name="evidence_by_type"
            ),
        ),
    ]
