"""The rows of a finished batch as one file, which never changes: a table, or lines of JSON."""

import hashlib
from collections.abc import Callable, Iterator

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from rest_framework.request import Request

from catalogue.web.sent_files import About, send_made
from simulator.batches.rows import csv_lines, json_lines, measure_names
from simulator.models import Batch

LAYOUT = "1"  # rises when the same rows would be written otherwise
FORMS: dict[str, tuple[Callable[[Batch], Iterator[str]], str]] = {
    "csv": (csv_lines, "text/csv; charset=utf-8"),
    "jsonl": (json_lines, "application/x-ndjson"),
}


def send_rows(request: HttpRequest | Request, batch: Batch, form: str) -> HttpResponseBase:
    """batch: one that is done and keeps its rows; form: a key of FORMS"""
    lines, kind = FORMS[form]
    follows_from = "\n".join((LAYOUT, form, batch.id, batch.digest, *measure_names(batch)))
    about = About(f"batch-{batch.id}.{form}", kind, hashlib.sha256(follows_from.encode()).hexdigest())
    changed = (batch.closed or batch.created).timestamp()
    return send_made(request, about, changed, lambda: (text.encode() for text in lines(batch)))
