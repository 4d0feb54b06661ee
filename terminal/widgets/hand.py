"""The own hand: cards in columns, selected by tap, by drag, or by a column's head.

One hit test serves all cards. While a finger is down nothing moves under it: a change of the
hand is laid out when the touch ends, and a drag is judged by where the cards were at its start.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import hypot

from kivy.graphics import InstructionGroup, PopMatrix, PushMatrix, Translate
from kivy.input.motionevent import MotionEvent
from kivy.uix.widget import Widget

from broker.engine.cards import Cards, remove
from terminal.columns import (
    HandLayout,
    badge_height,
    columns,
    faces,
    lay_hand,
    raised_slots,
    rank_size,
)
from terminal.layout import Rect
from terminal.picture.records import HandFace
from terminal.theme import Palette, Theme
from terminal.widgets.brush import Brush, Mark
from terminal.widgets.card import CardStyle, CardWords, Face, draw_card
from terminal.widgets.glide import RAISE, Glide

_STATES = {"play": "chosen", "choose": "chosen", "sent": "pending", "rest": "plain"}


@dataclass(slots=True)
class Stroke:
    """A touch on the hand: where the cards were when it began, and which it has met."""

    lifts: tuple[int, ...]
    at: tuple[float, float]
    head: int | None
    met: set[int] = field(default_factory=set)


class Hand(Widget):
    """Shows a ``HandFace``; calls ``choose`` with the selection that a touch makes."""

    def __init__(self, theme: Theme, words: CardWords, choose: Callable[[Cards], None]) -> None:
        super().__init__(size_hint=(None, None))
        self.theme = theme
        self.groups: tuple[Cards, ...] = ()
        """Cards that the player has set aside, each a column of its own."""
        self.raised: frozenset[int] = frozenset()
        self.layout = HandLayout(Rect(0, 0, 0, 0), (), (), (), 0, 0)
        self.lifts: tuple[int, ...] = ()
        self._words = words
        self._choose = choose
        self._face: HandFace | None = None
        self._laid: object = None
        self._waiting: tuple[HandFace, Rect, Palette] | None = None
        self._stroke: Stroke | None = None
        self.cards: list[_CardGroup] = []
        self._badges = InstructionGroup()
        self._badge_marks: list[Mark] = []
        self._badges_drawn: object = None
        self._rise = Glide(self._lift_cards)

    @property
    def marks(self) -> list[Mark]:
        """Everything that was written on the cards and heads."""
        return [mark for card in self.cards for mark in card.marks] + self._badge_marks

    def show(self, face: HandFace, rect: Rect, palette: Palette) -> None:
        """Shows the hand; under a finger only what does not move."""
        if self._stroke is not None and self._moves(face, rect):
            self._waiting = (face, rect, palette)
            return
        self._face, self.pos, self.size = face, rect[:2], rect[2:]
        self.groups = tuple(self._kept_groups(face.hand))
        relaid = self._lay(face, rect)
        slots = self.layout.slots
        held_up = [i for i, slot in enumerate(slots) if slot.card in face.allowed]
        if len(held_up) == len(slots):
            held_up = []
        self.raised = raised_slots(self.layout, self.raised, face.selected)
        self.lifts = self.layout.lifts(self.raised, held_up if face.mode == "choose" else ())
        self._draw(face, palette)
        self._raise_cards(RAISE if self.theme.movement and not relaid else 0)

    def set_aside(self, cards: Cards) -> None:
        """Gives the cards a column of their own, at the left."""
        if cards:
            rest = (tuple(card for card in group if card not in cards) for group in self.groups)
            self.groups = (cards, *(group for group in rest if group))

    def restore(self) -> None:
        """Puts all cards back into their ranks."""
        self.groups = ()

    # --- touches -------------------------------------------------------------------------------

    def on_touch_down(self, touch: MotionEvent) -> bool:
        """A card is toggled at once; a column's head acts on release."""
        if self._stroke is not None or not self.collide_point(*touch.pos):
            return False
        slot = self.layout.slot_at(touch.x, touch.y, self.lifts)
        head = self.layout.head_at(touch.x, touch.y, self.lifts) if slot is None else None
        if slot is None and head is None:
            return False
        self._rise.finish()
        touch.grab(self)
        self._stroke = Stroke(self.lifts, touch.pos, head)
        if slot is not None:
            self._meet(slot)
        return True

    def on_touch_move(self, touch: MotionEvent) -> bool:
        """A drag toggles every card that it meets, each once."""
        if touch.grab_current is not self or self._stroke is None or self._stroke.head is not None:
            return False
        for point in _between(self._stroke.at, touch.pos, self.theme.dp(10)):
            slot = self.layout.slot_at(*point, self._stroke.lifts)
            if slot is not None:
                self._meet(slot)
        self._stroke.at = touch.pos
        return True

    def on_touch_up(self, touch: MotionEvent) -> bool:
        """The end of a touch; what came in meanwhile is laid out now."""
        if touch.grab_current is not self:
            return False
        touch.ungrab(self)
        stroke, self._stroke = self._stroke, None
        head = stroke.head if stroke is not None else None
        if head is not None and self.layout.head_at(*touch.pos, self.lifts) == head:
            self._toggle_column(head)
        if self._waiting is not None:
            waiting, self._waiting = self._waiting, None
            self.show(*waiting)
        return True

    def _meet(self, slot: int) -> None:
        assert self._stroke is not None and self._face is not None
        if slot in self._stroke.met:
            return
        self._stroke.met.add(slot)
        match self._face.mode:
            case "play":
                self._select(self.raised ^ {slot})
            case "choose" if self.layout.slots[slot].card in self._face.allowed:
                self._select(frozenset({slot}) - self.raised)

    def _toggle_column(self, column: int) -> None:
        assert self._face is not None
        if self._face.mode != "play":
            return
        members = frozenset(self.layout.members(column))
        self._select(self.raised - members if members <= self.raised else self.raised | members)

    def _select(self, raised: frozenset[int]) -> None:
        self.raised = raised
        self._choose(faces(self.layout, raised))

    # --- drawing -------------------------------------------------------------------------------

    def _moves(self, face: HandFace, rect: Rect) -> bool:
        return self._laid != (face.hand, face.level, tuple(self._kept_groups(face.hand)), rect)

    def _kept_groups(self, hand: Cards) -> list[Cards]:
        """Groups that the hand still holds whole."""
        kept, rest = [], hand
        for group in self.groups:
            left = remove(rest, group)
            if left is not None:
                kept.append(group)
                rest = left
        return kept

    def _lay(self, face: HandFace, rect: Rect) -> bool:
        """Lays the hand out if it is another; whether it is."""
        laid = (face.hand, face.level, self.groups, rect)
        if laid == self._laid:
            return False
        self._laid = laid
        self.layout = lay_hand(rect, columns(face.hand, face.level, self.groups), self.theme)
        self.raised = frozenset()
        return True

    def _draw(self, face: HandFace, palette: Palette) -> None:
        style = CardStyle(rank_size(self.theme), self.theme.dp(7), max(2, self.theme.dp(4)), self._words)
        while len(self.cards) < len(self.layout.slots):
            self.cards.append(_CardGroup())
            self.canvas.insert(len(self.cards) - 1, self.cards[-1].group)
        if self._badges not in self.canvas.children:
            self.canvas.add(self._badges)
        for i, slot in enumerate(self.layout.slots):
            shown = Face(slot.card, face.level, self._state(face, i), strip=slot.strip)
            self.cards[i].draw(slot.rect, shown, style, palette)
        for card in self.cards[len(self.layout.slots) :]:
            card.clear()
        self._draw_badges(palette)

    def _raise_cards(self, seconds: float) -> None:
        """Brings the cards to their height."""
        moves = [card.aim(lift) for card, lift in zip(self.cards, self.lifts, strict=False)]
        if any(moves):
            self._rise.start(seconds)

    def _lift_cards(self, left: float) -> None:
        for card, _ in zip(self.cards, self.lifts, strict=False):
            card.lift(left)

    def _state(self, face: HandFace, slot: int) -> str:
        if slot in self.raised:
            return _STATES[face.mode]
        if face.mode == "choose" and self.layout.slots[slot].card not in face.allowed:
            return "dimmed"
        return "plain"

    def _draw_badges(self, palette: Palette) -> None:
        places = tuple(self.layout.head(column, self.lifts) for column in range(len(self.layout.heads)))
        drawn = (places, self.layout.sizes, palette)
        if drawn == self._badges_drawn:
            return
        self._badges_drawn = drawn
        self._badges.clear()
        brush = Brush(self._badges)
        height = badge_height(self.theme)
        size = height * 0.72
        for place, count in zip(places, self.layout.sizes, strict=True):
            if place is None:
                continue
            badge = Rect(place.x, place.y + self.theme.dp(3), place.w, height).middle(
                round(place.w * 0.56), height
            )
            brush.box(badge, palette.bar, palette.line, 1, height // 2)
            brush.text(f"×{count}", badge, size, palette.text, align="center")
        self._badge_marks = brush.marks


class _CardGroup:
    """The drawing of one card, done again only when the card looks different, and its height."""

    def __init__(self) -> None:
        self.group = InstructionGroup()
        self.marks: list[Mark] = []
        self._shift = Translate(0, 0)
        self._face = InstructionGroup()
        self._drawn: object = None
        self._start = self._end = 0.0
        for instruction in (PushMatrix(), self._shift, self._face, PopMatrix()):
            self.group.add(instruction)

    def draw(self, place: Rect, face: Face, style: CardStyle, palette: Palette) -> None:
        """Draws the card where it lies while it is not raised."""
        drawn = (place, face, style, palette)
        if drawn == self._drawn:
            return
        self._drawn = drawn
        self._face.clear()
        brush = Brush(self._face)
        draw_card(brush, place, face, style, palette)
        self.marks = brush.marks

    @property
    def height(self) -> float:
        """How far the card is raised just now."""
        return float(self._shift.y)

    def aim(self, lift: float) -> bool:
        """Sets the height to come to, from where the card is now; whether that is another."""
        moves = lift != self._end
        self._start, self._end = self._shift.y, lift
        return moves

    def lift(self, left: float) -> None:
        """Comes nearer to its height: ``left`` of the way is still to go."""
        self._shift.y = self._end + (self._start - self._end) * left

    def clear(self) -> None:
        """Shows nothing."""
        self._face.clear()
        self.marks = []
        self._drawn = None
        self._shift.y = self._start = self._end = 0.0


def _between(start: tuple[float, float], end: tuple[float, float], step: float) -> list[tuple[float, float]]:
    """Points on the way, so that a fast drag leaves no card out."""
    count = max(1, int(hypot(end[0] - start[0], end[1] - start[1]) / step))
    return [
        (start[0] + (end[0] - start[0]) * i / count, start[1] + (end[1] - start[1]) * i / count)
        for i in range(1, count + 1)
    ]
