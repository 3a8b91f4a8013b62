"""Whether every link of a copy leads somewhere."""

from pathlib import Path
from urllib.parse import unquote, urlsplit

from bs4 import BeautifulSoup


def dead_links(folder: Path, base: str | None = None, *, parts_too: bool = False) -> list[str]:
    """Every link of the copy that leads to no file of it. parts_too: or to a part that its page does not have"""
    parts: dict[Path, set[str]] = {}
    wanted: list[tuple[Path, str, Path, str]] = []
    for file in sorted(folder.rglob("*.html")):
        soup = BeautifulSoup(file.read_text(encoding="utf-8"), "html.parser")
        parts[file] = {str(node["id"]) for node in soup.find_all(id=True)}
        for node in soup.find_all(True):
            for name in ("href", "src", "data", "action", "xlink:href"):
                address = node.get(name)
                if isinstance(address, str) and not urlsplit(address).scheme and not address.startswith("//"):
                    wanted.append((file, address, *_target(folder, file, address, base)))
    return [
        f"{file.relative_to(folder)}: {address}"
        for file, address, target, part in wanted
        if not target.is_file() or (parts_too and part and target in parts and part not in parts[target])
    ]


def _target(folder: Path, file: Path, address: str, base: str | None) -> tuple[Path, str]:
    split = urlsplit(address)
    path = unquote(split.path)
    if not path:
        return file, unquote(split.fragment)
    inside = base is not None and path.startswith("/")
    target = folder / path.removeprefix((base or "").rstrip("/")).lstrip("/") if inside else file.parent / path
    target = Path(f"{target}/index.html") if path.endswith("/") else target
    return Path(*_without_dots(target.parts)), unquote(split.fragment)


def _without_dots(parts: tuple[str, ...]) -> list[str]:
    kept: list[str] = []
    for part in parts:
        if part == "..":
            kept.pop()
        elif part != ".":
            kept.append(part)
    return kept
