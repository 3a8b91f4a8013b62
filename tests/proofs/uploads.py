"""The proof that whatever is sent as a picture is taken or refused: nothing fails, hangs, or fills the memory.

    make proof-uploads
    python -m tests.proofs.uploads [mutated] [bombs] [drawings] [--number N] [--seed N]

mutated:  10,000 pictures of every kind, spoilt, read in one process whose memory is bounded as that of the site's is
bombs:    files that say, or hold, far more than they weigh, each read as the site reads them
drawings: SVG with scripts and files that are two things at once; none of their words is in what is written
"""

import argparse
import collections
import io
import multiprocessing
import os
import random
import resource
import signal
import struct
import sys
import time
import zlib
from collections.abc import Callable, Iterator

from PIL import Image

from catalogue.workshop.encoding import MEMORY, SHOWN, PictureProblem, WrittenAnew, encode, encode_apart

SECONDS = 20  # for one picture
Bombs = dict[str, bytes]


def _saved(kind: str, mode: str = "RGB", size: tuple[int, int] = (48, 36), **options: object) -> bytes:
    stream = io.BytesIO()
    Image.linear_gradient("L").resize(size).convert(mode).save(stream, kind, **options)
    return stream.getvalue()


def _moving(kind: str) -> bytes:
    stream = io.BytesIO()
    frames = [Image.new("RGB", (12, 9), colour) for colour in ("red", "green", "blue")]
    frames[0].save(stream, kind, save_all=True, append_images=frames[1:])
    return stream.getvalue()


SEEDS = (
    *(_saved("PNG", mode) for mode in ("1", "L", "P", "RGB", "RGBA", "LA")),
    *(_saved("JPEG", mode) for mode in ("L", "RGB", "CMYK")),
    _saved("JPEG", progressive=True, optimize=True, icc_profile=b"profile" * 30, comment=b"words"),
    *(_saved("WEBP", mode) for mode in ("RGB", "RGBA")),
    _saved("WEBP", lossless=True, exif=b"Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x00"),
    *(_saved("TIFF", compression=name) for name in ("raw", "tiff_lzw", "tiff_adobe_deflate", "packbits", "jpeg")),
    _saved("TIFF", "1", compression="group4"),
    *map(_moving, ("PNG", "WEBP", "TIFF")),
)


def mutated(seed: bytes, draw: random.Random) -> bytes:
    """A picture with a few bytes, numbers or stretches of it changed; the checksums of a PNG are put right half the
    time, so that what stands behind them is read."""
    data = bytearray(seed)
    for _ in range(draw.choice((1, 1, 2, 4, 16))):
        place = draw.randrange(len(data))
        kind = draw.randrange(6)
        if kind == 0:
            data[place] ^= 1 << draw.randrange(8)
        elif kind == 1:
            data[place : place + 4] = struct.pack(draw.choice("<>") + "I", draw.choice((0, 1, 0x7FFFFFFF, 0xFFFFFFFF)))
        elif kind == 2:
            del data[place : place + draw.randrange(1, 40)]
        elif kind == 3:
            data[place:place] = draw.randbytes(draw.randrange(1, 40))
        elif kind == 4:
            other = draw.randrange(len(data))
            data[place : place + 20] = data[other : other + 20]
        else:
            data = data[: max(8, place)]
        if not data:
            return b"\x00"
    return with_checksums(bytes(data)) if draw.random() < 0.5 else bytes(data)


def with_checksums(data: bytes) -> bytes:
    if not data.startswith(b"\x89PNG"):
        return data
    parts, place = [data[:8]], 8
    while place + 8 <= len(data):
        (length,) = struct.unpack(">I", data[place : place + 4])
        body = data[place + 4 : place + 8 + length]
        if length > len(data) or len(body) < 4 + length:
            break
        parts.append(data[place : place + 4] + body + struct.pack(">I", zlib.crc32(body)))
        place += 12 + length
    return b"".join([*parts, data[place:]])


def attempt(data: bytes, read: Callable[[bytes], WrittenAnew] = encode) -> str:
    """Say whether a file was taken; what was written is a plain picture of the size that is told of it."""
    try:
        made = read(data)
    except PictureProblem:
        return "refused"
    with Image.open(io.BytesIO(made.whole)) as whole, Image.open(io.BytesIO(made.small)) as small:
        assert whole.format == {"png": "PNG", "webp": "WEBP"}[made.ending]
        assert small.format == "WEBP"
        assert whole.size == (made.width, made.height)
        assert max(small.size) <= SHOWN
        for one in (whole, small):
            one.load()
            assert not set(one.info) & {"exif", "icc_profile", "xmp", "comment", "Comment"}, one.info
    return "taken"


