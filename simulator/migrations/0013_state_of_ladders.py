from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('simulator', '0012_batch_to_show'),
    ]

    operations = [
        migrations.AlterField(
            model_name='ladder',
            name='state',
            field=models.CharField(choices=[('waiting', 'waiting for its games'), ('done', 'done'), ('failed', 'failed')], db_index=True, default='waiting', max_length=10),
        ),
    ]
