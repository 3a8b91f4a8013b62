"""Anchors as an editor sets them: words are selected in the text on a page of their own, or typed below their owner.

Where they stand is found in the record's text as it is. Beside the fields stand the text, and the rule of the words.
"""

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.forms.models import BaseInlineFormSet
from django.http import HttpRequest

from catalogue.admin.forms import AS_TYPED, Inline, ReasonedAdmin, ReasonForm
from catalogue.evidence.clauses import SetRule, rules_of
from catalogue.evidence.reanchoring import apply, proposal, proposals, set_place
from catalogue.models import Anchor, Evidence, Reading
from catalogue.models.fields import verbatim
from catalogue.texts.anchors import AnchorProblem, Span, digest_of, locate, segments

OWNERS = ("clause", "answer", "claim", "reading")
BESIDE = 160  # characters on either side of the words that are found
SELECTORS = ("exact", "prefix", "suffix")


@dataclass(frozen=True, slots=True)
class TextPiece:
    """chosen: of the words that the fields name; others: of words that the same owner has already"""

    text: str
    chosen: bool
    others: bool


@dataclass(frozen=True, slots=True)
class ChosenWords:
    """The words of an anchor. span: their position; problem: why they have none, empty if no words are named"""

    owner: Any
    rules: tuple[SetRule, ...]
    record: Evidence | None
    text_name: str
    text: str
    span: Span | None
    problem: str
    others: tuple[Span, ...]

    @property
    def owner_kind(self) -> str:
        return str(self.owner._meta.verbose_name) if self.owner else ""

    @property
    def pieces(self) -> Iterator[TextPiece]:
        """The text whole, cut where words begin and end."""
        spans = [*self.others, *([self.span] if self.span else [])]
        for segment in segments(self.text, spans):
            chosen = self.span is not None and len(self.others) in segment.over
            yield TextPiece(segment.text, chosen, any(place < len(self.others) for place in segment.over))

    @property
    def excerpt(self) -> tuple[str, str, str]:
        """Return the text before the words, the words, and the text behind them."""
        assert self.span
        start, end = self.span.start, self.span.end
        return self.text[max(0, start - BESIDE) : start], self.text[start:end], self.text[end : end + BESIDE]


def chosen_words(form: forms.ModelForm) -> ChosenWords:
    """Return the words of the anchor as its form has them now, whatever was typed."""
    record, owner = _row(form, "evidence"), _owner(form)
    text_name = str(_value(form, "field"))
    text = record.text(text_name) if record and text_name in Anchor.Field.values else ""
    exact, prefix, suffix = (verbatim(str(_value(form, name))) for name in SELECTORS)
    span, problem = None, ""
    if exact and text:
        try:
            span = locate(text, exact, prefix, suffix)
        except AnchorProblem as error:
            problem = str(error)
    others = _others(owner, record, text_name, form.instance) if text else ()
    return ChosenWords(owner, rules_of(owner), record, text_name, text, span, problem, others)


def begin(form: forms.ModelForm, typed: Mapping[str, str]) -> None:
    """The form shows what was typed so far; that of a new anchor a text: of the record that is named, else of the first
    that its owner rests on."""
    form.initial = {**form.initial, **typed}
    owner = _owner(form)
    if owner is None or form.is_bound or form.instance.pk:
        return
    record = _row(form, "evidence") or _records(owner).first()
    if record:
        form.initial = {"evidence": record.pk, "field": first_text(record), **form.initial}


def _records(owner: Any) -> "QuerySet[Evidence]":
    """The records that the owner's reading was read from, or those of its game."""
    reading = owner if isinstance(owner, Reading) else getattr(owner, "reading", None)
    found: QuerySet[Evidence] = (
        reading.evidence.all() if reading else getattr(owner, "question", owner).game.evidence.all()
    )
    return found


def first_text(record: Evidence) -> str:
    """The quotation, if there is one."""
    return Anchor.Field.QUOTATION if record.quotation else Anchor.Field.PARAPHRASE


def _owner(form: forms.ModelForm) -> Any:
    return next(filter(None, (_row(form, name) for name in OWNERS)), None)


def _value(form: forms.ModelForm, name: str) -> Any:
    """A form that may only be looked at has no fields. What a field shows is not asked for: it is kept from then on."""
    if name not in form.fields:
        value = getattr(form.instance, name)
    elif form.is_bound:
        value = form.data.get(form.add_prefix(name))
    else:
        value = form.get_initial_for_field(form.fields[name], name)
    return "" if value is None else value


def _row(form: forms.ModelForm, name: str) -> Any:
    if name not in form.fields:
        return getattr(form.instance, name)
    try:
        return form.fields[name].clean(_value(form, name) or None)
    except ValidationError:
        return None


def _others(owner: Model | None, record: Evidence, text_name: str, own: Anchor) -> tuple[Span, ...]:
    if owner is None:
        return ()
    of_owner = Anchor.objects.filter(**{str(owner._meta.model_name): owner.pk})
    rows = of_owner.filter(evidence=record, field=text_name).exclude(pk=own.pk)
    length = len(record.text(text_name))
    return tuple(row.span for row in rows if row.end <= length)


FIELDS = ("stance", "evidence", "field", "exact", "prefix", "suffix")
PLACED = frozenset(FIELDS) - {"stance"}  # what decides where the words stand
LOOK = "_look"  # the name of the button that only shows the text and the words in it


class AnchorForm(forms.ModelForm):
    are_followed = True  # in a text that was changed; where the text is shown with them, who saves them has seen them

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
        """Find the words before the anchor itself is checked; one mistake is told once."""
        given = self.cleaned_data
        if not self.errors and self.are_followed and self.instance.pk and not set(self.changed_data) & PLACED:
            self._follow()
        elif not self.errors and all(name in given for name in FIELDS):
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

    def _follow(self) -> None:
        """Words that nobody chose anew stand where they stood, or where it is certain that they are now."""
        broken = proposal(self.instance)
        if broken and broken.is_certain and broken.found:
            set_place(self.instance, broken.found)
            self.cleaned_data |= {name: getattr(self.instance, name) for name in SELECTORS}
        elif broken:
            self.add_error(
                "exact", f"The text was changed, and {broken.uncertainty}: choose the words anew in the text."
            )


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
    are_followed = False

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
        broken = [proposal for proposal in proposals(records) if proposal.anchor.pk in numbers]
        for anchor in broken:
            if anchor.is_certain:
                self.log_change(request, anchor.anchor, "Found again from the list.")
        self.message_user(request, f"{apply(broken)} of {len(broken)} broken anchors found again; the others need you.")

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        owners = () if obj else OWNERS
        return [(None, {"fields": (("evidence", "field"), "exact", ("prefix", "suffix"), "stance", *owners, "reason")})]

    def changeform_view(
        self, request: HttpRequest, object_id: Any = None, form_url: str = "", extra_context: Any = None
    ) -> Any:
        """Show the words that were selected before anything is saved, as if the page had been opened with them."""
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
            name = next(owner for owner in OWNERS if getattr(obj, f"{owner}_id"))
            give_key(obj, name, getattr(obj, name))
        super().save_model(request, obj, form, change)
