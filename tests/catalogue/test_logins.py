"""Logging in: guesses are bounded over a real socket, strangers lock nobody out, and a second factor is asked for."""

import io
import re
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django_otp import DEVICE_ID_SESSION_KEY
from django_otp.admin import OTPAdminSite
from django_otp.oath import totp
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from catalogue.permissions import CANCEL, LARGE_BATCHES

LOGIN, PASSWORD = "/admin/login/", "a long enough password"
GUESSES, ALLOWED = 120, 10


@pytest.fixture
def quick_hashes(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


class Browser:
    """Somebody at an address, who fills in the form over a connection of his own."""

    def __init__(self, site: str, address: str) -> None:
        self.connection = HTTPConnection(urlsplit(site).netloc, timeout=60)
        self.headers = {"X-Forwarded-For": address}
        page, headers, _ = self.ask("GET")
        found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
        assert found
        self.token = found[1]
        self.headers["Cookie"] = headers["Set-Cookie"].split(";")[0]

    def ask(self, method: str, **form: str) -> tuple[str, Any, int]:
        sent = {**self.headers, "Content-Type": "application/x-www-form-urlencoded"}
        self.connection.request(method, LOGIN, urlencode(form) or None, sent)
        answer = self.connection.getresponse()
        return answer.read().decode(), answer.headers, answer.status

    def log_in(self, name: str, password: str) -> tuple[str, Any, int]:
        return self.ask("POST", csrfmiddlewaretoken=self.token, username=name, password=password, next="/admin/")


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_ten_guesses_are_looked_at_and_nobody_else_locked_out(
    live_server: Any, settings: Any, quick_hashes: None, request: pytest.FixtureRequest
) -> None:
    settings.TRUSTED_PROXIES = 1
    User.objects.create_superuser("ada", password=PASSWORD)
    stranger = Browser(live_server.url, "203.0.113.9")
    request.addfinalizer(stranger.connection.close)
    guessed = [stranger.log_in("ada", f"guess number {number}") for number in range(GUESSES)]
    statuses = [status for _, _, status in guessed]
    assert statuses == [200] * (ALLOWED - 1) + [429] * (GUESSES - ALLOWED + 1)
    page, headers, _ = guessed[-1]
    assert "try again in 15 minutes" in page
    assert headers["Retry-After"] == "900"
    assert stranger.log_in("ada", PASSWORD)[2] == 429  # the right one says no more than the others
    editor = Browser(live_server.url, "198.51.100.7")
    request.addfinalizer(editor.connection.close)
    assert editor.log_in("ada", PASSWORD)[2] == 302


@pytest.mark.by_turns
@pytest.mark.django_db
def test_an_unknown_name_is_locked_like_any_other(client: Client, quick_hashes: None) -> None:
    User.objects.create_superuser("ada", password=PASSWORD)
    User.objects.create_user("idle", password=PASSWORD, is_staff=True, is_active=False)
    User.objects.create_user("reader", password=PASSWORD)
    said = {}
    for name, password in (("ada", "wrong"), ("idle", PASSWORD), ("reader", PASSWORD), ("nobody", "wrong")):
        page = client.post(LOGIN, {"username": name, "password": password}).content.decode()
        said[name] = re.findall(r'class="errornote">(.*?)</p>', page, re.S)
    assert len({str(one) for one in said.values()}) == 1
    assert "correct username and password" in said["ada"][0]
    assert {client.post(LOGIN, {"username": "nobody", "password": "x"}).status_code for _ in range(20)} == {200, 429}


@pytest.mark.django_db
def test_networks_and_ports_do_not_multiply_guesses(client: Client, quick_hashes: None) -> None:
    statuses = [
        client.post(
            LOGIN, {"username": "ada", "password": "x"}, REMOTE_ADDR=f"[2001:db8:0:1::{place:x}]:{place}"
        ).status_code
        for place in range(12)
    ]
    assert statuses == [200] * (ALLOWED - 1) + [429] * 3


@pytest.mark.by_turns
@pytest.mark.django_db
def test_guesses_by_name_and_by_address_are_bounded(settings: Any, quick_hashes: None) -> None:
    settings.GUESSES_OF_A_NAME, settings.GUESSES_OF_AN_ADDRESS = 3 * ALLOWED, 12
    User.objects.create_superuser("ada", password=PASSWORD)

    def tried(name: str, address: str, password: str = "wrong", times: int = 1) -> list[int]:
        sent = {"username": name, "password": password, "next": "/admin/"}
        return [Client(REMOTE_ADDR=address).post(LOGIN, sent).status_code for _ in range(times)]

    for number in (1, 2):  # what is refused counts for nothing: one address cannot fill the total
        assert tried("ada", f"203.0.113.{number}", times=20) == [200] * (ALLOWED - 1) + [429] * 11
    assert tried("ada", "198.51.100.7", PASSWORD) == [302]
    assert tried("ada", "203.0.113.3", times=ALLOWED) == [200] * (ALLOWED - 1) + [429]
    assert tried("ada", "198.51.100.7", PASSWORD) == [429]
    assert tried("bob", "198.51.100.7") == [200]
    statuses = [tried(f"name {number}", "192.0.2.1")[0] for number in range(14)]
    assert statuses == [200] * 11 + [429] * 3
    assert tried("name 0", "192.0.2.2") == [200]


@pytest.mark.django_db
def test_nobody_is_led_elsewhere_after_logging_in(client: Client, quick_hashes: None) -> None:
    User.objects.create_superuser("ada", password=PASSWORD)
    for elsewhere in ("https://example.org/", "//example.org/", "/\\example.org", "javascript:alert(1)"):
        sent = {"username": "ada", "password": PASSWORD, "next": elsewhere}
        assert client.post(f"{LOGIN}?next={elsewhere}", sent)["Location"] == "/accounts/profile/"
        client.post("/admin/logout/")


class TestSecondFactor:
    """Asked for where it is wanted, by app or by recovery code; without one nobody comes in."""

    @pytest.fixture(autouse=True)
    def wanted(self, monkeypatch: pytest.MonkeyPatch, db: None, quick_hashes: None) -> None:
        monkeypatch.setattr(admin.site, "__class__", OTPAdminSite)
        User.objects.create_superuser("ada", password=PASSWORD)

    def log_in(self, code: str, device: Any = None) -> int:
        client, chosen = Client(), device.persistent_id if device else ""
        sent = {"username": "ada", "password": PASSWORD, "otp_token": code, "otp_device": chosen, "next": "/admin/"}
        client.post(LOGIN, sent)
        return client.get("/admin/").status_code

    def test_without_a_code_nobody_comes_in(self) -> None:
        assert self.log_in("") == 302
        call_command("second_factor", "ada", stdout=io.StringIO())
        app = TOTPDevice.objects.get()
        assert [self.log_in(code, app) for code in ("", "000000")] == [302, 302]

    def test_the_codes_of_the_app_and_of_recovery_let_in_once_each(self) -> None:
        said = io.StringIO()
        call_command("second_factor", "ada", stdout=said)
        app = TOTPDevice.objects.get()
        assert app.config_url in said.getvalue()
        code = f"{totp(app.bin_key, app.step, app.t0, app.digits, app.drift):06d}"
        kept = said.getvalue().split()[-1]
        recovery = StaticDevice.objects.get()
        assert [self.log_in(code, app) for _ in range(2)] == [200, 302]
        assert [self.log_in(kept, recovery) for _ in range(2)] == [200, 302]

    def test_a_session_from_before_has_no_rights_anywhere(self, settings: Any) -> None:
        """In the admin, on a page that needs a right, and where a right lifts a bound; until the code is given."""
        call_command("second_factor", "ada", stdout=io.StringIO())
        client, ada = Client(), User.objects.get()
        client.force_login(ada)
        rights = [LARGE_BATCHES, CANCEL, "catalogue.change_clause"]

        def held() -> list[bool]:
            user = client.get("/livez").wsgi_request.user
            return [user.has_perm(right) for right in rights]

        assert held() == [True] * 3
        settings.SECOND_FACTOR = True
        assert (held(), client.get("/admin/").status_code) == ([False] * 3, 302)
        session = client.session
        session[DEVICE_ID_SESSION_KEY] = TOTPDevice.objects.get().persistent_id
        session.save()
        assert (held(), client.get("/admin/").status_code) == ([True] * 3, 200)

    def test_a_new_factor_replaces_the_old_one(self) -> None:
        for _ in range(2):
            call_command("second_factor", "ada", stdout=io.StringIO())
        assert TOTPDevice.objects.count() == 1
        call_command("second_factor", "ada", "--remove", stdout=io.StringIO())
        assert not TOTPDevice.objects.exists()
        with pytest.raises(CommandError, match="'eda'"):
            call_command("second_factor", "eda")
