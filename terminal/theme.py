"""Looks of the seat screen: every colour, measure and type size, and nothing else. No Kivy.

Measures are dp (1/160 inch, 0.159 mm), type sizes sp (dp times the text scale); ``Theme`` turns
both into pixels of one screen. Contrast of the colours was measured against their grounds: text
has at least 4.1, most of it more than 7.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from typing import Final, TypeAlias

Colour: TypeAlias = tuple[float, float, float, float]


def colour(text: str) -> Colour:
    """Red, green, blue, alpha (0–1) of ``#RRGGBB``."""
    red, green, blue = (int(text[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return (red, green, blue, 1.0)


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours by the part they play."""

    ground: Colour
    bar: Colour
    zone: Colour
    text: Colour
    muted: Colour
    line: Colour
    strong: Colour
    """Borders that carry meaning: own side, controls, panels."""
    block: Colour
    on_block: Colour
    """White blocks: own side's seat, level of the deal, announced count."""
    accent: Colour
    on_accent: Colour
    """Only for: your turn, your next commit, chosen cards."""
    disabled: Colour
    danger: Colour
    connected: Colour
    card: Colour
    card_edge: Colour
    chosen: Colour
    suits: tuple[Colour, Colour, Colour, Colour]
    """♠ ♥ ♣ ♦ on a card; the jokers take those of ♥ (big) and ♠ (small)."""
    chosen_suits: tuple[Colour, Colour, Colour, Colour]
    """The same on a chosen card, which keeps its colours also when the table is grey."""
    level_mark: Colour
    wild_mark: Colour
    on_mark: Colour
    back: Colour
    dimmed: Colour
    on_dimmed: Colour
    dimmed_mark: Colour


_SPADE, _HEART, _CLUB, _DIAMOND = (colour(c) for c in ("#15181C", "#C4122F", "#0A6B3B", "#0B57B7"))
TWO_COLOURS: Final = (_SPADE, _HEART, _SPADE, _HEART)
FOUR_COLOURS: Final = (_SPADE, _HEART, _CLUB, _DIAMOND)

LIVE: Final = Palette(
    ground=colour("#12332A"),
    bar=colour("#0A1F19"),
    zone=colour("#1B463A"),
    text=colour("#F5F7F2"),
    muted=colour("#BBCFC5"),
    line=colour("#5A8B79"),
    strong=colour("#F5F7F2"),
    block=colour("#F5F7F2"),
    on_block=colour("#0A1F19"),
    accent=colour("#FFC93C"),
    on_accent=colour("#1C1600"),
    disabled=colour("#8FA79C"),
    danger=colour("#FF9A8B"),
    connected=colour("#5BE08C"),
    card=colour("#FFFFFF"),
    card_edge=colour("#7A857F"),
    chosen=colour("#FFF3CC"),
    suits=TWO_COLOURS,
    chosen_suits=TWO_COLOURS,
    level_mark=colour("#1F3A5F"),
    wild_mark=colour("#B3122C"),
    on_mark=colour("#FFFFFF"),
    back=colour("#2B5A7E"),
    dimmed=colour("#A9B8B1"),
    on_dimmed=colour("#26302C"),
    dimmed_mark=colour("#55605B"),
)

_STALE_TEXT, _STALE_FACE = colour("#C9CECB"), colour("#4A5350")

STALE: Final = Palette(
    ground=colour("#2E3533"),
    bar=colour("#1D2221"),
    zone=colour("#39413F"),
    text=_STALE_TEXT,
    muted=colour("#B4BBB7"),
    line=colour("#7B8581"),
    strong=colour("#AEB6B2"),
    block=colour("#AEB9B3"),
    on_block=colour("#1D2221"),
    accent=colour("#AEB9B3"),
    on_accent=colour("#1D2221"),
    disabled=colour("#9EA8A3"),
    danger=colour("#FF9A8B"),
    connected=colour("#5BE08C"),
    card=_STALE_TEXT,
    card_edge=colour("#7A857F"),
    chosen=colour("#EFEDE3"),
    suits=(_STALE_FACE,) * 4,
    chosen_suits=TWO_COLOURS,
    level_mark=colour("#5C6561"),
    wild_mark=colour("#5C6561"),
    on_mark=colour("#F5F7F2"),
    back=colour("#5C6561"),
    dimmed=colour("#A9B8B1"),
    on_dimmed=colour("#26302C"),
    dimmed_mark=colour("#55605B"),
)

PAPER: Final = colour("#FFFFFF")
"""Ground of the panel that says what is wrong with the connection; ``INK`` is its text."""
INK: Final = colour("#15181C")
ALARM: Final = colour("#B3122C")


class Type(float, Enum):
    """Type sizes in sp by role."""

    CAPTION = 20.0
    BODY = 24.0
    BUTTON = 27.0
    HEADING = 32.0
    PLAY = 37.0
    TITLE = 80.0


_MOST_ON_TIGHT: Final = 1.15
"""Text scale at which a 7" screen is full."""

MM_TARGET: Final = 57
"""dp of 9 mm: the smallest comfortable target."""


def dpi_of(width: int, height: int) -> float:
    """Dots per inch of the known panels of that size, 149 for any other.

    800×480 and 1024×600 are 7" screens, 720×1280 a 7" one upright, 1280×800 a 10.1" one.
    """
    known = {(800, 480): 133.0, (1024, 600): 170.0, (720, 1280): 210.0}
    return known.get((width, height), 149.0)


@dataclass(frozen=True)
class Theme:
    """Looks for one screen: pixels, dots per inch, text scale (1.0, 1.25, 1.5)."""

    width: int
    height: int
    dpi: float
    text_scale: float = 1.0
    four_colours: bool = False
    high_contrast: bool = False
    left_handed: bool = False
    """Mirrors the action bar, and nothing else."""
    movement: bool = False
    """Cards glide; without it they are at once where they belong."""

    @cached_property
    def density(self) -> float:
        """Pixels of one dp."""
        return self.dpi / 160

    @cached_property
    def compact(self) -> bool:
        """Whether the three other seats stand in a row: small screens, enlarged text."""
        return self.width / self.density < 1100 or self.text_scale > 1.0

    @cached_property
    def tight(self) -> bool:
        """Whether nothing is to spare: the small screens."""
        return self.height / self.density < 640

    def dp(self, measure: float) -> int:
        """Whole pixels of a measure."""
        return round(measure * self.density)

    def sp(self, role: float) -> float:
        """Pixels of a type size. Small screens have no room for much larger text."""
        scale = min(self.text_scale, _MOST_ON_TIGHT) if self.tight else self.text_scale
        return float(role) * self.density * scale

    def palette(self, stale: bool) -> Palette:
        """Colours now."""
        palette = STALE if stale else LIVE
        if self.high_contrast:
            palette = _contrasting(palette)
        if self.four_colours:
            suits = palette.suits if stale else FOUR_COLOURS
            palette = replace(palette, suits=suits, chosen_suits=FOUR_COLOURS)
        return palette


def _contrasting(palette: Palette) -> Palette:
    """Black grounds, white lines, no muted text."""
    black, white = colour("#000000"), colour("#FFFFFF")
    return replace(palette, ground=black, bar=black, zone=black, text=white, muted=white, line=white)
