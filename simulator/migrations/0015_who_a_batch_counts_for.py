from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('simulator', '0014_longer_names_of_players'),
    ]

    operations = [
        migrations.AddField(
            model_name='batch',
            name='charged',
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
