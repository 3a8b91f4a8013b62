"""How often the API may be asked: by address, by token, and what whoever asks too often is told."""

import datetime
import re
from collections.abc import Iterator
from unittest import mock

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.http import HttpResponse
from django.test import override_settings
from django.utils import timezone

from catalogue.models import ReadingToken
from tests.api.api_world import API, ApiTestCase

FULL_HOUR = datetime.datetime(2026, 1, 1, 12, tzinfo=datetime.UTC).timestamp()


@override_settings(API_REQUESTS_PER_MINUTE=3, API_REQUESTS_PER_HOUR=5)
class LimitTests(ApiTestCase):
    def setUp(self) -> None:
        cache.clear()
        self.now = FULL_HOUR + 10

        def time() -> float:
            return self.now

        clock = mock.patch("catalogue.api.limits.time.time", time)
        clock.start()
        self.addCleanup(clock.stop)
        self.addCleanup(cache.clear)

    def ask(self, token: str = "", address: str = "10.0.0.1", path: str = "games/daramuti/") -> HttpResponse:
        headers = {"origin": "https://example.org"} | ({"authorization": f"Bearer {token}"} if token else {})
        return self.client.get(f"{API}{path}", headers=headers, REMOTE_ADDR=address)

    def statuses(self, number: int, **how: str) -> list[int]:
        return [self.ask(**how).status_code for _ in range(number)]

    def test_every_answer_says_what_is_left(self) -> None:
        self.ask()
        response = self.ask(path="games/x/")
        assert response["RateLimit-Policy"] == '"minute";q=3;w=60, "hour";q=5;w=3600'
        assert response["RateLimit"] == '"minute";r=1;t=50, "hour";r=3;t=3590'

    def test_whoever_asks_too_often_is_told_when_to_come_again(self) -> None:
        assert self.statuses(4) == [200, 200, 200, 429]
        response = self.ask()
        assert response["Retry-After"] == "50"
        assert response["Content-Type"] == "application/problem+json"
        assert response["Access-Control-Allow-Origin"] == "*"
        assert response.json()["type"] == "/about/problems/#too-many-requests"
        assert "3 requests from one address are answered in one minute" in response.json()["detail"]
        assert self.statuses(1, address="10.0.0.2") == [200]
        self.now += 50
        assert self.statuses(1) == [429], "the hour’s are spent: what was refused was asked for too"
        assert self.ask()["Retry-After"] == "3540"
        self.now += 3540
        assert self.statuses(1) == [200]

    def test_made_up_addresses_of_a_proxy_are_counted_as_one(self) -> None:
        """Nobody passes the bound by writing another address into each request."""
        for proxies, made_up in ((0, "203.0.113.{}"), (1, "203.0.113.{}, 10.0.0.7")):
            cache.clear()
            with override_settings(TRUSTED_PROXIES=proxies):
                sent = [self.from_proxy(made_up.format(number)) for number in range(4)]
            assert [one["RateLimit"].partition("r=")[2][0] for one in sent] == ["2", "1", "0", "0"]
            assert sent[-1].status_code == 429

    def from_proxy(self, forwarded: str) -> HttpResponse:
        headers = {"x-forwarded-for": forwarded}
        return self.client.get(f"{API}games/daramuti/", headers=headers, REMOTE_ADDR="10.0.0.1")

    def test_pages_and_preflights_are_not_counted(self) -> None:
        for path in ("/games/", "/games/", "/games/"):
            response = self.client.get(path, REMOTE_ADDR="10.0.0.1")
            assert "RateLimit" not in response
        beforehand = {"origin": "https://example.org", "access-control-request-method": "GET"}
        self.client.options(f"{API}games/", REMOTE_ADDR="10.0.0.1", headers=beforehand)
        assert self.ask()["RateLimit"].startswith('"minute";r=2;')

    @pytest.mark.by_turns
    def test_whatever_else_is_asked_of_the_api_is_counted(self) -> None:
        """The document, the page of it, other methods, and tokens that are guessed at: none is free."""
        left = []
        for method, path, headers in (
            ("get", "/api/schema/?format=json", {}),
            ("options", f"{API}games/", {}),
            ("get", f"{API}games/daramuti/", {"authorization": "Bearer guessed"}),
            ("get", "/api/schema/", {}),
            ("get", "/api/docs/", {}),
            ("get", f"{API}games/daramuti/", {"authorization": "Bearer guessed"}),
        ):
            response = getattr(self.client, method)(path, REMOTE_ADDR="10.0.0.1", headers=headers)
            left.append((response.status_code, response["RateLimit"].partition(";t=")[0]))
        r = '"minute";r='
        assert left == [(200, f"{r}2"), (200, f"{r}1"), (401, f"{r}0"), *[(429, f"{r}0")] * 3]

    def test_a_token_has_bounds_of_its_own(self) -> None:
        row = ReadingToken(name="A survey", contact="a@example.org", requests_per_minute=5, requests_per_hour=50)
        token = row.new_token()
        row.save()
        assert token not in str(ReadingToken.objects.values().get())
        assert self.statuses(6, token=token) == [200] * 5 + [429]
        assert self.statuses(1) == [200]
        row.refresh_from_db()
        assert row.last_day_used == timezone.now().date()
        for wrong in (token[:-1], "x" * 5_000, "\x80é"):
            response = self.ask(token=wrong, address="10.0.0.2")
            assert response.status_code == 401
            assert response["WWW-Authenticate"].startswith("Bearer")

    def test_a_token_that_is_good_no_more_is_refused_with_the_reason(self) -> None:
        today = timezone.now().date()
        owner = User.objects.create_user("owner")
        row = ReadingToken(name="A survey", contact="a@example.org", owner=owner, expires=today)
        token = row.new_token()
        row.save()
        assert self.statuses(1, token=token) == [200]
        day_before = today - datetime.timedelta(days=1)
        for spoilt, why in (
            ({"expires": day_before}, f"{day_before} was its last day"),
            ({"revoked": timezone.now()}, f"revoked on {today}"),
        ):
            ReadingToken.objects.update(**{"expires": None, "revoked": None, "last_day_used": None} | spoilt)
            self.assert_refused(token, why)
        ReadingToken.objects.update(expires=None, revoked=None)
        assert self.statuses(1, token=token) == [200]
        User.objects.update(is_active=False)
        self.assert_refused(token, "owner is closed")

    def assert_refused(self, token: str, why: str) -> None:
        response = self.ask(token=token)
        assert (response.status_code, response["Content-Type"]) == (401, "application/problem+json")
        assert response["WWW-Authenticate"] == 'Bearer error="invalid_token"'
        assert why in response.json()["detail"]

    def test_a_token_gives_no_right_to_write(self) -> None:
        row = ReadingToken(name="A survey", contact="a@example.org", owner=User.objects.create_superuser("owner"))
        token = row.new_token()
        row.save()
        headers = {"authorization": f"Bearer {token}"}
        for method in (self.client.put, self.client.patch, self.client.delete, self.client.post):
            assert method(f"{API}games/daramuti/", headers=headers).status_code == 405
        assert self.client.get("/admin/catalogue/readingtoken/", headers=headers).status_code == 302

    def test_nobody_is_refused_where_the_counts_are_away(self) -> None:
        with mock.patch("catalogue.api.limits.cache.add", side_effect=ConnectionError("away")), self.assertLogs():
            assert self.statuses(9) == [200] * 9

    @override_settings(API_REQUESTS_PER_MINUTE=0, API_REQUESTS_PER_HOUR=0)
    def test_a_site_may_bound_nobody(self) -> None:
        assert self.statuses(9) == [200] * 9
        assert "RateLimit" not in self.ask()


