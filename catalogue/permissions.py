"""The roles of those who work here, and what each may do with every kind of row. Shipped as groups of these names.

A visitor needs no role: everything that is shown may be read, games may be asked for within bounds, and records
remarked on. A superuser may do everything, also with users and groups.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import DEFAULT_DB_ALIAS

VIEW, ADD, CHANGE, DELETE = "view", "add", "change", "delete"
# What was read from the records, and what the editors say of it.
APPARATUS = ("reading", "clause", "question", "answer", "claim", "anchor", "editorsnote")
# What others recorded, and how it is arranged.
RECORDS = (
    "evidence", "citation", "evidenceuncertainty", "uncertaintyfactor", "game", "gamename", "term", "place", "source",
    "period", "category", "portalgame", "portalruleset", "picture", "observation",
)  # fmt: skip
# Of these, what a record entered here needs, in the workshop.
ENTERED = (
    "evidence", "citation", "evidenceuncertainty", "game", "gamename", "place", "source", "picture", "observation",
)  # fmt: skip
SIMULATIONS = ("ruleset", "rulesetversion", "batch", "chunk")
ANALYSES = ("comparison", "study", "wearstudy")  # of the catalogue; ladders are the simulator’s

# Rights that are no editing of a row.
LARGE_BATCHES = "simulator.request_large_batch"
TAKE_DOWN = "catalogue.take_down_picture"
CANCEL, REQUEUE = "simulator.cancel_batch", "simulator.requeue_batch"
OPERATE_WORKERS = "simulator.operate_worker"
PUBLISH, SIGN = "catalogue.publish_draft", "catalogue.sign_reading"
DECIDE = "catalogue.change_suggestion"


@dataclass(frozen=True, slots=True)
class Role:
    """What a group is called, what its members are for, and the permissions it has: "catalogue.change_clause"."""

    name: str
    words: str
    permissions: frozenset[str]


def _may(app: str, models: Iterable[str], *actions: str) -> frozenset[str]:
    return frozenset(f"{app}.{action}_{model}" for model in models for action in actions)


_LOOK = _may("catalogue", (*APPARATUS, *RECORDS), VIEW) | _may("simulator", SIMULATIONS, VIEW)
_LOOK |= _may("catalogue", ANALYSES, VIEW) | _may("simulator", ("ladder",), VIEW)
_CONTRIBUTE = _LOOK | _may("catalogue", APPARATUS, ADD, CHANGE)
_EDIT = (
    _CONTRIBUTE
    | _may("catalogue", APPARATUS, DELETE)
    | _may("catalogue", RECORDS, CHANGE)
    | _may("catalogue", ENTERED, ADD)
    | _may("catalogue", ("suggestion",), VIEW, CHANGE)
    | _may("catalogue", ("observation",), DELETE)
    | {LARGE_BATCHES, CANCEL, PUBLISH}
)
_CURATE = _EDIT | _may("catalogue", RECORDS, ADD, DELETE) | _may("catalogue", ("suggestion",), DELETE)
_CURATE |= {SIGN, TAKE_DOWN}
_OPERATE = (
    _LOOK
    | _may("simulator", ("batch",), DELETE)
    | _may("catalogue", ANALYSES, DELETE)
    | _may("simulator", ("ladder",), DELETE)
    | _may("catalogue", ("readingtoken",), VIEW, ADD, CHANGE, DELETE)
    | _may("axes", ("accessattempt",), VIEW, DELETE)
    | _may("simulator", ("worker",), VIEW)
    | {LARGE_BATCHES, CANCEL, REQUEUE, OPERATE_WORKERS}
)

ROLES = {
    role.name: role
    for role in (
        Role("contributor", "writes readings, clauses, questions, claims and notes; deletes nothing", _CONTRIBUTE),
        Role(
            "editor",
            "enters and corrects records and pictures, decides on suggestions, plays large batches",
            _EDIT,
        ),
        Role("curator", "deletes records, sources, games and places, takes pictures down", _CURATE),
        Role("operator", "looks after batches, log-ins and tokens; changes nothing of the catalogue", _OPERATE),
    )
}


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
