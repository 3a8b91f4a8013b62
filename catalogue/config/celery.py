"""The Celery application: which broker, where the tasks are, and what a worker does beside them."""

import logging
import os

from celery import Celery
from celery.signals import task_postrun

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "catalogue.config.settings")

log = logging.getLogger(__name__)
app = Celery("catalogue")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["simulator"], related_name="workers")


@task_postrun.connect
def gather_findings(**_: object) -> None:
    """A worker that has ended the last of what was being played gathers the findings, before a reader has to wait."""
    from catalogue.findings.kept import gather_when_nothing_runs  # once the applications are loaded

    try:
        gather_when_nothing_runs()
    except Exception:  # what the task did is done all the same, and a reader gathers them
        log.exception("findings were not gathered")
