"""Anchors as an editor sets them: the words are selected in the text on a page of their own, or typed below what they
belong to. Where they stand is found in the record's text as it is.
"""

from copy import copy
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.forms.models import BaseInlineFormSet
from django.http import HttpRequest

from catalogue.admin.chosen_words import OWNERS, begin, chosen_words
from catalogue.admin.inlines import Inline
from catalogue.admin.reasons import ReasonedAdmin, ReasonForm
from catalogue.admin.verbatim import AS_TYPED
from catalogue.evidence.reanchoring import apply, proposals
from catalogue.models import Anchor, Evidence
from catalogue.texts.anchors import AnchorProblem, digest_of, locate

FIELDS = ("stance", "evidence", "field", "exact", "prefix", "suffix")
LOOK = "_look"  # the name of the button that only shows the text and the words in it


class AnchorForm(forms.ModelForm):
    class Meta:
        model = Anchor
        fields: tuple[str, ...] = FIELDS
        widgets: dict[str, Any] = {
            "exact": forms.Textarea(attrs={"rows": 3, "cols": 60}),
            "prefix": forms.Textarea(attrs={"rows": 1, "cols": 40}),
            "suffix": forms.Textarea(attrs={"rows": 1, "cols": 40}),
        }
        labels = {"evidence": "Record", "field": "Text", "exact": "Words", "prefix": "Before", "suffix": "Behind"}
        help_texts = {
            "exact": "Copied from the record to the letter.",
            "prefix": "What stands immediately before, if the words stand there more than once.",
            "suffix": "What stands immediately behind, likewise.",
        }

    def _post_clean(self) -> None:
        """Where the words stand is known before the anchor itself is looked at; one mistake is told once."""
        given = self.cleaned_data
        if not self.errors and all(name in given for name in FIELDS):
            text = given["evidence"].text(given["field"])
            try:
                span = locate(text, given["exact"], given["prefix"], given["suffix"])
            except AnchorProblem as problem:
                self.add_error("exact", str(problem))
            else:
                self.instance.start, self.instance.end = span.start, span.end
                self.instance.text_sha256 = digest_of(text)
        if not self.errors:
            super()._post_clean()  # type: ignore[misc]


class AnchorFormSet(BaseInlineFormSet):
    def save_new(self, form: Any, commit: bool = True) -> Any:
        give_key(form.instance, self.fk.name, self.instance)
        return super().save_new(form, commit)


def give_key(anchor: Anchor, name: str, owner: Any) -> None:
    """A new anchor is called by its owner's key; the fixtures have no numbers of editors, and none comes twice.

    name: of the field that leads to the owner
    """
    beginning = "/".join((name, *owner.natural_key(), anchor.stance, "editors-"))
    used = Anchor.history.filter(key__startswith=beginning).order_by()
    anchor.key = f"{beginning}{used.values('key').distinct().count() + 1}"
    anchor.position = Anchor.objects.filter(**{name: owner}).count() + 1


class AnchorInline(Inline, admin.StackedInline):
    """The words that a clause, an answer, a claim or a reading's resting on another appeals to."""

    model = Anchor
    template = "admin/words_of_owner.html"
    form, formset = AnchorForm, AnchorFormSet
    fields = (("stance", "evidence", "field"), "exact", ("prefix", "suffix"))
    formfield_overrides = AS_TYPED
    autocomplete_fields = ("evidence",)
    verbose_name = "words"
    verbose_name_plural = "words of records"
    show_change_link = True  # there they can be selected in the text


class WordsForm(AnchorForm, ReasonForm):
    class Meta(AnchorForm.Meta):
        fields = (*FIELDS, *OWNERS)
        widgets = {**AnchorForm.Meta.widgets, **dict.fromkeys(OWNERS, forms.HiddenInput)}

    def clean(self) -> Any:
        given = super().clean() or self.cleaned_data
        if self.instance.pk is None and sum(given.get(name) is not None for name in OWNERS) != 1:
            raise ValidationError("Words belong to a clause, an answer, a claim or a reading: begin from there.")
        return given


@admin.register(Anchor)
class AnchorAdmin(ReasonedAdmin):
    """Words are selected in the text of the record, with the rule beside. The three fields do without scripts."""

    form = WordsForm
    change_form_template = "admin/choose_words.html"
    list_display = ("key", "stance", "evidence", "field", "exact")
    list_filter = ("stance", "field")
    list_select_related = ("evidence",)
    search_fields = ("key", "exact", "evidence__identifier")
    autocomplete_fields = ("evidence",)
    actions = ("find_again",)

    @admin.action(description="Find those again whose text was changed, where it is certain", permissions=["change"])
    def find_again(self, request: HttpRequest, chosen: "QuerySet[Anchor]") -> None:
        numbers = set(chosen.values_list("pk", flat=True))
        records = Evidence.objects.filter(pk__in=chosen.values("evidence"))
        broken = [one for one in proposals(records) if one.anchor.pk in numbers]
        for one in broken:
            if one.is_certain:
                self.log_change(request, one.anchor, "Found again from the list.")
        self.message_user(request, f"{apply(broken)} of {len(broken)} broken anchors found again; the others need you.")

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        owners = () if obj else OWNERS
        return [(None, {"fields": (("evidence", "field"), "exact", ("prefix", "suffix"), "stance", *owners, "reason")})]

    def changeform_view(
        self, request: HttpRequest, object_id: Any = None, form_url: str = "", extra_context: Any = None
    ) -> Any:
        """What was selected may be looked at before anything is saved: then it is as if the page was asked for."""
        if request.method == "POST" and LOOK in request.POST:
            request, sent = copy(request), request.POST
            request.method = "GET"
            extra_context = {**(extra_context or {}), "sent": sent}
        return super().changeform_view(request, object_id, form_url, extra_context)

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **options: Any) -> Any:
        form, sent = context["adminform"].form, context.get("sent", {})
        begin(form, {name: sent[name] for name in form.fields if name in sent})
        context |= {"words": chosen_words(form), "look": LOOK, "title": "Words of a record"}
        return super().render_change_form(request, context, *args, **options)

    def save_model(self, request: HttpRequest, obj: Anchor, form: Any, change: bool) -> None:
        if not change:
            name = next(one for one in OWNERS if getattr(obj, f"{one}_id"))
            give_key(obj, name, getattr(obj, name))
        super().save_model(request, obj, form, change)
