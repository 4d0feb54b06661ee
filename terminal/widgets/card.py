"""The face of a card: flat, drawn from text, the same in the hand and on the table."""

from __future__ import annotations

from typing import NamedTuple

from broker.engine.cards import BIG_JOKER, HEARTS, RANK_OF, SMALL_JOKER, Card, Rank, wild
from terminal.layout import Rect
from terminal.theme import Colour, Palette
from terminal.widgets.brush import Brush
from terminal.wording import RANK_SIGNS, SUIT_SIGNS

_STRIP = 1.26
"""Height of the strip with rank and suit, by the size of the rank."""
_FILL = 1.02
"""Size of the rank, by the height of a strip that is too low for the full size."""
_NARROW = 0.72
"""A card of which less than this is visible has its suit under the rank."""
_TAB = 0.42
"""Width of the tab of a wild, by that of the card."""
_LEAST = 0.5
"""Signs in a corner shrink so far before they are cut."""


class CardWords(NamedTuple):
    """What is written on cards besides rank and suit."""

    big_joker: str
    small_joker: str
    level: str
    wild: str


class Face(NamedTuple):
    """A card as it is to be shown.

    ``state`` is plain, chosen, pending or dimmed. ``stands_for`` is the band of a wild on the
    table, ``rank`` its short form. ``visible`` is the width that the next card in a row leaves
    free, ``strip`` the height that the next one in a column does; 0: all of it.
    """

    card: Card
    level: Rank
    state: str = "plain"
    stands_for: str = ""
    rank: str = ""
    visible: int = 0
    strip: int = 0


class CardStyle(NamedTuple):
    """Type sizes of a card in pixels, and its corner."""

    rank: float
    radius: int
    border: int
    words: CardWords


class _Card(NamedTuple):
    """What the parts of one drawing need."""

    brush: Brush
    rect: Rect
    face: Face
    style: CardStyle
    palette: Palette
    pen: Colour
    shown: Rect
    """The part of the rectangle that no other card covers from the right."""
    rank: float
    """Size of the rank: less in a strip that is too low for it."""

    @property
    def is_wild(self) -> bool:
        return self.face.card == wild(self.face.level)

    @property
    def is_narrow(self) -> bool:
        return self.shown.w < self.rect.w * _NARROW

    @property
    def mark_ground(self) -> Colour:
        """Ground of the marks of level and wild."""
        if self.face.state == "dimmed":
            return self.palette.dimmed_mark
        return self.palette.wild_mark if self.is_wild else self.palette.level_mark

    @property
    def band(self) -> Rect:
        """The foot of the card, where the band of a wild is."""
        return Rect(self.rect.x, self.rect.y, self.rect.w, round(self.style.rank * 0.94))

    def corner(self, height: float) -> Rect:
        """The upper band of what is shown, with a margin at both sides."""
        pad = self.rect.w * 0.05
        height = min(height, self.face.strip or height)
        return Rect(self.shown.x + pad, self.rect.top - height, self.shown.w - 2 * pad, height)


def draw_card(brush: Brush, rect: Rect, face: Face, style: CardStyle, palette: Palette) -> None:
    """Draws one card."""
    _sheet(brush, rect, face, style, palette)
    shown = rect.from_left(face.visible) if face.visible else rect
    rank = min(style.rank, face.strip * _FILL) if face.strip else style.rank
    card = _Card(brush, rect, face, style, palette, _pen(face, palette), shown, rank)
    if face.card >= SMALL_JOKER:
        _joker(card)
        return
    _rank_and_suit(card)
    if card.is_wild:
        _wild(card)
    elif RANK_OF[face.card] == face.level:
        _level(card)
    if not face.strip and not face.stands_for:
        _large_suit(card)


