import catalogue.models.fields
import django.core.validators
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('catalogue', '0010_reading_tokens'),
    ]

    operations = [
        migrations.CreateModel(
            name='Category',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=100, unique=True)),
                ('name', models.CharField(max_length=100, unique=True)),
            ],
            options={
                'verbose_name_plural': 'categories',
                'ordering': ['name'],
            },
        ),
        migrations.CreateModel(
            name='Period',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=100, unique=True)),
                ('name', models.CharField(max_length=100, unique=True)),
            ],
            options={
                'ordering': ['name'],
            },
        ),
        migrations.AddField(
            model_name='source',
            name='address',
            field=models.CharField(blank=True, help_text='Where the portal says it can be read.', max_length=500, validators=[django.core.validators.URLValidator(['http', 'https'])]),
        ),
        migrations.AlterField(
            model_name='place',
            name='kind',
            field=models.CharField(choices=[('country', 'country'), ('people', 'people'), ('region', 'region'), ('town', 'town'), ('point', 'point given by its coordinates'), ('unknown', 'not yet said')], default='unknown', max_length=10),
        ),
        migrations.CreateModel(
            name='PortalGame',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveBigIntegerField(help_text='For example 57 of DLP.Game.57.', unique=True, validators=[django.core.validators.MinValueValidator(1)], verbose_name='number in the portal')),
                ('description', catalogue.models.fields.VerbatimTextField(blank=True, help_text="The portal's words.")),
                ('reference', catalogue.models.fields.VerbatimTextField(blank=True)),
                ('origin', catalogue.models.fields.VerbatimTextField(blank=True)),
                ('other_fields', models.JSONField(blank=True, default=dict, help_text='Further columns of the portal, by name.')),
                ('categories', models.ManyToManyField(blank=True, related_name='games', to='catalogue.category')),
                ('game', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='portal', to='catalogue.game')),
                ('periods', models.ManyToManyField(blank=True, related_name='games', to='catalogue.period')),
                ('regions', models.ManyToManyField(blank=True, related_name='portal_games', to='catalogue.place')),
            ],
            options={
                'ordering': ['number'],
            },
        ),
        migrations.CreateModel(
            name='PortalRuleset',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveBigIntegerField(help_text='For example 57 of DLP.Ruleset.57.', unique=True, validators=[django.core.validators.MinValueValidator(1)], verbose_name='number in the portal')),
                ('name', models.CharField(max_length=200)),
                ('native_name', models.CharField(blank=True, max_length=200)),
                ('type', models.CharField(blank=True, db_index=True, help_text="The portal's word.", max_length=60)),
                ('is_main', models.BooleanField(default=False, verbose_name="the game's main ruleset")),
                ('summary', catalogue.models.fields.VerbatimTextField(blank=True)),
                ('description', catalogue.models.fields.VerbatimTextField(blank=True)),
                ('rules', catalogue.models.fields.VerbatimTextField(blank=True)),
                ('reference', catalogue.models.fields.VerbatimTextField(blank=True)),
                ('origin', catalogue.models.fields.VerbatimTextField(blank=True)),
                ('other_fields', models.JSONField(blank=True, default=dict, help_text='Further columns of the portal, by name.')),
                ('evidence', models.ManyToManyField(blank=True, related_name='portal_rulesets', to='catalogue.evidence')),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='portal_rulesets', to='catalogue.game')),
            ],
            options={
                'ordering': ['game', 'number'],
            },
        ),
    ]
