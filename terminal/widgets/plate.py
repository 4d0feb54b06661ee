"""The plate of a player: seat, name, how one stands to it, announced count, time."""

from __future__ import annotations

from terminal.layout import Rect
from terminal.picture.records import PlateFace
from terminal.theme import Colour, Palette, Theme, Type
from terminal.widgets import ink
from terminal.widgets.brush import LEAST_NAME, Brush
from terminal.widgets.pane import Pane

_LEAST_SECOND = 0.9
"""The second line shrinks so far before it says less."""


class Plate(Pane):
    """Shows a ``PlateFace``."""

    def paint(self, brush: Brush) -> None:
        """Draws the plate."""
        draw_plate(brush, self.face, self.rect, self.theme, self.palette)


def draw_plate(brush: Brush, face: PlateFace, rect: Rect, theme: Theme, palette: Palette) -> None:
    """Own side: white border and block. To act: filled amber."""
    fill = palette.accent if face.acting else palette.bar
    text = palette.on_accent if face.acting else palette.text
    border = palette.strong if face.own_side else palette.line
    line = max(1, theme.dp(2))
    brush.box(rect, fill, palette.accent if face.acting else border, line, theme.dp(8))
    block = rect.inset(line * 2).from_left(min(rect.h * 0.88, theme.dp(56)) - line)
    _seat(brush, face, block, theme, palette)
    rest = Rect(block.right, rect.y, rect.right - block.right - theme.dp(6), rect.h)
    rest = _right_end(brush, face, rest, theme, palette)
    _names(brush, face, rest.inset(theme.dp(8), 0), theme, text, text if face.acting else palette.muted)


def _seat(brush: Brush, face: PlateFace, block: Rect, theme: Theme, palette: Palette) -> None:
    colour = palette.on_accent if face.acting else palette.text
    if face.own_side:
        brush.fill(block, palette.block, theme.dp(5))
        colour = palette.on_block
    size = min(theme.sp(Type.HEADING), block.h * 0.62)
    brush.text(face.seat, block, size, colour, bold=True, align="center")


def _right_end(brush: Brush, face: PlateFace, rest: Rect, theme: Theme, palette: Palette) -> Rect:
    """The chip and the seconds at the right end; what is left for the names."""
    if face.chip:
        size = min(theme.sp(Type.BODY if face.seconds is None else Type.CAPTION), rest.h * 0.55)
        width = ink.line(face.chip, size, bold=True).width + 2 * theme.dp(9)
        chip = rest.inset(0, theme.dp(5)).from_right(width)
        brush.fill(chip, palette.block, theme.dp(6))
        brush.text(face.chip, chip, size, palette.on_block, bold=True, align="center")
        rest = Rect(rest.x, rest.y, rest.w - width - theme.dp(8), rest.h)
    if face.seconds is not None:
        size = min(theme.sp(Type.PLAY), rest.h * 0.7)
        width = ink.line("00", size, bold=True).width
        colour = palette.on_accent if face.acting else palette.text
        brush.text(str(face.seconds), rest.from_right(width), size, colour, bold=True, align="right")
        rest = Rect(rest.x, rest.y, rest.w - width - theme.dp(4), rest.h)
    return rest


def _names(brush: Brush, face: PlateFace, room: Rect, theme: Theme, text: Colour, muted: Colour) -> None:
    name, second = theme.sp(Type.BUTTON), theme.sp(Type.CAPTION)
    if not theme.tight:
        name, second = min(name, room.h * 0.44), min(second, room.h * 0.34)
        upper, lower = room.from_top(room.h * 0.54, room.h * 0.04), room.from_top(room.h * 0.4, room.h * 0.55)
        brush.text(face.name, upper, name, text, bold=True, least=LEAST_NAME)
        stands = _fitting(face, second, lower.w / _LEAST_SECOND) or face.second
        brush.text(stands, lower, second, muted, least=LEAST_NAME)
        return
    at = brush.text(face.name, room, min(name, room.h * 0.6), text, bold=True, least=LEAST_NAME)
    left = Rect(at.right + theme.dp(8), room.y, room.right - at.right - theme.dp(8), room.h)
    brush.text(_fitting(face, second, left.w), left, second, muted)


def _fitting(face: PlateFace, size: float, width: float) -> str:
    """How one stands to the player, in as many words as there is room for."""
    return next((text for text in (face.second, face.brief) if ink.line(text, size).width <= width), "")
