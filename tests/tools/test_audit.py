"""The audit of what is installed: every licence against the policy, and no silence where nobody could be asked."""

import io
import json
import sys
from importlib.metadata import PathDistribution
from pathlib import Path

import pytest
from django.core.management import call_command

from simulator.management.command_line import CommandFailed
from tools.management.commands import audit


@pytest.mark.by_turns
def test_every_installed_package_has_a_licence_that_is_allowed():
    found = list(audit.installed())
    assert {"django", "numba", "celery", "psycopg"} <= {one.name for one in found}
    assert [(one.name, one.licence) for one in found if not one.is_allowed] == []


@pytest.mark.parametrize(
    ("metadata", "licence", "is_allowed"),
    [
        ("License-Expression: MIT AND (GPL-3.0-only)", "MIT AND (GPL-3.0-only)", False),
        ("License-Expression: GPL-3.0-only OR BSD-3-Clause", "GPL-3.0-only OR BSD-3-Clause", True),
        ("License-Expression: AGPL-3.0-or-later", "AGPL-3.0-or-later", False),
        ("Classifier: License :: OSI Approved :: BSD License", "BSD-3-Clause", True),
        (
            "Classifier: License :: OSI Approved :: MIT License\nClassifier: License :: Other/Proprietary License",
            "MIT AND Other/Proprietary License",
            False,
        ),
        ("License: All rights reserved", "All rights reserved", False),
        ("Summary: silent", "unknown", False),
    ],
)
def test_a_licence_is_what_the_package_says(tmp_path: Path, metadata: str, licence: str, is_allowed: bool):
    (tmp_path / "METADATA").write_text(f"Metadata-Version: 2.4\nName: one\nVersion: 1\n{metadata}\n")
    said = audit.licence_of(PathDistribution(tmp_path))
    assert (said, audit.is_allowed(said)) == (licence, is_allowed)


def prints(text: str, status: int = 0) -> tuple[str, ...]:
    """Stands for pip-audit, the edge of the world."""
    return (
        sys.executable,
        "-c",
        f"import sys; print({text!r}); sys.stderr.write('no index answers'); sys.exit({status})",
    )


def test_no_advisories_are_told_from_no_answer():
    wrong = {"id": "PYSEC-2026-1", "fix_versions": ["2.1"], "aliases": [], "description": ""}
    reported = {
        "dependencies": [{"name": "one", "version": "2.0", "vulns": [wrong]}, {"name": "two", "skip_reason": "own"}]
    }
    assert audit.advisories(prints(json.dumps(reported), 1)) == [audit.Advisory("one", "2.0", "PYSEC-2026-1", ("2.1",))]
    for text in ("", json.dumps({"dependencies": [{"name": "two", "skip_reason": "unknown"}]})):
        with pytest.raises(audit.AdvisoriesUnavailable):
            audit.advisories(prints(text, 1))


@pytest.mark.by_turns
def test_command_fails_without_advisories(monkeypatch: pytest.MonkeyPatch):
    def nobody() -> list[audit.Advisory]:
        raise audit.AdvisoriesUnavailable("no index answers")

    monkeypatch.setattr(audit, "advisories", nobody)
    out = io.StringIO()
    with pytest.raises(CommandFailed, match="could not be had: no index answers"):
        call_command("audit", stdout=out)
    assert "Advisories: could not be had" in out.getvalue()
    call_command("audit", "--licences-only", stdout=out)
    assert "Advisories: not asked for." in out.getvalue()
