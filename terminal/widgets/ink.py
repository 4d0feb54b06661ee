"""Lines of text as textures: white, to be tinted, cached by text and size.

The font has one weight. Bold text is drawn at twice its size with an outline of its own colour
and shown at half size, which gives the even weight that a bold face would have.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from kivy.core.text import Label
from kivy.graphics.texture import Texture

_BOLD = 0.055
"""Outline of bold text by its size, at twice the size."""
_LEAST_BOLD = 15.0
"""Pixels."""
SINK = 0.06
"""By size: how far the middle of the characters lies below the middle of the texture."""


class Line(NamedTuple):
    """A line of text: its texture and the pixels that it takes on the screen."""

    texture: Texture
    width: float
    height: float


def line(text: str, size: float, bold: bool = False) -> Line:
    """The text in white. Very small text is never bold: its strokes would run together."""
    return _line(text, round(size * 2), bold and size >= _LEAST_BOLD)


@lru_cache(maxsize=400)
def _line(text: str, half_pixels: int, bold: bool) -> Line:
    if not bold:
        label = Label(text=text, font_size=half_pixels / 2)
        label.refresh()
        return Line(label.texture, label.texture.width, label.texture.height)
    outline = max(1, round(half_pixels / 2 * _BOLD))
    label = Label(text=text, font_size=half_pixels, outline_width=outline, outline_color=(1, 1, 1, 1))
    label.refresh()
    return Line(label.texture, label.texture.width / 2, label.texture.height / 2)
