"""A ruleset changed on the way, in the API: what it would be, which rules lose their ground, who reads them so.

Nothing is written. Whoever wants games of it asks for a batch with the same `set`.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.reverse import reverse

from catalogue.api.batch_requests import BatchRequestSerializer, StrictSerializer
from catalogue.api.named_rulesets import NamedRuleset
from catalogue.api.shapes import Document
from catalogue.models import Basis
from catalogue.web.problem_document import RefusedRequest
from catalogue.what_if.changes import query, what_if
from catalogue.what_if.context import ChangedRule, Surroundings, changed_rules, surroundings
from simulator.engine.family import family
from simulator.engine.ruleset import Ruleset, RulesetProblem
from simulator.models import RulesetVersion
from simulator.rulesets import as_engine


class ChangeRequestSerializer(StrictSerializer):
    set = serializers.DictField(
        child=Document("SentValue", allow_null=True),
        help_text="Parameters to be changed, for example {“counters_per_hole”: 5}.",
    )

    def validate_set(self, changes: dict[str, Any]) -> dict[str, str]:
        return BatchRequestSerializer().validate_set(changes)


@dataclass(frozen=True, slots=True)
class ChangedRuleset:
    """A ruleset that can be played, and how it differs from its parent."""

    parent: NamedRuleset
    values: dict[str, Any]
    content: Ruleset
    rules: list[ChangedRule]
    around: Surroundings
    query: str


def changed(parent: NamedRuleset, typed: dict[str, str]) -> ChangedRuleset:
    """What the parent becomes; raises RefusedRequest with everything that is wrong."""
    ruleset = as_engine(parent.content)
    try:
        change = what_if(ruleset, typed)
    except RulesetProblem as error:
        raise RefusedRequest(replace(problem, key=f"set.{problem.key}") for problem in error.problems) from error
    if change.ruleset is None:
        raise RefusedRequest(replace(problem, key=f"set.{problem.key}") for problem in change.problems)
    around = surroundings(parent.version.slug if parent.version else None, ruleset)
    rules = changed_rules(around, family(ruleset.family), ruleset.parameters, change.parameters)
    return ChangedRuleset(parent, change.values, change.ruleset, rules, around, query(change.typed))


class LostClauseSerializer(serializers.Serializer[Any]):
    reading = serializers.CharField(source="clause.reading.slug")
    slug = serializers.CharField(source="clause.slug")
    basis = serializers.CharField(source="clause.basis", help_text="What it rested on.")
    text = serializers.CharField(source="clause.text")


class ChangedRuleSerializer(serializers.Serializer[ChangedRule]):
    parameter = serializers.CharField(source="change.key")
    title = serializers.CharField(source="change.title")
    before = serializers.CharField(source="change.before", help_text="The rule of the parent in plain words.")
    after = serializers.CharField(source="change.after", help_text="The rule as it is now.")
    basis = serializers.SerializerMethodField(help_text="Always a conjecture: no source gives this with the rest.")
    clause = LostClauseSerializer(allow_null=True, help_text="The clause of the parent that no longer holds.")
    read_so_by = serializers.SerializerMethodField(help_text="Other readings of the game that have the rule so.")

    def get_basis(self, rule: ChangedRule) -> str:
        return Basis.CONJECTURE.value

    def get_read_so_by(self, rule: ChangedRule) -> list[str]:
        return [reading.slug for reading in rule.read_so_by]


class AnsweredSerializer(serializers.Serializer[Any]):
    question = serializers.CharField()
    title = serializers.CharField()
    before = serializers.CharField(allow_null=True, help_text="The answer of the parent; null if it is not listed.")
    after = serializers.CharField(allow_null=True, help_text="The answer now; null if it is not listed.")


class ChangedRulesetSerializer(serializers.Serializer[ChangedRuleset]):
    parent = serializers.CharField(  # type: ignore[assignment]
        source="parent.name", read_only=True, help_text="What was changed."
    )
    set = serializers.DictField(
        child=Document("ParameterValue"), source="values", help_text="The parameters that differ."
    )
    family = serializers.CharField(source="content.family")
    hash = serializers.CharField(source="content.hash", help_text="SHA-256 of the canonical document (RFC 8785).")
    document = serializers.DictField(
        child=Document("ParameterValue"),
        source="content.document",
        help_text="Parameters at their off value are left out.",
    )
    names = serializers.SerializerMethodField(help_text="What the same content is already called.")
    page = serializers.SerializerMethodField(help_text="The page of this change for readers.")
    rules = ChangedRuleSerializer(many=True)
    answers = serializers.SerializerMethodField(help_text="Questions of the game that are answered otherwise now.")

    def get_names(self, found: ChangedRuleset) -> list[str]:
        return [str(one) for one in RulesetVersion.objects.filter(ruleset=found.content.hash)]

    def get_page(self, found: ChangedRuleset) -> str:
        page = reverse("change-ruleset", args=[found.parent.name], request=self.context["request"])
        return f"{page}?{found.query}" if found.query else page

    @extend_schema_field(AnsweredSerializer(many=True))
    def get_answers(self, found: ChangedRuleset) -> list[dict[str, Any]]:
        return list(_answers(found))


def _answers(found: ChangedRuleset) -> Iterable[dict[str, Any]]:
    before = as_engine(found.parent.content).parameters
    for question in found.around.questions:
        if set(question.question.parameters) & set(found.values):
            given = question.given_by(before), question.given_by(found.content.parameters)
            was, now = (one.answer.slug if one else None for one in given)
            yield {"question": question.question.slug, "title": question.question.title, "before": was, "after": now}
