"""The common parts of the commands: arguments, exit statuses, progress, a database to write to, batches to wait for.

0: done. 1: the request failed. 2: the request was wrong. Answers go to stdout, everything else to stderr. A
command sees its batches to their end by playing them in its process, or by waiting for the workers.
"""

import json
import os
import time
from argparse import ArgumentParser
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TextIO

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, OutputWrapper
from django.db import DatabaseError, OperationalError, ProgrammingError, connection
from django.db.models import Sum

from simulator import rulesets
from simulator.batches import dispatch
from simulator.batches.requests import DEFAULTS, BatchRequest
from simulator.batches.service import progress_of, request_all
from simulator.engine.players.wording import HINT
from simulator.engine.ruleset import Ruleset
from simulator.logs import printable, printable_lines
from simulator.models import Batch, Chunk
from simulator.problems import DISK_FULL, BrokerSilent, DigestsDiffer, WrongRequest, is_disk_full

ARGUMENTS: Mapping[str, Mapping[str, Any]] = {
    "ruleset": {"help": "slug, slug@number, hash, or the first 8 or more digits of a hash"},
    "--games": {"default": DEFAULTS["games"], "help": "how many games (default %(default)s)"},
    "--seed": {"default": DEFAULTS["seed"], "help": "where chance begins (default %(default)s)"},
    "--players": {"default": DEFAULTS["players"], "help": HINT},
    "--cap": {"default": DEFAULTS["cap"], "help": "turns after which a game is left unfinished"},
    "--until": {"default": DEFAULTS["until"], "help": "game, or round for the first round only"},
    "--traffic": {"action": "store_true", "help": "count what the games leave on the board too"},
    "--set": {"action": "append", "default": [], "metavar": "KEY=VALUE", "help": "change the ruleset; repeatable"},
    "--inline": {"action": "store_true", "help": "play in this process, without broker and workers"},
    "--json": {"action": "store_true", "help": "print one JSON document"},
}
OF_A_BATCH = ("--games", "--seed", "--players", "--cap", "--until")
Errors = tuple[type[Exception], ...]
POLL_SECONDS = 0.3
EVERY, EVERY_ELSEWHERE = 1.0, 10.0  # seconds between two lines of progress, on a terminal and elsewhere
QUIET: ContextVar[bool] = ContextVar("QUIET", default=False)
WORKER_PATIENCE = 15  # seconds without a worker before the reader learns how to start one


def add_common_arguments(parser: ArgumentParser, *names: str, **others: Any) -> None:
    """Add arguments that mean the same in every command; `others` replace what ARGUMENTS says of them."""
    for name in names:
        parser.add_argument(name, **{**ARGUMENTS[name], **others})


def named_ruleset(options: Mapping[str, Any]) -> tuple[str, Ruleset]:
    """Return the name and the ruleset that a command is given; a changed ruleset is named by its hash.

    Raises WrongRequest.
    """
    changes = rulesets.parse_changes(options["set"])
    ruleset = rulesets.find(options["ruleset"], changes)
    return ruleset.hash if changes else options["ruleset"], ruleset


class CommandFailed(CommandError):
    """The request could not be carried out."""


class WrongUsage(CommandError):
    """The request was wrong."""

    def __init__(self, message: str) -> None:
        super().__init__(message, returncode=2)


@contextmanager
def exit_statuses(refused: Errors = (), failed: Errors = (), outcome: str = "") -> Iterator[None]:
    """Turn errors into exit statuses.

    refused, failed: further errors that end the command with 2 or 1; outcome: a sentence at the end of their messages
    """

    def words(error: Exception, reason: str) -> str:
        message = (
            f"{error.filename or 'a file'}{reason}: {error.strerror}" if isinstance(error, OSError) else str(error)
        )
        return f"{message}. {outcome}" if outcome else message

    expected: Errors = (WrongRequest, *refused)
    failures: Errors = (BrokerSilent, DigestsDiffer, *failed)
    try:
        yield
    except expected as error:
        raise WrongUsage(words(error, " cannot be read")) from error
    except failures as error:
        raise CommandFailed(DISK_FULL if is_disk_full(error) else words(error, "")) from error
    except (OSError, DatabaseError) as error:
        if is_disk_full(error):
            raise CommandFailed(DISK_FULL) from error
        # PostgreSQL calls a table that is not there a mistake of the program.
        if isinstance(error, OperationalError) or (isinstance(error, ProgrammingError) and not _has_tables()):
            raise CommandFailed(database_away(error)) from error
        raise


def database_away(error: DatabaseError) -> str:
    """Return what is wrong, and what to do, when the database is locked or does not answer."""
    reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    if "locked" in reason:
        remedy = "Something else has been writing to it for long, an import perhaps: try again when that has ended"
    elif "no such table" in reason or "does not exist" in reason:
        remedy = "Run: manage.py migrate"
    else:
        remedy = "Check DATABASE_URL, that its server runs, and that there is room on its disk"
    return f"The database does not answer: {reason}. {remedy}."


class PlainOutput(OutputWrapper):
    """Output in which the words of others move no cursor, colour nothing and end no line but their own."""

    def write(self, msg: str = "", style_func: Any = None, ending: str | None = None) -> None:  # type: ignore[override]
        super().write(printable_lines(msg), style_func, ending)


def _plain(out: OutputWrapper) -> PlainOutput:
    stream: Any = out._out
    return PlainOutput(stream)


