"""A picture that somebody sent, written anew: only what is to be seen is kept, and nothing of the file itself.

Files of strangers are read by a process of its own, with bounds on memory and time, which imports nothing of this
project: what breaks a decoder, or never ends, breaks that process only. Size and kind are looked at before a pixel is
decoded. Lines and flat colours that came without losses are kept as they are (PNG), all else becomes WebP; beside
either stands a smaller copy for pages. What a camera or a program wrote beside the pixels is left out.
"""

import io
import json
import resource
import subprocess
import sys
import warnings
from dataclasses import dataclass
from typing import Any

MEGABYTES, MEGAPIXELS = 10, 40
LONGEST_SIDE = 16_383  # of what WebP can hold
SHOWN = 1_200  # pixels of the longer side of the smaller copy
FORMATS = ("PNG", "JPEG", "WEBP", "TIFF")
TAKEN = "PNG, JPEG, WebP and TIFF are taken"
OTHERS = {
    b"<svg": "an SVG drawing, which may hold scripts: export it as PNG",
    b"<?xml": "XML, perhaps an SVG drawing: export it as PNG",
    b"GIF8": "a GIF: save it as PNG",
    b"%PDF": "a PDF: save the page as PNG or TIFF",
    b"BM": "a bitmap of Windows: save it as PNG",
    b"<!DOC": "a page of the web, and no picture",
    b"<html": "a page of the web, and no picture",
}
EXACT_COLOURS, EXACT_BYTES = 256, 2 << 20  # the most that is kept without losses
QUALITY, SMALL_QUALITY = 88, 80
MEMORY, SECONDS = 1_500 << 20, 60  # bytes; of processor time, and of time


class PictureProblem(ValueError):
    """The file cannot be taken; the message says what it is and what would be taken."""


@dataclass(frozen=True, slots=True)
class WrittenAnew:
    """whole, small: the bytes of both files; ending: of the name of the first, the second is always WebP"""

    whole: bytes
    small: bytes
    ending: str
    width: int
    height: int


def encode(sent: bytes) -> WrittenAnew:
    """Raises PictureProblem. It decodes here: call `encode_apart` for what strangers send."""
    _check_bytes(sent)
    from PIL import Image, ImageOps

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what is doubtful is refused, or looks as it looks
            with Image.open(io.BytesIO(sent), formats=FORMATS) as opened:
                _check_size(opened)
                opened.load()
                clean = _only_pixels(ImageOps.exif_transpose(opened))
            return _written(clean, opened.format in ("PNG", "TIFF"))
    except PictureProblem:
        raise
    except Image.DecompressionBombError as error:
        raise PictureProblem(f"It has more than {MEGAPIXELS} megapixels, which is the most that is taken.") from error
    except MemoryError as error:
        raise PictureProblem("It takes more memory than a picture may.") from error
    except Exception as error:  # decoders of broken files raise nearly everything
        raise PictureProblem(f"It is no picture that can be read to its end; {TAKEN}.") from error


def _check_bytes(sent: bytes) -> None:
    if not sent:
        raise PictureProblem("The file is empty.")
    if len(sent) > MEGABYTES << 20:
        raise PictureProblem(f"It has {len(sent) / (1 << 20):.1f} MB, and at most {MEGABYTES} are taken.")
    begin = sent[:64].lstrip(b"\xef\xbb\xbf \t\r\n")
    for signature, words in OTHERS.items():
        if begin.lower().startswith(signature.lower()):
            raise PictureProblem(f"It is {words}. {TAKEN}.")


