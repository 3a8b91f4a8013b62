"""The releases of a backup, put in the place of those that are there."""

import hashlib
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from catalogue.backups.archive import FORMAT, LIST, NAME, Archive
from catalogue.backups.problems import BackupProblem, NotEmpty
from catalogue.backups.releases import unpacked_releases

HERE = {"2026.11.22/kept.csv": "as it was", "2026.11.23/own.csv": "of this machine", "2026.11.23/gone.csv": ""}
HELD = {"2026.11.22/kept.csv": "as it was", "2026.11.23/own.csv": "of the other", "2026.11.24/new.csv": "later"}


@pytest.fixture
def folder(tmp_path: Path, settings: Any) -> Path:
    settings.DATASETS_DIR = tmp_path / "datasets"
    for name, text in HERE.items():
        file = tmp_path / "datasets" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return tmp_path / "datasets"


def archive(tmp_path: Path, files: dict[str, str]) -> Archive:
    made = tmp_path / "backup.zip"
    held = {f"datasets/{name}": text.encode() for name, text in files.items()}
    digests = {name: hashlib.sha256(text).hexdigest() for name, text in held.items()}
    releases = sorted({name.split("/")[0] for name in files})
    listed = json.dumps({"name": NAME, "format": FORMAT, "files": digests, "releases": releases}).encode()
    with zipfile.ZipFile(made, "w") as written:
        for name, text in {**held, LIST: listed}.items():
            written.writestr(name, text)
        written.comment = hashlib.sha256(listed).hexdigest().encode()
    return Archive(zipfile.ZipFile(made))


def contents(folder: Path) -> dict[str, str]:
    return {one.relative_to(folder).as_posix(): one.read_text() for one in folder.rglob("*") if one.is_file()}


def test_a_release_that_is_another_here_gives_way_whole(tmp_path: Path, folder: Path) -> None:
    with unpacked_releases(archive(tmp_path, HELD), replace=True) as unpacked:
        assert unpacked.names == ["2026.11.23", "2026.11.24"]
        assert contents(folder).items() >= HERE.items()  # until all is ready
        unpacked.put_in_place()
    assert contents(folder) == HELD
    assert sorted(one.name for one in folder.iterdir()) == ["2026.11.22", "2026.11.23", "2026.11.24"]


def test_unless_told_it_is_refused_and_stays(tmp_path: Path, folder: Path) -> None:
    with (
        pytest.raises(NotEmpty, match=r"another release 2026\.11\.23 is in"),
        unpacked_releases(archive(tmp_path, HELD), replace=False),
    ):
        pass
    assert contents(folder) == HERE


def test_a_file_that_leads_elsewhere_is_refused(tmp_path: Path, folder: Path) -> None:
    with (
        pytest.raises(BackupProblem, match="leads elsewhere"),
        unpacked_releases(archive(tmp_path, {"../2026.11.22/kept.csv": "changed"}), replace=True),
    ):
        pass
    assert contents(folder) == HERE
