from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('catalogue', '0015_one_model_for_studies'),
    ]

    operations = [
        migrations.AlterField(
            model_name='comparison',
            name='players',
            field=models.CharField(blank=True, db_default='', default='', max_length=300),
        ),
    ]
