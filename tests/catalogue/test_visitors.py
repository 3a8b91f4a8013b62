"""Whose address counts: the one that the outermost of the trusted proxies saw, and never what a visitor claims."""

import pytest
from django.test import RequestFactory

from catalogue.config import environment
from catalogue.web.addresses import address_of, counted

PROXY, VISITOR = "10.0.0.1", "203.0.113.9"


@pytest.mark.parametrize(
    ("proxies", "header", "address"),
    [
        (0, None, PROXY),
        (0, VISITOR, PROXY),  # nobody of ours wrote it
        (1, VISITOR, VISITOR),
        (1, f"198.51.100.1, {VISITOR}", VISITOR),  # the visitor has put something before it
        (2, f"198.51.100.1, {VISITOR}, 10.0.0.2", VISITOR),
        (2, VISITOR, PROXY),  # it came past one of the proxies
        (1, "", PROXY),
        (1, None, PROXY),
    ],
)
def test_the_address_is_the_one_the_outermost_trusted_proxy_saw(settings, proxies: int, header: str | None, address):
    settings.TRUSTED_PROXIES = proxies
    headers = {} if header is None else {"x-forwarded-for": header}
    assert address_of(RequestFactory().get("/", headers=headers, REMOTE_ADDR=PROXY)) == address


@pytest.mark.parametrize(
    ("written", "as_one"),
    [
        ("203.0.113.9:50123", "203.0.113.9"),
        ("[2001:db8:0:1::5]:443", "2001:db8:0:1::/64"),
        ("[2001:db8:0:1::5]", "2001:db8:0:1::/64"),
        ("2001:db8:0:1:ffff::5", "2001:db8:0:1::/64"),
        ("2001:db8:0:2::5", "2001:db8:0:2::/64"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("[::ffff:203.0.113.9]:80", "203.0.113.9"),
        ("::1", "::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        (" 203.0.113.9 ", "203.0.113.9"),
        ("unix:", "unknown"),
        ("203.0.113.9.1", "unknown"),
        ("203.0.113.9:80:80", "unknown"),
        ("[203.0.113.9", "unknown"),
    ],
)
def test_addresses_of_one_network_are_counted_as_one(written: str, as_one: str):
    assert counted(written) == as_one
    assert address_of(RequestFactory().get("/", REMOTE_ADDR=written)) == as_one


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("one", "TRUSTED_PROXIES must be a whole number, not 'one'"),
        ("-1", "TRUSTED_PROXIES must be at least 0, not -1"),
    ],
)
def test_a_wrong_number_of_proxies_stops_the_start(monkeypatch, written: str, said: str):
    monkeypatch.setenv("TRUSTED_PROXIES", written)
    with pytest.raises(environment.EnvironmentProblem, match=said):
        environment.number("TRUSTED_PROXIES", 0)
