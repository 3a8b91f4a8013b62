"""What claims are narrowed by."""

from django.db.models import QuerySet
from django_filters import ChoiceFilter

from catalogue.claims.results import claim_results, claim_rows
from catalogue.filters.common import OfGame, OfWords, RecordedSince
from catalogue.models import Claim
from catalogue.texts.outcomes import OUTCOMES


class ClaimFilters(OfGame, OfWords, RecordedSince):
    anchored = "claim"
    judged_by = ChoiceFilter(choices=Claim.JudgedBy.choices, label="what can judge it")
    verdict = ChoiceFilter(choices=OUTCOMES, method="of_verdict", label="what its tests say")

    def of_verdict(self, rows: "QuerySet[Claim]", name: str, value: str) -> "QuerySet[Claim]":
        return rows.filter(pk__in=[one.claim.pk for one in claim_results(claim_rows()) if one.verdict.outcome == value])
