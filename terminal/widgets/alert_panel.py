"""The panel that says what is wrong: it covers no card and asks for nothing."""

from __future__ import annotations

from terminal.layout import Rect
from terminal.picture.records import PanelFace
from terminal.theme import ALARM, INK, PAPER, Type
from terminal.widgets import ink
from terminal.widgets.brush import LEAST_SHRINK, Brush, Run
from terminal.widgets.note_lines import draw_note
from terminal.widgets.pane import Pane
from terminal.wording import Note


class AlertPanel(Pane):
    """Shows a ``PanelFace``; on compact screens its short form on one line."""

    def paint(self, brush: Brush) -> None:
        """A white block with a sign: a hollow red square, or two bars for a stoppage."""
        face: PanelFace = self.face
        theme = self.theme
        brush.fill(self.rect, PAPER, theme.dp(8))
        inner = self.rect.inset(theme.dp(14 if theme.compact else 22), theme.dp(2 if theme.compact else 8))
        size = theme.sp(Type.BODY if theme.tight else Type.HEADING)
        row = inner if theme.compact else inner.from_top(size * 1.35)
        sign = round(theme.dp(18 if theme.compact else 24))
        self._sign(brush, Rect(row.x, round(row.y + (row.h - sign) / 2), sign, sign))
        text = Rect(row.x + sign + theme.dp(12), row.y, row.w - sign - theme.dp(12), row.h)
        if theme.compact:
            self._short(brush, text, min(size, row.h * 0.66))
            return
        brush.text(face.title, text, size, INK, bold=True)
        lines = Rect(text.x, inner.y, text.w, row.y - inner.y)
        for line, place in zip(face.lines, lines.rows(max(2, len(face.lines)), 0), strict=False):
            brush.text(line, place, theme.sp(Type.BODY) * 0.92, INK)

    def _short(self, brush: Brush, room: Rect, size: float) -> None:
        """The short form; the last line beside it if it fits, or under it on higher strips."""
        face: PanelFace = self.face
        if not self.theme.tight:
            draw_note(brush, Note(face.short, face.lines[-1]), room, self.theme.sp(Type.BODY), INK)
            return
        runs = (Run(face.short, size, INK, bold=True), Run("   " + face.lines[-1], size, INK))
        wide = sum(ink.line(run.text, run.size, run.bold).width for run in runs)
        brush.runs(runs if wide * LEAST_SHRINK <= room.w else runs[:1], room)

    def _sign(self, brush: Brush, rect: Rect) -> None:
        if self.face.alarm:
            brush.frame(rect, ALARM, max(3, self.theme.dp(5)))
            return
        bar = round(rect.w * 0.34)
        brush.fill(rect.from_left(bar), INK)
        brush.fill(rect.from_right(bar), INK)
