"""Everything that a release is deposited as, in one folder, from what is committed: `make release TO=FOLDER`.

    python -m tools.release FOLDER [--site ADDRESS] [--only PART …]

Nothing in it says when or where it was made: times are those of the release (`date-released` of CITATION.cff), files of
archives are sorted, and belong to nobody. Built again from the same commit it is the same, byte for byte.
"""

import argparse
import datetime
import gzip
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[1]
CATALOGUE, SITE = "evidence-of-traditional-games", "traditional-games-site"
PACKAGES = {".": "traditional-games-engine", "clients/python": "catalogue-client"}
# setuptools changes what the program was called with, so the folder is read first.
BUILD = "import sys; from setuptools import build_meta as b; to = sys.argv[1]; b.build_sdist(to); b.build_wheel(to)"
SUMS = "SHA256SUMS"
PLAIN_FILES = ("CHANGELOG.md", "CITATION.cff", "LICENSE")


Say = Callable[[str], object]


class NotReleased(Exception):
    """The release cannot be made, or is not what it should be."""


@dataclass
class Release:
    """A release that is being made.

    target: the folder of the release; tree: what is committed, unpacked; work: for what is thrown away afterwards
    site: the address of the catalogue itself, if it has one
    """

    target: Path
    tree: Path
    work: Path
    site: str = ""
    seconds: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        citation = yaml.safe_load((self.tree / "CITATION.cff").read_text(encoding="utf-8"))
        self.version, self.date = str(citation["version"]), citation["date-released"]
        self.epoch = int(datetime.datetime.combine(self.date, datetime.time(), datetime.UTC).timestamp())
        named = tomllib.loads((self.tree / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
        if named != self.version:
            raise NotReleased(f"pyproject.toml says {named}, CITATION.cff {self.version}: a release has one version")

    @property
    def environment(self) -> dict[str, str]:
        """Of every program that is run for it: a database of its own, and the time of the release."""
        kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
        kernels = os.environ.get("KERNEL_CACHE_DIR") or str(ROOT / "var" / "kernels")
        own = {"VAR_DIR": str(self.work / "var"), "KERNEL_CACHE_DIR": kernels, "SITE_URL": self.site}
        fixed = {"SOURCE_DATE_EPOCH": str(self.epoch), "PYTHONHASHSEED": "0", "TZ": "UTC", "DEBUG": "False"}
        return {**kept, **own, **fixed}

    def run(self, *command: str, cwd: Path | None = None) -> str:
        done = subprocess.run(
            command, cwd=cwd or self.tree, env=self.environment, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise NotReleased(f"{' '.join(command[:4])} failed: {done.stderr[-2000:] or done.stdout[-2000:]}")
        return done.stdout

    def manage(self, *words: str) -> str:
        if not (self.work / "var" / "db.sqlite3").exists():
            (self.work / "var").mkdir(parents=True, exist_ok=True)
            self.run(sys.executable, "manage.py", "migrate", "--verbosity", "0")
            self.run(sys.executable, "manage.py", "load_fixtures")  # which makes the release of the dataset too
        return self.run(sys.executable, "manage.py", *words)

    @property
    def dataset(self) -> Path:
        """The release of the dataset that the site made when it was loaded."""
        self.manage("check")
        [made] = (self.work / "var" / "datasets").iterdir()
        return made


def committed(work: Path) -> Path:
    """What is committed, unpacked. Raises NotReleased where no repository is."""
    tree = work / "tree"
    tree.mkdir(parents=True)
    packed = subprocess.run(["git", "archive", "--format=tar", "HEAD"], cwd=ROOT, capture_output=True, check=False)
    if packed.returncode:
        raise NotReleased(f"a release is made from a commit: {packed.stderr.decode().strip()}")
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
        archive.extractall(tree, filter="data")
    return tree


def files_below(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def zip_folder(folder: Path, target: Path, name: str, epoch: int) -> None:
    """A ZIP archive of a folder, in which it is called `name`."""
    day = datetime.datetime.fromtimestamp(max(epoch, 315_532_800), datetime.UTC).timetuple()[:6]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in files_below(folder):
            inside = zipfile.ZipInfo(f"{name}/{path.relative_to(folder).as_posix()}", day)
            inside.compress_type, inside.external_attr, inside.create_system = zipfile.ZIP_DEFLATED, 0o644 << 16, 3
            archive.writestr(inside, path.read_bytes())


def tar_files(members: Iterable[tuple[str, bytes, bool]], target: Path, epoch: int) -> None:
    """A packed TAR archive of (name, content, whether it is a program), in the order of the names."""
    with (
        target.open("wb") as stream,
        gzip.GzipFile("", "wb", 9, stream, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for name, content, runs in sorted(members):
            member = tarfile.TarInfo(name)
            member.size, member.mtime, member.mode = len(content), epoch, 0o755 if runs else 0o644
            archive.addfile(member, io.BytesIO(content))


def sorted_tar(source: Path, epoch: int) -> None:
    """The source archive of a package, as setuptools wrote it, without times and owners; in place."""
    with tarfile.open(source) as archive:
        members = [(one.name, archive.extractfile(one), one.mode) for one in archive if one.isfile()]
        read = [(name, stream.read(), bool(mode & 0o100)) for name, stream, mode in members if stream]
    tar_files(read, source, epoch)


def python(release: Release) -> None:
    """Engine and client, each as a wheel and a source archive, built by setuptools from a copy."""
    place = release.target / "python"
    place.mkdir()
    for folder in PACKAGES:
        copy = release.work / "build" / (folder.replace("/", "-").strip(".") or "engine")
        shutil.copytree(release.tree / folder, copy)
        release.run(sys.executable, "-c", BUILD, str(place), cwd=copy)
    for source in place.glob("*.tar.gz"):
        sorted_tar(source, release.epoch)


def api(release: Release) -> None:
    """The description of the API."""
    release.manage("spectacular", "--format", "openapi-json", "--file", str(release.target / "openapi.json"))


def dataset(release: Release) -> None:
    """The dataset, and its tables as Parquet."""
    made = release.dataset
    zip_folder(made, release.target / f"{CATALOGUE}-{made.name}.zip", f"{CATALOGUE}-{made.name}", release.epoch)
    tables = release.work / "parquet"
    release.manage("export_dataset", str(release.work / "again"), "--parquet", str(tables))
    first, again = ((place / SUMS).read_bytes() for place in (made, release.work / "again"))
    if first != again:
        raise NotReleased("the dataset written again is another one")
    name = f"{CATALOGUE}-{made.name}-parquet"
    zip_folder(tables, release.target / f"{name}.zip", name, release.epoch)
    shutil.copy(made / "datacite.json", release.target / "datacite.json")
    told = json.loads((made / "datacite.json").read_text(encoding="utf-8"))
    text = json.dumps(zenodo(told), ensure_ascii=False, indent=1)
    (release.target / ".zenodo.json").write_text(f"{text}\n", encoding="utf-8")


def zenodo(told: dict[str, Any]) -> dict[str, Any]:
    """The metadata of a deposit as Zenodo reads them. told: as DataCite has them"""
    related = told["relatedIdentifiers"]
    return {
        "title": told["titles"][0]["title"],
        "upload_type": "dataset",
        "description": f"<p>{told['descriptions'][0]['description']}</p>",
        "version": told["version"],
        "publication_date": told["dates"][0]["date"],
        "creators": [{"name": one["name"]} for one in told["creators"]],
        "keywords": [one["subject"] for one in told["subjects"]],
        "access_right": "open",
        "license": told["rightsList"][0]["rightsIdentifier"].lower(),
        "language": "eng",
        "notes": f"{told['rightsList'][0]['rights']}. datapackage.json says for each table which of them holds.",
        "related_identifiers": [
            {"identifier": one["relatedIdentifier"], "relation": f"is{one['relationType'].removeprefix('Is')}"}
            for one in related
        ],
    }


def site(release: Release) -> None:
    """The source of everything, with the recipes of its container (deploy/Dockerfile, deploy/compose.yaml)."""
    name = f"{SITE}-{release.version}"
    files = files_below(release.tree)
    members = (
        (f"{name}/{one.relative_to(release.tree).as_posix()}", one.read_bytes(), bool(one.stat().st_mode & 0o100))
        for one in files
        if "__pycache__" not in one.parts
    )
    tar_files(members, release.target / f"{name}.tar.gz", release.epoch)


def static(release: Release) -> None:
    """The copy that a web server alone can serve."""
    name, copy = f"{CATALOGUE}-static-{release.version}", release.work / "static"
    release.manage("freeze", str(copy), "--date", release.date.isoformat(), "--site", release.site)
    zip_folder(copy, release.target / f"{name}.zip", name, release.epoch)


README = """# {title}, release {version}

Of {date}. Licences: MIT for the program, CC BY 4.0 for the catalogue's own words, rulesets and figures. Quotations
remain their sources', and the records those of the Digital Ludeme Project: `datapackage.json` says it for each table.

| file | what |
|---|---|
{files}

`sha256sum --check {sums}` looks at all of them. From the same commit `make release` makes the same bytes.

- The engine, without a network: `pip install --no-index --find-links FOLDER python/{engine}`, where
  FOLDER holds the wheels that it needs (`pip download python/{engine}`).
- The copy of the catalogue: unpack it, and open `index.html`, or `python -m http.server --directory FOLDER`.
- The site: unpack the source, then `make demo`, or `deploy/compose.yaml` (docs/deploying.md).
"""
ABOUT = {
    "parquet.zip": "the tables of the dataset as Apache Parquet, and the rows of all games by family",
    "static": "a frozen copy of the catalogue, which a web server alone can serve",
    f"{SITE}": "the source of the site, with the recipes of its container",
    "openapi.json": "the description of the API (OpenAPI)",
    "datacite.json": "the metadata of the dataset (DataCite 4.5)",
    ".zenodo.json": "the same for Zenodo",
    "CHANGELOG.md": "what is new, for users",
    "CITATION.cff": "how to cite",
    "LICENSE": "the licence of the program",
    ".whl": "a package for Python",
    "python/": "its source",
    f"{CATALOGUE}": "the dataset (Frictionless Data Package)",
}


def papers(release: Release) -> None:
    """What is read first, and the checksums."""
    for name in PLAIN_FILES:
        shutil.copyfile(release.tree / name, release.target / name)
    names = [path.relative_to(release.target).as_posix() for path in files_below(release.target)]
    rows = [f"| `{name}` | {next(about for part, about in ABOUT.items() if part in name)} |" for name in names]
    title = yaml.safe_load((release.tree / "CITATION.cff").read_text(encoding="utf-8"))["title"]
    engine = next((name.rpartition("/")[2] for name in names if "engine" in name and name.endswith(".whl")), "")
    told = {"title": title, "version": release.version, "date": release.date, "files": "\n".join(rows)}
    (release.target / "README.md").write_text(README.format(**told, sums=SUMS, engine=engine), encoding="utf-8")
    write_sums(release.target)


def write_sums(folder: Path) -> None:
    """A line for each file, as `sha256sum --check` reads them."""
    (folder / SUMS).unlink(missing_ok=True)
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder).as_posix()}\n"
        for path in files_below(folder)
    ]
    (folder / SUMS).write_text("".join(lines), encoding="utf-8")


PARTS: dict[str, Callable[[Release], None]] = {
    one.__name__: one for one in (site, python, api, dataset, static, papers)
}


def make(
    target: Path, only: Iterable[str] = (), site: str = "", say: Callable[[str], object] = lambda text: None
) -> Release:
    """Make a release in a folder that is not there yet. Raises NotReleased; then the folder is as far as it came."""
    if target.exists():
        raise NotReleased(f"{target} is there: name a folder that is not")
    os.umask(0o022)
    with tempfile.TemporaryDirectory(prefix="release-") as work:
        target.mkdir(parents=True)
        release = Release(target, committed(Path(work)), Path(work), site.rstrip("/"))
        for name, part in PARTS.items():
            if not only or name in only or name == papers.__name__:
                started = time.monotonic()
                part(release)
                release.seconds[name] = round(time.monotonic() - started, 1)
                say(f"{name}: {release.seconds[name]} s")
    return release


def main() -> str | None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--site", default="", help="the address of the catalogue itself")
    parser.add_argument("--only", action="append", default=[], choices=list(PARTS), help="this part only; repeatable")
    told = parser.parse_args()
    try:
        release = make(told.folder, told.only, told.site, lambda text: sys.stderr.write(f"{text}\n"))
    except NotReleased as problem:
        return str(problem)
    size = sum(path.stat().st_size for path in files_below(told.folder))
    sys.stdout.write(f"{told.folder}: release {release.version}, {size:,} bytes\n")
    return None


if __name__ == "__main__":
    sys.exit(main())
