"""The panel of tribute and return: who hands a card to whom."""

from __future__ import annotations

from terminal.layout import Rect, laid_size
from terminal.picture.records import ExchangeFace, PartyFace
from terminal.theme import Theme, Type
from terminal.widgets.brush import LEAST_SENTENCE, Brush
from terminal.widgets.card import CardWords, Face, draw_back, draw_card, draw_place
from terminal.widgets.laid import laid_style
from terminal.widgets.note_lines import draw_note
from terminal.widgets.pane import Pane
from terminal.widgets.plate import draw_plate


class ExchangePanel(Pane):
    """Shows an ``ExchangeFace``: givers at the left, takers at the right, an arrow between."""

    def __init__(self, theme: Theme, words: CardWords) -> None:
        super().__init__(theme)
        self._words = words

    def paint(self, brush: Brush) -> None:
        """Draws title, rows and arrow."""
        face: ExchangeFace = self.face
        theme, palette = self.theme, self.palette
        brush.fill(self.rect, palette.zone, theme.dp(10))
        inner = self.rect.inset(theme.dp(10 if theme.tight else 24), theme.dp(5 if theme.tight else 12))
        size = theme.sp(Type.BODY if theme.tight else Type.HEADING)
        row = inner.from_top(size * 1.4)
        title = brush.text(face.title, row, size, palette.text, bold=True)
        rest = Rect(title.right + theme.dp(20), row.y, row.right - title.right - theme.dp(20), row.h)
        brush.text(face.rule, rest, theme.sp(Type.CAPTION), palette.muted, least=LEAST_SENTENCE)
        area = Rect(inner.x, inner.y, inner.w, row.y - inner.y - theme.dp(4))
        self._sides(brush, face, area)

    def _sides(self, brush: Brush, face: ExchangeFace, area: Rect) -> None:
        arrow_w = self.theme.dp(50 if self.theme.tight else 110)
        left = area.from_left(round((area.w - arrow_w) * 0.53))
        right = area.from_right(round((area.w - arrow_w) * 0.47))
        self._parties(brush, face.givers, left, face.level)
        self._parties(brush, face.takers, right, face.level)
        middle = Rect(left.right, area.y, arrow_w, area.h)
        self._arrow(brush, middle.middle(arrow_w * 0.8, self.theme.dp(30)))

    def _parties(self, brush: Brush, parties: tuple[PartyFace, ...], area: Rect, level: int) -> None:
        space = self.theme.dp(4 if self.theme.tight else 16)
        for party, row in zip(parties, area.rows(2, space), strict=False):
            self._party(brush, party, row if len(parties) > 1 else area.middle(row.w, row.h), level)

    def _party(self, brush: Brush, party: PartyFace, row: Rect, level: int) -> None:
        theme = self.theme
        width, full = laid_size(theme)
        height = min(full, row.h)
        width = round(width * min(1.0, height / full + 0.1)) if theme.tight else width
        plate_h = min(row.h, theme.dp(46 if theme.tight else 64))
        plate_w = round(row.w * (0.54 if theme.tight else 0.46))
        plate = row.from_left(plate_w).middle(plate_w, plate_h)
        draw_plate(brush, party.plate, plate, theme, self.palette)
        card = Rect(plate.right + theme.dp(12), row.y, width, row.h).middle(width, height)
        style = laid_style(theme, self._words, width if not theme.tight else height * 0.8)
        if party.card is not None:
            draw_card(brush, card, Face(party.card, level), style, self.palette)
        elif party.back:
            draw_back(brush, card, style, self.palette, party.back)
        else:
            draw_place(brush, card, style, self.palette)
        note = Rect(card.right + theme.dp(12), row.y, row.right - card.right - theme.dp(12), row.h)
        draw_note(
            brush, party.note, note, theme.sp(Type.CAPTION if theme.tight else Type.BODY), self.palette.text
        )

    def _arrow(self, brush: Brush, rect: Rect) -> None:
        colour, head = self.palette.text, rect.h * 0.8
        middle = rect.y + rect.h / 2
        brush.fill(Rect(rect.x, round(middle - rect.h * 0.1), rect.w - head + 1, round(rect.h * 0.2)), colour)
        brush.polygon(
            ((rect.right - head, rect.y), (rect.right, middle), (rect.right - head, rect.top)), colour
        )
