"""manage.py subset_fonts FOLDER: the typefaces of the site, cut down to its letters, from the packages they come in.

FOLDER holds what Debian's packages `fonts-sil-gentiumplus` and `fonts-inter` install (or `dpkg -x` unpacks). What is
written is committed, so that nobody needs this to run the site. Under the Open Font License a changed typeface must not
bear a reserved name: the cut ones are called Edition Serif and Edition Sans.
"""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

# Latin with all accents; ǣ; combining marks above and below, for n̆ and m̐; signs of texts and of figures.
LETTERS = (
    *range(0x20, 0x7F), *range(0xA0, 0x180), 0x192, *range(0x1CD, 0x1EA), *range(0x218, 0x21C), *range(0x2B0, 0x2DE),
    *range(0x300, 0x333), *range(0x1E00, 0x1F00), *range(0x2010, 0x2028), *range(0x2030, 0x203B), 0x2044, 0x2070,
    *range(0x2074, 0x208F), *range(0x2190, 0x2194), 0x2212, 0x2248, 0x2260, 0x2264, 0x2265, 0x25CC,
)  # fmt: skip
FEATURES = ("kern", "liga", "mark", "mkmk", "ccmp", "locl", "tnum", "lnum", "onum")
FACES = {
    "serif": ("GentiumPlus-Regular.ttf", "Edition Serif", "Regular"),
    "serif-italic": ("GentiumPlus-Italic.ttf", "Edition Serif", "Italic"),
    "serif-bold": ("GentiumPlus-Bold.ttf", "Edition Serif", "Bold"),
    "sans": ("Inter-Regular.otf", "Edition Sans", "Regular"),
    "sans-bold": ("Inter-SemiBold.otf", "Edition Sans", "SemiBold"),
}
IN_PICTURES, PICTURES = ("serif-bold", "sans", "sans-bold"), Path(settings.BASE_DIR) / "catalogue" / "web" / "typefaces"
LICENCES = {"serif": "fonts-sil-gentiumplus", "sans": "fonts-inter"}
NAMED = {1: "{family}", 2: "{style}", 3: "{family} {style}", 4: "{family} {style}", 6: "{postscript}", 16: "{family}",
         17: "{style}"}  # fmt: skip


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, metavar="FOLDER", help="for example / or where a package was unpacked")
        written = Path(settings.BASE_DIR) / "catalogue" / "static" / "catalogue" / "fonts"
        parser.add_argument("--to", type=Path, default=written, help="where the files are written")

    def handle(self, *, folder: Path, to: Path, **_: Any) -> None:
        fonts, papers = folder / "usr" / "share" / "fonts", folder / "usr" / "share" / "doc"
        to.mkdir(parents=True, exist_ok=True)
        for name, (file, family, style) in FACES.items():
            face = next(fonts.rglob(file), None)
            if face is None:
                raise CommandError(f"There is no {file} below {fonts}. Install {' and '.join(LICENCES.values())}.")
            cut(face, to / f"{name}.woff2", family, style)
        for name in IN_PICTURES:
            uncompressed(to / f"{name}.woff2", PICTURES / f"{name}.ttf")
        for name, package in LICENCES.items():
            text = (papers / package / "copyright").read_text(encoding="utf-8")
            (to / f"{name}.LICENCE.txt").write_text(text, encoding="utf-8")
        for path in sorted(to.iterdir()):
            self.stdout.write(f"{path.name}: {path.stat().st_size:,} bytes")


def uncompressed(face: Path, to: Path) -> None:
    """Write a face of the site once more, as the renderer of pictures reads it."""
    from fontTools.ttLib import TTFont  # here: only who cuts typefaces needs it

    font = TTFont(face, recalcTimestamp=False)
    font.flavor = None
    font.save(to)


def cut(face: Path, to: Path, family: str, style: str) -> None:
    """Write a face with the letters of the site alone, under another name."""
    from fontTools import subset  # here: only who cuts typefaces needs it

    options = subset.Options(layout_features=list(FEATURES), flavor="woff2", hinting=False, name_IDs=["*"])
    font = subset.load_font(str(face), options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=LETTERS)
    cutter.subset(font)
    words = {"family": family, "style": style, "postscript": f"{family}-{style}".replace(" ", "")}
    for record in font["name"].names:
        if record.nameID in NAMED:
            record.string = NAMED[record.nameID].format_map(words)
    font["head"].modified = font["head"].created  # the same input gives the same bytes
    font.recalcTimestamp = False
    subset.save_font(font, str(to), options)
