"""By which version of the players a batch is named, and by what it was played.

A batch whose players think is named by their version too, so that the version can be found again from the name.
"""

import hashlib
import json

from django.db import migrations, models

VERSIONS = range(1, 13)  # of the players, those there were and some more
TERMS = ("games", "seed", "players", "cap", "until")


def find_players_versions(apps, schema_editor):
    batches = apps.get_model("simulator", "Batch").objects
    thinking = batches.exclude(players__regex=r"^random(,random)*$")
    for row in thinking.values("id", "ruleset_id", "family_version", *TERMS).iterator():
        content = {"ruleset": row["ruleset_id"], "family_version": row["family_version"]}
        content |= {name: row[name] for name in TERMS}
        found = next((tried for tried in VERSIONS if _name(players_version=tried, **content) == row["id"]), 0)
        batches.filter(id=row["id"]).update(players_version=found)


def _name(**content):
    """Numbers and plain words only, so that sorted JSON without spaces is canonical (RFC 8785)."""
    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()[:16]


class Migration(migrations.Migration):
    dependencies = [("simulator", "0003_rights_of_batches")]

    operations = [
        migrations.AddField("batch", "players_version", models.PositiveIntegerField(blank=True, null=True)),
        migrations.AddField("batch", "provenance", models.JSONField(blank=True, default=list, null=True)),
        migrations.AddField("chunk", "provenance", models.JSONField(blank=True, null=True)),
        migrations.AddField("reply", "players_version", models.PositiveIntegerField(blank=True, null=True)),
        migrations.AddField("worker", "release", models.CharField(blank=True, default="", max_length=100)),
        migrations.AddField("worker", "ahead", models.FloatField(default=0)),
        migrations.RunPython(find_players_versions, migrations.RunPython.noop, elidable=True),
    ]
