from django.db import migrations, models


def forget_replies(apps, schema_editor):
    """Those that there are say nothing of it; whoever comes to their positions again has them thought out anew."""
    apps.get_model('simulator', 'Reply').objects.all().delete()


class Migration(migrations.Migration):

    dependencies = [
        ('simulator', '0007_ladder_announced'),
    ]

    operations = [
        migrations.AddField(
            model_name='reply',
            name='expected',
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.RunPython(forget_replies, migrations.RunPython.noop),
    ]
