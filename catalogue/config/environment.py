"""Reading the environment, loudly.

A setting that is misspelt must stop the start-up with a sentence, not become a silent default.
"""

import hashlib
import os
import re
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import django

OTHERS = 0o077  # of a mode: what the group and everybody may do
PLACEHOLDERS = ("changeme", "djangoinsecure", "replaceme", "yoursecret", "placeholder")
SHORTEST, FEWEST_SIGNS = 32, 5  # of a secret that signs; `check --deploy` wants 50
MAKE_ONE = "Make one with: python3 -c 'import secrets; print(secrets.token_urlsafe(50))'"
_asked: dict[str, str] = {}


class EnvironmentProblem(Exception):
    """An environment variable is missing, or has a value that means nothing."""


def asked() -> Mapping[str, str]:
    """Every variable that was asked for so far, with its default; docs/deploying.md lists the same."""
    return _asked


def digest() -> str:
    """Return a digest of all variables read so far: the same settings have the same digest."""
    values = "\n".join(f"{name}={os.environ.get(name, default)}" for name, default in sorted(_asked.items()))
    return hashlib.sha256(values.encode()).hexdigest()


def digest_of_files(folder: Path) -> str:
    """Return twelve digits for the files of a folder and the version of the framework, which brings more of them."""
    found = hashlib.sha256(django.__version__.encode())
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        found.update(f"{path.relative_to(folder)} ".encode() + hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()[:12]


def text(name: str, default: str) -> str:
    _asked[name] = default
    return os.environ.get(name, default)


def one_of(name: str, default: str, *others: str) -> str:
    value = text(name, default)
    if value not in (default, *others):
        raise EnvironmentProblem(f"{name} must be {' or '.join((default, *others))}, not {value!r}")
    return value


def flag(name: str, default: bool) -> bool:
    value = text(name, str(default))
    if value not in ("True", "False"):
        raise EnvironmentProblem(f"{name} must be True or False, not {value!r}")
    return value == "True"


def number(name: str, default: int, least: int = 0) -> int:
    value = text(name, str(default))
    try:
        found = int(value)
    except ValueError:
        raise EnvironmentProblem(f"{name} must be a whole number, not {value!r}") from None
    if found < least:
        raise EnvironmentProblem(f"{name} must be at least {least}, not {found}")
    return found


def words(name: str, default: str) -> list[str]:
    """A comma-separated list; empty parts are dropped."""
    return [word.strip() for word in text(name, default).split(",") if word.strip()]


def networks(name: str, default: str) -> list[IPv4Network | IPv6Network]:
    """Addresses and networks, with commas between them."""
    try:
        return [ip_network(word, strict=False) for word in words(name, default)]
    except ValueError as error:
        raise EnvironmentProblem(f"{name} must be addresses or networks such as 10.0.0.0/8: {error}") from None


def folder(name: str, default: Path, of_owner: bool = False) -> Path:
    """A folder that is made when it is first asked for.

    of_owner: make it for its owner only. A folder that was there before stays as whoever runs the site made it, unless
    it is the default one.
    """
    path = Path(text(name, str(default))).resolve()
    is_new = not path.exists()
    path.mkdir(parents=True, exist_ok=True)
    if of_owner and (is_new or path == default.resolve()):
        for_owner_only(path)
    return path


def for_owner_only(*paths: Path) -> None:
    """Take the rights of everybody else from what is there; what belongs to somebody else is left as it is."""
    for path in paths:
        with suppress(OSError):
            mode = path.stat().st_mode
            if mode & OTHERS:
                path.chmod(mode & ~OTHERS & 0o7777)


def secret(name: str, value: str) -> str:
    """Return the value, which is or holds a secret; raises EnvironmentProblem where that is only a placeholder."""
    said = re.sub(r"[^a-z]", "", value.casefold())
    if any(word in said for word in PLACEHOLDERS):
        raise EnvironmentProblem(f"{name} still holds the placeholder of an example. {MAKE_ONE}")
    return value


def kept_secret(name: str, path: Path, shared: Sequence[str] = (), trying: bool = False) -> str:
    """The variable's value, else a random secret made once and kept in `path`, readable by its owner only.

    shared: variables that name a server which other machines may use too; each would make a secret of its own, so
    raises EnvironmentProblem where there are any. trying: any value will do, for somebody who tries something out;
    else raises EnvironmentProblem for a placeholder, and for what could be guessed.
    """
    value = text(name, "")
    if value:
        if not trying and (len(secret(name, value)) < SHORTEST or len(set(value)) < FEWEST_SIGNS):
            raise EnvironmentProblem(f"{name} is too short or too plain to keep a secret. {MAKE_ONE}")
        return value
    if shared:
        raise EnvironmentProblem(
            f"{name} must be set where {' and '.join(shared)} names a server: every process of the site, on every "
            f"machine, needs the same one, or each refuses what the others signed. {MAKE_ONE}"
        )
    for_owner_only(path)
    if not path.exists():
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(50))
    return path.read_text().strip()


def next_database(url: str) -> str:
    """The address of another database of the same server: what is counted there is not mixed with what waits here."""
    parts = urlsplit(url)
    if parts.scheme == "unix":
        query = dict(parse_qsl(parts.query))
        return f"unix://{parts.netloc}{parts.path}?{urlencode(query | {'db': _after(query.get('db', '0'))})}"
    return urlunsplit(parts._replace(path=f"/{_after(parts.path.strip('/') or '0')}"))


def _after(number: str) -> str:
    """Servers have 16 databases unless told otherwise."""
    return str((int(number) + 1) % 16) if number.isdecimal() else "1"
