"""Locks for what only one transaction may do at a time, on both databases: count the requests, and then add one.

Two transactions that count at the same moment would otherwise see the same allowance, and both use it.
"""

import hashlib

from django.db import connection

BATCHES, REPLIES, RULESETS, SUGGESTIONS = "batches", "replies", "rulesets", "suggestions"


def exclusive(what: str) -> None:
    """Wait until no other transaction holds this lock; it is ours until our own transaction has ended.

    SQLite has one writer, and our transactions begin as writers (`transaction_mode` IMMEDIATE), so they wait already.
    Raises RuntimeError outside a transaction, where nothing would be held.
    """
    if not connection.in_atomic_block:
        raise RuntimeError(f"{what}: only a transaction can be alone with something")
    if connection.vendor == "postgresql":
        key = int.from_bytes(hashlib.sha256(what.encode()).digest()[:8], signed=True)
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [key])
