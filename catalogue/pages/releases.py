"""The releases of the dataset with their files, and the edition of played games that ships with the catalogue."""

import datetime
import hashlib
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from catalogue.citations.items import LICENCE, Item, catalogue_item
from catalogue.dataset.current import NAME, archive
from catalogue.dataset.described import newest_day, words_of_table
from catalogue.dataset.exporting import lines_of
from catalogue.dataset.folder import SUMS, digest_of
from catalogue.dataset.tables import tables
from catalogue.dataset.verifying import PACKAGE, Release, archive_name, file_of, listed, releases, size_of, zipped
from catalogue.edition.contents import VERIFY, cited, published_edition
from catalogue.edition.superseded import part_called, published_parts
from catalogue.identifiers.linked_data import Writer
from catalogue.models import Evidence
from catalogue.models.changes import content_version
from catalogue.models.lookup import not_here
from catalogue.pages.identifiers import citation_answer, known_form
from catalogue.texts.words import LONGEST_COMPARED, Suggested
from catalogue.web.addresses import site_address
from catalogue.web.conditional import build_digest
from catalogue.web.files import About, kept_file, send, send_made
from catalogue.web.routes import route

LONGEST_CHANGES = 200_000  # bytes of CHANGES.md that a page shows
TYPES = {
    ".cff": "application/yaml; charset=utf-8",
    ".csv": "text/csv; charset=utf-8",
    ".gz": "application/gzip",
    ".json": "application/json",
    ".md": "text/markdown; charset=utf-8",
}
PLAIN = "text/plain; charset=utf-8"


@route("data/", sitemap=True, queries=50)
@require_safe
def release_list(request: HttpRequest) -> HttpResponse:
    context = {
        "releases": [(release, size_of(release)) for release in releases()],
        "tables": [(table, words_of_table(table)) for table in tables()],
        "date": newest_day(),
        "size": _size_of_archive(),
        "site": site_address(request),
    }
    return render(request, "catalogue/dataset_list.html", context)


FEW = 5_000  # records: of more the archive is made when it is first asked for, and not for the sake of its size


def _size_of_archive() -> int:
    """The bytes of the archive of today; 0 where they are not known yet."""
    if Evidence.objects.count() > FEW:
        return 0
    about = _today(f"{NAME}.zip", "application/zip")
    path = kept_file(f"{NAME}-{about.digest[:16]}.zip", _changed(), archive())
    return path.stat().st_size if path else 0


def _changed() -> float:
    day = newest_day()
    return datetime.datetime.combine(day, datetime.time(), datetime.UTC).timestamp() if day else 0.0


def _today(name: str, kind: str) -> About:
    state = f"{build_digest()} {content_version()}"
    return About(name, kind, hashlib.sha256(state.encode()).hexdigest(), is_final=False)


@route("data/today.zip", queries=25)
@require_safe
def data_of_today(request: HttpRequest) -> HttpResponseBase:
    """Every table as it stands today, in one archive; kept as a file until a row changes."""
    return send_made(request, _today(f"{NAME}.zip", "application/zip"), _changed(), archive)


@route("data/today/<slug:table>.csv", example="/data/today/evidence.csv", queries=25)
@require_safe
def table_of_today(request: HttpRequest, table: str) -> HttpResponseBase:
    """A table as it stands today."""
    known = {one.name: one for one in tables()}
    if table not in known:
        message = f"The dataset has no table “{table[:LONGEST_COMPARED]}”."
        raise not_here(message, table, known, lambda near: Suggested(near, reverse("table-of-today", args=[near])))
    about = _today(known[table].file, TYPES[".csv"])
    return send_made(request, about, _changed(), lambda: (text.encode() for text in lines_of(known[table])))


@route("data/<str:version>/", example="/data/{release}/")
@require_safe
def release(request: HttpRequest, version: str) -> HttpResponse:
    release = _release(version)
    tables, others = listed(release)
    item = _item(request, release)
    context = {
        "release": release,
        "tables": tables,
        "others": others,
        "size": size_of(release),
        "changes": _changes(release),
        "item": item,
        "linked": _linked(request, release),
    }
    return render(request, "catalogue/dataset.html", context)


@route("data/<str:version>/<path:file>", example="/data/{release}/{file}")
@require_safe
def release_file(request: HttpRequest, version: str, file: str) -> HttpResponseBase:
    """A file of a release, with its checksum as its ETag."""
    release = _release(version)
    path = file_of(release, file)
    if path is None:
        message = f"The release {version} has no file “{file[:LONGEST_COMPARED]}”."
        raise not_here(
            message, file, release.digests, lambda near: Suggested(near, reverse("release-file", args=[version, near]))
        )
    kind = TYPES.get(PurePosixPath(file).suffix, PLAIN)
    digest = release.digests.get(file) or digest_of(path)
    return send(request, path, About(path.name, kind, digest, is_shown=kind == PLAIN))


