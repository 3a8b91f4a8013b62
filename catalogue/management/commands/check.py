"""Django's check, and that of the apparatus, which reads the database.

Only this command runs it: after an editor has changed a text, every other command must still start, to mend what broke.
"""

from typing import Any

from django.core.checks.registry import registry
from django.core.management.commands.check import Command as DjangosCheck

from catalogue.checks import check_apparatus


class Command(DjangosCheck):
    def handle(self, *app_labels: Any, **options: Any) -> None:
        registered = registry.register(check_apparatus, "apparatus")
        try:
            super().handle(*app_labels, **options)
        finally:
            registry.registered_checks.discard(registered)
