"""A hand as masks of ranks, and the readings that can be made from parts of it.

Layout. A set of faces is a number with bit ``face`` set, so each suit is a 13-bit mask of ranks.
Two such numbers say everything about a hand: the faces held at least once and those held twice.
The wilds are counted apart and taken out of both.

From the eight suit masks (four suits; one copy, both copies) the ranks held at least k times
follow bit by bit for all ranks together: ``held[k]`` has bit r set when k natural cards of rank r
are there. A wild fills one gap, so with w wilds a bomb of n is any rank of ``held[n - w]``; tubes
and plates are shifts of these masks, straights a look-up. No part of the hand is ever enumerated.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from broker.engine.cards import FACES, RANKS, SMALL_JOKER, SMALL_JOKER_RANK, Cards, Rank, wild
from broker.engine.guandan.choices import Choices, Faces
from broker.engine.guandan.combinations import Reading
from broker.engine.guandan.compare import bomb_class, higher_ranks
from broker.engine.guandan.tables import BOMBS, ORDINARY, RANK_MASK, RUNS, ace_low

Masks: TypeAlias = tuple[int, ...]

_SINGLES, _PAIRS, _TRIPLES, _FULL_HOUSES, _STRAIGHTS, _TUBES, _PLATES = ORDINARY

_BIT: Final = {face: 1 << face for face in range(FACES)}.__getitem__
_SUIT: Final = len(RANKS)
_BOTH_JOKERS: Final = 0b11 << SMALL_JOKER_RANK
_NO_BOMBS: Final = (0,) * len(BOMBS)
_LOWEST_OF_TUBES: Final = (1 << 12) - 1
"""Ranks, the low A first, with which a tube can begin."""


class Hand:
    """The readings of a hand at one level; it never changes. A face occurs at most twice."""

    __slots__ = (
        "_bombs",
        "_by_class",
        "_by_type",
        "_choices",
        "_faces",
        "_once",
        "_readings",
        "_twice",
        "cards",
        "level",
        "suits",
        "wilds",
    )

    def __init__(self, cards: Cards, level: Rank) -> None:
        once = sum(map(_BIT, set(cards)))
        twice = sum(map(_BIT, cards)) - once
        wild_bit = _BIT(wild(level))
        wilds = 2 if twice & wild_bit else 1 if once & wild_bit else 0
        self.cards: Final = cards
        self.level: Final = level
        self.wilds: Final = wilds
        self._once: Final = once & ~wild_bit
        self._twice: Final = twice & ~wild_bit
        self.suits: Final = _suits(self._once)
        self._choices: Choices | None = None
        self._faces: Faces | None = None
        self._readings: tuple[Reading, ...] | None = None
        held = _held(self.suits, _suits(self._twice))
        jokers, two_jokers = once >> SMALL_JOKER << SMALL_JOKER_RANK, twice >> SMALL_JOKER << SMALL_JOKER_RANK
        flushes = _flushes(self.suits, wilds)
        ones, twos, threes = ace_low(held[1]), ace_low(held[2]), ace_low(held[3])
        self._by_type: Final = (
            held[1] | jokers | (1 << level if wilds else 0),
            # Of ranks that are held; two wilds alone are a pair of level cards.
            held[2 - wilds] & (held[1] | 1 << level) | two_jokers,
            held[3 - wilds],
            _full_houses(held, two_jokers, wilds),
            _straights(self.suits, held[1], flushes, wilds),
            _tubes(ones, twos, wilds),
            _plates(ones, twos, threes, wilds),
        )
        self._by_class: Final = _by_class(held, flushes, two_jokers == _BOTH_JOKERS, wilds)
        self._bombs: Final = () if self._by_class is _NO_BOMBS else self._from_class(0)

    @property
    def readings(self) -> tuple[Reading, ...]:
        """Every distinct reading of a part of the hand.

        In the order of types and ranks, the bombs last in the order of their classes.
        """
        if self._readings is None:
            singles, pairs, triples, full_houses, straights, tubes, plates = self._by_type
            self._readings = (
                *_SINGLES[singles],
                *_PAIRS[pairs],
                *_TRIPLES[triples],
                *_FULL_HOUSES[full_houses],
                *_STRAIGHTS[straights],
                *_TUBES[tubes],
                *_PLATES[plates],
                *self._bombs,
            )
        return self._readings

    def readings_over(self, table: Reading) -> tuple[Reading, ...]:
        """The readings that beat ``table``, in the order of ``readings``."""
        of_class = bomb_class(table)
        higher = higher_ranks(table, self.level)
        if of_class < 0:
            return ORDINARY[table.type][self._by_type[table.type] & higher] + self._bombs
        return BOMBS[of_class][self._by_class[of_class] & higher] + self._from_class(of_class + 1)

    @property
    def choices(self) -> Choices:
        """By rank: every choice of its natural cards."""
        if self._choices is None:
            self._choices = Choices(self._once, self._twice)
        return self._choices

    @property
    def faces(self) -> Faces:
        """By rank: the distinct natural faces."""
        if self._faces is None:
            self._faces = Faces(self._once)
        return self._faces

    def _from_class(self, lowest: int) -> tuple[Reading, ...]:
        """All bombs of this class and above."""
        found: tuple[Reading, ...] = ()
        for of_class in range(lowest, len(BOMBS)):
            if mask := self._by_class[of_class]:
                found += BOMBS[of_class][mask]
        return found


def _suits(faces: int) -> Masks:
    """Mask of ranks of each suit."""
    return (
        faces & RANK_MASK,
        faces >> _SUIT & RANK_MASK,
        faces >> 2 * _SUIT & RANK_MASK,
        faces >> 3 * _SUIT & RANK_MASK,
    )


def _held(once: Masks, twice: Masks) -> Masks:
    """``held[k]``: the ranks held at least k times, k from 0 to 10.

    Two suits are added first, then the two sums: k of both together are i of one and k − i of the other.
    """
    a1, a2, a3, a4 = _two_suits(once[0], twice[0], once[1], twice[1])
    b1, b2, b3, b4 = _two_suits(once[2], twice[2], once[3], twice[3])
    return (
        RANK_MASK,
        a1 | b1,
        a2 | a1 & b1 | b2,
        a3 | a2 & b1 | a1 & b2 | b3,
        a4 | a3 & b1 | a2 & b2 | a1 & b3 | b4,
        a4 & b1 | a3 & b2 | a2 & b3 | a1 & b4,
        a4 & b2 | a3 & b3 | a2 & b4,
        a4 & b3 | a3 & b4,
        a4 & b4,
        0,
        0,
    )


def _two_suits(a1: int, a2: int, b1: int, b2: int) -> tuple[int, int, int, int]:
    return a1 | b1, a2 | a1 & b1 | b2, a2 & b1 | a1 & b2, a2 & b2


def _flushes(suits: Masks, wilds: int) -> int:
    """Top ranks of the straight flushes."""
    runs = RUNS[wilds]
    return runs[suits[0]] | runs[suits[1]] | runs[suits[2]] | runs[suits[3]]


def _straights(suits: Masks, held: int, flushes: int, wilds: int) -> int:
    """Top ranks of the plain straights.

    A wild can always take another suit. Without one a run is plain unless one suit alone has
    cards for it.
    """
    tops = RUNS[wilds][held]
    if wilds or not flushes:
        return tops
    runs = RUNS[0]
    for suit in range(4):
        others = suits[suit - 1] | suits[suit - 2] | suits[suit - 3]
        tops &= ~(runs[suits[suit]] & runs[RANK_MASK & ~others])
    return tops


def _by_class(held: Masks, flushes: int, joker_bomb: bool, wilds: int) -> Masks:
    """Ranks of the bombs by class, as in ``tables.BOMBS``."""
    if not (flushes or joker_bomb or held[4 - wilds]):
        return _NO_BOMBS
    return (*held[4 - wilds : 6 - wilds], flushes, *held[6 - wilds : 11 - wilds], joker_bomb)


def _full_houses(held: Masks, jokers: int, wilds: int) -> int:
    """Ranks of triples beside which a pair of another rank is left; ``jokers`` pair naturally only."""
    pairs = held[2] | jokers
    if wilds == 0:
        return _beside(held[3], pairs)
    found = _beside(held[2], pairs) | _beside(held[3], held[1] | jokers)
    if wilds == 1:
        return found
    return held[3] | _beside(held[2], held[1] | jokers) | _beside(held[1], pairs)


def _beside(ranks: int, others: int) -> int:
    """Those of ``ranks`` for which ``others`` has another rank."""
    if others & others - 1:
        return ranks
    return ranks & ~others if others else 0


def _tubes(ones: int, twos: int, wilds: int) -> int:
    """Top ranks of the tubes, from masks with the A below the 2."""
    twos1, twos2 = twos >> 1, twos >> 2
    if wilds == 0:
        return (twos & twos1 & twos2) << 1
    ones1, ones2 = ones >> 1, ones >> 2
    if wilds == 1:
        return (ones & twos1 & twos2 | twos & ones1 & twos2 | twos & twos1 & ones2) << 1
    one_rank = twos & twos1 | twos & twos2 | twos1 & twos2
    two_ranks = ones & ones1 & twos2 | ones & twos1 & ones2 | twos & ones1 & ones2
    return (one_rank & _LOWEST_OF_TUBES | two_ranks) << 1


def _plates(ones: int, twos: int, threes: int, wilds: int) -> int:
    """Top ranks of the plates, from masks with the A below the 2."""
    threes1 = threes >> 1
    if wilds == 0:
        return threes & threes1
    twos1 = twos >> 1
    if wilds == 1:
        return threes & twos1 | twos & threes1
    return threes & ones >> 1 | twos & twos1 | ones & threes1
