"""The tools as a Django app, so that their commands are those of `manage.py`."""

from django.apps import AppConfig


class ToolsConfig(AppConfig):
    name = "tools"
    verbose_name = "Tools of the developers"
