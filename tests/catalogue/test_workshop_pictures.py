"""Pictures of records: sent, written anew, described, shown, exported where the licence allows, and taken down."""

import io
import os
import random
import tempfile
from pathlib import Path
from typing import Any, ClassVar
from unittest import mock

import pytest
from bs4 import BeautifulSoup
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management.base import CommandError
from django.test import Client, RequestFactory, TestCase, override_settings
from PIL import Image, PngImagePlugin

from catalogue.config.buffering import CannotWait, bytes_wanted
from catalogue.dataset.exporting import write_pictures
from catalogue.dataset.folder import Folder
from catalogue.dataset.tables import shipped_rows
from catalogue.models import Evidence, Picture
from catalogue.pages.errors import _most_bytes
from catalogue.workshop import encoding, pictures
from catalogue.workshop.encoding import PictureProblem, WrittenAnew, encode, encode_apart
from tests import builders
from tests.catalogue.dataset_world import a_folder, empty_the_database, export, load, sum_again
from tests.catalogue.members import member
from tests.proofs.uploads import SEEDS, attempt, mutated

RECORD = "DLP.Evidence.692"
NEW = f"/workshop/records/{RECORD}/pictures/new/"
ABOUT = {
    "kind": "drawing",
    "description": "Two rows of seven holes, cut into a plank.",
    "origin": "Parker 1909, fig. 260",
    "rights": "public-domain",
}


def drawn(kind: str = "PNG", size: tuple[int, int] = (60, 40), mode: str = "RGB", **options: Any) -> bytes:
    stream = io.BytesIO()
    picture = Image.linear_gradient("L").resize(size).convert(mode)
    picture.save(stream, kind, **options)
    return stream.getvalue()


def refusal(sent: bytes) -> str:
    with pytest.raises(PictureProblem) as caught:
        encode(sent)
    return str(caught.value)


def opened(data: bytes) -> Any:
    return Image.open(io.BytesIO(data))


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "TIFF"])
def test_each_kind_is_written_anew(kind: str) -> None:
    made = encode(drawn(kind))
    assert (made.width, made.height) == opened(made.whole).size == (60, 40)
    assert opened(made.whole).format == {"png": "PNG", "webp": "WEBP"}[made.ending]
    assert opened(made.small).format == "WEBP"


def test_lines_and_flat_colours_are_kept_exactly() -> None:
    picture = Image.new("RGB", (30, 20), "white")
    picture.putpixel((3, 4), (10, 20, 30))
    stream = io.BytesIO()
    picture.save(stream, "PNG")
    made = encode(stream.getvalue())
    assert made.ending == "png"
    assert list(opened(made.whole).convert("RGB").get_flattened_data()) == list(picture.get_flattened_data())


def test_what_stands_beside_the_pixels_is_left_out() -> None:
    exif = Image.Exif()
    exif[0x010E], exif[0x0112] = "taken at home", 6  # ImageDescription, and turned by 90 degrees
    made = encode(drawn("JPEG", exif=exif, comment=b"a secret", icc_profile=b"x" * 200))
    assert (made.width, made.height) == (40, 60), "it is turned as the camera says"
    notes = PngImagePlugin.PngInfo()
    notes.add_text("Comment", "a secret")
    for one in (made, encode(drawn("PNG", pnginfo=notes)), encode(drawn("WEBP", exif=exif, xmp=b"a secret"))):
        for data in (one.whole, one.small):
            assert b"secret" not in data
            assert not set(opened(data).info) & {"exif", "icc_profile", "xmp", "comment", "Comment"}


@pytest.mark.parametrize("mode", ["1", "L", "P", "LA", "RGBA", "CMYK", "I;16"])
def test_each_mode_is_read(mode: str) -> None:
    kind = "TIFF" if mode in ("CMYK", "I;16") else "PNG"
    sent = drawn(kind, mode=mode) if mode != "I;16" else _sixteen_bits()
    assert opened(encode(sent).whole).size == (60, 40)


def _sixteen_bits() -> bytes:
    stream = io.BytesIO()
    Image.new("I;16", (60, 40), 30_000).save(stream, "TIFF")
    return stream.getvalue()


