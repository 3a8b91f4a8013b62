"""The catalogue: the scholarship, and every page, address and API."""

from django.apps import AppConfig


class CatalogueConfig(AppConfig):
    name = "catalogue"
    verbose_name = "Catalogue of evidence"

    def ready(self) -> None:
        from catalogue.search.signals import connect

        connect()
