"""The catalogue: the scholarship, and every page, address and API."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class CatalogueConfig(AppConfig):
    name = "catalogue"
    verbose_name = "Catalogue of evidence"

    def ready(self) -> None:
        from catalogue.analyses import claims, comparisons, studies, wear_studies  # noqa: F401  register their tasks
        from catalogue.history import histories
        from catalogue.models.changes import watch_content
        from catalogue.permissions import write_groups
        from catalogue.search.signals import connect

        connect()
        histories.connect()
        post_migrate.connect(write_groups, sender=self)
        post_migrate.connect(watch_content, sender=self)
