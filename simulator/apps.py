"""The simulator: rulesets, batches of games, and what they leave behind."""

from django.apps import AppConfig


class SimulatorConfig(AppConfig):
    name = "simulator"
    verbose_name = "Simulator"
