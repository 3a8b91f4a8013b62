"""The simulator: rulesets, batches of games, and what they leave behind."""

from django.apps import AppConfig


class SimulatorConfig(AppConfig):
    name = "simulator"
    verbose_name = "Simulator"

    def ready(self) -> None:
        from simulator.analyses import ladders  # noqa: F401  registers its kind
