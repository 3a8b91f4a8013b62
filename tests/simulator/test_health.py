"""Every part that is not well is named, with what to do about it; one that fails to be looked at too."""

import datetime
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError
from django.test import override_settings
from django.utils import timezone

from simulator import health
from simulator.models import Worker


@pytest.mark.django_db
def test_a_worker_lives_as_long_as_it_says_so():
    assert health.workers().remedy
    health.beat("one@here", ["interactive", "celery"], 2, timezone.now())
    assert health.workers() == health.Condition("workers", "one@here")
    assert Worker.objects.get().queues == ["celery", "interactive"]
    assert Worker.objects.get().versions["sowing"] >= 1
    Worker.objects.update(heartbeat=timezone.now() - Worker.silence())
    assert "none has been heard of" in health.workers().found
    health.beat("one@here", ["celery"], 2, timezone.now())
    assert health.workers().is_well
    health.forget_worker("one@here")
    assert not Worker.objects.exists()


@pytest.mark.django_db
def test_who_has_been_silent_for_a_day_is_forgotten():
    health.beat("old@here", ["celery"], 2, timezone.now())
    Worker.objects.update(heartbeat=timezone.now() - health.FORGOTTEN)
    health.beat("new@here", ["celery"], 2, timezone.now())
    assert list(Worker.objects.values_list("name", flat=True)) == ["new@here"]


@pytest.mark.django_db
def test_a_worker_may_be_silent_for_some_heartbeats():
    with override_settings(RECOVERY_SECONDS=60):
        assert Worker.silence() == datetime.timedelta(minutes=4)
    with override_settings(RECOVERY_SECONDS=1):
        assert Worker.silence() == datetime.timedelta(seconds=30)


def test_full_disk_is_named_with_its_folder(tmp_path: Path, monkeypatch: Any):
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: SimpleNamespace(free=499 * 1024 * 1024))
    with override_settings(VAR_DIR=tmp_path, KERNEL_CACHE_DIR=tmp_path, DATASETS_DIR=tmp_path, DISK_FREE_MB=500):
        found = health.disk()
    assert found.found == f"499 MB are free in {tmp_path}"
    assert "500 MB (DISK_FREE_MB)" in found.remedy


def test_a_broker_that_does_not_answer_or_is_none_is_named():
    with override_settings(REDIS_URL="redis://127.0.0.1:1/0"):
        assert "does not answer" in health.broker().found
    with override_settings(REDIS_URL=""):
        assert health.broker().remedy == "Set REDIS_URL."


def test_a_kernel_cache_that_is_not_there_is_named(tmp_path: Path):
    with override_settings(KERNEL_CACHE_DIR=tmp_path / "gone"):
        assert "cannot be written" in health.kernel_cache().found
    with override_settings(KERNEL_CACHE_DIR=tmp_path):
        assert "not compiled yet" in health.kernel_cache().found


def test_a_database_that_does_not_answer_is_named(monkeypatch: Any):
    def refuse() -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr(health.connection, "cursor", refuse)
    assert health.database().found == "does not answer: connection refused"


def test_a_look_that_fails_is_itself_a_finding():
    def _some_part() -> health.Condition:
        raise ZeroDivisionError("oh")

    assert list(health.looked(_some_part)) == [
        health.Condition("some part", "ZeroDivisionError: oh", "Report this, with these lines.")
    ]
