"""How templates are written: lines that a reader sees whole."""

from pathlib import Path

import pytest

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
LONGEST_LINE = 160


def too_long(template: Path) -> list[str]:
    """Lines that can be broken but were not: a table row of Markdown and an address cannot."""
    markdown = template.suffix == ".md"
    lines = enumerate(template.read_text(encoding="utf-8").splitlines(), 1)
    return [
        f"{template.relative_to(TEMPLATES)}:{number} has {len(line)} characters"
        for number, line in lines
        if len(line) > LONGEST_LINE and not (markdown and (line.startswith("|") or "://" in line))
    ]


@pytest.mark.parametrize("suffix", ["html", "md"])
def test_no_line_is_too_long(suffix: str) -> None:
    templates = sorted(TEMPLATES.rglob(f"*.{suffix}"))
    assert templates
    assert [line for template in templates for line in too_long(template)] == []


def test_a_long_line_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.TEMPLATES", tmp_path)
    page, prose = tmp_path / "page.html", tmp_path / "prose.md"
    page.write_text("x" * 161)
    prose.write_text("| " + "x" * 160 + " |\n" + "x" * 161 + "\n<https://example.org/" + "x" * 160 + ">\n")
    assert too_long(page) == ["page.html:1 has 161 characters"]
    assert too_long(prose) == ["prose.md:2 has 161 characters"]
