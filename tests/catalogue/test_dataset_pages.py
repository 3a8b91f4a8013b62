"""The releases as the site offers them: listed, described, cited, and only their own files sent."""

import io
import json
import zipfile
from pathlib import Path

import pytest
from django.test import TestCase, override_settings
from hypothesis import given
from hypothesis import strategies as st

from catalogue.dataset.shipped import offer_a_release
from catalogue.models import Place
from tests.catalogue.dataset_world import a_few_rows, a_folder, contents, export


class ReleasePagesTests(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        a_few_rows()
        cls.folder: Path = cls.enterClassContext(a_folder())
        cls.enterClassContext(override_settings(DATASETS_DIR=cls.folder))
        export(cls.folder / "first", "--date", "2026-12-01")
        Place.objects.create(name="Ur <b>", slug="ur")
        export(cls.folder / "second", "--date", "2026-12-05", "--previous", str(cls.folder / "first"))
        (cls.folder / "notes").mkdir()
        (cls.folder / "secret.txt").write_text("nobody's business")

    def test_every_release_is_listed_the_newest_first(self) -> None:
        page = self.client.get("/data/").content.decode()
        assert page.index("Version 2026.12.05") < page.index("Version 2026.12.01")
        assert "/data/notes" not in page

    def test_everything_is_there_before_a_release_is_made(self) -> None:
        with override_settings(DATASETS_DIR=self.folder / "nowhere"):
            page = self.client.get("/data/").content.decode()
        assert "Everything (ZIP, " in page
        assert "http://testserver/data/today/evidence.csv" in page, "three lines of Python"
        sent = self.client.get("/data/today.zip")
        whole = zipfile.ZipFile(io.BytesIO(b"".join(sent)))
        names = {name.partition("/")[2] for name in whole.namelist()}
        assert names >= {"README.md", "evidence.csv", "places.csv", "rulesets.csv"}
        table = self.client.get("/data/today/places.csv")
        text = b"".join(table).decode()
        assert "Ur <b>" in text
        assert whole.read("evidence-of-traditional-games/places.csv").decode() == text
        again = self.client.get("/data/today/places.csv", headers={"If-None-Match": table["ETag"]})
        assert again.status_code == 304
        assert "places" in self.client.get("/data/today/place.csv").content.decode(), "the nearest table"

    def test_a_site_without_a_release_makes_the_first_once(self) -> None:
        with a_folder() as place, override_settings(DATASETS_DIR=place / "new"):
            version = offer_a_release()
            assert version
            assert f"Version {version}" in self.client.get("/data/").content.decode()
            assert offer_a_release() is None
        assert offer_a_release() is None, "it has releases of its own"

    @pytest.mark.by_turns
    def test_a_release_shows_its_files_changes_and_how_to_cite_it(self) -> None:
        with self.assertNumQueries(0):
            page = self.client.get("/data/2026.12.05/").content.decode()
        package = json.loads((self.folder / "second" / "datapackage.json").read_text())
        for resource in package["resources"]:
            if "/" not in resource["path"]:
                assert f'href="/data/2026.12.05/{resource["path"]}"' in page
                assert resource["hash"].removeprefix("sha256:") in page
        assert "compared with 2026.12.01" not in page, "the page has a heading of its own"
        assert "<code>ur</code>" in page
        assert "version 2026.12.05" in page
        assert "@misc{" in page
        assert "http://testserver/data/2026.12.05/" in page
        for form in ("txt", "bib", "ris", "json"):
            assert f'href="/cite/release/2026.12.05.{form}"' in page
        (item,) = self.client.get("/cite/release/2026.12.05.json").json()
        assert (item["version"], item["issued"]) == ("2026.12.05", {"date-parts": [[2026, 12, 5]]})
        assert item["URL"] == "http://testserver/data/2026.12.05/"
        assert self.client.get("/cite/release/2026.12.06.json").status_code == 404
        linked = self.client.get("/data/2026.12.05/", headers={"Accept": "application/ld+json"}).json()
        assert (linked["@type"], linked["datePublished"]) == ("Dataset", "2026-12-05")

    def test_files_are_sent_as_they_are_and_not_twice(self) -> None:
        for path, data in contents(self.folder / "second").items():
            response = self.client.get(f"/data/2026.12.05/{path}")
            assert b"".join(response.streaming_content) == data, path
            if path != "SHA256SUMS":
                again = self.client.get(f"/data/2026.12.05/{path}", headers={"If-None-Match": response["ETag"]})
                assert (again.status_code, again.content) == (304, b""), path
            assert response["X-Content-Type-Options"] == "nosniff"
        assert self.client.head("/data/2026.12.05.zip")["Content-Type"] == "application/zip"
        assert self.client.post("/data/2026.12.05/games.csv").status_code == 405

    def test_all_of_it_is_one_archive(self) -> None:
        whole = b"".join(self.client.get("/data/2026.12.05.zip").streaming_content)
        assert whole == b"".join(self.client.get("/data/2026.12.05.zip").streaming_content)
        with zipfile.ZipFile(io.BytesIO(whole)) as archive:
            assert archive.testzip() is None
            held = {name.partition("/")[2]: archive.read(name) for name in archive.namelist()}
        assert held == contents(self.folder / "second")

    def test_nothing_else_is_sent_and_the_nearest_is_named(self) -> None:
        (self.folder / "first" / "loose.txt").write_text("not listed")
        games = self.folder / "first" / "games.csv"
        games.unlink()
        games.symlink_to(self.folder / "secret.txt")
        for path in (
            "../secret.txt",
            "..%2Fsecret.txt",
            "%2e%2e/%2e%2e/secret.txt",
            "loose.txt",
            "games.csv",
            "rulesets/",
        ):
            assert self.client.get(f"/data/2026.12.01/{path}").status_code == 404, path
        answer = self.client.get("/data/2026.12.05/evidense.csv")
        assert (answer.status_code, "/data/2026.12.05/evidence.csv" in answer.content.decode()) == (404, True)
        answer = self.client.get("/data/2026.12.06/")
        assert (answer.status_code, "/data/2026.12.05/" in answer.content.decode()) == (404, True)
        assert self.client.get("/data/2026.12.06.zip").status_code == 404

    @pytest.mark.thorough
    def test_no_address_breaks_it(self) -> None:
        @given(st.one_of(st.text(max_size=30), st.sampled_from(["\x00", "%00", "....//", "2026.12.05", "a" * 3_000])))
        def ask(path: str) -> None:
            for address in (f"/data/2026.12.05/{path}", f"/data/{path}/", f"/data/{path}.zip"):
                assert self.client.get(address).status_code in (200, 301, 400, 404), address

        ask()
