from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('simulator', '0013_state_of_ladders'),
    ]

    operations = [
        migrations.AlterField(
            model_name='batch',
            name='players',
            field=models.CharField(max_length=300),
        ),
        migrations.AlterField(
            model_name='reply',
            name='player',
            field=models.CharField(max_length=100),
        ),
    ]
