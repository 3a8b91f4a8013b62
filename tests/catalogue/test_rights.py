"""The matrix of rights, gone through address by address: every role, every route, every method, every action.

What must be refused is asked for always; what must be answered, which other tests look at, by `make test-all`.
Templates and documents are left empty: only the status is looked at.
"""

import collections
import io
from collections.abc import Iterator
from itertools import product
from typing import Any, ClassVar
from unittest import mock

import pytest
from axes.models import AccessAttempt
from django.contrib import admin
from django.contrib.auth.models import Group, Permission
from django.core.management import call_command
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.template.response import SimpleTemplateResponse
from django.test import Client, RequestFactory, override_settings
from django.urls import URLPattern, URLResolver, get_resolver, include, path, reverse
from django.utils import timezone
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from catalogue.models import (
    Category,
    Comparison,
    Evidence,
    Game,
    Period,
    PortalGame,
    PortalRuleset,
    ReadingToken,
    Study,
    Suggestion,
    WearStudy,
)
from catalogue.permissions import CANCEL, LARGE_BATCHES, OPERATE_WORKERS, REQUEUE, ROLES, write_groups
from catalogue.web.routes import every_route
from simulator.batches.service import request_batch, stop_batch
from simulator.models import Batch, Ladder, Worker
from tests import choice
from tests.catalogue.members import MEMBERS, SUPERUSER, may, member
from tests.catalogue.page_world import CatalogueTestCase

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
OF_THE_ADMIN = ("GET", "POST", "DELETE")  # it answers every other method as GET
REFUSED = (401, 403, 405)
NONE_TO_CANCEL = ("cancel-analysis", "v1:comparison-cancel", "v1:study-cancel", "v1:ladder-cancel", "v1:wear-cancel")
VISITOR = ""
# The admin's pages: what any one of is enough. None: whoever may enter.
ADMIN_PAGES = {
    "changelist": {"GET": ("view", "change"), "POST": ("view", "change")},
    "add": {"GET": ("add",), "POST": ("add",)},
    "change": {"GET": ("view", "change"), "POST": ("change",)},
    "delete": {"GET": ("delete",), "POST": ("delete",)},
    "history": {"GET": ("view", "change"), "POST": ("view", "change")},
    "simple_history": {"GET": ("view", "change"), "POST": ("change",)},
    "password_change": {"GET": ("change",), "POST": ("change",)},
    **{page: {"GET": ("view", "change"), "POST": ("view", "change")} for page in ("config", "qrcode")},
}
# Rows that nobody writes by hand, not even a superuser.
NEVER = {
    "batch": {"add", "change"},
    "ruleset": {"add", "change", "delete"},
    "rulesetversion": {"add", "change", "delete"},
    "worker": {"add", "change", "delete"},
    "suggestion": {"add"},
    "study": {"add", "change"},
    "comparison": {"add", "change"},
    "wearstudy": {"add", "change"},
    "ladder": {"add", "change"},
    "accessattempt": {"add", "change"},
}
ACTIONS = {
    ("batch", "cancel"): CANCEL,
    ("batch", "requeue"): REQUEUE,
    ("worker", "stop"): OPERATE_WORKERS,
    ("worker", "forget"): OPERATE_WORKERS,
    ("study", "cancel"): CANCEL,
    ("comparison", "cancel"): CANCEL,
    ("wearstudy", "cancel"): CANCEL,
    ("ladder", "cancel"): CANCEL,
    ("anchor", "find_again"): "catalogue.change_anchor",
    ("suggestion", "accept"): "catalogue.change_suggestion",
    ("suggestion", "decline"): "catalogue.change_suggestion",
    ("readingtoken", "revoke"): "catalogue.change_readingtoken",
}


NOWHERE = "f" * 16  # the id of nothing


def admin_routes() -> Iterator[tuple[str, URLPattern]]:
    """The routes of the admin by name."""
    (resolver,) = (
        url_pattern for url_pattern in get_resolver().url_patterns if getattr(url_pattern, "namespace", "") == "admin"
    )
    yield from _below(resolver, "admin:")


def _below(resolver: Any, space: str) -> Iterator[tuple[str, URLPattern]]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            yield from _below(pattern, f"{space}{pattern.namespace}:" if pattern.namespace else space)
        else:
            yield space + (pattern.name or pattern.lookup_str), pattern


def unregistered(request: HttpRequest) -> HttpResponse:
    raise AssertionError("nobody may use this view")


urlpatterns = [path("unregistered/", unregistered, name="unregistered"), path("", include("catalogue.config.urls"))]


def left_empty(response: SimpleTemplateResponse) -> SimpleTemplateResponse:
    response.content = b""
    return response