def _bounded(jobs: "multiprocessing.SimpleQueue[int]", seed: int, number: int) -> None:
    """Read all pictures in this process; its end without an answer is the failure of the last one."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())  # what libraries say of each
    found: collections.Counter[str] = collections.Counter()
    slowest = 0.0
    for place in range(number):
        draw = random.Random(f"{seed}/{place}")
        data = mutated(SEEDS[place % len(SEEDS)], draw)
        jobs.put(place)
        signal.alarm(SECONDS)
        begun = time.perf_counter()
        found[attempt(data)] += 1
        slowest = max(slowest, time.perf_counter() - begun)
        signal.alarm(0)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    sys.stdout.write(f"mutated: {dict(found)}, the slowest {slowest:.2f} s, at most {most} MB\n")


def of_mutated(seed: int, number: int) -> bool:
    context = multiprocessing.get_context("fork")
    jobs: multiprocessing.SimpleQueue[int] = context.SimpleQueue()
    process = context.Process(target=_bounded, args=(jobs, seed, number))
    process.start()
    last = -1
    while process.is_alive() or not jobs.empty():
        while not jobs.empty():
            last = jobs.get()
        process.join(0.05)
    if process.exitcode:
        sys.stdout.write(f"mutated: number {last} of seed {seed} ended the process ({process.exitcode})\n")
    return process.exitcode == 0


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _png(width: int, height: int, *, rows: int = 0, extra: bytes = b"") -> bytes:
    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    packed = zlib.compress(bytes((width // 8 + 2) * rows) or b"\x00", 9)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        (_chunk(b"IHDR", head), extra, _chunk(b"IDAT", packed), _chunk(b"IEND", b""))
    )


def _webp_canvas() -> bytes:
    """Says that it is 16,383 on a side, and holds a pixel."""
    inner = _saved("WEBP", "RGB", (1, 1))[12:]
    size = (16_382).to_bytes(3, "little")
    body = b"WEBPVP8X" + struct.pack("<I", 10) + b"\x02\x00\x00\x00" + size + size + inner
    return b"RIFF" + struct.pack("<I", len(body)) + body


def _tiff(width: int, height: int) -> bytes:
    data = zlib.compress(bytes(1_000_000), 9)
    entries = [
        (256, 4, 1, width), (257, 4, 1, height), (258, 3, 1, 8), (259, 3, 1, 8), (262, 3, 1, 1),
        (273, 4, 1, 8 + 2 + 9 * 12 + 4), (277, 3, 1, 1), (278, 4, 1, height), (279, 4, 1, len(data)),
    ]  # fmt: skip
    rows = b"".join(struct.pack("<HHII", *entry) for entry in entries)
    return b"II*\x00" + struct.pack("<I", 8) + struct.pack("<H", len(entries)) + rows + bytes(4) + data


def bombs() -> Bombs:
    words = zlib.compress(bytes(200_000_000), 9)
    return {
        "PNG of 40,000 megapixels": _png(200_000, 200_000),
        "PNG of 100 megapixels, whole": _png(10_000, 10_000, rows=10_000),
        "PNG with 200 MB of words": _png(8, 8, rows=8, extra=_chunk(b"zTXt", b"Comment\x00\x00" + words)),
        "PNG with a profile of 200 MB": _png(8, 8, rows=8, extra=_chunk(b"iCCP", b"profile\x00\x00" + words)),
        "WebP with a canvas of 268 megapixels": _webp_canvas(),
        "TIFF of 10,000 megapixels": _tiff(100_000, 100_000),
        "TIFF of 39 megapixels that has one": _tiff(6_500, 6_000),
        "JPEG of 4,300 megapixels": _saved("JPEG").replace(
            struct.pack(">HH", 36, 48), struct.pack(">HH", 65_500, 65_500)
        ),
        "PNG of 39 megapixels, whole": _png(6_500, 6_000, rows=6_000),
        "10 MB of noise": random.Random(1).randbytes(10 << 20),
        "11 MB": bytes(11 << 20),
    }


HARMLESS = ("PNG of 39 megapixels, whole",)  # and therefore taken


def of_bombs() -> bool:
    is_well = True
    for name, data in bombs().items():
        begun = time.perf_counter()
        answer = attempt(data, encode_apart)
        took = time.perf_counter() - begun
        is_well &= took < SECONDS and (answer == "taken") == (name in HARMLESS)
        sys.stdout.write(f"bombs: {name} ({len(data):,} bytes): {answer} in {took:.1f} s\n")
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    sys.stdout.write(f"bombs: at most {most} MB in a process of its own\n")
    return is_well and most < MEMORY >> 20


SCRIPT = b"alert(document.cookie)"


def drawings() -> Iterator[bytes]:
    """SVG with scripts, as it is and behind other beginnings; pictures that hold a page of the web."""
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" onload="' + SCRIPT + b'"><script>' + SCRIPT + b"</script></svg>"
    yield from (
        svg,
        b"\xef\xbb\xbf" + svg,
        b"\n \t" + svg,
        b'<?xml version="1.0"?>' + svg,
        svg.upper(),
        b"<!--x-->" + svg,
    )
    yield b"<!DOCTYPE svg [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>" + svg
    for seed in SEEDS:
        yield seed + svg
        yield seed[:2] + svg + seed[2:]
    yield _saved("JPEG", comment=svg)
    yield _saved("PNG", size=(8, 8)).replace(b"IEND", b"IEND" + svg)


def of_drawings() -> bool:
    found: collections.Counter[str] = collections.Counter()
    for data in drawings():
        found[attempt(data)] += 1
        try:
            made = encode(data)
        except PictureProblem:
            continue
        if any(part in file for file in (made.whole, made.small) for part in (SCRIPT, b"<svg", b"script")):
            return False
    sys.stdout.write(f"drawings: {dict(found)}, and no script in what is written\n")
    return True


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="uploads")
    parser.add_argument("parts", nargs="*", choices=["mutated", "bombs", "drawings"], default=[])
    parser.add_argument("--number", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(words)
    parts = {"drawings": of_drawings, "bombs": of_bombs, "mutated": lambda: of_mutated(asked.seed, asked.number)}
    wrong = [name for name, part in parts.items() if (not asked.parts or name in asked.parts) and not part()]
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
