"""Anchors as an editor sets them: the words are typed, and where they stand is found in the record's text as it is."""

from typing import Any

from django import forms
from django.contrib import admin
from django.forms.models import BaseInlineFormSet

from catalogue.admin.inlines import Inline
from catalogue.admin.verbatim import AS_TYPED
from catalogue.models import Anchor
from catalogue.texts.anchors import AnchorProblem, digest_of, locate

FIELDS = ("stance", "evidence", "field", "exact", "prefix", "suffix")


class AnchorForm(forms.ModelForm):
    class Meta:
        model = Anchor
        fields = FIELDS
        widgets = {
            "exact": forms.Textarea(attrs={"rows": 3, "cols": 60}),
            "prefix": forms.Textarea(attrs={"rows": 1, "cols": 40}),
            "suffix": forms.Textarea(attrs={"rows": 1, "cols": 40}),
        }
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
        """A new anchor is called by its owner's key; the fixtures have no numbers of editors, and none comes twice."""
        owner = "/".join((self.fk.name, *self.instance.natural_key(), form.instance.stance))
        used = Anchor.history.filter(key__startswith=f"{owner}/editors-").order_by()
        form.instance.key = f"{owner}/editors-{used.values('key').distinct().count() + 1}"
        form.instance.position = self.get_queryset().count() + 1
        return super().save_new(form, commit)


class AnchorInline(Inline, admin.StackedInline):
    """The words that a clause, an answer, a claim or a reading's resting on another appeals to."""

    model = Anchor
    form, formset = AnchorForm, AnchorFormSet
    fields = (("stance", "evidence", "field"), "exact", ("prefix", "suffix"))
    formfield_overrides = AS_TYPED
    autocomplete_fields = ("evidence",)
    verbose_name = "words"
    verbose_name_plural = "words of records"
