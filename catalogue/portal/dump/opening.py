"""The text of a dump, bit by bit: plain, or compressed with gzip or as the only file of a zip archive.

Nothing is unpacked to the disk, so no name within an archive can lead anywhere; what comes out is counted.
"""

import codecs
import contextlib
import gzip
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from catalogue.portal.dump.limits import MOST_BYTES, MOST_EXPANSION, NoDump

AT_ONCE = 2**18
ALWAYS_ALLOWED = 2**20  # bytes that a small compressed file may become, whatever its size
OTHER_ENCODINGS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)


def text_of(path: Path) -> Iterator[str]:
    """Raises NoDump if it is no text in UTF-8, or too much of it; OSError if it cannot be read."""
    if path.is_dir() or (path.exists() and not path.is_file()):
        raise NoDump("it is no file")
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    read, lines = 0, 1
    with _opened(path) as file:
        for some in _bytes(file, path):
            if not read:
                _refuse_other_encodings(some)
            try:
                text = decoder.decode(some)
            except UnicodeDecodeError as problem:
                raise NoDump(_wrong_byte(problem, read, lines)) from None
            read += len(some)
            lines += text.count("\n")
            if "\0" in text:
                raise NoDump(f"it is no text: there is a zero byte in or after line {lines - text.count(chr(10))}")
            yield text
    if decoder.getstate()[0]:
        raise NoDump("it breaks off within a character")


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    with path.open("rb") as file:
        begin = file.read(4)
        file.seek(0)
        if begin.startswith(b"\x1f\x8b"):
            with gzip.open(file) as unpacked:
                yield unpacked  # type: ignore[misc]
        elif begin.startswith(b"PK\x03\x04"):
            with _only_member(file) as unpacked:
                yield unpacked
        else:
            yield file


@contextlib.contextmanager
def _only_member(file: IO[bytes]) -> Iterator[IO[bytes]]:
    try:
        archive = zipfile.ZipFile(file)
        members = [one for one in archive.infolist() if not one.is_dir()]
        if len(members) != 1:
            raise NoDump(f"the archive holds {len(members)} files; it has to hold the dump and nothing else")
        unpacked = archive.open(members[0])
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError) as problem:
        raise NoDump(f"the archive cannot be unpacked: {problem}") from problem
    with archive, unpacked:
        yield unpacked


def _bytes(file: IO[bytes], path: Path) -> Iterator[bytes]:
    packed = path.stat().st_size
    compressed = isinstance(file, (gzip.GzipFile, zipfile.ZipExtFile))
    allowed = min(MOST_BYTES, max(ALWAYS_ALLOWED, packed * MOST_EXPANSION)) if compressed else MOST_BYTES
    size = 0
    try:
        while some := file.read(AT_ONCE):
            size += len(some)
            if size > allowed:
                raise NoDump(
                    f"it is more than {MOST_BYTES / 2**20:,.0f} MB of text"
                    if allowed == MOST_BYTES
                    else f"it would become more than {MOST_EXPANSION} times as large when it is decompressed"
                )
            yield some
    except (EOFError, zlib.error, gzip.BadGzipFile, zipfile.BadZipFile, RuntimeError) as problem:
        raise NoDump(f"it cannot be decompressed: {problem}") from problem


def _refuse_other_encodings(begin: bytes) -> None:
    for mark, name in OTHER_ENCODINGS:
        if begin.startswith(mark):
            raise NoDump(f"it is encoded as {name}; export it as UTF-8 (utf8mb4)")


def _wrong_byte(problem: UnicodeDecodeError, read: int, lines: int) -> str:
    # The decoder may have kept some bytes of the last read, which stand at the front of what it complains of.
    wrong = problem.object[problem.start]
    line = lines + problem.object.count(b"\n", 0, problem.start)
    return f"byte {wrong:#04x} in line {line} is not UTF-8; export the dump as UTF-8 (utf8mb4), not as latin1"
