"""What a study says, in sentences."""

from collections.abc import Mapping
from typing import Any

from catalogue.texts.formatting import plain
from simulator.statistics.intervals import Interval
from simulator.statistics.rows import amount_text, share_text

NEGLIGIBLE = 0.05  # of the variance: less is not called a doubt that matters


def amount(figure: Interval, unit: str) -> str:
    return share_text(figure) if unit == "share" else amount_text(figure, unit)


def outcome_text(outcome: Mapping[str, Any], extremes: tuple[float, float], complete: bool) -> str:
    """Which doubt matters for one outcome, how much is at stake, and what the questions on their own leave."""
    low, high = (plain(one, outcome["unit"]) for one in extremes)
    unit = "" if outcome["unit"] == "share" else f" {outcome['unit']}"
    if low == high:
        return f"All combinations come to {low}{unit}."
    span = f"The combinations lie between {low} and {high}{unit}."
    if not outcome["told"]:
        return f"{span} Chance alone would make such differences: these games show none that is due to the answers."
    return " ".join([span, _most(outcome["questions"]), _rest(outcome["rest"], complete)])


def _most(rows: list[Mapping[str, Any]]) -> str:
    best = max(rows, key=lambda row: row["first"]["value"])
    if best["first"]["value"] < NEGLIGIBLE:
        return "No question on its own accounts for one twentieth of the variance."
    return (
        f"What matters most is “{best['title']}”: on its own it accounts for {best['first']['text']} of the variance."
    )


def _rest(rest: Mapping[str, Any], complete: bool) -> str:
    why = "due to answers that act together" if complete else "what the sample leaves unexplained"
    return f"{rest['text']} is {why}."
