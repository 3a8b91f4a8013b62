"""Turns of chunks. Those that wait already keep the order they had; people's go first, as before."""

from django.db import migrations, models

SITE = 1


def give_lanes(apps, schema_editor):
    batches, chunks = (apps.get_model("simulator", name).objects for name in ("Batch", "Chunk"))
    of_the_site = batches.filter(state="running").exclude(origin__in=("visitor", "editor"))
    chunks.filter(state="queued", batch__in=of_the_site).update(lane=SITE)


LANES = [(0, "People"), (SITE, "Site"), (2, "Parked")]
LANE = models.PositiveSmallIntegerField(choices=LANES, db_default=0, default=0)


class Migration(migrations.Migration):
    dependencies = [("simulator", "0004_versions_and_provenance")]

    operations = [
        migrations.AddField("chunk", "lane", LANE),
        migrations.AddField("chunk", "turn", models.BigIntegerField(db_default=0, default=0)),
        migrations.AddIndex("chunk", models.Index(fields=["state", "lane", "turn", "id"], name="chunk_by_turn")),
        migrations.RunPython(give_lanes, migrations.RunPython.noop, elidable=True),
    ]
