"""Records may be withdrawn: on a day, and for a reason that stands where the record stood.

And long lists of sources are read in their order.
"""

from django.db import migrations, models


def _day():
    told = "Once it is set, the page tells only the reason. The history stays readable."
    return models.DateField(blank=True, null=True, help_text=told)


def _reason():
    told = "Every reader can see it, for as long as there is an address."
    return models.TextField("reason of the withdrawal", blank=True, default="", help_text=told)


class Migration(migrations.Migration):
    dependencies = [("catalogue", "0008_search")]

    operations = [
        migrations.AddField("evidence", "withdrawn_on", _day()),
        migrations.AddField("historicalevidence", "withdrawn_on", _day()),
        migrations.AddField("evidence", "withdrawn_reason", _reason(), preserve_default=False),
        migrations.AddField("historicalevidence", "withdrawn_reason", _reason(), preserve_default=False),
        migrations.AddConstraint(
            "evidence",
            models.CheckConstraint(
                condition=models.Q(withdrawn_on__isnull=True) | ~models.Q(withdrawn_reason=""),
                name="withdrawn_for_a_reason",
            ),
        ),
        migrations.AddIndex("source", models.Index(fields=["authors", "year", "key"], name="source_by_author")),
    ]
