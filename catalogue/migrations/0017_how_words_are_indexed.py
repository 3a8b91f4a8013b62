from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('catalogue', '0016_longer_lines_of_players'),
    ]

    operations = [
        migrations.AddField(
            model_name='searchedition',
            name='words',
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
    ]
