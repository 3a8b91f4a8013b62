"""Which tables there are, and what their columns hold, by the migrations that a database has been through.

Tables are described as those migrations left them and not as this code knows them, so that a database can be backed up
before it is upgraded, and an old backup be restored by newer code.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.migrations.loader import MigrationLoader

from catalogue.backups.problems import BackupProblem

Node = tuple[str, str]  # of the graph of migrations: app, name
# Whose sessions are open and who failed to log in: neither outlives the machine, and the first would open it.
LEFT_OUT = ("sessions", "axes")


@dataclass(frozen=True, slots=True)
class BackupTable:
    """label: app.model, the same whatever the database calls it"""

    label: str
    model: Any

    @property
    def name(self) -> str:
        return str(self.model._meta.db_table)

    @property
    def fields(self) -> list[Any]:
        return [field for field in self.model._meta.concrete_fields if not field.generated]


def applied() -> list[Node]:
    """The migrations this database has been through; raises BackupProblem if it knows some that this code does not."""
    loader = MigrationLoader(connection)
    known = checked(loader.applied_migrations, "the database")
    return [node for node in known if node[0] in loader.migrated_apps]


def checked(nodes: Iterable[Node], whose: str) -> list[Node]:
    """In order; raises BackupProblem if one of them is not of this code."""
    loader, nodes = MigrationLoader(None), sorted(nodes)
    strange = [node for node in nodes if node[0] in loader.migrated_apps and node not in loader.graph.nodes]
    if strange:
        app, name = strange[0]
        message = f"{whose} has been through {app}.{name}, which this version does not have: use the one that made it"
        raise BackupProblem(message)
    return nodes


def ends_of(nodes: Iterable[Node]) -> list[Node]:
    """The last of these migrations of each app."""
    graph, those = MigrationLoader(None).graph, set(nodes)
    return [
        node
        for node in sorted(those)
        if not any(child.key[0] == node[0] and child.key in those for child in graph.node_map[node].children)
    ]


def tables_after(nodes: Iterable[Node]) -> list[BackupTable]:
    """All tables that rows of ours stand in once those migrations have been through."""
    models = MigrationLoader(None).project_state(list(nodes)).apps.get_models(include_auto_created=True)
    found = [
        BackupTable(model._meta.label_lower, model)
        for model in models
        if model._meta.managed and not model._meta.proxy and model._meta.app_label not in LEFT_OUT
    ]
    return sorted(found, key=lambda table: table.label)
