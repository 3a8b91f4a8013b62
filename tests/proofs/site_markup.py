"""Every type of page and every record before the Nu Html Checker, which is the validator of the W3C.

It comes from the npm registry when the proof is run (`npm pack vnu-jar`) and needs Java.
"""

import json
import subprocess
import tarfile
import tempfile
from collections import defaultdict
from pathlib import Path

from tests.proofs.running import Figures, demand
from tests.proofs.site_pages import Site

CHECKER = "vnu-jar@26"


def markup(site: Site) -> Figures:
    """Of each page what the checker calls an error: a sentence, and what stands there."""
    with tempfile.TemporaryDirectory() as folder:
        files = {}
        for place, (name, address) in enumerate(site.pages.items()):
            file = Path(folder) / f"{place}.html"
            file.write_bytes(site.answer(address)[2])
            files[file.as_uri()] = name
        found = defaultdict(list)
        for one in _messages(Path(folder)):
            if one["type"] == "error":
                found[files[one["url"].replace("file:/", "file:///", 1)]].append(f"{one['message']} {one['extract']}")
    figures = {"pages": len(files), "errors": dict(found)}
    demand(not found, json.dumps(found, ensure_ascii=False), figures)
    return figures


def _messages(folder: Path) -> list[dict[str, str]]:
    subprocess.run(["npm", "pack", "--silent", CHECKER], cwd=folder, check=True, capture_output=True, timeout=300)
    (archive,) = folder.glob("*.tgz")
    with tarfile.open(archive) as files:
        files.extract("package/build/dist/vnu.jar", folder, filter="data")
    words = ["java", "-jar", "package/build/dist/vnu.jar", "--format", "json", "--skip-non-html", "--exit-zero-always"]
    pages = sorted(one.name for one in folder.glob("*.html"))
    done = subprocess.run([*words, *pages], cwd=folder, capture_output=True, text=True, timeout=600)
    messages: list[dict[str, str]] = json.loads(done.stderr)["messages"]
    return messages
