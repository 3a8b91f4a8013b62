from django.db import migrations, models


def name_players(apps, schema_editor):
    """Of a comparison that was asked for before: those of its batches, who were asked for by name."""
    compared = apps.get_model("catalogue", "ComparedBatch").objects.filter(place=0)
    Comparison = apps.get_model("catalogue", "Comparison")
    for comparison, players in compared.values_list("comparison", "batch__players"):
        Comparison.objects.filter(pk=comparison).update(players=players)
    for one in Comparison.objects.filter(players="", document__isnull=False).defer("plot"):
        Comparison.objects.filter(pk=one.pk).update(players=one.document["players"])


class Migration(migrations.Migration):
    dependencies = [
        ("catalogue", "0008_requested_studies"),
        ("simulator", "0007_ladder_announced"),
    ]

    operations = [
        migrations.AddField(
            model_name="comparison",
            name="players",
            field=models.CharField(blank=True, db_default="", default="", max_length=200),
        ),
        migrations.RunPython(name_players, migrations.RunPython.noop),
    ]
