"""What an edit will look like to readers: it is saved, its public page is drawn by the view of that page, and all of it
is undone again. So a page of lists, links and figures shows the edit as it would, and nothing has to know of previews.
"""

from copy import copy
from typing import Any
from urllib.parse import urlsplit

from django.db import transaction
from django.http import HttpRequest, QueryDict
from django.http.response import HttpResponseBase
from django.urls import get_script_prefix, resolve

from catalogue.web.addresses import page_of

PREVIEW = "_preview"  # the name of the button


def preview(request: HttpRequest, row: Any) -> HttpResponseBase:
    """The public page of a row as it stands within this transaction, which is then undone, whatever happens."""
    try:
        return _drawn(request, urlsplit(page_of(row)).path)
    finally:
        transaction.set_rollback(True)


def _drawn(request: HttpRequest, path: str) -> HttpResponseBase:
    found = resolve(f"/{path.removeprefix(get_script_prefix())}")
    asked: Any = copy(request)
    asked.method, asked.GET, asked.POST = "GET", QueryDict(), QueryDict()
    asked.path, asked.path_info, asked.resolver_match = path, path, found
    asked.is_preview = True
    drawn: HttpResponseBase = found.func(asked, *found.args, **found.kwargs)
    return drawn