def test_sixteen_bits_keep_their_grey() -> None:
    assert abs(opened(encode(_sixteen_bits()).whole).getpixel((0, 0)) - 30_000 * 255 // 65_535) <= 1


def test_a_page_shows_a_smaller_copy() -> None:
    made = encode(drawn("JPEG", (2_400, 1_200)))
    assert opened(made.small).size == (1_200, 600)


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (b"", "empty"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", "SVG"),
        (b"\xef\xbb\xbf  <?xml version='1.0'?><svg/>", "SVG"),
        (b"GIF89a" + bytes(20), "GIF"),
        (b"%PDF-1.7", "PDF"),
        (b"<!doctype html><script>", "page of the web"),
        (b"no picture at all", "PNG, JPEG, WebP and TIFF are taken"),
        (drawn("JPEG")[:300], "to its end"),
    ],
)
def test_what_is_no_picture_is_named(sent: bytes, said: str) -> None:
    assert said in refusal(sent)


def test_bombs_are_refused_before_they_are_decoded() -> None:
    flat = Image.new("1", (8_000, 6_000))
    stream = io.BytesIO()
    flat.save(stream, "PNG")
    with mock.patch("PIL.ImageFile.ImageFile.load", side_effect=AssertionError("decoded")):
        assert refusal(stream.getvalue()) == (
            "It has 48.0 megapixels (8,000 × 6,000), and at most 40 are taken: 7,302 × 5,477 would be."
        )
        assert "more than 40 megapixels" in refusal(_png_of(200_000, 200_000))
        assert "16,383 pixels" in refusal(_png_of(20_000, 10))
    assert "10.5 MB" in refusal(bytes(11_000_000))


def _png_of(width: int, height: int) -> bytes:
    """A small file that says that it is large."""
    import struct
    import zlib

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(100))) + chunk(b"IEND", b"")


def test_moving_pictures_and_several_pages_are_refused() -> None:
    frames = [Image.new("RGB", (9, 9), colour) for colour in ("red", "blue")]
    for kind, said in (("TIFF", "several pages"), ("WEBP", "move"), ("PNG", "move")):
        stream = io.BytesIO()
        frames[0].save(stream, kind, save_all=True, append_images=frames[1:])
        assert said in refusal(stream.getvalue())


def test_mutated_pictures_are_read_or_refused() -> None:
    """The proof of uploads sends 10,000."""
    draw = random.Random(1)
    for number in range(60):
        assert attempt(mutated(SEEDS[number % len(SEEDS)], draw)) in ("taken", "refused")


@pytest.mark.by_turns
def test_a_process_of_its_own_reads_what_is_sent() -> None:
    sent = drawn("JPEG")
    assert encode_apart(sent) == encode(sent)
    with pytest.raises(PictureProblem, match="to its end"):
        encode_apart(sent[:300])


def test_a_process_that_breaks_is_a_refusal() -> None:
    with (
        mock.patch.object(encoding, "__file__", os.devnull),
        pytest.raises(PictureProblem, match="bounds of memory and time"),
    ):
        encode_apart(drawn())


def test_large_bodies_are_waited_for_on_one_address_only() -> None:
    def head(address: str, length: int) -> bytes:
        return f"POST {address} HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n".encode()

    assert bytes_wanted(head(NEW, 10 << 20)) > 10 << 20
    for address, length in ((NEW, 12 << 20), ("/evidence/x/suggest/", 3 << 20), (f"/x?{NEW}", 3 << 20)):
        with pytest.raises(CannotWait):
            bytes_wanted(head(address, length))


@pytest.mark.django_db
def test_large_bodies_are_read_of_those_who_may_send_pictures() -> None:
    for role, most in (("editor", pictures.MOST_BYTES), ("contributor", 2_621_440)):
        request = RequestFactory().generic("POST", NEW, CONTENT_LENGTH=str(5 << 20))
        request.user = member(role)
        assert _most_bytes(request) == most


class Picturing(TestCase):
    record: ClassVar[Evidence]
    clients: ClassVar[dict[str, Client]]

    @classmethod
    def setUpTestData(cls) -> None:
        cls.record = builders.evidence()
        cls.clients = {"": Client()}
        for role in ("contributor", "editor", "curator"):
            cls.clients[role] = Client()
            cls.clients[role].force_login(member(role))

    def setUp(self) -> None:
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="media-"))
        self.enterContext(override_settings(MEDIA_ROOT=folder))
        self.enterContext(mock.patch.object(pictures, "encode_apart", encode))  # by others: in a process of its own
        self.folder = Path(folder)

    def send(self, data: bytes | None = None, role: str = "editor", **fields: str) -> Any:
        sent: dict[str, Any] = {**ABOUT, **fields}
        if data is not None:
            sent["picture"] = SimpleUploadedFile("board.png", data, content_type="image/png")
        return self.clients[role].post(NEW, sent)

    def picture(self, **fields: str) -> Picture:
        assert self.send(drawn(size=(60 + Picture.objects.count(), 40)), **fields).status_code == 302
        found = Picture.objects.order_by("pk").last()
        assert found
        return found

    def get(self, name: str, role: str = "") -> Any:
        return self.clients[role].get(f"/pictures/{name}")


