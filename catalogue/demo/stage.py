"""What the demo needs before anything can be shown: tables, records, an editor, and the batches to be played."""

import io
import json
import secrets
from pathlib import Path

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command

from simulator.batches.service import request_batch
from simulator.models import Batch

DEMO_BATCHES = Path(settings.BASE_DIR) / "fixtures" / "demo_batches.json"
EDITOR = "editor"


def prepare() -> None:
    """Bring tables and records up to date; what is there already stays as it is."""
    call_command("migrate", verbosity=0, interactive=False)
    call_command("load_fixtures", verbosity=0, stdout=io.StringIO())


def new_editor() -> str | None:
    """The password of the editor's account if it had to be made, else None: it is shown once."""
    users = get_user_model()._default_manager
    if users.filter(username=EDITOR).exists():
        return None
    password = secrets.token_urlsafe(12)
    users.create_superuser(username=EDITOR, password=password)
    return password


def request_demo_batches(*, announce: bool) -> list[Batch]:
    """The batches that stand beside the records; those that are done already stay done."""
    wanted = json.loads(DEMO_BATCHES.read_text(encoding="utf-8"))
    return [request_batch(**request, origin=Batch.Origin.DEMO, announce=announce) for request in wanted]
