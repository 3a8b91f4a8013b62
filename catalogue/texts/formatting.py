"""Means as a table shows them, without their intervals. Pages import this, so it needs no statistics."""


def plain(number: float, unit: str) -> str:
    """ "51.3 %", or "1,962.14"."""
    return f"{100 * number:.1f} %" if unit == "share" else f"{number:,.2f}"
