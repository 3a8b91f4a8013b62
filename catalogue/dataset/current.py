"""The tables as they stand today, for whoever does not wait for a release: one archive, made as it is sent.

It has no checksums and cannot be cited for good, as a release can: it changes whenever a row does.
"""

import json
import zipfile
from collections.abc import Iterator
from typing import IO, cast

from catalogue.dataset.described import DESCRIPTION, RIGHTS, newest_day, words_of_table
from catalogue.dataset.exporting import lines_of, one_moment, ruleset_files
from catalogue.dataset.tables import tables
from catalogue.dataset.verifying import ZIP_TIME, Pipe

NAME = "evidence-of-traditional-games"


def archive() -> Iterator[bytes]:
    """Every table as CSV, every ruleset as JSON, and what they are."""
    pipe = Pipe()
    with one_moment(), zipfile.ZipFile(cast(IO[bytes], pipe), "w", zipfile.ZIP_DEFLATED) as whole:
        whole.writestr(_inside("README.md"), _readme())
        for table in tables():
            with whole.open(_inside(table.file), "w", force_zip64=True) as target:
                for text in lines_of(table):
                    target.write(text.encode())
            yield pipe.take()
        for path, document in ruleset_files():
            whole.writestr(_inside(path), f"{json.dumps(document, ensure_ascii=False, indent=1)}\n")
            yield pipe.take()
    yield pipe.take()


def _inside(path: str) -> zipfile.ZipInfo:
    inside = zipfile.ZipInfo(f"{NAME}/{path}", ZIP_TIME)
    inside.compress_type = zipfile.ZIP_DEFLATED
    inside.external_attr = 0o644 << 16
    return inside


def _readme() -> str:
    files = "\n".join(f"- `{table.file}`: {words_of_table(table)}" for table in tables())
    day = newest_day()
    return f"""# Evidence of Traditional Games, as of {day.isoformat() if day else "an unknown day"}

{DESCRIPTION}

This is no release: it is what the tables hold on that day, and may be another thing tomorrow.

{files}
- `rulesets/`: the rules of each reading, in the form that the engine plays

{RIGHTS}
"""
