"""The Celery application: which broker, where the tasks are, and what a worker does beside them."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "catalogue.config.settings")

app = Celery("catalogue")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["simulator.workers", "catalogue.comparisons", "catalogue.sensitivity"])
app.autodiscover_tasks(["simulator.workers"], related_name="bootsteps")
