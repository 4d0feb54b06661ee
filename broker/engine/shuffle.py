"""Boards from a seed: a shuffle that anybody can compute again from what is published.

Byte-exact description. All integers are unsigned and big-endian; ``‖`` joins bytes; a *prefixed*
string is its length in bytes as 4 bytes, then the bytes; a board's name is taken as UTF-8.

- **Commitment**, published before the round:
  SHA-256( ``"paizhuo/1 commitment"`` ‖ seed (32 bytes) ‖ prefixed board name ).
- **Stream**: blocks b = 0, 1, 2 … of
  SHA-256( ``"paizhuo/1 shuffle"`` ‖ seed (32 bytes) ‖ prefixed beacon ‖ prefixed board name ‖ b as 8 bytes ),
  each read as eight words of 32 bits from its start. No word is used twice.
- **Number below n**: take the next word w; if w ≥ 2³² − (2³² mod n), take the next one instead;
  the number is w mod n.
- **Deck**: begin with the faces 0, 0, 1, 1 … 53, 53 (``cards.py`` numbers them). For i = 107, 106 … 1
  draw j below i + 1 and exchange the cards in places i and j.
- Then ``first`` is drawn below 4, and after it ``turned`` below 108, from the same stream.

The *beacon* is a value that nobody knew when the commitment was published; with the seed alone
no board can be foretold, and with the beacon alone none either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Final

from broker.engine.cards import TWO_PACKS, Cards
from broker.engine.game import Board
from broker.engine.seats import SEATS, Seat

SEED_BYTES: Final = 32

_SHUFFLE: Final = b"paizhuo/1 shuffle"
_COMMITMENT: Final = b"paizhuo/1 commitment"
_WORDS: Final = 1 << 32


def commitment(seed: bytes, board: str) -> bytes:
    """32 bytes that bind the seed to the board and tell nothing of either's cards.

    ``ValueError`` if the seed is not 32 bytes long.
    """
    return sha256(_COMMITMENT + _checked(seed) + _prefixed(board.encode())).digest()


def board_from(seed: bytes, beacon: bytes, board: str) -> Board:
    """The board of that name; the same three values always give the same one.

    ``ValueError`` if the seed is not 32 bytes long.
    """
    head = _SHUFFLE + _checked(seed) + _prefixed(beacon) + _prefixed(board.encode())
    below = _numbers(head)
    deck = list(TWO_PACKS)
    for i in range(len(deck) - 1, 0, -1):
        j = below(i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return Board(board=board, deck=tuple(deck), first=below(4), turned=below(len(deck)))


def deal(board: Board) -> tuple[Cards, ...]:
    """Four sorted hands by seat: one card at a time, counter-clockwise from ``first``."""
    return tuple(tuple(sorted(board.deck[(seat - board.first) % 4 :: 4])) for seat in SEATS)


def dealt_to(board: Board, index: int) -> Seat:
    """The seat that takes the card in place ``index`` of the deck."""
    return (board.first + index) % 4


def _numbers(head: bytes) -> Callable[[int], int]:
    """Draws from the stream: a function from n to the next number below n."""
    words = _words(head)

    def below(n: int) -> int:
        limit = _WORDS - _WORDS % n
        return next(word for word in words if word < limit) % n

    return below


def _words(head: bytes) -> Iterator[int]:
    block = 0
    while True:
        digest = sha256(head + block.to_bytes(8, "big")).digest()
        for start in range(0, len(digest), 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1


def _prefixed(value: bytes) -> bytes:
    return len(value).to_bytes(4, "big") + value


def _checked(seed: bytes) -> bytes:
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
    return seed