class PlainCommand(BaseCommand):
    """A command that shows words which it has read somewhere."""

    @property
    def stdout(self) -> OutputWrapper:
        return self._stdout

    @stdout.setter
    def stdout(self, out: OutputWrapper) -> None:
        self._stdout = _plain(out)

    @property
    def stderr(self) -> OutputWrapper:
        return self._stderr

    @stderr.setter
    def stderr(self, out: OutputWrapper) -> None:
        self._stderr = _plain(out)


class LongCommand(PlainCommand):
    """A command that may take long: it tells on stderr how far it is, unless it is to be quiet."""

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        parser.add_argument("--quiet", action="store_true", help="do not tell how far it is")
        return parser

    def execute(self, *args: Any, **options: Any) -> str | None:
        before = QUIET.set(bool(options.get("quiet")) or options.get("verbosity") == 0)
        try:
            return super().execute(*args, **options)
        finally:
            QUIET.reset(before)


class SimulatorCommand(LongCommand):
    """A command that serves no page, and so starts without the checks that load every one of them.

    The errors that `exit_statuses` knows end it with their status.
    """

    requires_system_checks = ()

    def execute(self, *args: Any, **options: Any) -> str | None:
        with exit_statuses():
            return super().execute(*args, **options)

    def print_answer(self, document: Any, in_words: Callable[[Any], str], in_json: bool) -> None:
        """Print a document as JSON, or in words by that function."""
        text = as_json(document) if in_json else in_words(document)
        self.stdout.write(text, ending="\n" if text else "")


class ProgressLine:
    """How far a command is: on a terminal one line that is written over, at most once a second; elsewhere a line every
    ten seconds. The first and the last are always shown, and none of a command that is to be quiet."""

    def __init__(self, stream: TextIO | OutputWrapper) -> None:
        self._stream = stream
        self._over = stream.isatty()
        self._quiet = QUIET.get()
        self._last = ""
        self._next = 0.0

    def show(self, text: str, percent: int = 0) -> None:
        """Show the words. percent: 100 if it is the last"""
        now = time.monotonic()
        if self._quiet or text == self._last or (now < self._next and percent < 100):
            return
        self._write(f"\r\033[K{printable(text)}" if self._over else f"{printable(text)}\n")
        self._last, self._next = text, now + (EVERY if self._over else EVERY_ELSEWHERE)

    def end(self) -> None:
        if self._over and self._last:
            self._write("\n")

    def _write(self, text: str) -> None:
        stream: Any = self._stream._out if isinstance(self._stream, OutputWrapper) else self._stream
        stream.write(text)
        stream.flush()


def prepare_database(stderr: OutputWrapper) -> None:
    """Make the tables if this database has none yet, so that a first command works on a fresh machine."""
    if not _has_tables():
        stderr.write("The database is empty: its tables are made first.")
        call_command("migrate", verbosity=0, interactive=False)


def _has_tables() -> bool:
    return Batch._meta.db_table in connection.introspection.table_names()


def as_json(document: Any) -> str:
    return json.dumps(document, ensure_ascii=False, indent=2)


def write_json(file: Path, document: Any) -> None:
    """Write a document, whole or not at all: a command that is interrupted leaves the file as it was."""
    fresh = file.with_suffix(".new")
    fresh.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    os.replace(fresh, file)


def require_broker_for(ids: Collection[str]) -> None:
    """Raises BrokerSilent if one of these batches has still to be played and no broker would notify the workers."""
    if Batch.objects.filter(id__in=ids, state=Batch.State.DONE).count() < len(set(ids)):
        dispatch.require_broker()


def play_requests(requests: Iterable[BatchRequest], inline: bool, stderr: OutputWrapper) -> list[Batch]:
    """Play these requests to their end and return the batches; raises BrokerSilent and CommandFailed."""
    requested = list(requests)
    prepare_database(stderr)
    if not inline:
        require_broker_for([request.id for request in requested])
    batches = request_all(requested, announce=not inline)
    play_to_end(batches, inline, stderr)
    return batches


def play_to_end(batches: Sequence[Batch], inline: bool, stderr: OutputWrapper) -> None:
    """Wait, or play, until all of them are done, and refresh them; raises CommandFailed if one stopped."""
    line, started = ProgressLine(stderr), time.monotonic()
    games = sum(batch.games for batch in batches)
    for batch in batches:
        while batch.is_open:
            if not (inline and _play(batch)):
                time.sleep(POLL_SECONDS)
            batch.refresh_from_db()
            chunks = Chunk.objects.filter(batch__in=batches, state=Chunk.State.DONE)
            done = chunks.aggregate(games=Sum("games"))["games"] or 0
            line.show(f"{done:,} of {games:,} games ({100 * done // games} %)", 100 * done // games)
            if not inline and time.monotonic() - started > WORKER_PATIENCE:
                _miss_workers(batch, stderr)
                started = float("inf")  # said once only
        if batch.state != Batch.State.DONE:
            line.end()
            raise CommandFailed(_what_became_of(batch))
    line.end()


def _what_became_of(batch: Batch) -> str:
    if batch.state == Batch.State.CANCELLED:
        return f"batch {batch} was cancelled; `manage.py batches requeue {batch}` runs it on"
    return f"batch {batch} failed: {' '.join(progress_of(batch).errors)}"


def _miss_workers(batch: Batch, stderr: OutputWrapper) -> None:
    if not batch.chunks.exclude(state=Chunk.State.QUEUED).exists():
        stderr.write(
            "No worker has taken it up yet. If none is running: "
            "celery -A catalogue.config.celery worker --concurrency 2"
        )


def _play(batch: Batch) -> bool:
    from simulator.batches import playing  # brings the compiled engine, which a waiting command does without

    return playing.play_waiting_chunk(batch)
