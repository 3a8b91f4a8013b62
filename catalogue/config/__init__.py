"""How the project is put together. The Celery application is made here, so that every process finds the same one."""

from catalogue.config.celery import app as celery_app

__all__ = ("celery_app",)
