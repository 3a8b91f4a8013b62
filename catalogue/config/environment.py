"""Reading the environment, loudly.

A setting that is misspelt must stop the start-up with a sentence, not become a silent default.
"""

import os
from pathlib import Path


class EnvironmentProblem(Exception):
    """An environment variable has a value that means nothing."""


def text(name: str, default: str) -> str:
    return os.environ.get(name, default)


def flag(name: str, default: bool) -> bool:
    value = os.environ.get(name, str(default))
    if value not in ("True", "False"):
        raise EnvironmentProblem(f"{name} must be True or False, not {value!r}")
    return value == "True"


def number(name: str, default: int, least: int = 0) -> int:
    value = os.environ.get(name, str(default))
    try:
        found = int(value)
    except ValueError:
        raise EnvironmentProblem(f"{name} must be a whole number, not {value!r}") from None
    if found < least:
        raise EnvironmentProblem(f"{name} must be at least {least}, not {found}")
    return found


def words(name: str, default: str) -> list[str]:
    """A comma-separated list; empty parts are dropped."""
    return [word.strip() for word in os.environ.get(name, default).split(",") if word.strip()]


def folder(name: str, default: Path) -> Path:
    """A folder that is made when it is first asked for."""
    path = Path(os.environ.get(name, str(default))).resolve()
    path.mkdir(parents=True, exist_ok=True)
    return path


def kept_secret(name: str, path: Path) -> str:
    """The variable's value, else a random secret made once and kept in `path`, readable by its owner only."""
    if name in os.environ:
        return os.environ[name]
    if not path.exists():
        import secrets

        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(50))
    return path.read_text().strip()
