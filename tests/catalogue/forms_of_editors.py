"""Forms of the editors' room as a browser would send them back."""

from typing import Any, ClassVar

from django.contrib.auth.models import User
from django.test import Client, TestCase
from django.urls import reverse

from catalogue.models import Clause, Evidence

RECORD, WORDS = "DLP.Evidence.1386", "going on round the board in this manner"


class EditorOfAClause(TestCase):
    """An editor who may do everything, a record, and a clause that rests on words of it."""

    holds = "played"
    editor: ClassVar[User]

    @classmethod
    def setUpTestData(cls) -> None:
        cls.editor = User.objects.create_superuser("amara", password=None)
        cls.record = Evidence.objects.get(identifier=RECORD)
        cls.clause = Clause.objects.get(reading__slug="puhulmutu-parker", slug="relay")

    def setUp(self) -> None:
        self.client.force_login(self.editor)


def address(row: Any, page: str = "change") -> str:
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_{page}", args=[row.pk] if row.pk else [])


def filled(client: Client, row: Any) -> dict[str, Any]:
    """What the form of the row holds, those below it included."""
    context: Any = client.get(address(row, "change" if row.pk else "add")).context
    forms = [context["adminform"].form]
    for inline in context["inline_admin_formsets"]:
        forms += [inline.formset.management_form, *inline.formset.initial_forms]
    sent: dict[str, Any] = {}
    for form in forms:
        for bound in form:
            value = bound.value()
            if value is not None and value is not False:
                sent[bound.html_name] = value
                sent |= {bound.html_initial_name: value} if bound.field.show_hidden_initial else {}
    return sent
