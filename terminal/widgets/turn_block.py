"""Whose turn it is: a filled block with the own clock, or a quiet line. And where the bar at the edge is."""

from __future__ import annotations

from terminal.layout import Rect, edge_height
from terminal.picture.records import TurnFace
from terminal.theme import Colour, Palette, Theme, Type
from terminal.widgets import ink
from terminal.widgets.brush import LEAST_SENTENCE, Brush, Run
from terminal.widgets.note_lines import draw_note
from terminal.widgets.pane import Pane
from terminal.wording import Note


class TurnBlock(Pane):
    """Shows a ``TurnFace`` in the middle of the table (wide screens)."""

    def paint(self, brush: Brush) -> None:
        """Filled amber if it is one's own turn."""
        if not self.face.yours:
            self._quiet(brush)
            return
        theme, palette = self.theme, self.palette
        brush.fill(self.rect, palette.accent, theme.dp(10))
        inner = self.rect.inset(theme.dp(22), theme.dp(8))
        bar = Rect(inner.x, inner.y + theme.dp(2), inner.w, theme.dp(7))
        body = Rect(inner.x, bar.top, inner.w, inner.top - bar.top)
        clock_w = self._numeral(brush, body)
        text = Rect(body.x, body.y, body.w - clock_w - theme.dp(8), body.h)
        head = text.from_top(text.h * 0.5, text.h * 0.06)
        brush.text(self.face.head, head, theme.sp(Type.HEADING), palette.on_accent, bold=True)
        line = Rect(text.x, head.y - text.h * 0.34, text.w, text.h * 0.34)
        brush.text(self.face.line, line, theme.sp(Type.CAPTION), palette.on_accent)
        if self.face.seconds is not None:
            draw_part(brush, bar, self.face.part, palette)

    def _numeral(self, brush: Brush, body: Rect) -> float:
        if self.face.seconds is None:
            return 0
        size = self.theme.density * (125.0 if self.face.last else 73.0)
        size = min(size, body.h * 1.12)
        text = str(self.face.seconds)
        width = ink.line(text, size, bold=True).width
        brush.text(text, body, size, self.palette.on_accent, bold=True, align="right")
        return width

    def _quiet(self, brush: Brush) -> None:
        theme = self.theme
        head = self.rect.from_top(self.rect.h * 0.5)
        brush.text(self.face.head, head, theme.sp(Type.HEADING), self.palette.text, align="center")
        line = Rect(head.x, head.y - head.h * 0.7, head.w, head.h * 0.7)
        brush.text(self.face.line, line, theme.sp(Type.BODY), self.palette.muted, align="center")


class TurnStrip(Pane):
    """Shows a ``TurnFace`` with a ``Note`` as a strip over the hand (compact screens)."""

    def paint(self, brush: Brush) -> None:
        """Words at the left, the note beside, the numeral at the right."""
        turn, note = self.face
        theme, palette = self.theme, self.palette
        fill, text = (palette.accent, palette.on_accent) if turn.yours else (palette.zone, palette.text)
        brush.fill(self.rect, fill, theme.dp(8))
        room = self._numeral(brush, turn, self.rect.inset(theme.dp(14), 0))
        size = theme.sp(Type.BUTTON if theme.tight else Type.HEADING)
        head = brush.text(turn.head, room, min(size, room.h * 0.7), text, bold=turn.yours)
        left = Rect(head.right + theme.dp(18), room.y, room.right - head.right - theme.dp(18), room.h)
        if theme.tight:
            draw_note_line(brush, note, left, min(theme.sp(Type.BODY), room.h * 0.62), text)
        else:
            draw_note(brush, note, left, theme.sp(Type.BODY), text)

    def _numeral(self, brush: Brush, turn: TurnFace, room: Rect) -> Rect:
        """The seconds; in the last ten they fill the height of the strip."""
        if turn.seconds is None:
            return room
        theme, palette = self.theme, self.palette
        size = room.h * (1.15 if turn.last else 0.95)
        width = ink.line("00", size, bold=True).width
        place = room.from_right(width)
        colour = palette.on_accent if turn.yours else palette.text
        if turn.last and turn.yours:
            box = self.rect.from_right(self.rect.right - place.x + theme.dp(10))
            brush.fill(box, palette.on_accent, theme.dp(8))
            colour = palette.accent
        brush.text(str(turn.seconds), place, size, colour, bold=True, align="right")
        return Rect(room.x, room.y, room.w - width - theme.dp(20), room.h)


class TimeBox(Pane):
    """Shows a ``TurnFace`` in the action bar, under a panel."""

    def paint(self, brush: Brush) -> None:
        """A border, words, the numeral."""
        theme, palette, face = self.theme, self.palette, self.face
        fill = palette.accent if face.last else palette.bar
        text = palette.on_accent if face.last else palette.accent
        brush.box(self.rect, fill, palette.accent, max(2, theme.dp(3)), theme.dp(10))
        room = self.rect.inset(theme.dp(18), 0)
        size = min(theme.density * 66.0, room.h * 0.82)
        numeral = "" if face.seconds is None else str(face.seconds)
        width = ink.line(numeral, size, bold=True).width if numeral else 0
        brush.text(numeral, room, size, text, bold=True, align="right")
        words = Rect(room.x, room.y, room.w - width - theme.dp(8), room.h)
        size = min(theme.sp(Type.BUTTON), room.h * 0.5)
        brush.text(face.head, words, size, text, bold=True, least=LEAST_SENTENCE)


class LargeNumeral(Pane):
    """The last seconds over the middle of the others' zone (compact screens)."""

    def paint(self, brush: Brush) -> None:
        """An amber block with the numeral."""
        brush.fill(self.rect, self.palette.accent, self.theme.dp(8))
        size = self.rect.h * 1.1
        brush.text(str(self.face), self.rect, size, self.palette.on_accent, bold=True, align="center")


def draw_part(brush: Brush, bar: Rect, part: float, palette: Palette) -> None:
    """A bar that is filled as far as time is left."""
    radius = int(bar.h / 2)
    brush.frame(bar, palette.on_accent, 1, radius)
    if part > 0:
        brush.fill(Rect(bar.x, bar.y, max(bar.h, round(bar.w * part)), bar.h), palette.on_accent, radius)


def draw_note_line(brush: Brush, note: Note, room: Rect, size: float, colour: Colour) -> None:
    """Both parts of a note on one line."""
    head = Run(note.head, size, colour, bold=True)
    rest = Run("   " + note.line if note.line else "", size, colour)
    brush.runs((head, rest), room, least=LEAST_SENTENCE)


def edge_rect(theme: Theme, place: str) -> Rect:
    """The bar at an edge: bottom, right, top or left."""
    thick = edge_height(theme)
    return {
        "bottom": Rect(0, 0, theme.width, thick),
        "top": Rect(0, theme.height - thick, theme.width, thick),
        "left": Rect(0, 0, thick, theme.height),
        "right": Rect(theme.width - thick, 0, thick, theme.height),
    }[place]