def draw_back(brush: Brush, rect: Rect, style: CardStyle, palette: Palette, text: str) -> None:
    """A card face down with a word on it."""
    brush.box(rect, palette.back, palette.text, max(1, style.border // 2), style.radius)
    brush.frame(rect.inset(style.border + 1), palette.text, 1, max(1, style.radius - 2))
    brush.text(text, rect.inset(style.border + 2), rect.w * 0.36, palette.text, bold=True, align="center")


def draw_place(brush: Brush, rect: Rect, style: CardStyle, palette: Palette) -> None:
    """The empty place of a card that is to come."""
    brush.dashed(rect, palette.muted, 2, style.radius)


def _sheet(brush: Brush, rect: Rect, face: Face, style: CardStyle, palette: Palette) -> None:
    match face.state:
        case "chosen":
            brush.box(rect, palette.chosen, palette.accent, style.border, style.radius)
        case "pending":
            brush.fill(rect, palette.chosen, style.radius)
            brush.dashed(rect, palette.card_edge, style.border * 0.75, style.radius)
        case "dimmed":
            brush.box(rect, palette.dimmed, palette.card_edge, 1, style.radius)
        case _:
            brush.box(rect, palette.card, palette.card_edge, 1, style.radius)


def _pen(face: Face, palette: Palette) -> Colour:
    if face.state == "dimmed":
        return palette.on_dimmed
    suit = {BIG_JOKER: 1, SMALL_JOKER: 0}.get(face.card, face.card // 13)
    suits = palette.chosen_suits if face.state in ("chosen", "pending") else palette.suits
    return suits[suit]


def _rank_and_suit(card: _Card) -> None:
    text = RANK_SIGNS[RANK_OF[card.face.card]]
    ten = len(text) > 1
    size = card.rank * (0.86 if ten else 1.0)
    strip = card.corner(card.rank * _STRIP)
    if card.is_wild and not card.is_narrow:
        strip = strip.from_left(card.shown.w - card.rect.w * (_TAB + 0.07))
    squeeze = 0.88 if ten else 1.0
    card.brush.text(text, strip, size, card.pen, bold=True, squeeze=squeeze, least=_LEAST)
    sign, small = SUIT_SIGNS[card.face.card // 13], card.rank * 0.71
    if card.is_narrow:
        below = Rect(strip.x, strip.y - small * 1.1, strip.w, small * 1.1)
        if below.y >= card.band.top or not card.face.stands_for:
            card.brush.text(sign, below, small, card.pen, least=_LEAST)
    elif not card.is_wild:
        marked = RANK_OF[card.face.card] == card.face.level
        at = card.corner(card.rank * (0.9 if marked else _STRIP))
        card.brush.text(sign, at, small * (0.92 if ten else 1.0), card.pen, align="right", least=_LEAST)


def _wild(card: _Card) -> None:
    """A red tab over the corner; on the table the band with what the wild stands for."""
    if card.face.stands_for:
        _band(card)
    if card.is_narrow:
        return
    brush, shown, size = card.brush, card.shown, card.rank
    width = card.rect.w * _TAB
    tab = Rect(shown.right - width, shown.top - size * 1.36, width, size * 1.36)
    brush.fill(tab, card.mark_ground, card.style.radius)
    brush.fill(tab.from_left(tab.w / 2), card.mark_ground)
    ink = card.palette.on_mark
    heart = tab.from_top(tab.h * 0.52)
    brush.text(SUIT_SIGNS[HEARTS], heart, size * 0.6, ink, align="center", least=_LEAST)
    mark = Rect(tab.x, tab.y + tab.h * 0.06, tab.w, tab.h * 0.42)
    brush.text(card.style.words.wild, mark, size * 0.48, ink, bold=True, align="center", least=_LEAST)


def _band(card: _Card) -> None:
    size, band = card.style.rank, card.band
    card.brush.fill(band, card.mark_ground, card.style.radius)
    card.brush.fill(band.from_top(band.h / 2), card.mark_ground)
    text = card.face.rank if card.is_narrow else card.face.stands_for
    room = Rect(card.shown.x + 1, band.y, card.shown.w - 2, band.h)
    card.brush.text(text, room, size * 0.7, card.palette.on_mark, bold=True, align="center", least=_LEAST)


def _level(card: _Card) -> None:
    """A dark tag under the suit."""
    if card.is_narrow or card.rank < card.style.rank:
        return
    width, height = card.rect.w * 0.36, card.rank * 0.52
    right = card.shown.right - card.rect.w * 0.05
    tag = Rect(right - width, card.rect.top - card.rank * 0.84 - height, width, height)
    card.brush.fill(tag, card.mark_ground, max(2, card.style.radius // 2))
    size, ink = card.rank * 0.48, card.palette.on_mark
    card.brush.text(card.style.words.level, tag, size, ink, bold=True, align="center", least=_LEAST)


def _large_suit(card: _Card) -> None:
    size, rect = card.style.rank * 1.25, card.rect
    room = Rect(rect.x, rect.y + rect.h * 0.01, rect.w * 0.96, size * 1.02)
    if card.shown.w < rect.w:
        return
    card.brush.text(SUIT_SIGNS[card.face.card // 13], room, size, card.pen, align="right")


def _joker(card: _Card) -> None:
    big = card.face.card == BIG_JOKER
    words, brush = card.style.words, card.brush
    text = words.big_joker if big else words.small_joker
    brush.text(text, card.corner(card.rank * _STRIP), card.rank * 0.68, card.pen, bold=True, least=_LEAST)
    if not card.face.strip and card.shown.w >= card.rect.w:
        rect = card.rect
        at = Rect(rect.x, rect.y + rect.h * 0.02, rect.w * 0.95, card.style.rank * 1.2)
        brush.text("★" if big else "☆", at, card.style.rank * 1.2, card.pen, align="right")
