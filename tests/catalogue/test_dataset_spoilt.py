"""Whatever is wrong with a dataset is told with its file and its place, and nothing is loaded."""

import contextlib
import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management.base import CommandError
from django.db import transaction
from django.test import TestCase
from hypothesis import given, settings
from hypothesis import strategies as st

from catalogue.models import Game
from tests.catalogue.dataset_world import (
    a_few_rows,
    a_folder,
    contents,
    empty_the_database,
    export,
    load,
    rows_in_the_database,
    sum_again,
)
from tests.catalogue.page_world import CatalogueTestCase


def replaced(file: str, old: str, new: str) -> Callable[[Path], None]:
    def spoil(place: Path) -> None:
        text = (place / file).read_text(encoding="utf-8")
        assert old in text, (file, old)
        (place / file).write_text(text.replace(old, new, 1), encoding="utf-8", newline="")

    return spoil


def bytes_of(file: str, data: bytes) -> Callable[[Path], None]:
    return lambda place: (place / file).write_bytes(data) and None


# (what is spoilt and summed again, what is said of it)
SPOILT = [
    (replaced("games.csv", "slug,name", "slug,naem"), r"games\.csv, line 1, column naem: this catalogue has no such"),
    (replaced("games.csv", "kotu-baendum,", "daramuti,"), r"games\.csv, line 3: the row 'daramuti' stands here twice"),
    (replaced("games.csv", "kotu-baendum,", "aaa,"), r"games\.csv, line 3: the row 'aaa' does not stand where"),
    (replaced("games.csv", "false", "maybe"), r"games\.csv, line 2, column is_reference: must be true or false, not"),
    (replaced("games.csv", ",false", ""), r"games\.csv, line 2: has 3 cells, and the header names 4 columns"),
    (replaced("games.csv", "Daramuti", '"Daramuti'), r"games\.csv, line 2: is no CSV: unexpected end of data"),
    (replaced("games.csv", "Daramuti", "D" * 101), r"games\.csv, line 2: game daramuti: name: Ensure this value"),
    (replaced("evidence.csv", "1909,1909,1909", "1909,190x,1909"), r"line 3, column year_earliest: must be a whole"),
    (replaced("evidence.csv", "1909-12-31,1909", "1909-12-31,19o9"), r"evidence\.csv, line 3: .*date_edtf"),
    (replaced("evidence.csv", ",daramuti,", ",daramuty,"), r"evidence\.csv, line 2: .*game: there is no daramuty"),
    (replaced("evidence_places.csv", "DLP.Evidence.692", "DLP.Evidence.693"), r"there is no .*693' in evidence"),
    (replaced("places.csv", ",,sri-lanka", ",,nowhere"), r"places\.csv, line 3: .*part_of: there is no nowhere"),
    (replaced("places.csv", "Lanka,unknown,,,,", "Lanka,unknown,,,,aa-asia"), r"places\.csv, line 2: rests on itself"),
    (replaced("answers.csv", '"{""a"":null', '"{""a"":nul'), r"answers\.csv, line 3, column values: must be an object"),
    (replaced("anchors.csv", "zz-parker,sow", "zz-parker,"), r"anchors\.csv, line 2, column clause_reading, clause"),
    (bytes_of("games.csv", b"slug,name\nd\xe4ramuti,D\n"), r"games\.csv, line 2: is not in UTF-8 \(byte 2"),
    (bytes_of("games.csv", b"slug,name\nd,\x00\n"), r"games\.csv, line 2: holds a character \(NUL\)"),
    (replaced("answers.csv", '"{""a"":null', '"{""\\ud800"":null'), r"answers\.csv, line 3, column values: must"),
    (bytes_of("games.csv", b"\xef\xbb\xbfslug,name,is_reference,description\n"), r"games\.csv, line 1, column .*slug"),
    (bytes_of("games.csv", b"slug," + b"n" * (8 << 20)), r"games\.csv, line 1: a line of more than 8,388,608 bytes"),
    (replaced("datapackage.json", '"games.csv"', '"../games.csv"'), r"'\.\./games\.csv' leads nowhere within"),
    (replaced("datapackage.json", '"games.csv"', '"/etc/passwd"'), r"'/etc/passwd' leads nowhere within a dataset"),
    (replaced("datapackage.json", '"format": 1', '"format": 9'), r"is arranged as format 9, and this"),
    (replaced("datapackage.json", "evidence-of-traditional-games", "another"), r"is no dataset of this catalogue"),
    (bytes_of("datapackage.json", b"[" * 100_000), r"datapackage\.json: is nested too deeply"),
    (bytes_of("datapackage.json", b" " * ((16 << 20) + 1)), r"has 16,777,217 bytes, and at most 16,777,216 are read"),
    (bytes_of("datapackage.json", b'{"name": NaN}'), r"datapackage\.json: is not JSON: NaN is no number"),
]  # fmt: skip


