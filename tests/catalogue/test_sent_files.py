"""Tables and archives as files: made once, sent in parts, not twice, and streamed where there is no room for them."""

import hashlib
import logging
import os
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from catalogue.management.commands.expire import expire
from catalogue.web import files
from catalogue.web.files import FORMS, Unsatisfiable, kept_file, old_files, requested_part
from simulator.models import Batch
from tests.catalogue.page_world import played_batch

ETAG, CHANGED = '"abc"', "Mon, 23 Nov 2026 00:00:00 GMT"
DAY = 24 * 3600


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: Any) -> Path:
    settings.VAR_DIR, settings.FILES_DIR = tmp_path, tmp_path / "files"
    return tmp_path / "files"


@pytest.fixture
def batch(db: None) -> Batch:
    return played_batch("daramuti-parker")


def body(response: Any) -> bytes:
    return b"".join(response.streaming_content) if response.streaming else bytes(response.content)


def request_for(**headers: str) -> HttpRequest:
    return RequestFactory().get("/", headers={name.replace("_", "-"): value for name, value in headers.items()})


@pytest.mark.parametrize(
    ("wanted", "part"),
    [
        ("bytes=0-0", (0, 0)),
        ("bytes=5-5", (5, 5)),
        ("bytes=0-", (0, 9)),
        ("bytes=4-100", (4, 9)),
        ("bytes=-3", (7, 9)),
        ("bytes=-30", (0, 9)),
        ("Bytes=2-3", (2, 3)),
    ],
)
def test_a_part_is_read_as_it_is_written(wanted: str, part: tuple[int, int]):
    found = requested_part(request_for(Range=wanted), 10, ETAG, CHANGED)
    assert found
    assert (found.first, found.last, found.size) == (*part, part[1] - part[0] + 1)


@pytest.mark.parametrize("wanted", ["bytes=10-", "bytes=10-11", "bytes=-0"])
def test_a_part_beyond_the_end_is_refused(wanted: str):
    with pytest.raises(Unsatisfiable):
        requested_part(request_for(Range=wanted), 10, ETAG, CHANGED)


@pytest.mark.parametrize("wanted", ["", "bytes=", "bytes=-", "bytes=5-4", "bytes=0-1,3-4", "lines=0-1", "bytes=a-b"])
def test_what_is_no_part_means_all_of_it(wanted: str):
    assert requested_part(request_for(Range=wanted), 10, ETAG, CHANGED) is None


@pytest.mark.parametrize(("state", "is_part"), [(ETAG, True), (CHANGED, True), ('"other"', False), ('W/"abc"', False)])
def test_a_part_of_another_state_is_not_sent(state: str, is_part: bool):
    assert (requested_part(request_for(Range="bytes=0-1", If_Range=state), 10, ETAG, CHANGED) is not None) == is_part


@given(st.integers(1, 50), st.one_of(st.none(), st.integers(0, 60)), st.one_of(st.none(), st.integers(0, 60)))
def test_every_part_is_what_slicing_gives(size: int, first: int | None, last: int | None):
    whole = bytes(range(size))
    request = request_for(Range=f"bytes={'' if first is None else first}-{'' if last is None else last}")
    try:
        part = requested_part(request, size, ETAG, CHANGED)
    except Unsatisfiable:
        assert (first is None and last == 0) or (first is not None and first >= size)
        return
    found = whole[part.first : part.last + 1] if part else None
    if first is None:
        assert found == (None if last is None else whole[-last:])
    elif last is not None and last < first:
        assert found is None
    else:
        assert found == whole[first : None if last is None else last + 1]


@pytest.mark.by_turns
@pytest.mark.parametrize("form", FORMS)
def test_rows_are_a_file_made_once_for_page_and_api(
    form: str, batch: Batch, folder: Path, client: Client, django_assert_num_queries: Any
):
    pages = [f"/api/v1/batches/{batch.id}/rows/?format={form}"]
    pages += [f"/batches/{batch.id}/rows.csv"] if form == "csv" else []
    written = "".join(FORMS[form][0](batch)).encode()
    for page in (*pages, *pages):
        answer = client.get(page)
        assert body(answer) == written
        assert answer["Content-Length"] == str(len(written))
        assert answer["Accept-Ranges"] == "bytes"
        assert answer["ETag"].startswith('"')
        assert answer["Content-Disposition"] == f'attachment; filename="batch-{batch.id}.{form}"'
        part = client.get(page, headers={"Range": "bytes=7-12", "If-Range": answer["ETag"]})
        assert (part.status_code, body(part)) == (206, written[7:13])
        assert part["Content-Range"] == f"bytes 7-12/{len(written)}"
        beyond = client.get(page, headers={"Range": f"bytes={len(written)}-"})
        assert (beyond.status_code, beyond["Content-Range"]) == (416, f"bytes */{len(written)}")
        for known in ({"If-None-Match": answer["ETag"]}, {"If-None-Match": f"W/{answer['ETag']}"}):
            again = client.get(page, headers=known)
            assert (again.status_code, body(again)) == (304, b"")
        assert client.get(page, headers={"If-Modified-Since": answer["Last-Modified"]}).status_code == 304
        assert client.head(page)["Content-Length"] == str(len(written))
    assert [file.read_bytes() for file in folder.iterdir()] == [written]


def test_another_result_is_another_file(batch: Batch, folder: Path, client: Client):
    first = client.get(f"/batches/{batch.id}/rows.csv")
    body(first)
    Batch.objects.update(digest=hashlib.sha256(b"other").hexdigest())
    assert client.get(f"/batches/{batch.id}/rows.csv")["ETag"] != first["ETag"]
    assert len(list(folder.iterdir())) == 2