class SendingTests(Picturing):
    def test_it_stands_on_the_page_with_rights_and_description(self) -> None:
        picture = self.picture(rights="cc-by-4.0", credit="The museum", address="https://example.org/260")
        assert (picture.number, picture.width, picture.height) == (1, 60, 40)
        page = BeautifulSoup(self.clients[""].get(self.record.get_absolute_url()).content, "lxml")
        figure = page.select_one("#picture-1")
        words = figure.get_text(" ", strip=True)
        for said in (ABOUT["description"], ABOUT["origin"], "The museum", "CC BY 4.0", "Drawing by the author"):
            assert said in words
        assert figure.img["alt"]
        assert (figure.img["width"], figure.img["height"]) == ("60", "40")
        assert figure.select_one("[rel=license]")["href"].startswith("https://creativecommons.org")

    def test_its_files_are_served_as_pictures_and_nothing_else(self) -> None:
        picture = self.picture()
        for name, kind in ((picture.file, "image/"), (picture.small, "image/webp")):
            answer = self.get(name)
            assert answer.status_code == 200
            assert answer["Content-Type"].startswith(kind)
            assert answer["X-Content-Type-Options"] == "nosniff"
            assert "default-src 'self'" in answer["Content-Security-Policy"]
            assert answer["Content-Disposition"].startswith("inline")
            assert opened(b"".join(answer)).size == (60, 40)
        assert {path.stat().st_mode & 0o007 for path in picture.paths} == {0}, "no proxy sends it"
        for name in ("nothing.png", "../secret_key", "x.svg", picture.file.replace(".", "-small-small.")):
            assert self.get(name).status_code == 404

    def test_what_is_wrong_is_said_and_what_was_right_is_kept(self) -> None:
        answer = self.send(drawn(), description="short")
        page = BeautifulSoup(answer.content, "lxml")
        assert answer.status_code == 400
        assert "at least 10 characters" in page.select_one("#id_description_error").get_text()
        assert "you need not choose it again" in page.get_text()
        kept = page.select_one("[name=kept]")["value"]
        assert self.send(kept=kept).status_code == 302
        assert self.send(kept=kept, role="curator").status_code == 400, "it is another's"
        assert self.send(kept=f"{kept}x").status_code == 400

    def test_each_field_that_is_needed_is_asked_for(self) -> None:
        page = BeautifulSoup(self.send(kind="", description="", origin="", rights="").content, "lxml")
        wrong = {one["id"] for one in page.select(".errors")}
        assert wrong == {f"id_{name}_error" for name in ("kind", "description", "origin", "rights", "picture")}
        assert "whom to credit" in self.send(drawn(), rights="cc-by-4.0").content.decode()
        assert self.send(drawn(), address="javascript:alert(1)").status_code == 400
        assert self.send(drawn(), rights="mine").status_code == 400
        assert "SVG" in self.send(b"<svg onload='x()'/>").content.decode()
        assert not Picture.objects.exists()

    def test_only_those_who_may_send_one(self) -> None:
        for role in ("", "contributor"):
            assert self.send(drawn(), role=role).status_code == 403
            assert self.clients[role].get(NEW).status_code == 403
        assert not list(self.folder.rglob("*.*"))

    def test_the_same_picture_once(self) -> None:
        self.picture()
        assert "This is picture 1 of the record already." in self.send(drawn()).content.decode()

    @override_settings(PICTURES_OF_A_RECORD=1)
    def test_a_record_has_so_many(self) -> None:
        self.picture()
        assert "at most 1 are kept of one" in self.send(drawn(size=(9, 9))).content.decode()

    def test_an_editor_adds_so_many_a_day_and_there_is_so_much_room(self) -> None:
        self.picture()
        with override_settings(PICTURES_A_DAY=1):
            assert "within 24 hours" in self.send(drawn(size=(9, 9))).content.decode()
            assert self.send(drawn(size=(9, 9)), role="curator").status_code == 302
        with override_settings(PICTURES_MB=0):
            assert "no room for more" in self.send(drawn(size=(8, 9))).content.decode()


