"""The own hand in columns by rank: which card lies where, and which one a touch means. No Kivy.

A column is listed from back to front: the front card shows its whole face, the others a strip
with rank and suit. Slots are numbered in drawing order, column by column.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from broker.engine.cards import Card, Cards, Rank, order_of, remove, wild
from terminal.layout import Rect, margin
from terminal.theme import MM_TARGET, Theme

COLUMNS = 15
"""Thirteen ranks and two jokers: so many columns always have room."""
FULL_COLUMN = 4
"""A higher column gives cards to a free one while there is one."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One card of the hand where it lies while it is not raised."""

    card: Card
    column: int
    rect: Rect
    strip: int
    """Height that the next card leaves free; 0 for the front card."""


@dataclass(frozen=True, slots=True)
class HandLayout:
    """All cards of a hand. ``heads`` are by column; None where there is one card only."""

    zone: Rect
    slots: tuple[Slot, ...]
    heads: tuple[Rect | None, ...]
    sizes: tuple[int, ...]
    lift: int
    """How far a chosen card is raised."""
    gap: int

    def lifts(self, raised: Collection[int], held_up: Collection[int] = ()) -> tuple[int, ...]:
        """By slot: pixels up. A raised card lifts all behind it; ``held_up`` ones half as far."""
        wanted = [
            self.lift if i in raised else self.lift // 2 if i in held_up else 0
            for i in range(len(self.slots))
        ]
        for i in range(len(wanted) - 2, -1, -1):
            if self.slots[i].column == self.slots[i + 1].column:
                wanted[i] = max(wanted[i], wanted[i + 1])
        return tuple(wanted)

    def slot_at(self, x: float, y: float, lifts: Sequence[int]) -> int | None:
        """The card that a touch means, the front one first; margins belong to the nearest card."""
        for i in range(len(self.slots) - 1, -1, -1):
            slot = self.slots[i]
            rect = slot.rect.moved(0, lifts[i])
            floor = self.zone.y if not slot.strip and rect.y - self.gap * 4 < self.zone.y else rect.y
            reach = Rect(rect.x - self.gap / 2, floor, rect.w + self.gap, rect.top - floor)
            if reach.holds(x, y):
                return i
        return None

    def head_at(self, x: float, y: float, lifts: Sequence[int]) -> int | None:
        """The column whose head was touched."""
        for column in range(len(self.heads)):
            head = self.head(column, lifts)
            if head is not None and head.holds(x, y):
                return column
        return None

    def head(self, column: int, lifts: Sequence[int]) -> Rect | None:
        """Target of a column's head, above its hindmost card."""
        head = self.heads[column]
        if head is None:
            return None
        bottom = head.y + lifts[self.members(column)[0]]
        return Rect(head.x, bottom, head.w, max(0, min(head.h, self.zone.top - bottom)))

    def members(self, column: int) -> tuple[int, ...]:
        """The slots of a column, back to front."""
        start = sum(self.sizes[:column])
        return tuple(range(start, start + self.sizes[column]))


def columns(hand: Cards, level: Rank, asides: Sequence[Cards] = ()) -> tuple[Cards, ...]:
    """The hand as columns: cards set aside, jokers, level cards (wild in front), A … 2."""
    rest = hand
    apart = []
    for aside in asides:
        left = remove(rest, aside)
        if left is not None:
            rest = left
            apart.append(tuple(sorted(aside, key=lambda card: (-order_of(card, level), card))))
    ranked: dict[int, list[Card]] = {}
    for card in rest:
        ranked.setdefault(order_of(card, level), []).append(card)
    wild_card = wild(level)
    grouped = [
        tuple(sorted(ranked[order], key=lambda c: (c == wild_card, c)))
        for order in sorted(ranked, reverse=True)
    ]
    return (*apart, *_spread(grouped, COLUMNS - len(apart)))


def _spread(grouped: list[Cards], limit: int) -> list[Cards]:
    """Splits the highest columns while a column is free."""
    while len(grouped) < limit:
        tallest = max(range(len(grouped)), key=lambda i: len(grouped[i]), default=None)
        if tallest is None or len(grouped[tallest]) <= FULL_COLUMN:
            break
        cards = grouped[tallest]
        half = (len(cards) + 1) // 2
        grouped[tallest : tallest + 1] = [cards[:half], cards[half:]]
    return grouped


def badge_height(theme: Theme) -> int:
    """Height of the count above a column."""
    return theme.dp(22) if theme.tight else theme.dp(26)


def rank_size(theme: Theme) -> float:
    """Pixels of the rank on a card in the hand; not scaled with the text."""
    return theme.density * (30.0 if theme.tight else 41.0)


def card_size(theme: Theme, count: int = COLUMNS) -> tuple[int, int, int]:
    """Width and height of a card in the hand, and the gap between columns."""
    space = theme.dp(4) if theme.tight else theme.dp(5)
    pitch = int((theme.width - 2 * margin(theme) + space) / max(COLUMNS, count))
    width = pitch - space
    return width, round(width * 1.385), space


def lay_hand(zone: Rect, groups: Sequence[Cards], theme: Theme) -> HandLayout:
    """The hand bottom-aligned in its zone, centred, columns always equally wide."""
    width, height, space = card_size(theme, len(groups))
    lift = theme.dp(17) if not theme.tight else theme.dp(11)
    badge = badge_height(theme)
    floor = zone.y + theme.dp(6)
    room = zone.top - floor - height - lift - badge - theme.dp(4)
    left = round(zone.x + (zone.w - len(groups) * (width + space) + space) / 2)
    slots: list[Slot] = []
    heads: list[Rect | None] = []
    for index, cards in enumerate(groups):
        x = left + index * (width + space)
        step = min(theme.dp(MM_TARGET), room / max(1, len(cards) - 1))
        ups = [round(step * (len(cards) - 1 - depth)) for depth in range(len(cards))]
        for card, up, below in zip(cards, ups, [*ups[1:], ups[-1]], strict=True):
            slots.append(Slot(card, index, Rect(x, floor + up, width, height), up - below))
        top = floor + height + ups[0]
        heads.append(Rect(x, top, width, theme.dp(MM_TARGET)) if len(cards) > 1 else None)
    return HandLayout(zone, tuple(slots), tuple(heads), tuple(len(cards) for cards in groups), lift, space)


def raised_slots(layout: HandLayout, before: Collection[int], selected: Cards) -> frozenset[int]:
    """Slots that show a selection: those of ``before`` as far as it holds, then the hindmost free ones."""
    rest = list(selected)
    raised = set()
    for i in sorted(before):
        if i < len(layout.slots) and layout.slots[i].card in rest:
            rest.remove(layout.slots[i].card)
            raised.add(i)
    for i, slot in enumerate(layout.slots):
        if i not in raised and slot.card in rest:
            rest.remove(slot.card)
            raised.add(i)
    return frozenset(raised)


def faces(layout: HandLayout, raised: Collection[int]) -> Cards:
    """The selection that raised slots make, sorted."""
    return tuple(sorted(layout.slots[i].card for i in raised))
