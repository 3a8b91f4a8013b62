"""Parts of earlier editions keep answering: under their addresses, ids and digests, with what took their place."""

import json
from dataclasses import asdict
from pathlib import Path
from unittest import mock

from catalogue.edition import superseded
from catalogue.edition.files import EditionFolder, EditionRelease, IndexedPart
from catalogue.edition.superseded import published_parts, read_superseded, write_superseded
from tests.api.api_world import ApiTestCase
from tests.catalogue.dataset_world import a_folder
from tests.catalogue.page_world import played_batch

OLD, NEW, KEPT = "00000000000000a1", "00000000000000b2", "00000000000000c3"


def a_part(key: str, name: str, digest: str = "", kind: str = "batches") -> IndexedPart:
    digest = (digest or key) * 4
    return IndexedPart(kind, name, key, "daramuti", "club", digest, 1, 60, 2.0, True, ["uct:8,uct:8"])


def a_release(date: str, *parts: IndexedPart) -> EditionRelease:
    return EditionRelease(date, "0.3.0", {}, {}, [], list(parts))


FIRST = a_release("2026-11-28", a_part(OLD, "daramuti-parker club"), a_part(KEPT, "daramuti-dlp club"))
SECOND = a_release("2026-12-05", a_part(NEW, "daramuti-parker club"), a_part(KEPT, "daramuti-dlp club"))


def test_what_leaves_the_edition_stays_known_once(tmp_path: Path) -> None:
    folder = EditionFolder(tmp_path)
    for before, now in ((None, FIRST), (FIRST, SECOND), (SECOND, SECOND)):
        write_superseded(folder, before, now)
    [left] = read_superseded(folder)
    assert (left.id, left.digest, left.date, left.players) == (OLD, OLD * 4, "2026-11-28", "uct:8,uct:8")
    write_superseded(folder, SECOND, FIRST)
    assert [one.id for one in read_superseded(folder)] == [NEW], "what comes back is no longer superseded"


def test_a_document_computed_anew_leaves_its_digest(tmp_path: Path) -> None:
    folder, again = EditionFolder(tmp_path), a_part(OLD, "daramuti-parker club", "00000000000000d4")
    write_superseded(folder, FIRST, a_release("2026-12-05", again, FIRST.parts[1]))
    assert [(one.id, one.digest) for one in read_superseded(folder)] == [(OLD, OLD * 4)]


class SupersededPartTests(ApiTestCase):
    def setUp(self) -> None:
        place = self.enterContext(a_folder())
        write_superseded(EditionFolder(place), FIRST, SECOND)
        (place / "index.json").write_text(json.dumps(asdict(SECOND)))
        self.enterContext(mock.patch.object(superseded, "FOLDER", place))
        self.enterContext(self.client.fresh())

    def test_an_address_of_then_says_what_took_its_place(self) -> None:
        page = self.page(f"/batches/{OLD}/", 410)
        assert OLD * 4 in page
        assert f'href="/batches/{NEW}/"' in page
        links = self.client.get(f"/batches/{OLD}/")["Link"]
        assert links.endswith(f'/batches/{NEW}/>; rel="successor-version"')
        [problem] = self.read(f"batches/{OLD}/", 410)["problems"]
        assert OLD * 4 in problem["message"]
        assert problem["nearest"] == f"/api/v1/batches/{NEW}/"

    def test_ids_and_digests_are_answered_for_good(self) -> None:
        for key in (OLD, OLD * 4):
            part = self.read(f"edition/parts/{key}/")
            assert (part["id"], part["superseded_by"], part["is_shipped"]) == (OLD, NEW, False)
            assert "is superseded" in self.page(f"/edition/parts/{key}/")
        part = self.read(f"edition/parts/{KEPT * 4}/")
        assert (part["is_shipped"], part["superseded_by"]) == (True, None)
        assert "named by id or digest" in self.page("/edition/parts/none/", 404)
        assert published_parts().by_name[NEW].is_shipped

    def test_a_row_that_is_still_here_is_marked(self) -> None:
        batch = played_batch("niranchy-dlp", seed=9)
        marked = a_release("2026-11-28", a_part(batch.id, "daramuti-parker club"))
        write_superseded(EditionFolder(superseded.FOLDER), marked, SECOND)
        self.enterContext(self.client.fresh())
        page = self.page(f"/batches/{batch.id}/")
        assert "<strong>Superseded.</strong>" in page
        assert f'href="/batches/{NEW}/"' in page
        assert "successor-version" in self.client.get(f"/api/v1/batches/{batch.id}/")["Link"]
