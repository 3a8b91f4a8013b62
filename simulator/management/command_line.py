"""What the simulator's commands have in common: exit statuses, progress, and a database to write to.

0: done. 1: what was asked for failed. 2: the request was wrong. Answers go to stdout, everything else to stderr.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, OutputWrapper
from django.db import connection

from simulator.models import Batch
from simulator.problems import BrokerSilent, DigestsDiffer, WrongRequest


class SimulatorCommand(BaseCommand):
    """A command that serves no page, and so starts without the checks that load every one of them."""

    requires_system_checks = ()


class Failed(CommandError):
    """What was asked for could not be done."""


class Refused(CommandError):
    """The request was wrong."""

    def __init__(self, message: str) -> None:
        super().__init__(message, returncode=2)


@contextmanager
def exit_statuses() -> Iterator[None]:
    try:
        yield
    except WrongRequest as error:
        raise Refused(str(error)) from error
    except (BrokerSilent, DigestsDiffer) as error:
        raise Failed(str(error)) from error


class ProgressLine:
    """One line that is written over on a terminal, and written anew at every tenth elsewhere."""

    def __init__(self, stream: TextIO | OutputWrapper) -> None:
        self._stream = stream
        self._over = stream.isatty()
        self._last = ""
        self._tenth = -1

    def show(self, text: str, percent: int) -> None:
        if self._over and text != self._last:
            self._write(f"\r\033[K{text}")
        elif not self._over and percent // 10 != self._tenth:
            self._write(f"{text}\n")
        self._last, self._tenth = text, percent // 10

    def end(self) -> None:
        if self._over and self._last:
            self._write("\n")

    def _write(self, text: str) -> None:
        if isinstance(self._stream, OutputWrapper):
            self._stream.write(text, ending="")
        else:
            self._stream.write(text)
        self._stream.flush()


def prepare_database(stderr: OutputWrapper) -> None:
    """Make the tables if this database has none yet, so that a first command works on a fresh machine."""
    if Batch._meta.db_table not in connection.introspection.table_names():
        stderr.write("The database is empty: its tables are made first.")
        call_command("migrate", verbosity=0, interactive=False)


def as_json(document: Any) -> str:
    return json.dumps(document, ensure_ascii=False, indent=2)
