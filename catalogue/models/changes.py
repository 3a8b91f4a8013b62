"""Whether anything that a page shows has changed: a number for each table, which the database itself draws anew.

Rows are written by editors, loaders, workers and commands, one by one and thousands at once, and not all of them by way
of Django. So the tables carry triggers: whatever writes a row of a table gives the table another number in the same
transaction. Whoever sees the row sees the number. Numbers are drawn by lot and not counted up, so that a state that was
undone, or brought back from a backup, never shares its number with another one.

SQLite has one writer, and keeps one row for each table. On PostgreSQL a row that every writer changes would make them
wait for each other, so each transaction adds a row of its own, and removes old ones that nobody else is removing.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

from django.apps import apps
from django.db import connection, models
from django.db.models import Count, Sum

PREFIX = "content_changed_"
# Tables that change all the time while games are played or somebody waits. A page that reads one of them is never kept.
LIVE = frozenset({"simulator_chunk", "simulator_worker", "simulator_reply", "simulator_gamerecord"})
# Tables that no page shows: what readers sent for review, who may ask the API, what was loaded from where; what is made
# of other rows; and the entries of the index of the search, whose `SearchEdition` is written whenever they are.
UNSEEN = frozenset(
    f"catalogue_{name}"
    for name in (
        "suggestion", "draft", "draft_records", "readingtoken", "loadedrow", "contentversion", "deriveddocument",
        "searchaspect", "searchaspectvalue", "searchentry", "searchterm",
    )
)  # fmt: skip
OTHERS = ("auth_user",)  # whose names histories show
# What is still waited for is in no conclusion: of these tables a second number tells of rows that are done, or were.
DONE = {
    "simulator_batch": "done_batches",
    "simulator_solution": "done_solutions",
    "catalogue_comparison": "done_comparisons",
    "catalogue_study": "done_studies",
}


class ContentVersion(models.Model):
    """A number of a table: drawn when something in the table was written. number: 47 bits, drawn by lot"""

    number = models.BigIntegerField(primary_key=True)
    key = models.CharField(max_length=64, db_index=True)
    changed = models.DateTimeField(db_default=models.functions.Now())

    def __str__(self) -> str:
        return f"{self.key} {self.number}"


class DerivedDocument(models.Model):
    """A document derived from many rows, with its name and the state of the rows that it was made from."""

    name = models.CharField(max_length=40, primary_key=True)
    state = models.CharField(max_length=200)
    document = models.JSONField()
    made = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return self.name


def content_version(keys: Iterable[str] = ()) -> str:
    """The state of all content, or of some tables, in one query: two that are equal are of the same content.

    keys: names of tables, or values of DONE
    """
    rows = ContentVersion.objects.filter(key__in=list(keys)) if keys else ContentVersion.objects.all()
    state = rows.aggregate(rows=Count("pk"), sum=Sum("number"))
    return f"{state['rows']}-{state['sum'] or 0}"


def table_of(model: type[models.Model]) -> str:
    return model._meta.db_table


class _Trigger(NamedTuple):
    """condition: on the old and the new row, where not every write counts"""

    table: str
    event: str
    key: str
    condition: str = ""

    @property
    def name(self) -> str:
        return f"{PREFIX}{self.key}_{self.event}".lower()


def _triggers(tables: Iterable[str]) -> Iterator[_Trigger]:
    for table in tables:
        for event in ("insert", "update", "delete"):
            yield _Trigger(table, event, table)
            if table in DONE:
                seen = {"insert": ("NEW",), "update": ("OLD", "NEW"), "delete": ("OLD",)}[event]
                condition = " OR ".join(f"{row}.state = 'done'" for row in seen)
                yield _Trigger(table, event, DONE[table], condition)


@cache
def watched_tables() -> tuple[str, ...]:
    """Return the tables of this project that pages show, also those between two others, sorted by name."""
    own = (
        table_of(model)
        for label in ("catalogue", "simulator")
        for model in apps.get_app_config(label).get_models(include_auto_created=True)
        if model._meta.managed
    )
    return tuple(sorted({*own, *OTHERS} - LIVE - UNSEEN))


def watch_content(**_: Any) -> None:
    """Give every table its missing triggers; called after each migration.

    SQLite drops the triggers of a table that a migration makes anew.
    """
    with connection.cursor() as cursor:
        there = set(connection.introspection.table_names(cursor))
        if table_of(ContentVersion) not in there:
            return
        on_postgres = connection.vendor == "postgresql"
        known = set(_known(cursor))
        if on_postgres:
            cursor.execute(_FUNCTION)
        for trigger in _triggers(table for table in watched_tables() if table in there):
            if trigger.name not in known:
                cursor.execute(_on_postgres(trigger) if on_postgres else _on_sqlite(trigger))


def stop_watching(*_: Any) -> None:
    """Remove all triggers: the table that they write to goes (a migration backwards)."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(f"DROP FUNCTION IF EXISTS {PREFIX}function() CASCADE")
            return
        for name in list(_known(cursor)):
            cursor.execute(f'DROP TRIGGER "{name}"')


def _known(cursor: Any) -> Iterator[str]:
    if connection.vendor == "postgresql":
        cursor.execute("SELECT tgname FROM pg_trigger WHERE starts_with(tgname, %s)", [PREFIX])
    else:
        cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' AND name GLOB %s", [f"{PREFIX}*"])
    return (name for (name,) in cursor.fetchall())


def _on_sqlite(trigger: _Trigger) -> str:
    when = f" WHEN {trigger.condition}" if trigger.condition else ""
    return (
        f'CREATE TRIGGER "{trigger.name}" AFTER {trigger.event.upper()} ON "{trigger.table}"{when} BEGIN '
        f"DELETE FROM catalogue_contentversion WHERE key = '{trigger.key}'; "
        "INSERT INTO catalogue_contentversion (number, key, changed) "
        f"VALUES ((random() >> 17) + (1 << 46), '{trigger.key}', strftime('%Y-%m-%d %H:%M:%f', 'now')); END"
    )


def _on_postgres(trigger: _Trigger) -> str:
    """Once for a statement where every write counts, else for each row that does. A table that is emptied at once is
    written to as well."""
    when = f" WHEN ({trigger.condition})" if trigger.condition else ""
    event = trigger.event.upper()
    if trigger.event == "delete" and not trigger.condition:
        event += " OR TRUNCATE"
    return (
        f'CREATE TRIGGER "{trigger.name}" AFTER {event} ON "{trigger.table}" '
        f"FOR EACH {'ROW' if when else 'STATEMENT'}{when} "
        f"EXECUTE FUNCTION {PREFIX}function('{trigger.key}')"
    )


# A setting that lasts until the transaction ends, or is undone with it, tells whether it has drawn its number already.
_FUNCTION = f"""
CREATE OR REPLACE FUNCTION {PREFIX}function() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  mark text := 'content_changed.' || TG_ARGV[0];
BEGIN
  IF current_setting(mark, true) IS DISTINCT FROM txid_current()::text THEN
    PERFORM set_config(mark, txid_current()::text, true);
    DELETE FROM catalogue_contentversion WHERE number IN (
      SELECT number FROM catalogue_contentversion
      WHERE key = TG_ARGV[0] AND changed < now() - interval '1 minute' LIMIT 20 FOR UPDATE SKIP LOCKED
    );
    INSERT INTO catalogue_contentversion (number, key, changed)
    VALUES (floor(random() * 140737488355328)::bigint, TG_ARGV[0], clock_timestamp());
  END IF;
  RETURN NULL;
END $$
"""
