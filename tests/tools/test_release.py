"""The archives of a release are the same bytes whenever and in whatever order they are made; its metadata are whole."""

import os
import tarfile
import zipfile
from pathlib import Path

import pytest

from tools.release import NotReleased, Release, sorted_tar, tar_files, write_sums, zenodo, zip_folder

EPOCH = 1_790_000_000
DATACITE = {
    "titles": [{"title": "Games"}],
    "descriptions": [{"description": "What it is."}],
    "version": "2026.12.01",
    "dates": [{"date": "2026-12-01", "dateType": "Issued"}],
    "creators": [{"name": "Parker, Henry"}],
    "subjects": [{"subject": "mancala"}],
    "rightsList": [{"rights": "Attribution", "rightsIdentifier": "CC-BY-4.0"}],
    "relatedIdentifiers": [{"relatedIdentifier": "https://ludii.games", "relationType": "IsDerivedFrom"}],
}


def a_folder(place: Path, names: list[str], modified: int) -> Path:
    for name in names:
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(name)
        os.utime(place / name, (modified, modified))
    return place


def test_archives_tell_nothing_of_when_they_were_made(tmp_path: Path) -> None:
    one = a_folder(tmp_path / "one", ["b.txt", "a/c.txt"], 1_000_000_000)
    two = a_folder(tmp_path / "two", ["a/c.txt", "b.txt"], 1_700_000_000)
    for folder in (one, two):
        zip_folder(folder, folder.with_suffix(".zip"), "games", EPOCH)
    assert one.with_suffix(".zip").read_bytes() == two.with_suffix(".zip").read_bytes()
    assert zipfile.ZipFile(one.with_suffix(".zip")).namelist() == ["games/a/c.txt", "games/b.txt"]


def test_a_source_archive_is_written_anew_without_times(tmp_path: Path) -> None:
    members = [("games/setup.py", b"pass", False), ("games/manage", b"run", True)]
    for name, order, epoch in (("one.tar.gz", 1, 5), ("two.tar.gz", -1, 99)):
        tar_files(members[::order], tmp_path / name, epoch)
        sorted_tar(tmp_path / name, EPOCH)
    assert (tmp_path / "one.tar.gz").read_bytes() == (tmp_path / "two.tar.gz").read_bytes()
    with tarfile.open(tmp_path / "one.tar.gz") as archive:
        told = [(one.name, one.mode, one.mtime, one.uid, one.uname) for one in archive]
    assert told == [("games/manage", 0o755, EPOCH, 0, ""), ("games/setup.py", 0o644, EPOCH, 0, "")]


def test_checksums_are_of_every_other_file(tmp_path: Path) -> None:
    a_folder(tmp_path, ["b.txt", "a/c.txt"], 5)
    for _ in range(2):
        write_sums(tmp_path)
    names = [line.split("  ")[1] for line in (tmp_path / "SHA256SUMS").read_text().splitlines()]
    assert names == ["a/c.txt", "b.txt"]


def test_zenodo_is_told_what_datacite_is_told() -> None:
    asked = zenodo(DATACITE)
    assert (asked["publication_date"], asked["license"], asked["upload_type"]) == ("2026-12-01", "cc-by-4.0", "dataset")
    assert asked["related_identifiers"] == [{"identifier": "https://ludii.games", "relation": "isDerivedFrom"}]


def test_a_release_has_one_version(tmp_path: Path) -> None:
    (tmp_path / "CITATION.cff").write_text("version: 1.0.0\ndate-released: 2026-12-01\n")
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "0.9.0"\n')
    with pytest.raises(NotReleased, match=r"pyproject.toml says 0.9.0, CITATION.cff 1.0.0"):
        Release(tmp_path, tmp_path, tmp_path)
