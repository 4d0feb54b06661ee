"""Results: of a deal until the next is dealt, and of the game."""

from __future__ import annotations

from terminal.layout import Rect, action_height, bar_height, margin
from terminal.picture.bar import table_bar
from terminal.picture.glance import Glance, Glances
from terminal.picture.records import ResultFace
from terminal.picture.results import deal_result, game_result
from terminal.screens.page import Page, Seat
from terminal.theme import Palette, Theme, Type
from terminal.widgets import ink
from terminal.widgets.floor import Floor
from terminal.widgets.ladder import Ladder
from terminal.widgets.note_lines import NoteBox, NoteLines
from terminal.widgets.places import Places
from terminal.widgets.score import Score
from terminal.widgets.text_line import LineFace, TextLine
from terminal.widgets.top_bar import TopBar
from terminal.wording import Note


class ResultPage(Page):
    """Shows a ``ResultFace``; ``of_game`` chooses which."""

    def __init__(self, name: str, seat: Seat, of_game: bool) -> None:
        super().__init__(name, seat)
        theme = seat.theme
        self._of_game = of_game
        self.glances = Glances(seat.session, seat.words)
        self.bar = TopBar(theme)
        self.title = TextLine(theme)
        self.summary = TextLine(theme)
        self.rows = Places(theme)
        self.rows_heading = TextLine(theme)
        self.heading = TextLine(theme)
        self.score = Score(theme)
        self.ladders = (Ladder(theme), Ladder(theme))
        self.floor = Floor(theme)
        self.next = NoteLines(theme)
        self.next_box = NoteBox(theme)
        self.put(self.bar, self.title, self.summary, self.rows, self.heading, self.score, *self.ladders)
        self.put(self.rows_heading, self.next_box, self.floor, self.next)

    def refresh(self) -> None:
        """Draws the result."""
        now = self.glances.now()
        face = self._face(now) if now else None
        if now is None or face is None:
            return
        palette = self.seat.theme.palette(now.stale)
        self.ground(palette)
        theme = self.seat.theme
        top = Rect(0, theme.height - bar_height(theme), theme.width, bar_height(theme))
        self.bar.show(table_bar(now, theme.compact), top, palette)
        self._draw_head(face, palette)
        self._draw_sides(face, palette)
        self._draw_next(face, palette)

    def _face(self, now: Glance) -> ResultFace | None:
        return game_result(now) if self._of_game else deal_result(now)

    def _draw_head(self, face: ResultFace, palette: Palette) -> None:
        theme = self.seat.theme
        row = _head(theme)
        size = theme.sp(Type.HEADING if theme.tight else Type.PLAY)
        title_w = ink.line(face.title, size, bold=True).width
        self.title.show(LineFace(face.title, size, bold=True), row.from_left(title_w), palette)
        start = row.x + title_w + theme.dp(28)
        summary = Rect(start, row.y, row.right - start, row.h)
        self.summary.show(LineFace(face.summary, theme.sp(Type.BODY), "muted"), summary, palette)

    def _draw_sides(self, face: ResultFace, palette: Palette) -> None:
        theme = self.seat.theme
        left, right = _sides(theme)
        caption, size = theme.sp(Type.CAPTION) * 1.5, theme.sp(Type.CAPTION)
        told = LineFace(face.rows_heading, size, "muted")
        if not face.rows:
            told = LineFace(face.rows_heading, theme.sp(Type.BODY))
        self.rows_heading.show(told, left.from_top(caption if face.rows else 2 * caption), palette)
        self.heading.show(LineFace(face.heading, size, "muted"), right.from_top(caption), palette)
        self.rows.show(face.rows, Rect(left.x, left.y, left.w, left.h - caption), palette)
        self._draw_right(face, Rect(right.x, right.y, right.w, right.h - caption), palette)

    def _draw_right(self, face: ResultFace, area: Rect, palette: Palette) -> None:
        """The score of a game, the ladders, and with room what comes next."""
        theme = self.seat.theme
        space = theme.dp(12)
        score = area.from_top(area.h * 0.34) if face.score else area.from_top(0)
        self.score.show(face.score or None, score, palette)
        if face.score:
            area = Rect(area.x, area.y, area.w, score.y - space - area.y)
        elif not theme.tight:
            box = Rect(area.x, area.y, area.w, theme.dp(96))
            self.next_box.show(face.next, box, palette)
            area = Rect(area.x, box.top + space, area.w, area.top - box.top - space)
        height = min(theme.dp(112), (area.h - space) / 2)
        for i, (ladder, one) in enumerate(zip(self.ladders, face.ladders, strict=True)):
            ladder.show(one, area.from_top(height, i * (height + space)), palette)

    def _draw_next(self, face: ResultFace, palette: Palette) -> None:
        """At the foot: what comes next, or, where that stands above, that the deal comes next."""
        theme = self.seat.theme
        floor = Rect(0, 0, theme.width, action_height(theme))
        self.floor.show("bar", floor, palette)
        boxed = not face.score and not theme.tight
        note = Note(self.seat.words.text("result.dealing")) if boxed else face.next
        self.next.show(note, floor.inset(_head(theme).x, 0), palette)


def _head(theme: Theme) -> Rect:
    top = theme.height - bar_height(theme)
    height = theme.sp(Type.PLAY) * 1.3
    edge = margin(theme) if theme.tight else theme.dp(43)
    return Rect(edge, top - height - theme.dp(4 if theme.tight else 16), theme.width - 2 * edge, height)


def _sides(theme: Theme) -> tuple[Rect, Rect]:
    """Places at the left, levels at the right."""
    head = _head(theme)
    bottom = action_height(theme) + theme.dp(6 if theme.tight else 28)
    area = Rect(head.x, bottom, head.w, head.y - bottom - theme.dp(4 if theme.tight else 12))
    left = area.from_left(area.w * 0.5)
    right = area.from_right(area.w * 0.46)
    return left, right
