"""What expires, and what never does: whatever somebody may cite stays, however old it is."""

import io
import json
import os
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db.models import Model
from django.utils import timezone

from catalogue.models import ComparedBatch, Comparison, Draft, Suggestion
from simulator.engine import kernel_cache
from simulator.management.command_line import WrongUsage
from simulator.models import Batch, GameRecord, Reply, Ruleset, Solution
from tests.builders import evidence

pytestmark = pytest.mark.django_db
LONG_AGO = 400  # days


def expire(*words: str) -> dict[str, int]:
    out = io.StringIO()
    call_command("expire", *words, "--json", stdout=out)
    return {row["what"].split(" ")[0]: row["number"] for row in json.loads(out.getvalue())}


def aged(row: Model, days: float) -> Any:
    type(row)._default_manager.filter(pk=row.pk).update(created=timezone.now() - timedelta(days=days))
    return row


@pytest.fixture
def ruleset() -> Ruleset:
    return aged(Ruleset.objects.create(hash="a" * 64, family="sowing", document={}), LONG_AGO)


@pytest.fixture(autouse=True)
def own_kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KERNEL_CACHE_DIR", str(tmp_path))
    for name in (*kernel_cache.COMPILER, "NUMBA_CACHE_DIR"):
        monkeypatch.setenv(name, os.environ.get(name, ""))
    return tmp_path


def a_batch(ruleset: Ruleset, number: int, days: float = LONG_AGO, **fields: Any) -> Batch:
    wanted = {"family_version": 1, "players": "random,random", "seed": number, "games": 1, "cap": 9, "work": 9}
    wanted |= {"origin": "visitor", "visitor": "x" * 32, "state": "done"} | fields
    return aged(Batch.objects.create(id=f"{number:016x}", ruleset=ruleset, **wanted), days)


def test_what_can_be_had_again_goes_when_its_time_is_over(ruleset: Ruleset, own_kernels: Path):
    batch = a_batch(ruleset, 1)
    for days in (91, 89):
        aged(GameRecord.objects.create(batch=batch, game=days, state="done"), days)
        reply = Reply(key=str(days), ruleset=ruleset, family_version=1, player="greedy", seed=1, moves=[])
        reply.save()
        aged(reply, days)
        expires = timezone.now() + timedelta(days=90 - days)
        Session.objects.create(session_key=str(days), session_data="", expire_date=expires)
    maker, game = get_user_model()._default_manager.create_user("somebody"), evidence(692).game
    for days, of in ((16, None), (14, None), (1_000, maker)):
        draft = Draft.objects.create(game=game, maker=of)
        Draft.objects.filter(pk=draft.pk).update(changed=timezone.now() - timedelta(days=days))
    old, fresh = own_kernels / "of-old-code", own_kernels / "of-newer-code"
    old.mkdir()
    fresh.mkdir()
    os.utime(old, (0, time.time() - 8 * 24 * 3600))

    said = {"sessions": 1, "games": 1, "replies": 1, "visitors'": 0, "drafts": 1, "marks": 1, "failed": 0, "files": 0}
    said |= {"pictures": 0, "folders": 1}
    assert expire("--dry-run") == said
    assert (GameRecord.objects.count(), Session.objects.count(), old.is_dir()) == (2, 2, True)
    assert expire() == said
    assert [row.game for row in GameRecord.objects.all()] == [89]
    assert [row.key for row in Reply.objects.all()] == ["89"]
    assert [row.session_key for row in Session.objects.all()] == ["89"]
    assert (old.exists(), fresh.exists(), Draft.objects.count()) == (False, True, 2)
    assert set(expire().values()) == {0}


def test_what_somebody_may_cite_never_goes(ruleset: Ruleset):
    kept = [
        a_batch(ruleset, 1),
        a_batch(ruleset, 2, state="running"),
        a_batch(ruleset, 3, state="cancelled", origin="editor"),
        a_batch(ruleset, 4, state="failed"),
        a_batch(ruleset, 5, state="failed", days=89),
    ]
    comparison = aged(Comparison.objects.create(id="c", names=[], margins={}, bootstrap_seed=1, version=1), LONG_AGO)
    ComparedBatch.objects.create(comparison=comparison, batch=kept[3], place=0)
    Solution.objects.create(ruleset=ruleset, family_version=1, state="done")
    aged(Solution.objects.get(), LONG_AGO)
    gone = [a_batch(ruleset, 6, state="failed"), a_batch(ruleset, 7, state="cancelled")]
    assert expire("--days", "90")["visitors'"] == len(gone)
    assert list(Batch.objects.order_by("id")) == kept
    assert (Comparison.objects.count(), Solution.objects.count(), Ruleset.objects.count()) == (1, 1, 1)


def test_nobody_can_be_told_from_a_mark_after_a_day(ruleset: Ruleset):
    before, today = a_batch(ruleset, 1, days=1.1), a_batch(ruleset, 2, days=0.9)
    suggestion = Suggestion.objects.create(kind="problem", evidence=evidence(692), text="Another date.", visitor="y")
    aged(suggestion, 2)
    assert expire()["marks"] == 2
    before.refresh_from_db()
    today.refresh_from_db()
    assert (before.visitor, today.visitor) == ("", "x" * 32)


def test_a_wrong_number_of_days_is_named():
    with pytest.raises(WrongUsage, match="must be a whole number from 1 to 3650, not 0"):
        expire("--days", "0")