@route("data/<str:version>.zip", example="/data/{release}.zip")
@require_safe
def release_archive(request: HttpRequest, version: str) -> HttpResponseBase:
    release = _release(version)
    sums = release.place / SUMS
    about = About(f"{archive_name(release)}.zip", "application/zip", digest_of(sums))
    return send_made(request, about, sums.stat().st_mtime, lambda: zipped(release))


@route("cite/release/<str:version>.<slug:form>", example="/cite/release/{release}.bib")
def citation_of_release(request: HttpRequest, version: str, form: str) -> HttpResponse:
    """The citation of a release in a form."""
    known_form(form, lambda near: reverse("citation-of-release", args=[version, near]))
    return citation_answer(form, _item(request, _release(version)), f"release-{version}")


def _release(version: str) -> Release:
    every = {release.version: release for release in releases()}
    if version not in every:
        message = f"There is no release “{version[:LONGEST_COMPARED]}” of the dataset."
        raise not_here(
            message, version, every, lambda near: Suggested(f"Version {near}", reverse("release", args=[near]))
        )
    return every[version]


def _changes(release: Release) -> str:
    """The changes as HTML, in which the Markdown may hold no HTML itself; empty if they are too long for a page."""
    path = file_of(release, "CHANGES.md")
    if path is None or path.stat().st_size > LONGEST_CHANGES:
        return ""
    from markdown_it import MarkdownIt  # not at the start: few readers wait for it

    text = path.read_text(encoding="utf-8").partition("\n")[2]
    html: str = MarkdownIt("commonmark", {"html": False}).render(text)
    return mark_safe(html)


def _item(request: HttpRequest, release: Release) -> Item:
    item = catalogue_item(accessed=timezone.now().date(), base=site_address(request))
    date = [[int(part) for part in release.date.split("-")]]
    return {
        **item,
        "id": archive_name(release),
        "title": str(release.package.get("title")),
        "version": release.version,
        "issued": {"date-parts": date},
        "URL": f"{site_address(request)}{reverse('release', args=[release.version])}",
    }


def _linked(request: HttpRequest, release: Release) -> dict[str, Any]:
    """The release as linked data, with where it can be had."""
    address = f"{site_address(request)}{reverse('release', args=[release.version])}"
    files = {
        "application/zip": reverse("release-archive", args=[release.version]),
        "application/json": reverse("release-file", args=[release.version, PACKAGE]),
        "text/plain": reverse("release-file", args=[release.version, SUMS]),
    }
    title, description = str(release.package.get("title")), str(release.package.get("description"))
    terms = address, title, description, release.version, release.date, archive_name(release)
    return _data_set(request, *terms, files)


def _data_set(
    request: HttpRequest,
    address: str,
    name: str,
    description: str,
    version: str,
    date: str,
    identifier: str,
    files: Mapping[str, str],
) -> dict[str, Any]:
    """A data set of schema.org, which belongs to the catalogue. files: paths of where it can be had, by media type"""
    writer = Writer(request)
    return {
        "@context": "https://schema.org",
        "@type": "Dataset",
        "@id": address,
        "url": address,
        "name": name,
        "description": description,
        "version": version,
        "datePublished": date,
        "identifier": identifier,
        "creator": writer.maintainers(),
        "keywords": ["traditional games", "board games", "sources", "rulesets", "simulated games"],
        "isAccessibleForFree": True,
        "license": LICENCE,
        "usageInfo": writer.address(reverse("document", args=["rights"])),
        "includedInDataCatalog": writer.catalogue(),
        "distribution": [writer.data(path, kind) for kind, path in files.items()],
    }


@route("edition/", sitemap=True)
def edition(request: HttpRequest) -> HttpResponse:
    edition = published_edition()
    item, date = cited(edition, request), edition.release.date
    description = (
        "Games of every ruleset of the catalogue, played once and shipped with it, and what was concluded from them: "
        f"batches, comparisons, studies, ladders, solutions and verdicts on claims. {item['note']}"
    )
    terms = item["URL"], item["title"], description, date, date, item["id"]
    linked = _data_set(request, *terms, {"application/json": reverse("v1:edition")})
    superseded = len(published_parts().superseded)
    context = {"edition": edition, "verify": VERIFY, "item": item, "linked": linked, "superseded": superseded}
    return render(request, "catalogue/edition.html", context)


@route("edition/parts/<str:key>/", example="/edition/parts/339575f15b03eae2/")
def edition_part(request: HttpRequest, key: str) -> HttpResponse:
    """A part of this edition or of an earlier one, by its id or its digest."""
    return render(request, "catalogue/edition_part.html", {"part": part_called(key)})
