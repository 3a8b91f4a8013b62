import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('catalogue', '0005_studies'),
    ]

    operations = [
        migrations.CreateModel(
            name='Verdict',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(help_text='Which of the claim’s tests, from 1.')),
                ('test', models.JSONField()),
                ('verdict', models.CharField(choices=[('supported', 'supported'), ('not_supported', 'not supported'), ('undecided', 'undecided'), ('untestable', 'cannot be tested by simulation')], max_length=15)),
                ('text', models.TextField(help_text='The figure in words.')),
                ('figure', models.FloatField(blank=True, help_text='Empty if games that were stopped leave it open.', null=True)),
                ('least', models.FloatField(blank=True, null=True)),
                ('most', models.FloatField(blank=True, null=True)),
                ('low', models.FloatField(blank=True, null=True)),
                ('high', models.FloatField(blank=True, null=True)),
                ('n', models.PositiveBigIntegerField(help_text='Games, or pairs of games, that the figure rests on.')),
                ('counts', models.JSONField(default=dict)),
                ('batches', models.JSONField(default=list, help_text='Ids, one for each ruleset of the test.')),
                ('players', models.CharField(max_length=200)),
                ('games', models.PositiveBigIntegerField()),
                ('seed', models.BigIntegerField()),
                ('cap', models.PositiveIntegerField()),
                ('until', models.CharField(max_length=10)),
                ('version', models.PositiveIntegerField(help_text='Of the way verdicts are computed.')),
                ('computed', models.DateTimeField(auto_now=True)),
                ('claim', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='verdicts', to='catalogue.claim')),
            ],
            options={
                'ordering': ['claim', 'number'],
                'constraints': [models.UniqueConstraint(fields=('claim', 'number'), name='one_verdict_per_test')],
            },
        ),
    ]
