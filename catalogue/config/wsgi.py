"""The WSGI entry point, for gunicorn and its like."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "catalogue.config.settings")
application = get_wsgi_application()
