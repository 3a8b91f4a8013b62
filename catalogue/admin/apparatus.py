"""Questions with their answers, and claims."""

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError

from catalogue import models
from catalogue.admin.anchors import AnchorInline
from catalogue.admin.inlines import Inline
from catalogue.admin.parameters import wrong_parameters
from catalogue.admin.reasons import ReasonedAdmin, ReasonForm
from catalogue.admin.verbatim import AS_TYPED
from catalogue.claims.checking import problems
from catalogue.evidence.clauses import newest_rulesets
from catalogue.models.querysets import newest_versions


class QuestionForm(ReasonForm):
    def clean_parameters(self) -> Any:
        parameters = self.cleaned_data["parameters"]
        game = self.cleaned_data.get("game")
        slugs = game.readings.values_list("slug", flat=True) if game else []
        for version in newest_versions(slugs).values():
            if wrong := wrong_parameters(version.ruleset.family, parameters):
                raise ValidationError(wrong)
        return parameters


class AnswerFormSet(forms.models.BaseInlineFormSet):
    def clean(self) -> None:
        """Each answer says what every parameter of its question would be, or that no ruleset can."""
        super().clean()
        parameters = self.instance.parameters
        for form in self.forms:
            values = form.cleaned_data.get("values") if form.is_valid() else None
            if values is None or form.cleaned_data.get("DELETE"):
                continue
            if not isinstance(values, dict) or set(values) != set(parameters):
                form.add_error("values", f"must give exactly {', '.join(parameters)}, or be empty")


class AnswerInline(Inline, admin.StackedInline):
    model = models.Answer
    formset = AnswerFormSet
    formfield_overrides = AS_TYPED
    show_change_link = True  # its words are edited on a page of its own


@admin.register(models.Question)
class QuestionAdmin(ReasonedAdmin):
    form = QuestionForm
    list_display = ("title", "game", "slug", "parameters")
    list_filter = ("game",)
    search_fields = ("slug", "title", "text", "game__name", "answers__text")
    autocomplete_fields = ("game",)
    inlines = (AnswerInline,)


@admin.register(models.Answer)
class AnswerAdmin(ReasonedAdmin):
    list_display = ("slug", "question", "text", "values")
    list_filter = ("question__game",)
    search_fields = ("slug", "text", "question__slug", "question__title")
    autocomplete_fields = ("question",)
    inlines = (AnchorInline,)


class ClaimForm(ReasonForm):
    def clean_tests(self) -> Any:
        tests = self.cleaned_data["tests"]
        if not isinstance(tests, list):
            raise ValidationError("must be a list of tests")
        slugs = models.Reading.objects.values_list("slug", flat=True)
        rulesets = newest_rulesets(slugs)
        wrong = [f"test {place}: {one}" for place, test in enumerate(tests, 1) for one in problems(test, rulesets)]
        if wrong:
            raise ValidationError(wrong)
        return tests


@admin.register(models.Claim)
class ClaimAdmin(ReasonedAdmin):
    form = ClaimForm
    list_display = ("title", "game", "slug", "judged_by")
    list_filter = ("judged_by", "game")
    search_fields = ("slug", "title", "text", "game__name")
    autocomplete_fields = ("game",)
    inlines = (AnchorInline,)
