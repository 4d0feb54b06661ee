"""What lies before a player: the last play with its name, or a word."""

from __future__ import annotations

from collections.abc import Sequence

from kivy.graphics import PopMatrix, PushMatrix, Translate

from broker.engine.cards import Rank
from terminal.layout import Rect, Station, laid_cards, laid_size, laid_step
from terminal.picture.records import LaidFace, ShownCard
from terminal.theme import Palette, Theme, Type
from terminal.widgets import ink
from terminal.widgets.brush import Brush
from terminal.widgets.card import CardStyle, CardWords, Face, draw_card
from terminal.widgets.glide import LAY, Glide
from terminal.widgets.pane import Pane


def laid_style(theme: Theme, words: CardWords, width: float) -> CardStyle:
    """Type sizes of a card on the table."""
    return CardStyle(width * 0.47, theme.dp(6), max(1, theme.dp(3)), words)


def draw_row(
    brush: Brush,
    cards: Sequence[ShownCard],
    places: Sequence[Rect],
    style: CardStyle,
    palette: Palette,
    level: Rank,
) -> None:
    """A row of cards, each over the one before."""
    ends = [place.x for place in places[1:]] + [float("inf")]
    for card, place, end in zip(cards, places, ends, strict=True):
        visible = int(end - place.x) if end < place.right else 0
        state = "dimmed" if card.dimmed else "plain"
        face = Face(card.card, level, state, card.stands_for, card.rank, visible)
        draw_card(brush, place, face, style, palette)


class LaidCards(Pane):
    """Shows a ``LaidFace`` at a station."""

    def __init__(
        self, theme: Theme, station: Station, words: CardWords, comes_from: tuple[int, int] = (0, 0)
    ) -> None:
        super().__init__(theme)
        self._station = station
        self._words = words
        self._way = (comes_from[0] * theme.dp(80), comes_from[1] * theme.dp(80))
        self._shift = Translate(0, 0)
        self._glide = Glide(self._move)
        self.canvas.clear()
        for instruction in (PushMatrix(), self._shift, self._group, PopMatrix()):
            self.canvas.add(instruction)

    def show(self, face: LaidFace | None, rect: Rect, palette: Palette) -> None:
        """Shows what lies there; new cards come from their player's side."""
        before = self.face.cards if self.face else ()
        super().show(face, rect, palette)
        if face is not None and face.cards and [c.card for c in face.cards] != [c.card for c in before]:
            self._glide.start(LAY if self.theme.movement else 0)

    def _move(self, left: float) -> None:
        self._shift.xy = (self._way[0] * left, self._way[1] * left)

    def paint(self, brush: Brush) -> None:
        """Cards, or a word; under or beside them the name of the play."""
        face, area = self.face, self._station.laid
        alone = face.cards and face.caption and self._station.caption is not None
        if face.cards:
            self._cards(brush, face, area if alone or not face.word else self._beside(brush, face))
        elif face.word:
            size = self.theme.sp(Type.BODY if self.theme.tight else Type.HEADING)
            align = "center" if self._station.caption is None else self._station.align
            brush.text(face.word, area, size, self.palette.muted, align=align)
        self._caption(brush, face)

    def _cards(self, brush: Brush, face: LaidFace, area: Rect) -> None:
        theme, size = self.theme, laid_size(self.theme)
        places = laid_cards(area, len(face.cards), size, laid_step(theme), self._station.align)
        draw_row(brush, face.cards, places, laid_style(theme, self._words, size[0]), self.palette, face.level)
        if face.top and self._station.caption is None:
            bar = Rect(places[0].x, area.y - theme.dp(4), places[-1].right - places[0].x, theme.dp(3))
            brush.fill(bar, self.palette.block)

    def _beside(self, brush: Brush, face: LaidFace) -> Rect:
        """Writes the word beside the cards; what is left for them."""
        theme, area = self.theme, self._station.laid
        count, (width, _) = len(face.cards), laid_size(theme)
        size = theme.sp(Type.BODY if theme.tight else Type.HEADING)
        total, space = width + (count - 1) * laid_step(theme), theme.dp(10)
        room = min(ink.line(face.word, size).width, max(area.w - total - space, area.w * 0.3))
        cards = min(total, area.w - room - space)
        both = area.aligned(cards + space + room, self._station.align)
        word_first = self._station.align == "right"
        word = both.from_left(room) if word_first else both.from_right(room)
        brush.text(face.word, word, size, self.palette.text)
        return both.from_right(cards) if word_first else both.from_left(cards)

    def _caption(self, brush: Brush, face: LaidFace) -> None:
        """The name of the play; before it, in a block, that it is the highest, or framed, that its
        player has passed since."""
        room = self._station.caption
        if room is None or not face.caption:
            return
        theme, palette = self.theme, self.palette
        size, tag_text = theme.sp(Type.CAPTION), face.top or face.word
        if not tag_text:
            brush.text(face.caption, room, size, palette.muted, align=self._station.align)
            return
        tag_w = round(ink.line(tag_text, size, bold=True).width) + 2 * theme.dp(8)
        text_w = min(ink.line(face.caption, size).width, room.w - tag_w - theme.dp(10))
        both = room.aligned(tag_w + theme.dp(10) + text_w, self._station.align)
        tag = Rect(round(both.x), both.y, tag_w, both.h)
        if face.top:
            brush.fill(tag, palette.block, theme.dp(4))
        else:
            brush.frame(tag, palette.muted, max(1, theme.dp(1)), theme.dp(4))
        ink_colour = palette.on_block if face.top else palette.text
        brush.text(tag_text, tag, size, ink_colour, bold=True, align="center")
        brush.text(
            face.caption, both.from_right(text_w + 1), size, palette.text if face.top else palette.muted
        )
