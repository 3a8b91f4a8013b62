"""Words that would be a script, wherever one of them were put into a page, a drawing or a document as it stands."""

from django.apps import apps
from django.db.models import CharField, F, Field, Model, SlugField, TextField, Value
from django.db.models.functions import Concat

MARKUP = (
    "javascript:window.ran=1//\"'><img src=x onerror=window.ran=1><svg onload=window.ran=1></svg>"
    "</title></textarea></style></script><script>window.ran=1</script><i onmouseover=window.ran=1>"
)
# What is no text: names by which rows are found, digests, drawings, and forms that a programme reads.
NO_TEXT = {
    "id", "key", "hash", "identifier", "digest", "tally_digest", "text_sha256", "date_edtf", "family", "kind", "svg",
    "players", "player", "until", "visitor", "history_type", "judged_by", "verdict", "model", "natural_key",
}  # fmt: skip
FOUND_AGAIN = ("SearchAspect", "SearchAspectValue", "SearchEntry", "SearchTerm")  # made from the others


def spoil(empty_too: bool = True) -> int:
    """Append it to every text of every row that is here; returns how many columns there are.

    empty_too: whether to those that say nothing; a source of which more is said is another sort of source
    """
    from catalogue.search.indexing import rebuild

    columns = 0
    for model in apps.get_models():
        if model._meta.app_label in ("catalogue", "simulator") and model.__name__ not in FOUND_AGAIN:
            texts = [field.name for field in model._meta.concrete_fields if is_text(field)]
            columns += len(texts)
            for name in texts:
                rows = model._base_manager.all() if empty_too else model._base_manager.exclude(**{name: ""})
                rows.update(**{name: Concat(F(name), Value(MARKUP), output_field=TextField())})
            spoil_further_fields(model)
    rebuild()
    return columns


def is_text(field: Field) -> bool:
    return (
        isinstance(field, (CharField, TextField))
        and not isinstance(field, SlugField)
        and not field.choices
        and field.name not in NO_TEXT
    )


def spoil_further_fields(model: type[Model]) -> None:
    """Those that the portal has and the catalogue does not know."""
    if any(field.name == "other_fields" for field in model._meta.concrete_fields):
        for row in model._base_manager.all():
            row.other_fields = {MARKUP: MARKUP, **{key: f"{value}{MARKUP}" for key, value in row.other_fields.items()}}
            row.save(update_fields=["other_fields"])
