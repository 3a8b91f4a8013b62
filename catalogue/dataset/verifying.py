"""A folder looked at before anything of it is read: whether it is a dataset of ours, whole and unchanged."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from catalogue.dataset.described import FORMAT, PACKAGE_NAME, WORKED_OUT
from catalogue.dataset.folder import SUMS, digest_of
from catalogue.dataset.paths import checked_path
from catalogue.dataset.problems import DatasetProblem, NotADataset
from catalogue.dataset.reading import bounded_lines, read_json
from catalogue.dataset.tables import tables

PACKAGE = "datapackage.json"
SUM = re.compile(r"([0-9a-f]{64})  (\S+)\n?")
MOST_FILES = 100_000


@dataclass(frozen=True, slots=True)
class Release:
    """A dataset in a folder. digests: file → SHA-256; package: what datapackage.json says."""

    place: Path
    version: str
    date: str
    digests: dict[str, str]
    package: dict[str, Any]


def release_in(place: Path) -> Release:
    """What the folder says of itself, no file looked into but two. Raises NotADataset or DatasetProblem."""
    if not place.is_dir():
        raise NotADataset(f"{place} is no folder" if place.exists() else f"there is no folder {place}")
    for name in (SUMS, PACKAGE):
        if (place / name).is_symlink() or not (place / name).is_file():
            raise NotADataset(f"{place} is no dataset: it has no file {name}")
    package = read_json(place / PACKAGE, PACKAGE)
    if not isinstance(package, dict) or package.get("name") != PACKAGE_NAME:
        raise NotADataset(f"{place} is no dataset of this catalogue: {PACKAGE} does not say {PACKAGE_NAME}")
    if package.get("format") != FORMAT:
        message = f"is arranged as format {str(package.get('format'))[:20]}, and this catalogue reads {FORMAT}"
        raise DatasetProblem(message, PACKAGE)
    version, date = package.get("version"), str(package.get("created"))[:10]
    if not isinstance(version, str) or not re.fullmatch(r"[0-9]{4}\.[0-9]{2}\.[0-9]{2}", version):
        raise DatasetProblem(f"the version is written like 2026.11.21, not {str(version)[:40]!r}", PACKAGE)
    if version != date.replace("-", "."):
        raise DatasetProblem(f"the version is {version}, and created says {date}", PACKAGE)
    return Release(place, version, date, _sums(place), package)


def verified(place: Path) -> Release:
    """The same, after every file was found to be there, to be listed, and to be what it was."""
    release = release_in(place)
    found = set(_files(place))
    for file in sorted(found ^ {*release.digests, SUMS}):
        message = f"is not in {SUMS}" if file in found else f"is in {SUMS}, and is not there"
        raise DatasetProblem(message, file)
    for file, digest in release.digests.items():
        if digest_of(place / file) != digest:
            raise DatasetProblem(f"was changed, or only half of it was copied: {SUMS} has another checksum", file)
    _check_resources(release)
    return release


def _sums(place: Path) -> dict[str, str]:
    digests: dict[str, str] = {}
    with (place / SUMS).open("rb") as stream:
        for number, text in enumerate(bounded_lines(stream, SUMS, 1_000), start=1):
            match = SUM.fullmatch(text)
            if match is None:
                raise DatasetProblem("a line is a SHA-256, two spaces and a file", SUMS, number)
            file = checked_path(match[2], SUMS, number)
            if file in digests or file == SUMS or number > MOST_FILES:
                raise DatasetProblem(f"cannot list {file} here", SUMS, number)
            digests[file] = match[1]
    return digests


def _files(place: Path, within: str = "") -> Iterator[str]:
    """Every file below the folder. Raises DatasetProblem for whatever is neither a file nor a folder."""
    with os.scandir(place / within) as entries:
        for entry in entries:
            path = f"{within}{entry.name}"
            if entry.is_symlink():
                raise DatasetProblem("is a link, and a dataset holds files only", path)
            if entry.is_dir():
                checked_path(path, "the dataset")
                yield from _files(place, f"{path}/")
            elif entry.is_file():
                yield path
            else:
                raise DatasetProblem("is neither a file nor a folder", path)


def _check_resources(release: Release) -> None:
    resources = release.package.get("resources")
    if not isinstance(resources, list) or not all(isinstance(one, dict) for one in resources):
        raise DatasetProblem("resources must be a list of objects", PACKAGE)
    known = {table.file for table in tables()} | WORKED_OUT.keys()
    for one in resources:
        path = checked_path(str(one.get("path")), PACKAGE)
        if path not in release.digests:
            raise DatasetProblem(f"speaks of {path}, which {SUMS} does not list", PACKAGE)
        if "/" not in path and path.endswith(".csv") and path not in known:
            raise DatasetProblem("this catalogue has no such table", path)
