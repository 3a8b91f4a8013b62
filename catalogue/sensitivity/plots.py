"""The plots of a study: one sorted bar plot for each outcome that has shares."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from simulator.batches.levels import line_in_words
from simulator.plots import bars

FILLED = (
    "Filled: the share of the variance between the combinations that a question has on its own. {} Lines: 95 % "
    "intervals. The noise of the games is taken off."
)
HATCHED = "Hatched: with what it does together with others."
OF_A_SAMPLE = "From a sample of the combinations; what questions do together is in the last bar."


def drawings_of(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """As a row keeps them: {kind, title, description, caption, svg, height, table}."""
    games = document["games"] * len(document["cells"])
    about = {"games": games, "ruleset": document["base_hash"], "played_by": line_in_words(document["players"])}
    context = {**document, **about}
    caption = FILLED.format(HATCHED if document["complete"] else OF_A_SAMPLE)
    rest = "Answers acting together" if document["complete"] else "Unexplained by any question alone"
    return [
        asdict(
            bars.draw_variance_shares(
                f"doubts-{outcome['key'].replace('_', '-')}",
                f"Which doubt matters: {outcome['title'][0].lower()}{outcome['title'][1:]}",
                outcome["questions"],
                {"title": rest, "first": outcome["rest"]},
                context,
                caption,
            )
        )
        for outcome in document["outcomes"]
        if outcome["told"]
    ]