class RightsTests(CatalogueTestCase):
    clients: ClassVar[dict[str, Client]]
    people: ClassVar[dict[str, Any]]
    asked: ClassVar[Batch]

    @classmethod
    def setUpTestData(cls) -> None:
        super().setUpTestData()
        cls.enterClassContext(mock.patch.object(SimpleTemplateResponse, "render", left_empty))
        cls.people = {role: member(role) for role in MEMBERS}
        cls.clients = {role: Client() for role in (VISITOR, *MEMBERS)}
        for role, person in cls.people.items():
            cls.clients[role].force_login(person)
        cls.asked = request_batch("kalah-reference", announce=False, games=3)
        game = Game.objects.get(slug="daramuti")
        ReadingToken.objects.create(name="A survey", contact="a@example.org", digest="0" * 64)
        Study.every.create(id="0" * 16, game=Game.objects.first(), terms={"games": 1}, batches=[])
        Comparison.objects.create(
            id="0" * 16, names=[], margins={"shares": 0.02, "amounts": 0.05}, bootstrap_seed=1, version=1
        )
        rungs = {"rungs": ["random", "uct:16"], "games": 2, "seed": 1, "cap": 9, "until": "game"}
        Ladder.objects.create(id="0" * 16, ruleset=cls.asked.ruleset, request=rungs)
        Period.objects.create(name="Ancient", slug="ancient")
        Category.objects.create(name="Sow", slug="sow")
        PortalGame.objects.create(game=game, number=1)
        PortalRuleset.objects.create(game=game, number=1, name="As told")
        record = Evidence.objects.get(identifier="DLP.Evidence.692")
        WearStudy.objects.create(id="0" * 16, record=record, of="lines")
        AccessAttempt.objects.create(username="nobody", ip_address="192.0.2.1", failures_since_start=1)
        now = timezone.now()
        Worker.objects.create(name="one@here", queues=[], processes=1, versions={}, started=now, heartbeat=now)
        for device in (TOTPDevice, StaticDevice):
            device.objects.create(user=cls.people[SUPERUSER], name="app")
        Suggestion.objects.create(kind="problem", evidence=record, text="Parker writes Daramutu.")

    def ask(self, role: str, method: str, address: str, **sent: Any) -> Any:
        return self.clients[role].generic(method, address, **sent)

    @override_settings(ROOT_URLCONF=__name__)
    def test_an_unregistered_route_is_refused_to_everybody(self) -> None:
        assert {self.ask(role, "GET", "/unregistered/").status_code for role in (VISITOR, *MEMBERS)} == {403}

    @pytest.mark.by_turns
    def test_each_route_answers_the_methods_that_it_declares(self) -> None:
        wrong = []
        rows = collections.defaultdict(lambda: NOWHERE, batch=self.asked.id, portal_ruleset="1")
        for name, route in choice.third_of_the_day(every_route().items()):
            address = route.example.format_map(rows)
            roles = (VISITOR, *MEMBERS) if choice.ALL and route.permission else (VISITOR, SUPERUSER)
            for method, role in product(METHODS, roles):
                allowed = not route.permission or may(role, route.permission)
                expected = 405 if method not in route.methods else None if allowed else 403
                if name == "api-nothing":
                    expected = 404
                if name == "readyz" and method == "GET":
                    expected = 503  # there is no worker
                if name in NONE_TO_CANCEL and method == "POST":
                    expected = 404  # there is none here, and so nobody’s
                # What anybody may ask for is asked for by a visitor only.
                if not expected and (not choice.ALL or (role and not route.permission)):
                    continue
                found = self.ask(role, method, address, content_type="application/json", data="{}").status_code
                if found != expected and (expected or found in REFUSED or found >= 500):
                    wrong.append((role, method, address, found, expected))
        assert not wrong

    @pytest.mark.thorough
    def test_every_page_of_the_admin_asks_for_the_right_of_its_model(self) -> None:
        wrong, asked, answered = [], 0, set()
        for model, page, address in self.admin_pages():
            strictest = "GET" if page in ("changelist", "history") else "POST"
            for role, method in product((VISITOR, *MEMBERS), OF_THE_ADMIN if choice.ALL else (strictest,)):
                expected = self.expected(role, model, page, method)
                if method == "DELETE" and (expected == 200 or role not in (VISITOR, *MEMBERS[:1])):
                    continue
                if expected == 200:  # the page is the same for each who may see it
                    if not choice.ALL or (address, method) in answered:
                        continue
                    answered.add((address, method))
                asked += 1
                found = self.ask(role, method, address).status_code
                if found != expected:
                    wrong.append((role, method, address, found, expected))
        assert asked > 300
        assert not wrong

    def admin_pages(self) -> Iterator[tuple[type[Model], str, str]]:
        """Model, page, address; every named route of the admin that belongs to a model, with its newest row."""
        for model in admin.site._registry:
            prefix = f"{model._meta.app_label}_{model._meta.model_name}_"
            row = model._base_manager.order_by("pk").last()
            assert row is not None, f"{model.__name__}: no row to look at"
            for name, pattern in admin_routes():
                page = name.removeprefix(f"admin:{prefix}")
                if page == name:
                    continue
                if page == "simple_history":
                    version = getattr(row, "history").latest()  # noqa: B009
                    yield model, page, reverse(name, args=[row.pk, version.pk])
                else:
                    parts = [row.pk] if pattern.pattern.regex.groupindex else []
                    yield model, page, reverse(name, args=parts)

    def expected(self, role: str, model: type[Model], page: str, method: str) -> int:
        """What is answered: the login, a refusal, or the page."""
        if role == VISITOR:
            return 302
        label, kind = model._meta.app_label, model._meta.model_name or ""
        needed = ADMIN_PAGES[page]["POST" if method == "POST" else "GET"]
        open_ = [one for one in needed if one not in NEVER.get(kind, ()) or (one, page) == ("change", "changelist")]
        allowed = any(may(role, f"{label}.{one}_{kind}") for one in open_)
        return 200 if allowed else 403

    @pytest.mark.by_turns
    def test_the_rest_of_the_admin_is_for_members(self) -> None:
        known = {f"admin:{m._meta.app_label}_{m._meta.model_name}_{p}" for m, p, _ in self.admin_pages()}
        others = {name for name, _ in admin_routes()} - known
        for_everybody = {"admin:login", "admin:logout"}
        for name in sorted(one for one in others - for_everybody if not one.startswith("admin:django.")):
            with self.subTest(name=name):
                parts = {"admin:app_list": ["catalogue"], "admin:view_on_site": [1, 1]}.get(name, [])
                asked = "app_label=catalogue&model_name=anchor&field_name=evidence" if name.endswith("complete") else ""
                address = f"{reverse(name, args=parts)}?{asked}"
                visitor, staff = (self.ask(role, "GET", address).status_code for role in (VISITOR, SUPERUSER))
                assert visitor == 302
                assert staff not in REFUSED

    @pytest.mark.thorough
    def test_actions_are_for_those_who_have_their_right(self) -> None:
        seen = set()
        for model, model_admin in admin.site._registry.items():
            kind, label = model._meta.model_name or "", model._meta.app_label
            address = reverse(f"admin:{label}_{kind}_changelist")
            row = model._base_manager.order_by("pk").last()
            assert row is not None
            for role in MEMBERS:
                names = {name for _, name, _ in model_admin._get_base_actions()}
                rights = {
                    one: ACTIONS.get((kind, one), f"{label}.delete_{kind}" if one == "delete_selected" else "")
                    for one in names
                }
                assert all(rights.values()), f"{kind}: no right is known for one of {names}"
                seen |= {(kind, one) for one in names}
                allowed = {
                    one
                    for one, right in rights.items()
                    if may(role, right) and not (one == "delete_selected" and "delete" in NEVER.get(kind, ()))
                }
                request = RequestFactory().get(address)
                request.user = self.people[role]
                assert set(model_admin.get_actions(request)) == allowed, (kind, role)
                for one in names - allowed:
                    sent = {"action": one, "_selected_action": [row.pk], "post": "yes", "reason": "Because."}
                    self.clients[role].post(address, sent)
                    kept = model._base_manager.filter(pk=row.pk).values().first()
                    assert kept == type(row)._base_manager.filter(pk=row.pk).values().first() is not None
                    assert kept == {**kept, **{f.attname: getattr(row, f.attname) for f in row._meta.concrete_fields}}
        assert set(ACTIONS) <= seen

    @pytest.mark.by_turns
    def test_groups_are_those_of_the_table_and_are_put_right_again(self) -> None:
        def found() -> dict[str, set[str]]:
            return {
                group.name: {
                    f"{permission.content_type.app_label}.{permission.codename}"
                    for permission in group.permissions.all()
                }
                for group in Group.objects.prefetch_related("permissions__content_type")
            }

        expected = {role.name: set(role.permissions) for role in ROLES.values()}
        assert found() == expected
        Group.objects.get(name="editor").permissions.set(Permission.objects.filter(codename="delete_user"))
        Group.objects.get(name="operator").delete()
        Group.objects.create(name="Students of 2026")
        write_groups()
        write_groups()
        assert found() == expected | {"Students of 2026": set()}
        call_command("migrate", stdout=io.StringIO())
        assert found() == expected | {"Students of 2026": set()}

    @pytest.mark.by_turns
    def test_large_batches_need_the_right(self) -> None:
        sent = {"ruleset": "kalah-reference", "games": 100_000_000, "cap": 2_000}
        for place, role in enumerate((VISITOR, *MEMBERS)):
            with self.subTest(role=role):
                answer = self.clients[role].post("/api/v1/batches/", {**sent, "seed": place}, "application/json")
                assert answer.status_code == (201 if may(role, LARGE_BATCHES) else 400)

    @pytest.mark.by_turns
    def test_cancelling_and_requeueing_need_the_right(self) -> None:
        address = reverse("admin:simulator_batch_changelist")
        for role in MEMBERS:
            for action, right in (("cancel", CANCEL), ("requeue", REQUEUE)):
                with self.subTest(role=role, action=action):
                    batch = request_batch("oware-reference", announce=False, games=2)
                    if action == "requeue":
                        stop_batch(batch)
                    before = Batch.objects.get(id=batch.id).state
                    sent = {"action": action, "_selected_action": [batch.id], "post": "yes", "reason": "Too long."}
                    self.clients[role].post(address, sent)
                    assert (Batch.objects.get(id=batch.id).state != before) == may(role, right)
                    batch.delete()
