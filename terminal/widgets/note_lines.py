"""A note: what is, in bold, and what to do under it. A long sentence takes both lines."""

from __future__ import annotations

from terminal.layout import Rect
from terminal.theme import Colour, Type
from terminal.widgets import ink
from terminal.widgets.brush import LEAST_SENTENCE, Brush
from terminal.widgets.pane import Pane
from terminal.wording import Note

_BREAKS = "，。；、：,.;: "


class NoteLines(Pane):
    """Shows a ``Note`` in two lines."""

    def paint(self, brush: Brush) -> None:
        """Draws the note."""
        draw_note(brush, self.face, self.rect, self.theme.sp(Type.BODY), self.palette.text)


class NoteBox(Pane):
    """Shows a ``Note`` in a framed box."""

    def paint(self, brush: Brush) -> None:
        """A border, and the note in it."""
        theme, palette = self.theme, self.palette
        brush.box(self.rect, palette.bar, palette.line, max(1, theme.dp(1)), theme.dp(8))
        draw_note(brush, self.face, self.rect.inset(theme.dp(18), 0), theme.sp(Type.BODY), palette.text)


def draw_note(brush: Brush, note: Note, rect: Rect, size: float, colour: Colour) -> None:
    """Two lines in the middle of the height."""
    size = min(size, rect.h * 0.36)
    head, line = note
    if not line:
        head, line = split(head, size, rect.w)
    height = size * 1.3
    if not line:
        brush.text(head, rect, size, colour, bold=True, least=LEAST_SENTENCE)
        return
    if not head:
        brush.text(line, rect, size, colour, least=LEAST_SENTENCE)
        return
    middle = rect.y + rect.h / 2
    brush.text(head, Rect(rect.x, middle, rect.w, height), size, colour, bold=True, least=LEAST_SENTENCE)
    lower = Rect(rect.x, middle - height, rect.w, height)
    brush.text(line, lower, size, colour, bold=note.line == "", least=LEAST_SENTENCE)


def split(text: str, size: float, width: float) -> tuple[str, str]:
    """The text in two lines, broken after a sign or blank, if it is too long for one."""
    if ink.line(text, size, bold=True).width <= width:
        return text, ""
    places = [i + 1 for i, letter in enumerate(text[:-1]) if letter in _BREAKS]
    if not places:
        return text, ""
    middle = len(text) / 2
    at = min(places, key=lambda place: abs(place - middle))
    return text[:at].strip(), text[at:].strip()
