"""Files that are nearly pages, dumps or datasets: made, read, and imported into a database of this process."""

import contextlib
import io
import json
import random
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from django.core.management import CommandError, call_command
from django.db import transaction

from catalogue.models import Evidence
from catalogue.portal.dump.limits import NoDump
from catalogue.portal.dump.reading import read_dump
from catalogue.portal.page_text import NoPortalPage, page_text
from catalogue.portal.record_pages import read_page
from catalogue.portal.reports import RowRemarks
from tests.catalogue import portal_layouts
from tests.catalogue.dataset_world import (
    a_few_rows,
    contents,
    export,
    load,
    rows_in_the_database,
    sum_again,
)
from tests.catalogue.portal_dumps import dump, record, small
from tests.proofs.open_data_fuzz import hostile_fields, mutated

HostileKind = tuple[Callable[[random.Random], Any], Callable[[Any], bool]]


@cache
def folder() -> Path:
    """Of this process, with all tables made in its database, which is in memory."""
    call_command("migrate", verbosity=0, skip_checks=True)
    return Path(tempfile.mkdtemp(prefix="hostile-"))


def page_maker() -> Callable[[random.Random], bytes]:
    texts = [path.read_bytes() for path in portal_layouts.PAGE_FILES]
    records = [one for path in portal_layouts.PAGE_FILES for one in portal_layouts.read_file(path.name).records]
    layouts = (portal_layouts.as_html_table, portal_layouts.on_lines, portal_layouts.on_one_line)

    def make(chance: random.Random) -> bytes:
        some = chance.sample(records, chance.randint(1, 2))
        page = chance.choice(layouts)(some, "in Sri Lanka").encode()
        return mutated(
            chance, chance.choice(texts) if chance.random() < 0.02 else page, chance.choice((0, 1, 2, 5, 20))
        )

    return make


def dump_maker() -> Callable[[random.Random], bytes]:
    def make(chance: random.Random) -> bytes:
        records = [record(chance.randint(1, 10**6), **hostile_fields(chance)) for _ in range(chance.randint(1, 3))]
        return mutated(chance, dump(small(*records)).encode("utf-8", "replace"), chance.choice((0, 0, 1, 1, 2, 5)))

    return make


def pages() -> HostileKind:
    def take(content: bytes) -> bool:
        try:
            return bool(read_page(page_text(content), "a page").records)
        except NoPortalPage:
            return False

    return page_maker(), take


def dumps() -> HostileKind:
    file = folder() / "dump.sql"

    def take(content: bytes) -> bool:
        file.write_bytes(content)
        try:
            read = read_dump(file, RowRemarks())
        except NoDump:
            return False
        for table in read.tables:
            assert len(list(read.rows(table))) == len(read.tables[table])
        return True

    return dump_maker(), take


def pages_imported() -> HostileKind:
    return page_maker(), _imports("import_portal")


def dumps_imported() -> HostileKind:
    return dump_maker(), _imports("import_portal_dump")


def _imports(command: str) -> Callable[[bytes], bool]:
    file = folder() / command

    def take(content: bytes) -> bool:
        """What the report names is there; of what was refused nothing is."""
        file.write_bytes(content)
        out, refusal = io.StringIO(), None
        with transaction.atomic():
            try:
                call_command(command, str(file), "--json", stdout=out, stderr=io.StringIO())
            except CommandError as error:
                refusal = error
            created = json.loads(out.getvalue() or "{}").get("created", [])
            kept = sorted(Evidence.objects.values_list("identifier", flat=True))
            assert kept == sorted(created), f"the report names {created}, and there are {kept}"
            refused = refusal is not None and refusal.returncode == 2
            assert not refused or ("othing was" in str(refusal) and not rows_in_the_database()), (
                f"half written: {refusal}"
            )
            transaction.set_rollback(True)
        return not refused

    return take


def datasets() -> HostileKind:
    place = folder() / "dataset"
    with transaction.atomic():
        a_few_rows()
        export(place, "--date", "2026-12-01")
        transaction.set_rollback(True)
    whole = contents(place)
    names = sorted(name for name in whole if name.endswith((".csv", ".json")))

    def make(chance: random.Random) -> dict[str, bytes]:
        """File → what it holds, where that is not what was exported."""
        some = chance.sample(names, chance.choice((0, 1, 1, 1, 2)))
        return {name: mutated(chance, whole[name], chance.choice((1, 1, 2))) for name in some}

    def take(spoilt: dict[str, bytes]) -> bool:
        for name, data in spoilt.items():
            (place / name).write_bytes(data)
        sum_again(place)
        taken = False
        with contextlib.suppress(CommandError), transaction.atomic():
            load(place)
            taken = bool(rows_in_the_database())
            transaction.set_rollback(True)
        assert rows_in_the_database() == 0, "half loaded"
        for name in spoilt:
            (place / name).write_bytes(whole[name])
        return taken

    return make, take


KINDS = {
    "pages": pages,
    "dumps": dumps,
    "pages_imported": pages_imported,
    "dumps_imported": dumps_imported,
    "datasets": datasets,
}
