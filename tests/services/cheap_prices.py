"""A worker that takes every game for cheap, for the tests: whatever takes long takes many times what it should.

Started with `celery -A tests.services.cheap_prices worker`.
"""

from simulator.batches import prices

prices.game_price = prices.turn_price = lambda *asked: 1.0

from catalogue.config.celery import app  # noqa: E402

__all__ = ["app"]
