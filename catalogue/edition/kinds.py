"""The kinds of parts that an edition has: batches, and everything that is concluded from them."""

from collections.abc import Mapping

from catalogue.analyses.claims import CLAIMS as CLAIM_KIND
from catalogue.analyses.comparisons import COMPARISONS as COMPARISON_KIND
from catalogue.analyses.studies import STUDIES as STUDY_KIND
from simulator.analyses.ladders import LADDERS as LADDER_KIND
from simulator.analyses.protocol import ShippedKind
from simulator.analyses.solutions import SOLUTIONS as SOLUTION_KIND

BATCHES = "batches"
CONCLUSIONS: Mapping[str, ShippedKind] = {
    kind.plural: kind for kind in (COMPARISON_KIND, STUDY_KIND, CLAIM_KIND, LADDER_KIND, SOLUTION_KIND)
}
COMPARISONS, STUDIES, CLAIMS, LADDERS, SOLUTIONS = CONCLUSIONS
KINDS = (BATCHES, *CONCLUSIONS)  # in the order in which they name each other
TITLES = {BATCHES: "Games of the readings", **{plural: kind.title for plural, kind in CONCLUSIONS.items()}}
OF_A_LEVEL = (BATCHES, COMPARISONS, STUDIES)  # whose parts have its name after that of the reading or the game