def _check_size(opened: Any) -> None:
    width, height = opened.size
    if width * height > MEGAPIXELS * 1_000_000:
        share = (MEGAPIXELS * 1_000_000 / (width * height)) ** 0.5
        nearest = f"{int(width * share):,} × {int(height * share):,}"
        size = f"{width * height / 1_000_000:.1f} megapixels ({width:,} × {height:,})"
        raise PictureProblem(f"It has {size}, and at most {MEGAPIXELS} are taken: {nearest} would be.")
    if max(width, height) > LONGEST_SIDE:
        raise PictureProblem(f"It is {width:,} × {height:,}, and a side may have {LONGEST_SIDE:,} pixels.")
    if opened.format != "MPO" and getattr(opened, "n_frames", 1) > 1:  # MPO: what phones write beside the photograph
        what = "several pages" if opened.format == "TIFF" else "several pictures that move"
        raise PictureProblem(f"It holds {what}: send one picture.")


def _only_pixels(opened: Any) -> Any:
    """The picture in plain colours, with nothing beside them."""
    from PIL import Image

    if opened.mode.startswith(("I", "F")):  # greys of more than eight bits
        _, most = opened.getextrema()
        deep = opened.convert("F")
        opened = deep.point(lambda value: value * (255 / 65_535) + 0) if most > 255 else deep
        opened = opened.convert("L")
    has_alpha = "transparency" in opened.info or opened.mode in ("RGBA", "LA", "PA", "RGBa", "La")
    mode = "RGBA" if has_alpha else "L" if opened.mode in ("1", "L") else "RGB"
    plain = opened.convert(mode)
    clean = Image.new(mode, plain.size)
    clean.paste(plain)
    return clean


def _written(clean: Any, is_exact: bool) -> WrittenAnew:
    width, height = clean.size
    whole, ending = b"", ""
    if is_exact and clean.getcolors(EXACT_COLOURS):
        whole, ending = _bytes(clean, "PNG", optimize=width * height < 4_000_000), "png"
    if not whole or len(whole) > EXACT_BYTES:
        method = 4 if width * height < 12_000_000 else 1
        whole, ending = _bytes(clean, "WEBP", quality=QUALITY, method=method), "webp"
    small = clean.copy()
    small.thumbnail((SHOWN, SHOWN), reducing_gap=3.0)
    return WrittenAnew(whole, _bytes(small, "WEBP", quality=SMALL_QUALITY, method=4), ending, width, height)


def _bytes(picture: Any, kind: str, **options: Any) -> bytes:
    stream = io.BytesIO()
    picture.save(stream, kind, **options)
    return stream.getvalue()


def encode_apart(sent: bytes) -> WrittenAnew:
    """As `encode`, in a process of its own. Raises PictureProblem, also where that process dies or does not end."""
    _check_bytes(sent)
    command = [sys.executable, "-I", __file__]
    try:
        done = subprocess.run(command, input=sent, capture_output=True, timeout=SECONDS, env={}, check=True)
        header, _, files = done.stdout.partition(b"\n")
        told = json.loads(header)
    except (subprocess.SubprocessError, ValueError) as error:
        raise PictureProblem(f"It could not be read within bounds of memory and time; {TAKEN}.") from error
    if problem := told.get("problem"):
        raise PictureProblem(problem)
    size = told["whole"]
    return WrittenAnew(files[:size], files[size:], told["ending"], told["width"], told["height"])


def main() -> None:
    """The process of its own: a file comes in, and what was made of it goes out, behind a line of JSON."""
    import PIL.Image  # before memory is bounded, since numbers of addresses are, and libraries take many
    import PIL.ImageOps  # noqa: F401

    for bound, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CPU, SECONDS), (resource.RLIMIT_CORE, 0)):
        resource.setrlimit(bound, (most, most))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # it writes no file
    try:
        made = encode(sys.stdin.buffer.read((MEGABYTES << 20) + 1))
    except PictureProblem as problem:
        sys.stdout.write(json.dumps({"problem": str(problem)}) + "\n")
        return
    told = {"whole": len(made.whole), "ending": made.ending, "width": made.width, "height": made.height}
    sys.stdout.buffer.write(json.dumps(told).encode() + b"\n" + made.whole + made.small)


if __name__ == "__main__":
    main()
