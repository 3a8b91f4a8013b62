"""Colours of the style sheet: text can be read on every ground it stands on, in light and dark (WCAG 2.2, 1.4.3)."""

import pytest

from catalogue.pages.site import colours

TEXT_ON_GROUND = [
    (text, ground)
    for text in ("ink", "soft", "accent", "good", "warn")
    for ground in ("paper", "leaf", "sunk", "warn-soft", "accent-soft")
    if (text, ground) not in {("soft", "accent-soft"), ("good", "warn-soft"), ("good", "accent-soft")}  # never together
] + [("paper", "accent")]


def palette_of(scheme: str) -> dict[str, str]:
    return {colour.name: getattr(colour, scheme) for colour in colours()}


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2.2 defines it."""
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_that_of_the_standard() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)  # the well-known grey that just fails


def test_text_can_be_read() -> None:
    for text, ground in TEXT_ON_GROUND:
        for scheme in ["light", "dark"]:
            palette = palette_of(scheme)
            assert contrast(palette[text], palette[ground]) >= 4.5, (text, ground, scheme)
