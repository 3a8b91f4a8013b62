from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("catalogue", "0014_studies_that_wait"),
    ]

    operations = [
        migrations.DeleteModel(name="RequestedStudy"),
    ]
