"""The way from a public page to where it is edited, for those who may: one link on every page of a thing or a list."""

from typing import Any

from django import template
from django.db.models import Model
from django.urls import reverse

from catalogue import models
from catalogue.history.histories import SUBJECTS
from catalogue.models.lookup import KINDS
from catalogue.web.routes import ROUTES

register = template.Library()

# Lists, and the models of their rows.
LISTS: dict[str, type[Model]] = {
    "claim-list": models.Claim,
    "evidence-list": models.Evidence,
    "game-list": models.Game,
    "place-list": models.Place,
    "question-list": models.Question,
    "ruleset-list": models.Reading,
    "source-list": models.Source,
    "term-list": models.Term,
}
WITH_A_LIST = frozenset(LISTS.values()) | {models.Clause, models.Anchor, models.EditorsNote}


@register.inclusion_tag("partials/edit_of_page.html", takes_context=True)
def edit_of_page(context: dict[str, Any]) -> dict[str, Any]:
    """Nothing for readers, and no query for them."""
    request = context.get("request")
    user = getattr(request, "user", None)
    if request is None or user is None or not user.is_staff or request.resolver_match is None:
        return {}
    match = request.resolver_match
    edit = _edit(user, match.view_name or "", match.kwargs)
    return {"is_editor": True, "edit": edit, "is_desk": match.view_name == "workshop"}


def _edit(user: Any, route: str, arguments: dict[str, Any]) -> tuple[str, str] | None:
    """What the link says, and where it leads; None where there is nothing for this person to edit."""
    if model := LISTS.get(route):
        return ("Edit the list", _admin(model, "changelist")) if _may(user, model) else None
    declared = ROUTES.get(route)
    if declared is None or not declared.identifies:
        return None
    called = declared.identifies.format_map({name: str(value) for name, value in arguments.items()})
    first, _, key = called.rstrip("/").partition("/")
    kind = KINDS.get(SUBJECTS.get(first, first))
    if kind is None or kind.model not in WITH_A_LIST or not _may(user, kind.model):
        return None
    word = f"Edit this {kind.words[0]}"
    if kind.model is models.Evidence and models.Evidence.objects.shown().filter(identifier=key).exists():
        return word, reverse("record-in-workshop", args=[key])
    if not kind.may_be(key.partition("@")[0]):
        return None
    row = kind.model._default_manager.filter(**kind.where(key.partition("@")[0])).values_list("pk", flat=True).first()
    return (word, _admin(kind.model, "change", row)) if row else None


def _may(user: Any, model: type[Model]) -> bool:
    return bool(user.has_perm(f"{model._meta.app_label}.change_{model._meta.model_name}"))


def _admin(model: type[Model], page: str, *key: Any) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=key)
