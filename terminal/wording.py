"""Sentences about cards, plays and seats, put together from the catalogue. No Kivy."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from broker.engine.cards import RANK_OF, RANKS, SMALL_JOKER, Card, Cards, Rank, order_of
from broker.engine.guandan.combinations import NO_RANK, PlayType, Reading, format_type
from broker.engine.guandan.compare import bomb_class, higher_ranks
from broker.engine.guandan.readings import readings
from broker.engine.refusal import Reason, Refused
from broker.engine.seats import Seat, partner
from terminal.i18n import Catalogue

SUIT_SIGNS: Final = "♠♥♣♦"
RANK_SIGNS: Final = tuple("10" if letter == "T" else letter for letter in RANKS)
PAST_A: Final[Rank] = len(RANKS)

_SPANS: Final = {PlayType.STRAIGHT: 5, PlayType.STRAIGHT_FLUSH: 5, PlayType.TUBE: 3, PlayType.PLATE: 2}
_HIDDEN_ARTICLE: Final = ("", "-")
_OF_JOKERS: Final = frozenset((PlayType.SINGLE, PlayType.PAIR))
"""Types that jokers make; all others end with the thirteen ranks."""
_SUITED_RANKS: Final = (1 << len(RANKS)) - 1


class Note(NamedTuple):
    """What is, and what to do: two short lines."""

    head: str
    line: str = ""


class Wording:
    """Words of one language for what the rules speak of."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.text = catalogue.text
        self.short = catalogue.short

    def level(self, rank: Rank) -> str:
        """A level: ``10``, or past A."""
        return RANK_SIGNS[rank] if rank < PAST_A else self.text("rank.past_a")

    def rank(self, rank: Rank) -> str:
        """The rank of a reading: ``10``, or a joker."""
        if rank < len(RANKS):
            return RANK_SIGNS[rank]
        return self.text(_joker(rank))

    def card(self, card: Card, short: bool = False) -> str:
        """A card: ``♠10``, or a joker, ``short`` as on the card itself."""
        if card >= SMALL_JOKER:
            return self.short(_joker(RANK_OF[card])) if short else self.rank(RANK_OF[card])
        return SUIT_SIGNS[card // 13] + RANK_SIGNS[card % 13]

    def cards(self, cards: Iterable[Card]) -> str:
        """Cards to choose among."""
        return self.text("tribute.or").join(self.card(card) for card in cards)

    def play(self, reading: Reading, short: bool = False) -> str:
        """The name of a play with what decides it: ``三带对 Q``. It begins a line."""
        name = self.named(reading, short)
        return name[:1].upper() + name[1:]

    def named(self, reading: Reading, short: bool = False) -> str:
        """The same within a sentence."""
        span = _SPANS.get(reading.type)
        low = RANK_SIGNS[(reading.rank - span + 1) % 13] if span else ""
        rank = "" if reading.rank == NO_RANK else self.rank(reading.rank)
        key = f"play.{format_type(reading.type)}"
        if reading.type in _OF_JOKERS and reading.rank >= len(RANKS):
            key += ".joker"
        return (self.short if short else self.text)(key, rank=rank, low=low, size=reading.size)

    def type(self, play_type: PlayType) -> str:
        """The name of a type of play."""
        return self.text(format_type(play_type))

    def seat(self, seat: Seat) -> str:
        """The compass letter of a seat."""
        return self.text(f"seat.{seat}")

    def seat_of(self, seat: Seat, own: Seat) -> str:
        """The seat, or you."""
        return self.text("seat.own") if seat == own else self.seat(seat)

    def seats(self, seats: Iterable[Seat]) -> str:
        """Several seats."""
        return self.text("seats.joined").join(self.seat(seat) for seat in seats)

    def relation(self, seat: Seat, own: Seat) -> str:
        """How a seat stands to one's own."""
        return self.text(
            ("relation.own", "relation.next", "relation.opposite", "relation.previous")[(seat - own) % 4]
        )

    def side(self, seat: Seat, own: Seat) -> str:
        """Partner or opponent."""
        return self.text("side.partner" if seat == partner(own) else "side.opponent")

    def article(self, article: str) -> str:
        """An article in brackets; nothing where the rules have none."""
        return "" if article in _HIDDEN_ARTICLE else self.text("article", article=article)

    def table(self, table: str) -> str:
        """The name of a table: its number, if the id is made of one."""
        number = re.fullmatch(r"[a-z]*-?0*(\d+)", table)
        if number is None:
            return self.text("bar.table_named", table=table)
        return self.text("bar.table", table=number.group(1))

    def notice(self, key: str, article: str, **fields: str) -> str:
        """A notice by its key. One that this software does not know is said to be there."""
        if not self.catalogue.has(key):
            return self.text("unknown_notice")
        if not self.catalogue.fields(key) <= fields.keys():
            return self.text("unknown_notice")
        return self.text(key, **fields) + self.article(article)

    def problem(self, refused: Refused, selected: Cards, level: Rank, table: Reading | None) -> Note:
        """Why a selection may not be played, and what to do."""
        article = self.article(refused.article)
        if refused.reason is Reason.DOES_NOT_BEAT and table is not None:
            head = self._too_low(_read(selected, level, table), table)
            return Note(head, self._to_beat(table, level, article))
        if refused.reason in (Reason.NOT_A_PLAY, Reason.READING_NOT_POSSIBLE):
            head = self.text("note.not_a_play", count=len(selected))
            return Note(head, self.text("note.not_a_play_do", article=article))
        return Note(self.text(refused.reason.value) + article)

    def _too_low(self, reading: Reading, table: Reading) -> str:
        name = self.play(reading)
        if reading.type != table.type and bomb_class(reading) < 0:
            return self.text("note.other_type", play=name, type=self.type(table.type))
        return self.text("note.not_higher", play=name)

    def _to_beat(self, table: Reading, level: Rank, article: str) -> str:
        if table.type is PlayType.JOKER_BOMB:
            return self.text("note.beat_nothing_do", article=article)
        if bomb_class(table) >= 0:
            return self.text("note.beat_bomb_do", article=article)
        if is_highest(table, level):
            return self.text("note.beat_only_bomb_do", article=article)
        return self.text("note.beat_do", play=self.named(table), article=article)


def _joker(rank: Rank) -> str:
    return "card.small_joker" if rank == RANK_OF[SMALL_JOKER] else "card.big_joker"


def is_highest(reading: Reading, level: Rank) -> bool:
    """Whether no play of the same type and size is higher."""
    ranks = higher_ranks(reading, level)
    return not (ranks if reading.type in _OF_JOKERS else ranks & _SUITED_RANKS)


def by_order(cards: Cards, level: Rank) -> Cards:
    """Cards from the highest down."""
    return tuple(sorted(cards, key=lambda card: (-order_of(card, level), card)))


def _read(selected: Cards, level: Rank, table: Reading) -> Reading:
    """The reading of a selection that comes nearest to the table's."""
    found = readings(selected, level)
    return max(found, key=lambda reading: (reading.type == table.type, bomb_class(reading), reading.rank))
