"""The types of play and the readings that are plays of them.

A *reading* is what a set of cards is declared to be: its type, rank and size. The rank is the
one that decides comparison: of the cards (single, pair, triple, bomb), of the triple (full
house), or the top natural rank (sequences; 5 for A2345, 3 for AA2233, 2 for AAA222).
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple

from broker.engine.cards import Cards, Rank, format_rank, parse_rank


class PlayType(IntEnum):
    """Types of play in the order of the rulebook's table."""

    SINGLE = 0
    PAIR = 1
    TRIPLE = 2
    FULL_HOUSE = 3
    STRAIGHT = 4
    TUBE = 5
    PLATE = 6
    BOMB = 7
    STRAIGHT_FLUSH = 8
    JOKER_BOMB = 9


NO_RANK: Final[Rank] = 15
"""Rank of the joker bomb, which has none."""


class Reading(NamedTuple):
    """What a set of cards is declared to be."""

    type: PlayType
    rank: Rank
    size: int


class Play(NamedTuple):
    """Sorted cards, with the reading declared for them."""

    cards: Cards
    reading: Reading


def format_type(play_type: PlayType) -> str:
    """Wire and vector name, for example ``full_house``."""
    return play_type.name.lower()


def parse_type(text: str) -> PlayType:
    """The type that ``text`` names; ``ValueError`` if none."""
    try:
        return PlayType[text.upper()]
    except KeyError:
        raise ValueError(f"not a type of play: {text!r}") from None


def format_reading_rank(reading: Reading) -> str | None:
    """Rank text; None for the joker bomb."""
    return None if reading.rank == NO_RANK else format_rank(reading.rank)


def parse_reading_rank(text: str | None) -> Rank:
    """Rank of a reading from its text; ``ValueError`` if it is none."""
    return NO_RANK if text is None else parse_rank(text)
