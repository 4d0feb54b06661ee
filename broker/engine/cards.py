"""Cards as small integers, with their text.

A card is a *face*, 0–53: ``suit * 13 + rank`` for the suits ♠ ♥ ♣ ♦ (0–3) and the ranks
2 … A (0–12); 52 is the small joker, 53 the big one. Two packs hold every face twice; the
copies are not told apart, so a hand is a sorted tuple of faces in which one may occur twice.

Text (vectors, logs, wire): suit letter ``S H C D`` and rank ``2 … 9 T J Q K A``; ``LJ``, ``BJ``.
Ranks go on past A for the jokers (13, 14), so one number orders every natural single.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

Card: TypeAlias = int
Rank: TypeAlias = int
Cards: TypeAlias = tuple[Card, ...]

SUITS: Final = "SHCD"
RANKS: Final = "23456789TJQKA"
ACE: Final[Rank] = 12
SMALL_JOKER_RANK: Final[Rank] = 13
BIG_JOKER_RANK: Final[Rank] = 14
HEARTS: Final = 1

SMALL_JOKER: Final[Card] = 52
BIG_JOKER: Final[Card] = 53
FACES: Final = 54
HEART_THREE: Final[Card] = HEARTS * 13 + 1

_TEXT: Final[tuple[str, ...]] = (*(s + r for s in SUITS for r in RANKS), "LJ", "BJ")
_CARD: Final = {text: card for card, text in enumerate(_TEXT)}
_RANK_TEXT: Final[tuple[str, ...]] = (*RANKS, "LJ", "BJ")
_RANK: Final = {text: rank for rank, text in enumerate(_RANK_TEXT)}

RANK_OF: Final[tuple[Rank, ...]] = (*(card % 13 for card in range(52)), SMALL_JOKER_RANK, BIG_JOKER_RANK)
"""Natural rank (0–14) of each face."""

TWO_PACKS: Final[Cards] = tuple(sorted((*range(FACES), *range(FACES))))
"""All 108 cards, sorted."""


def wild(level: Rank) -> Card:
    """The face that is wild at ``level``: the heart of that rank (guandan: wild cards)."""
    return HEARTS * 13 + level


def order_of(card: Card, level: Rank) -> int:
    """Place of a card in the order of single cards, 0–15 (guandan: order of single cards).

    Big joker > small joker > level rank > A … 2, the level rank out of its natural place.
    """
    return rank_order(RANK_OF[card], level)


def rank_order(rank: Rank, level: Rank) -> int:
    """Place of a rank (0–14) in the order of single cards at ``level``."""
    if rank == level:
        return 13
    return rank + 1 if rank >= SMALL_JOKER_RANK else rank


def parse_card(text: str) -> Card:
    """The card that ``text`` names; ``ValueError`` if it names none."""
    try:
        return _CARD[text]
    except KeyError:
        raise ValueError(f"not a card: {text!r}") from None


def format_card(card: Card) -> str:
    """Two letters, for example ``S7`` or ``BJ``."""
    return _TEXT[card]


def parse_cards(text: str) -> Cards:
    """Sorted cards of a list separated by blanks; ``ValueError`` names the one that is none."""
    return tuple(sorted(parse_card(word) for word in text.split()))


def format_cards(cards: Iterable[Card]) -> str:
    """The cards as text in the order given, one blank between."""
    return " ".join(_TEXT[card] for card in cards)


def parse_rank(text: str) -> Rank:
    """Rank 0–14 of ``2 … A``, ``LJ``, ``BJ``; ``ValueError`` otherwise."""
    try:
        return _RANK[text]
    except KeyError:
        raise ValueError(f"not a rank: {text!r}") from None


def format_rank(rank: Rank) -> str:
    """Text of a rank, for example ``T``."""
    return _RANK_TEXT[rank]


def remove(hand: Cards, cards: Cards) -> Cards | None:
    """``hand`` without ``cards``, sorted; None if it does not hold them all."""
    rest = list(hand)
    for card in cards:
        try:
            rest.remove(card)
        except ValueError:
            return None
    return tuple(rest)
