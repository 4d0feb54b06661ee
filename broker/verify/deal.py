"""A deal in play as the judge knows it: hands, tribute, and the trick on the table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from .combinations import Reading

EVERYBODY = frozenset(range(4))


@dataclass
class Deal:
    """What the judge knows of the deal in play."""

    level: str
    hands: list[list[str]]
    turn: int | None = None
    """Who owes a play; None until somebody leads."""
    begun: bool = False
    """Something has been played."""
    table: Reading | None = None
    table_seat: int | None = None
    passed: set[int] = field(default_factory=set)
    """Seats that passed, or lost their turn, since the play on the table."""
    out: list[int] = field(default_factory=list)
    payers: tuple[int, ...] = ()
    paid: dict[int, str] = field(default_factory=dict)
    transfers: list[tuple[int, int]] = field(default_factory=list)
    returned: dict[int, str] = field(default_factory=dict)

    def move(self, card: str, giver: int, taker: int) -> None:
        """A card goes from hand to hand."""
        self.hands[giver].remove(card)
        self.hands[taker].append(card)

    def next_after(self, seat: int) -> int:
        """The next seat that holds cards."""
        return next(place for step in (1, 2, 3, 4) if self.hands[place := (seat + step) % 4])

    def lay(self, seat: int, cards: Iterable[str], reading: Reading) -> None:
        """The cards leave the hand and lie on the table; the turn goes on."""
        for card in cards:
            self.hands[seat].remove(card)
        self.table, self.table_seat, self.passed, self.begun = reading, seat, set(), True
        self.turn = self.next_after(seat)

    def let_go(self, seat: int) -> int | None:
        """The seat lets the play stand. The winner, if with it everybody else has; else the turn goes on."""
        winner = self.table_seat
        self.passed.add(seat)
        if winner is None or not EVERYBODY.difference(self.out, {winner}) <= self.passed:
            self.turn = self.next_after(seat)
            return None
        self.table = self.table_seat = None
        return winner
