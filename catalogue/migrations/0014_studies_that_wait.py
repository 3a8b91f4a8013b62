from django.db import migrations, models


def one_model(apps, schema_editor):
    """Every study that was kept is done; what was requested is a study that waits, or that has failed."""
    Study, RequestedStudy = apps.get_model("catalogue", "Study"), apps.get_model("catalogue", "RequestedStudy")
    for asked in RequestedStudy.objects.exclude(pk__in=Study.objects.values("pk")):
        Study.objects.create(
            id=asked.id,
            game=asked.game,
            state="failed" if asked.error else "waiting",
            error=asked.error,
            announced=asked.announced,
            terms=asked.terms,
            batches=asked.batches,
        )
        Study.objects.filter(pk=asked.pk).update(created=asked.created)


class Migration(migrations.Migration):

    dependencies = [
        ('catalogue', '0013_content_versions'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='study',
            options={'ordering': ('-created', 'id'), 'verbose_name_plural': 'studies'},
        ),
        migrations.AddField(
            model_name='study',
            name='announced',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='study',
            name='batches',
            field=models.JSONField(blank=True, db_default=[], default=list),
        ),
        migrations.AddField(
            model_name='study',
            name='error',
            field=models.TextField(blank=True, db_default='', default=''),
        ),
        migrations.AddField(
            model_name='study',
            name='state',
            field=models.CharField(choices=[('waiting', 'waiting for its games'), ('done', 'done'), ('failed', 'failed')], db_default='done', db_index=True, default='waiting', max_length=10),
        ),
        migrations.AddField(
            model_name='study',
            name='terms',
            field=models.JSONField(blank=True, db_default={}, default=dict),
        ),
        migrations.AlterField(
            model_name='study',
            name='document',
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name='study',
            name='summary',
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.RunPython(one_model, migrations.RunPython.noop),
    ]
