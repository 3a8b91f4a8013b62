"""A worker of another release, for the tests: its sowing engine has the next version.

Started with `celery -A tests.services.other_release worker`.
"""

from dataclasses import replace

from simulator.engine.families.sowing import definition

definition.FAMILY = replace(definition.FAMILY, rules_version=definition.FAMILY.rules_version + 1)

from catalogue.config.celery import app  # noqa: E402

__all__ = ["app"]