def test_gzip_is_without_parts_and_a_part_without_gzip(batch: Batch, client: Client):
    page, packed = f"/batches/{batch.id}/rows.csv", {"Accept-Encoding": "gzip"}
    whole = client.get(page, headers=packed)
    body(whole)
    assert (whole["Content-Encoding"], whole["ETag"][:3]) == ("gzip", 'W/"')
    part = client.get(page, headers={**packed, "Range": "bytes=0-299"})
    assert (part.status_code, part.get("Content-Encoding"), len(body(part))) == (206, None, 300)
    assert client.get(page, headers={**packed, "If-None-Match": whole["ETag"]}).status_code == 304


def test_the_proxy_is_told_which_file_it_is(batch: Batch, folder: Path, client: Client, settings: Any):
    settings.SENDFILE_URL = "/sendfile/"
    page = f"/batches/{batch.id}/rows.csv"
    answer = client.get(page, headers={"Range": "bytes=0-1"})
    (file,) = folder.iterdir()
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer["X-Accel-Redirect"] == f"/sendfile/files/{file.name}"
    assert file.stat().st_mode & 0o777 == 0o644
    assert "X-Accel-Redirect" not in client.get(page, headers={"If-None-Match": answer["ETag"]})
    file.chmod(0o600)
    assert body(client.get(page)) == file.read_bytes(), "what the proxy may not read is sent here"
    settings.FILES_DIR = folder.parent.parent / "elsewhere"
    file.chmod(0o644)
    assert "X-Accel-Redirect" not in client.get(page), "what stands elsewhere is sent here"


def full(*_: object) -> None:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("where", ["os.replace", "tempfile.mkstemp", "little"])
def test_without_room_rows_are_sent_as_they_are_read(
    where: str, batch: Batch, folder: Path, client: Client, settings: Any, monkeypatch: Any, caplog: Any
):
    if where == "little":
        settings.DISK_FREE_MB = 10**9
    else:
        monkeypatch.setattr(where, lambda *_, **__: full())
    with caplog.at_level(logging.WARNING):
        answer = client.get(f"/batches/{batch.id}/rows.csv")
        assert body(answer) == "".join(FORMS["csv"][0](batch)).encode()
    assert "is not kept as a file" in caplog.text
    assert list(folder.iterdir()) == []
    assert client.get(f"/batches/{batch.id}/rows.csv", headers={"If-None-Match": answer["ETag"]}).status_code == 304


def test_what_fails_while_it_is_written_leaves_nothing(folder: Path):
    def broken() -> Any:
        yield b"begun"
        raise ValueError("not to the end")

    with pytest.raises(ValueError, match="not to the end"):
        kept_file("a.csv", 0, broken())
    assert list(folder.iterdir()) == []


@pytest.mark.django_db
def test_files_go_when_nobody_has_asked_for_them(folder: Path):
    import datetime

    for name, days in (("old.csv", 91), ("new.csv", 89), (".begun", 2), (".now", 0)):
        file = kept_file(name, 0, [b"x"])
        assert file
        os.utime(file, (time.time() - days * DAY, 0))
    age = datetime.timedelta(days=90)
    said = {one.what: one.number for one in expire(age, dry_run=True)}
    assert said["files of tables and archives that nobody asked for"] == 2
    assert len(list(folder.iterdir())) == 4
    list(expire(age))
    assert {file.name for file in folder.iterdir()} == {"new.csv", ".now"}
    assert kept_file("new.csv", 0, [b"never made again"]) == folder / "new.csv"
    assert (folder / "new.csv").read_bytes() == b"x"
    assert time.time() - (folder / "new.csv").stat().st_atime < DAY, "it was asked for now"
    assert list(old_files(90 * DAY)) == []


def test_headers_of_a_file_are_no_page(batch: Batch, client: Client):
    answer: HttpResponse = client.get(f"/batches/{batch.id}/rows.csv")
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "X-Accel-Redirect" not in answer


def test_many_who_ask_at_once_have_it_made_once(folder: Path):
    made: list[int] = []
    begin = threading.Barrier(8)

    def parts() -> Iterator[bytes]:
        made.append(1)
        time.sleep(0.2)
        yield b"all of it"

    def ask() -> bytes:
        begin.wait()
        found = kept_file("a.csv", 0, parts())
        assert found
        return found.read_bytes()

    with ThreadPoolExecutor(8) as together:
        answers = [one.result() for one in [together.submit(ask) for _ in range(8)]]
    assert answers == [b"all of it"] * 8
    assert len(made) == 1
    assert [file.name for file in folder.iterdir()] == ["a.csv"]


@pytest.mark.parametrize("page", ["/batches/{}/rows.csv", "/api/v1/batches/{}/rows/?format=csv"])
def test_who_waited_in_vain_is_asked_to_come_again(
    page: str, batch: Batch, folder: Path, client: Client, monkeypatch: Any
):
    monkeypatch.setattr(files, "PATIENCE", 0.01)
    address = page.format(batch.id)
    body(client.get(address))
    (file,) = folder.iterdir()
    file.unlink()
    with files._one_at_a_time(file):
        answer = client.get(address)
    assert answer.status_code == 503
    assert int(answer["Retry-After"]) > 0
    assert b"is being made just now" in answer.content
    assert body(client.get(address)).startswith(b"game,")
