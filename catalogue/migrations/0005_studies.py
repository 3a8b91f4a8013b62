import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('catalogue', '0004_comparisons'),
    ]

    operations = [
        migrations.CreateModel(
            name='Study',
            fields=[
                ('id', models.CharField(max_length=16, primary_key=True, serialize=False)),
                ('document', models.JSONField()),
                ('summary', models.JSONField()),
                ('plots', models.JSONField(default=list)),
                ('created', models.DateTimeField(auto_now_add=True)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='studies', to='catalogue.game')),
            ],
            options={
                'verbose_name_plural': 'studies',
                'ordering': ['-created', 'id'],
            },
        ),
    ]
