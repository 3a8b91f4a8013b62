"""The WSGI entry point, for gunicorn and its like."""

import os
import sys

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "catalogue.config.settings")


# A client that asks other sites, another language of templates, and colours for code on pages.
OF_NO_PAGE = ("requests", "jinja2", "pygments")


def leave_out_what_no_page_needs() -> None:
    """Have the frameworks do without the optional packages that they would load because they are installed: those, and,
    where the database is a file, the driver of PostgreSQL. They take 20 MB."""
    from django.conf import settings

    for name in (*OF_NO_PAGE, *(["psycopg"] if settings.DATABASE_URL.startswith("sqlite") else [])):
        sys.modules.setdefault(name, None)  # type: ignore[arg-type]


leave_out_what_no_page_needs()
application = get_wsgi_application()
