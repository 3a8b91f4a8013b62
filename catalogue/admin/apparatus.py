"""Readings with their clauses, questions with their answers, and claims."""

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from catalogue import models
from catalogue.admin.anchors import AnchorInline
from catalogue.admin.forms import AS_TYPED, Inline, ReasonedAdmin, ReasonForm, wrong_parameters
from catalogue.analyses.claim_checks import problems_of_test
from catalogue.evidence.clauses import newest_rulesets
from catalogue.models.querysets import newest_versions


@admin.register(models.Reading)
class ReadingAdmin(ReasonedAdmin):
    list_display = ("title", "slug", "game", "authority", "kind", "rests_on", "checked_by")
    list_filter = ("kind", "authority", "game", ("checked_by", admin.EmptyFieldListFilter))
    list_select_related = ("game", "rests_on")
    search_fields = ("slug", "title", "summary")
    autocomplete_fields = ("game", "evidence", "rests_on")
    inlines = (AnchorInline,)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """That somebody has checked it is signed in the workshop, with one's own name, and typed nowhere."""
        return (*super().get_readonly_fields(request, obj), "checked_by")


class ClauseForm(ReasonForm):
    def clean_parameters(self) -> Any:
        parameters = self.cleaned_data["parameters"]
        reading = self.cleaned_data.get("reading")
        version = reading.ruleset_version if reading else None
        if version is not None and (
            wrong := wrong_parameters(version.ruleset.family, parameters, version.ruleset.document)
        ):
            raise ValidationError(wrong)
        return parameters


@admin.register(models.Clause)
class ClauseAdmin(ReasonedAdmin):
    form = ClauseForm
    list_display = ("slug", "reading", "basis", "not_played", "text")
    list_filter = ("basis", ("not_played", admin.EmptyFieldListFilter), "reading__game", "reading__authority")
    search_fields = ("slug", "text", "source", "reading__slug", "anchors__exact")
    autocomplete_fields = ("reading",)
    inlines = (AnchorInline,)


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
        wrong = [
            f"test {place}: {problem}"
            for place, test in enumerate(tests, 1)
            for problem in problems_of_test(test, rulesets)
        ]
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
