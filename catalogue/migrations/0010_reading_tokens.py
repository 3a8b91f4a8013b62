import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("catalogue", "0009_withdrawn")]

    operations = [
        migrations.CreateModel(
            name="ReadingToken",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(help_text="What the programme is for.", max_length=100)),
                (
                    "contact",
                    models.EmailField(help_text="Whom to write to before it is taken back.", max_length=200),
                ),
                (
                    "requests_per_minute",
                    models.PositiveIntegerField(
                        default=1200, validators=[django.core.validators.MinValueValidator(1)]
                    ),
                ),
                (
                    "requests_per_hour",
                    models.PositiveIntegerField(
                        default=50000, validators=[django.core.validators.MinValueValidator(1)]
                    ),
                ),
                ("digest", models.CharField(editable=False, max_length=64, unique=True)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("last_day_used", models.DateField(blank=True, editable=False, null=True)),
            ],
            options={"ordering": ["name", "id"]},
        ),
    ]
