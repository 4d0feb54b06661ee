"""Boards computed again from their opened seeds: commitment, beacon, shuffle, hands.

Follows the description in FORMAT.md ("Boards"); shares no code with the authority.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

FACES = (*(suit + rank for suit in "SHCD" for rank in "23456789TJQKA"), "LJ", "BJ")


@dataclass(frozen=True)
class Board:
    """108 cards in dealing order, who takes the first, and the place of the turned-up card."""

    deck: tuple[str, ...]
    first: int
    turned: int

    def hands(self) -> list[list[str]]:
        """Cards by seat, dealt one at a time, counter-clockwise."""
        return [list(self.deck[(seat - self.first) % 4 :: 4]) for seat in range(4)]

    def seat_of(self, place: int) -> int:
        """The seat that takes the card in this place of the deck."""
        return (self.first + place) % 4


def commitment(seed: bytes, board: str) -> str:
    """Hash (hex) that must have been published before the board was dealt."""
    return hashlib.sha256(b"paizhuo/1 commitment" + seed + _sized(board.encode())).hexdigest()


def beacon(nonces: Sequence[bytes]) -> str:
    """Value (hex) that the seats' nonces, by seat, make together."""
    return hashlib.sha256(b"paizhuo/1 beacon" + b"".join(nonces)).hexdigest()


def board_of(seed: bytes, beacon_value: bytes, board: str) -> Board:
    """The board that these three values fix."""
    prefix = b"paizhuo/1 shuffle" + seed + _sized(beacon_value) + _sized(board.encode())
    words = _stream(prefix)
    deck = [face for face in FACES for _ in (0, 1)]
    for last in range(107, 0, -1):
        other = _draw(words, last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    first = _draw(words, 4)
    return Board(tuple(deck), first, _draw(words, 108))


def _stream(prefix: bytes) -> Iterator[int]:
    for number in count():
        block = hashlib.sha256(prefix + number.to_bytes(8, "big")).digest()
        yield from (int.from_bytes(block[i : i + 4], "big") for i in range(0, 32, 4))


def _draw(words: Iterator[int], below: int) -> int:
    ceiling = 2**32 // below * below
    while (word := next(words)) >= ceiling:
        pass
    return word % below


def _sized(value: bytes) -> bytes:
    return len(value).to_bytes(4, "big") + value
