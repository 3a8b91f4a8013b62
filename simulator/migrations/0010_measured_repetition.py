"""How often positions came back, which stood in the summaries alone, as rows of its own beside the other figures."""

from django.db import migrations
from django.db.models import Max

AT_ONCE = 200
TITLES = {
    "position_again": "A position came again",
    "threefold": "Would have ended by threefold repetition",
    "longest_repetition": "Longest repetition of a position",
}


def fill(apps, schema_editor):
    """From the summaries that are kept. Batches whose figures are drawn again have these rows already."""
    Batch, Measurement = (apps.get_model("simulator", name) for name in ("Batch", "Measurement"))
    done = Batch.objects.filter(summary__repetition__isnull=False).values_list("pk", "summary")
    for batch, summary in done.iterator(chunk_size=AT_ONCE):
        here = Measurement.objects.filter(batch=batch)
        last = here.aggregate(last=Max("place"))["last"]
        if here.filter(measure__in=TITLES).exists():
            continue
        found = summary["repetition"]
        longest = {"key": "longest_repetition", "unit": "times", "value": found["longest"], "low": None, "high": None,
                   "n": found["games"]}  # fmt: skip
        Measurement.objects.bulk_create(
            Measurement(
                batch_id=batch, place=place, measure=row["key"], title=TITLES[row["key"]],
                censored=summary["counts"]["unfinished"] / summary["games"],
                **{name: row[name] for name in ("unit", "value", "low", "high", "n")},
            )
            for place, row in enumerate([*found["rows"], longest], start=0 if last is None else last + 1)
        )


class Migration(migrations.Migration):

    dependencies = [
        ('simulator', '0009_batches_that_are_shared'),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
