"""Before the game: looking for the venue, waiting for a seat, waiting for the others."""

from __future__ import annotations

from terminal.layout import Rect, action_height, bar_height, commit_bar, margin
from terminal.picture.bar import hall_bar
from terminal.picture.hall import hall
from terminal.picture.records import ButtonFace, HallFace
from terminal.screens.page import Page, Seat
from terminal.theme import Palette, Theme, Type
from terminal.widgets.control import Control
from terminal.widgets.felt import Felt
from terminal.widgets.floor import Floor
from terminal.widgets.note_lines import NoteLines
from terminal.widgets.plate import Plate
from terminal.widgets.ready_sign import ReadySign, SignFace
from terminal.widgets.text_line import LineFace, TextLine
from terminal.widgets.top_bar import TopBar
from terminal.wording import Note

_NOWHERE = Rect(0, 0, 0, 0)


class HallPage(Page):
    """The page from the start of the program to the first deal."""

    def __init__(self, seat: Seat) -> None:
        super().__init__("hall", seat)
        theme = seat.theme
        self.bar = TopBar(theme)
        self.floor = Floor(theme)
        self.table = TextLine(theme)
        self.place = TextLine(theme)
        self.lines = tuple(TextLine(theme) for _ in range(4))
        self.state = TextLine(theme)
        self.plates = tuple(Plate(theme) for _ in range(4))
        self.signs = tuple(ReadySign(theme) for _ in range(4))
        self.order = Felt(theme)
        self.notice = NoteLines(theme)
        self.language = Control(theme, seat.next_language)
        self.ready = Control(theme, self._ready)
        self.put(self.bar, self.floor, self.table, self.place, *self.lines, self.state)
        self.put(*self.plates, *self.signs, self.order, self.notice, self.language, self.ready)

    def refresh(self) -> None:
        """Draws what is known so far."""
        session, words, theme = self.seat.session, self.seat.words, self.seat.theme
        palette = theme.palette(stale=False)
        self.ground(palette)
        top = Rect(0, theme.height - bar_height(theme), theme.width, bar_height(theme))
        self.bar.show(hall_bar(words, session.seating, session.link), top, palette)
        floor = Rect(0, 0, theme.width, action_height(theme))
        self.floor.show("bar", floor, palette)
        face = hall(session, words)
        self._draw_own(face, palette)
        self._draw_ring(face, palette)
        self._draw_controls(face, palette)

    # --- the left half -------------------------------------------------------------------------

    def _draw_own(self, face: HallFace | None, palette: Palette) -> None:
        theme = self.seat.theme
        if face is None:
            self._draw_search(palette)
            return
        left, _ = _halves(theme)
        title = left.from_top(theme.sp(Type.TITLE) * (0.9 if theme.tight else 1.25))
        size = min(theme.sp(Type.TITLE), title.h * 0.8)
        self.table.show(LineFace(face.table, size, bold=True), title, palette)
        seat_h = theme.dp(62 if theme.tight else 100)
        seat = Rect(left.x, title.y - theme.dp(8) - seat_h, left.w * 0.8, seat_h)
        size = min(theme.sp(Type.TITLE) * 0.8, seat_h * 0.6)
        self.place.show(LineFace(face.seat, size, "on_block", True, "center", "block"), seat, palette)
        row = theme.sp(Type.BODY) * (1.5 if theme.tight else 1.75)
        below = Rect(left.x, left.y, left.w, seat.y - left.y - theme.dp(6 if theme.tight else 28))
        for i, (line, text) in enumerate(zip(self.lines, face.lines, strict=True)):
            line.show(LineFace(text, theme.sp(Type.BODY)), below.from_top(row, i * row), palette)
        state = below.from_top(row, len(face.lines) * row + (0 if theme.tight else row / 2))
        self.state.show(LineFace(face.state, theme.sp(Type.BUTTON), "accent", True), state, palette)

    def _draw_search(self, palette: Palette) -> None:
        """No seat yet: what is being done, and why it takes long."""
        session, words, theme = self.seat.session, self.seat.words, self.seat.theme
        reached = session.link.state == "connecting" and not session.link.cause and session.id
        head = words.text("waiting.seating" if reached else "waiting.connecting")
        floor = action_height(theme)
        area = Rect(0, floor, theme.width, theme.height - floor - bar_height(theme))
        title = area.middle(area.w - 2 * margin(theme), theme.sp(Type.TITLE) * 1.3)
        size = min(theme.sp(Type.TITLE), theme.height * 0.09)
        self.table.show(LineFace(head, size, bold=True, align="center"), title, palette)
        cause = session.link.cause
        text = words.text(cause) if words.catalogue.has(cause) else ""
        below = Rect(title.x, title.y - theme.sp(Type.HEADING) * 1.6, title.w, theme.sp(Type.HEADING) * 1.5)
        self.state.show(LineFace(text, theme.sp(Type.HEADING), align="center"), below, palette)
        self.place.show(None, _NOWHERE, palette)
        for line in self.lines:
            line.show(None, _NOWHERE, palette)

    # --- the table at the right ----------------------------------------------------------------

    def _draw_ring(self, face: HallFace | None, palette: Palette) -> None:
        theme = self.seat.theme
        if face is None:
            for pane in (*self.plates, *self.signs, self.order):
                pane.show(None, _NOWHERE, palette)
            return
        for i, rect in enumerate(_ring(theme)):
            self.plates[i].show(face.plates[i], rect, palette)
            word = face.ready_words[0 if face.ready[i] else 1]
            sign = Rect(rect.x, rect.y - theme.sp(Type.CAPTION) * 1.6, rect.w, theme.sp(Type.CAPTION) * 1.5)
            self.signs[i].show(SignFace(face.ready[i], word), sign, palette)
        self.order.show(face.order, _middle(theme), palette)

    # --- controls ------------------------------------------------------------------------------

    def _draw_controls(self, face: HallFace | None, palette: Palette) -> None:
        words, places = self.seat.words, commit_bar(self.seat.theme)
        self.language.show(ButtonFace(words.text("action.language")), places.back, palette)
        self.ready.show(face.button if face else None, places.commit, palette)
        notice = self.seat.session.notice
        text = Note(words.notice(notice.key, notice.article, **notice.fields)) if notice else None
        self.notice.show(text, places.beside_back, palette)

    def _ready(self) -> None:
        self.seat.session.ready()
        self.seat.redraw()