class AfterwardsTests(Picturing):
    def test_only_editors_see_what_is_not_cleared(self) -> None:
        picture = self.picture(rights="editors-only")
        assert [self.get(picture.small, role).status_code for role in ("", "editor", "contributor")] == [404, 200, 200]
        assert self.get(picture.small, "editor")["Cache-Control"] == "private, no-store"
        pages = [self.clients[role].get(self.record.get_absolute_url()).content.decode() for role in ("", "editor")]
        assert ["picture-1" in page for page in pages] == [False, True]

    def test_a_withdrawn_record_shows_none(self) -> None:
        picture = self.picture()
        Evidence.objects.update(withdrawn_on="2026-01-02", withdrawn_reason="Another's.")
        assert self.get(picture.file).status_code == 404

    def test_rights_are_changed_by_curators_only(self) -> None:
        self.picture()
        edit = NEW.replace("new", "1")
        changed = {**ABOUT, "rights": "cc0", "description": "A plank with fourteen holes."}
        assert self.clients["editor"].post(edit, changed).status_code == 302
        now = Picture.objects.get()
        assert (now.rights, now.description) == ("public-domain", changed["description"])
        assert self.clients["curator"].post(edit, changed).status_code == 302
        assert Picture.objects.get().rights == "cc0"
        assert [one.history_user.username for one in Picture.history.order_by("pk")] == ["editor", "editor", "curator"]

    def test_what_is_taken_down_leaves_a_note(self) -> None:
        picture = self.picture()
        down = NEW.replace("new", "1/take-down")
        assert self.clients["editor"].post(down, {"reason": "Asked for."}).status_code == 403
        with self.captureOnCommitCallbacks(execute=True):
            assert self.clients["curator"].post(down, {"reason": "The museum asked for it."}).status_code == 302
        assert not any(path.exists() for path in picture.paths)
        answer = self.get(picture.file)
        assert answer.status_code == 410
        assert "The museum asked for it." in answer.content.decode()
        page = self.clients[""].get(self.record.get_absolute_url()).content.decode()
        assert "It was taken down: The museum asked for it." in page
        assert "<img" not in page.partition('id="pictures"')[2].partition("</section>")[0]
        again = self.send(drawn(size=(60, 40)))
        assert "was taken down on" in again.content.decode()

    def test_a_history_tells_of_it(self) -> None:
        self.picture()
        page = self.clients[""].get(f"/history/record/{RECORD}/").content.decode()
        assert "Picture 1" in page
        assert "Added in the workshop" in page

    def test_a_dataset_has_only_what_may_be_passed_on(self) -> None:
        free = self.picture()
        self.picture(rights="cc-by-nc-4.0", credit="A museum")
        self.picture(rights="editors-only")
        assert list(shipped_rows(Picture).values_list("number", flat=True)) == [1, 2]
        with a_folder() as place:
            write_pictures(Folder(place))
            assert {path.name for path in place.rglob("*.*")} == {free.file, free.small}

    def test_a_dataset_brings_them_back(self) -> None:
        free = self.picture()
        other = self.picture(rights="permission", credit="A museum")
        with a_folder() as place, a_folder() as elsewhere:
            export(place / "one", "--date", "2026-11-28")
            empty_the_database()
            with override_settings(MEDIA_ROOT=str(elsewhere)):
                load(place / "one")
                assert [one.is_here for one in Picture.objects.order_by("number")] == [True, False]
                page = self.clients[""].get(self.record.get_absolute_url()).content.decode()
                assert free.small in page
                assert "did not let a dataset bring it" in page
                assert self.get(other.file).status_code == 404
            (place / "one" / "pictures" / free.file).write_bytes(b"another")
            sum_again(place / "one")
            empty_the_database()
            with override_settings(MEDIA_ROOT=str(elsewhere)), pytest.raises(CommandError, match="its name stands for"):
                load(place / "one")

    def test_files_that_no_row_names_are_found(self) -> None:
        kept = self.picture()
        self.send(drawn(size=(7, 7)), description="short")
        found = set(pictures.stray_files(0))
        assert found
        assert not found & set(kept.paths)
        assert not set(pictures.stray_files(3_600))


def test_a_form_says_as_much_as_the_settings() -> None:
    from django.conf import settings

    assert (settings.PICTURE_MB, settings.PICTURE_MEGAPIXELS) == (encoding.MEGABYTES, encoding.MEGAPIXELS)
    assert settings.PICTURE_SHOWN_PIXELS == encoding.SHOWN
    assert WrittenAnew.__slots__
