"""The roles as groups of the database, made and brought up to date whenever it is migrated."""

from typing import Any

from django.db import DEFAULT_DB_ALIAS

from catalogue.permissions.roles import ROLES


def write_groups(using: str = DEFAULT_DB_ALIAS, **signal: Any) -> None:
    """Each role's group has exactly the role's permissions; other groups and all members are left as they are.

    Receives `post_migrate`. Where a database is taken back to an earlier migration some permissions are not there.
    """
    from django.contrib.auth.models import Group, Permission  # here: groups are rows, and this is imported before them

    known = {
        f"{one.content_type.app_label}.{one.codename}": one
        for one in Permission.objects.using(using).select_related("content_type")
    }
    for role in ROLES.values():
        group, _ = Group.objects.using(using).get_or_create(name=role.name)
        group.permissions.set([known[name] for name in role.permissions if name in known])