def _halves(theme: Theme) -> tuple[Rect, Rect]:
    edge = margin(theme) if theme.tight else theme.dp(52)
    space = theme.dp(8 if theme.tight else 30)
    height = theme.height - bar_height(theme) - action_height(theme) - 2 * space
    area = Rect(edge, action_height(theme) + space, theme.width - edge - margin(theme), height)
    part = 0.38 if theme.tight else 0.4
    return area.from_left(round(area.w * part)), area.from_right(round(area.w * (0.98 - part)))


def _plate_size(theme: Theme) -> tuple[int, int]:
    """Width and height of a plate at the table."""
    _, area = _halves(theme)
    return round(area.w * (0.37 if theme.tight else 0.33)), theme.dp(54 if theme.tight else 76)


def _middle(theme: Theme) -> Rect:
    """The table: a square between the plates, with the order of play."""
    _, area = _halves(theme)
    side = area.w - 2 * _plate_size(theme)[0] - 2 * _space(theme)
    square = area.middle(side, side)
    return square.moved(0, round(theme.sp(Type.CAPTION) * 0.8))


def _space(theme: Theme) -> int:
    return theme.dp(6 if theme.tight else 12)


def _ring(theme: Theme) -> tuple[Rect, Rect, Rect, Rect]:
    """Plates from the own seat on, in playing order: below, right, above, left."""
    table, (width, height), space = _middle(theme), _plate_size(theme), _space(theme)
    sign = round(theme.sp(Type.CAPTION) * 1.6)
    level = table.y + round((table.h - height) / 2)
    middle = table.x + round((table.w - width) / 2)
    return (
        Rect(middle, table.y - space - height, width, height),
        Rect(table.right + space, level, width, height),
        Rect(middle, table.top + space + sign, width, height),
        Rect(table.x - space - width, level, width, height),
    )
