"""Colours that can be told apart: contrast by the formula of WCAG 2."""

from __future__ import annotations

import pytest

from terminal.theme import ALARM, INK, PAPER, Colour, Palette, Theme

LOOKS = [
    Theme(1280, 800, 149.0, four_colours=four, high_contrast=high)
    for four in (False, True)
    for high in (False, True)
]


def contrast(one: Colour, other: Colour) -> float:
    """From 1 (the same) to 21 (black on white)."""

    def light(colour: Colour) -> float:
        channels = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour[:3]]
        return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.fixture(params=[(theme, stale) for theme in LOOKS for stale in (False, True)])
def palette(request: pytest.FixtureRequest) -> Palette:
    theme, stale = request.param
    given: Palette = theme.palette(stale)
    return given


def test_text_is_readable_on_every_ground(palette: Palette) -> None:
    for ground in (palette.ground, palette.bar, palette.zone):
        assert contrast(palette.text, ground) >= 6
        assert contrast(palette.muted, ground) >= 4.5
        assert contrast(palette.disabled, ground) >= 4.0
    assert contrast(palette.on_accent, palette.accent) >= 7
    assert contrast(palette.on_block, palette.block) >= 7
    assert contrast(palette.danger, palette.bar) >= 4.5


def test_cards_are_readable_in_every_state(palette: Palette) -> None:
    assert all(contrast(suit, palette.card) >= 4.5 for suit in palette.suits)
    assert all(contrast(suit, palette.chosen) >= 5 for suit in palette.chosen_suits)
    assert contrast(palette.on_dimmed, palette.dimmed) >= 6
    assert contrast(palette.on_mark, palette.wild_mark) >= 4.5
    assert contrast(palette.on_mark, palette.level_mark) >= 4.5
    assert contrast(palette.card, palette.ground) >= 6


def test_signs_stand_out_from_the_bar(palette: Palette) -> None:
    assert contrast(palette.connected, palette.bar) >= 4.5
    assert contrast(palette.line, palette.ground) >= 3
    assert contrast(palette.strong, palette.zone) >= 4.5


def test_the_alarm_is_readable() -> None:
    assert contrast(INK, PAPER) >= 7 and contrast(ALARM, PAPER) >= 6


def test_text_scale_leaves_card_ranks_and_measures_alone() -> None:
    plain, large = Theme(1280, 800, 149.0), Theme(1280, 800, 149.0, text_scale=1.5)
    assert large.sp(20) == 1.5 * plain.sp(20)
    assert large.dp(57) == plain.dp(57) == 53


def test_a_seven_inch_screen_keeps_its_text_within_bounds() -> None:
    small = Theme(800, 480, 133.0, text_scale=1.5)
    assert small.sp(20) < 1.2 * Theme(800, 480, 133.0).sp(20)
