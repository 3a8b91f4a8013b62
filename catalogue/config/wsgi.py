"""The WSGI entry point, for gunicorn and its like."""

import os
import sys

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "catalogue.config.settings")


def leave_out_what_no_page_needs() -> None:
    """Have the framework of the API do without the optional packages that it would load because they are installed: a
    client that asks other sites, and, where the database is a file, the driver of PostgreSQL. They take 16 MB."""
    from django.conf import settings

    sys.modules.setdefault("requests", None)  # type: ignore[arg-type]
    if settings.DATABASE_URL.startswith("sqlite"):
        sys.modules.setdefault("psycopg", None)  # type: ignore[arg-type]


leave_out_what_no_page_needs()
application = get_wsgi_application()
