"""The course of a trick: whose turn comes, who leads next, who is out, what is announced.

Guandan: play (national art. 4, 6, 10, 12; Huai'an articles on play, partner lead, announcement).
"""

from __future__ import annotations

from broker.engine.cards import Cards
from broker.engine.guandan.rules import Announce, Rules
from broker.engine.seats import SEATS, Seat, after, partner


def turn_after(hands: tuple[Cards, ...], seat: Seat, winner: Seat) -> Seat:
    """Who acts after ``seat``: the next one that holds cards.

    ``winner`` is the seat of the play on the table; if the turn comes back to it, out or not, all
    others have let its play stand and the trick is over.
    """
    turn = after(seat)
    while turn != winner and not hands[turn]:
        turn = after(turn)
    return turn


def lead_after(hands: tuple[Cards, ...], winner: Seat) -> Seat:
    """Who leads the next trick: its winner, or the partner of a winner that is out (partner lead).

    A partner lead follows place 1 and place 2 alike. With the partner out too, the deal is over.
    """
    return winner if hands[winner] else partner(winner)


def final_order(out: tuple[Seat, ...]) -> tuple[Seat, ...] | None:
    """Seats by place once the deal is over, else None.

    Two seats on one side: a double-down, which ends the deal at once. After the third, the
    fourth place needs no play.
    """
    if len(out) == 2 and out[1] == partner(out[0]):
        return out
    if len(out) == 3:
        return (*out, *(seat for seat in SEATS if seat not in out))
    return None


def is_announced(rules: Rules, before: int, left: int) -> bool:
    """Whether a play that took a hand from ``before`` to ``left`` cards has its count announced.

    Kept current: after every play that leaves fewer than the threshold. Once a deal: only after
    the play that first does. A seat that goes out is not announced: that is an event of its own.
    """
    if not 0 < left < rules.announce_below:
        return False
    return rules.announce is Announce.CURRENT or before >= rules.announce_below
