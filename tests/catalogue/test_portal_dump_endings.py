"""`import_portal_dump`: how it ends, and what it leaves if it cannot go on."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from catalogue.models import Evidence
from catalogue.portal.dump import importing
from tests.catalogue.portal_dump_imports import FULL, everything, run
from tests.catalogue.portal_dumps import dump

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_what_breaks_off_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: type) -> None:
    before = everything()

    def interrupted() -> None:
        assert Evidence.objects.exists()
        raise error

    monkeypatch.setattr(importing, "bring_index_up_to_date", lambda report: interrupted())
    if error is KeyboardInterrupt:
        assert "Interrupted. Nothing was written." in run(tmp_path, FULL, code=1)[1]
    else:
        with pytest.raises(RuntimeError):
            run(tmp_path, FULL)
    assert everything() == before


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("Dear Sir,\nthank you for the dump.\n", "is no SQL dump: it has neither CREATE TABLE nor INSERT. Nothing was"),
        (dump(FULL)[:-400].rpartition("(1, 1, 2)")[0] + "(1, 'x", "does not end. Nothing was written."),
    ],
)
def test_what_is_no_dump_is_refused_in_plain_words(tmp_path: Path, content: str, words: str) -> None:
    before = everything()
    assert words in run(tmp_path, content, code=2)[1]
    assert everything() == before


def test_a_file_that_is_not_there_is_a_wrong_request(tmp_path: Path) -> None:
    for path, words in ((tmp_path / "none.sql", "cannot be read: No such file"), (tmp_path, "it is no file")):
        with pytest.raises(CommandError, match=words) as failure:
            call_command("import_portal_dump", str(path), stdout=io.StringIO(), stderr=io.StringIO())
        assert failure.value.returncode == 2


def test_the_report_is_written_whole(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    report, progress = run(tmp_path, FULL, "--report", str(file))
    assert json.loads(file.read_text()) == report
    assert "2 of 2 records …" in progress
    assert "cannot be written" in run(tmp_path, FULL, "--report", str(tmp_path / "none" / "x.json"), code=2)[1]