class SpoiltTests(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        a_few_rows()
        cls.folder = cls.enterClassContext(a_folder())
        export(cls.folder / "whole", "--date", "2026-12-01")
        cls.whole = contents(cls.folder / "whole")
        empty_the_database()

    def copied(self, name: str) -> Path:
        place = self.folder / name
        for path, data in self.whole.items():
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            (place / path).write_bytes(data)
        return place

    def refused(self, place: Path, words: str) -> None:
        with pytest.raises(CommandError) as raised:
            load(place)
        assert re.search(words, str(raised.value)), f"{raised.value} (expected: {words})"
        assert rows_in_the_database() == 0

    @pytest.mark.by_turns
    def test_a_mistake_is_reported_with_its_place_and_nothing_loaded(self) -> None:
        for number, (spoil, words) in enumerate(SPOILT):
            with self.subTest(words):
                place = self.copied(f"spoilt{number}")
                spoil(place)
                sum_again(place)
                self.refused(place, words)

    def test_changed_missing_and_added_files_are_found_first(self) -> None:
        place = self.copied("changed")
        with (place / "games.csv").open("a") as stream:
            stream.write("\n")
        self.refused(place, r"games\.csv: was changed, or only half of it was copied")
        (place / "games.csv").unlink()
        self.refused(place, r"games\.csv: is in SHA256SUMS, and is not there")
        place = self.copied("added")
        (place / "rulesets").mkdir()
        (place / "rulesets" / "mine.json").write_text("{}")
        self.refused(place, r"rulesets/mine\.json: is not in SHA256SUMS")

    def test_links_and_paths_lead_nowhere(self) -> None:
        place = self.copied("linked")
        (place / "games.csv").unlink()
        (place / "games.csv").symlink_to("/etc/passwd")
        self.refused(place, r"games\.csv: is a link")
        place = self.copied("paths")
        for path in ("../../etc/passwd", "/etc/passwd", "a/../../b", "C:\\x", "a//b", ".hidden", "a/b/c/d"):
            (place / "SHA256SUMS").write_text(f"{'0' * 64}  {path}\n")
            self.refused(place, r"SHA256SUMS, line 1: .* leads nowhere within a dataset")

    def test_what_is_no_dataset_is_said_to_be_none(self) -> None:
        self.refused(self.folder / "nowhere", "there is no folder")
        self.refused(self.folder, "it has no file SHA256SUMS")
        self.refused(self.folder / "whole" / "games.csv", "is no folder")

    def test_a_database_that_is_not_empty_is_left_as_it_is(self) -> None:
        Game.objects.create(slug="go", name="Go")
        with pytest.raises(CommandError, match="the database is not empty: it has 1 games"):
            load(self.folder / "whole")
        assert Game.objects.get().slug == "go"

    @pytest.mark.thorough
    def test_bytes_changed_at_random_never_break_it(self) -> None:
        names = sorted(name for name in self.whole if name.endswith((".csv", ".json")))
        nasty = st.one_of(
            st.binary(min_size=1, max_size=6),
            st.sampled_from([b'"', b"\n", b",", b"\x00", b"\xff", b"{", b"]", b"9" * 30, b"\xed\xa0\x80", b"\r"]),
        )

        @settings(max_examples=50)
        @given(st.sampled_from(names), st.floats(0, 1), st.integers(0, 40), nasty)
        def spoil(name: str, where: float, gone: int, put: bytes) -> None:
            place = self.copied("random")
            data = self.whole[name]
            at = int(where * len(data))
            (place / name).write_bytes(data[:at] + put + data[at + gone :])
            sum_again(place)
            with contextlib.suppress(CommandError), transaction.atomic():
                load(place)
                transaction.set_rollback(True)
            assert rows_in_the_database() == 0

        spoil()


@pytest.mark.thorough
class SpoiltBatchTests(CatalogueTestCase):
    def test_rows_and_tallies_of_another_batch_are_refused(self) -> None:
        rows, tally = f"batches/{self.batch.id}.rows.csv.gz", f"batches/{self.batch.id}.tally.json"
        with a_folder() as folder:
            export(folder / "one")
            whole = contents(folder / "one")
            lines = gzip.decompress(whole[rows]).splitlines(keepends=True)
            counts = json.loads(whole[tally])
            ruleset = "rulesets/daramuti-parker.1.json"
            # Only what a batch needs: everything else would be loaded again for each of them.
            kept = {
                name: data
                for name, data in whole.items()
                if not name.startswith("rulesets/") and not name.endswith(".csv")
            }
            kept[ruleset] = whole[ruleset]
            for name in ("batches", "rulesets", "ruleset_versions"):
                lines_of = whole[f"{name}.csv"].splitlines(keepends=True)
                about = [
                    line
                    for line in lines_of[1:]
                    if b"daramuti-parker" in line or self.batch.ruleset_id.encode() in line
                ]
                kept[f"{name}.csv"] = b"".join([lines_of[0], *about])
            figures = kept["measurements.csv"] = whole["measurements.csv"]
            spoilt = [
                ("measurements.csv", figures.replace(b",0.625,", b",0.626,", 1), "line 2, column value: says 0.626"),
                (rows, gzip.compress(b"".join(lines[:-1])), "holds 7 games, and batches.csv says 8"),
                (rows, gzip.compress(b"".join([*lines, b"8" + lines[-1][1:]])), "has more rows than the 8 games"),
                (rows, gzip.compress(b"".join(lines).replace(b",24,", b",25,")), "its rows have the digest"),
                (rows, gzip.compress(b"".join(lines).replace(b"\n3,", b"\n4,")), "line 5, column game: game 3 belongs"),
                (rows, gzip.compress(b"".join(lines).replace(b",24,", b",x,")), "could not convert string 'x'"),
                (rows, gzip.compress(b"".join(lines).replace(b",24,", b",99999999999,")), "whole numbers in every row"),
                (rows, gzip.compress(lines[0] + b" " * (64 << 20)), r"line 2: a line of more than \d{3} bytes"),
                (rows, whole[rows][:-30], "not all of it is there"),
                (rows, b"no gzip", "is not compressed by gzip"),
                (tally, json.dumps({**counts, "games": 9}).encode(), "has the digest"),
                (tally, b"{}", "this is no tally"),
                ("batches.csv", kept["batches.csv"].replace(b",2000,game", b",2001,game"), "this request is batch"),
                ("batches.csv", kept["batches.csv"].replace(b"random,random", b"random,nobody"), "nobody"),
                ("rulesets.csv", kept["rulesets.csv"].replace(b"sowing", b"racing", 1), "rulesets.csv, line"),
                (ruleset, whole[ruleset].replace(b'"slug": "daramuti-parker"', b'"slug": "other"'), "ruleset"),
                (ruleset, whole[ruleset].replace(b'"number": 1,', b'"number": "one",'), "rulesets: .*one"),
                (ruleset, b"[" * 100_000, "rulesets: "),
            ]  # fmt: skip
            package = json.loads(kept["datapackage.json"])
            package["resources"] = [one for one in package["resources"] if one["path"] in kept]
            kept["datapackage.json"] = json.dumps(package).encode()
            empty_the_database()
            place = folder / "spoilt"
            for name, data, words in spoilt:
                with self.subTest(words):
                    for path, held in {**kept, name: data}.items():
                        (place / path).parent.mkdir(parents=True, exist_ok=True)
                        (place / path).write_bytes(held)
                    sum_again(place)
                    with pytest.raises(CommandError, match=words):
                        load(place)
                    assert rows_in_the_database() == 0
