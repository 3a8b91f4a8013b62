"""What stands beside the fields of an anchor: the text its words are chosen in, where they stand, and their rule."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet

from catalogue.evidence.clauses import SetRule, rules_of
from catalogue.models import Anchor, Evidence, Reading
from catalogue.models.fields import verbatim
from catalogue.texts.anchors import AnchorProblem, Span, locate, segments

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
    """span: where the words stand; problem: why they stand nowhere, empty if none are named."""

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
        for one in segments(self.text, spans):
            chosen = self.span is not None and len(self.others) in one.over
            yield TextPiece(one.text, chosen, any(place < len(self.others) for place in one.over))

    @property
    def excerpt(self) -> tuple[str, str, str]:
        """What stands before the words, they themselves, and what stands behind."""
        assert self.span
        start, end = self.span.start, self.span.end
        return self.text[max(0, start - BESIDE) : start], self.text[start:end], self.text[end : end + BESIDE]


def chosen_words(form: forms.ModelForm) -> ChosenWords:
    """As the form of an anchor has it now, whatever was typed into it."""
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
    """Those its reading was read from, or those of its game."""
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
    return tuple(one.span for one in rows if one.end <= length)