class TokenAdminTests(ApiTestCase):
    def test_a_token_is_shown_once_to_whoever_makes_it(self) -> None:
        owner = User.objects.create_superuser("editor")
        self.client.force_login(owner)
        page = self.client.get("/admin/catalogue/readingtoken/add/").content.decode()
        assert f'<option value="{owner.pk}" selected>' in page
        form = {
            "name": "A survey",
            "owner": str(owner.pk),
            "contact": "a@example.org",
            "requests_per_minute": "1200",
            "requests_per_hour": "50000",
        }
        answer = self.client.post("/admin/catalogue/readingtoken/add/", form, follow=True)
        (token,) = {*self.found(answer.content.decode())}
        assert self.client.get(f"{API}games/", headers={"authorization": f"Bearer {token}"}).status_code == 200
        for path in (
            "/admin/catalogue/readingtoken/",
            f"/admin/catalogue/readingtoken/{ReadingToken.objects.get().pk}/change/",
        ):
            page = self.client.get(path).content.decode()
            assert "A survey" in page
            assert not list(self.found(page))
            assert ReadingToken.objects.get().digest not in page
        chosen = {"action": "revoke", "_selected_action": [str(ReadingToken.objects.get().pk)]}
        for said in ("1 of 1 tokens revoked", "0 of 1 tokens revoked"):
            assert said in self.client.post("/admin/catalogue/readingtoken/", chosen, follow=True).content.decode()
        assert self.client.get(f"{API}games/", headers={"authorization": f"Bearer {token}"}).status_code == 401

    def found(self, page: str) -> Iterator[str]:
        return iter(re.findall(r"Bearer (games_[\w-]{43})", page))
