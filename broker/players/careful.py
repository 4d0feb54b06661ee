"""Careful play: out in few turns, bombs late, and never against the partner without need.

A decision weighs what a play spares (the cost of the hand before, less that of what is left)
against what it gives away, with the partner's play and the announced counts taken into account.
Nothing is remembered: what the view does not show is not known.
"""

from __future__ import annotations

import random
from typing import Final, NamedTuple

from broker.engine.cards import RANK_OF, Card, Cards, Rank, order_of, remove, wild
from broker.engine.game import DecisionKind
from broker.engine.guandan.actions import GiveBack, Pass, PayTribute, Play
from broker.engine.guandan.combinations import PlayType, Reading
from broker.engine.guandan.compare import bomb_class, power
from broker.engine.guandan.hand import Hand
from broker.engine.guandan.rules import Rules
from broker.engine.guandan.selections import selections
from broker.engine.guandan.views import Laid, PublicView, View
from broker.engine.seats import Seat, after, before, partner
from broker.players.plan import plan, strength
from broker.players.policy import Move, owed

_LEAD: Final = 0.45
"""What it is worth to have the lead."""
_THRESHOLD: Final = 0.2
"""What a play must be worth to be made instead of a pass."""
_GOING_OUT: Final = 10.0
_LAST_BUT_ONE: Final = 0.6
"""What it is worth to have only one play left."""
_SIZE: Final = 0.04
"""What it is worth to be rid of a card more."""
_HIGH: Final = 0.02
"""What it costs to lead a rank higher."""
_ALARM: Final = 5
"""A player that has announced so few cards may soon be out."""
_DANGER: Final = 0.8
"""What it costs to play what an opponent may go out with."""
_FEED: Final = 0.8
"""What it is worth to lead what the partner may go out with."""
_STOP: Final = 0.25
"""What it is worth to stop an opponent, for each card that it is below the alarm."""
_OVERTAKE: Final = 0.3
"""What it costs to beat the partner's play, besides that play's chance to win."""


class Option(NamedTuple):
    """A play that may be made, and what is left after it."""

    cards: Cards
    reading: Reading
    left: Cards


class Position:
    """A play that is owed, seen from the seat: the hand, the table, and what was announced."""

    def __init__(self, seat: Seat, cards: Cards, public: PublicView) -> None:
        self.seat = seat
        self.level = public.level
        self.hand = Hand(cards, public.level)
        self.plan = plan(cards, public.level)
        self.partner_count = public.counts[partner(seat)] or None
        self.opponent_counts = [
            count for count in (public.counts[after(seat)], public.counts[before(seat)]) if count
        ]
        self._of_rank = [0] * 15
        for card in cards:
            self._of_rank[RANK_OF[card]] += 1

    def option(self, reading: Reading) -> Option:
        """The reading with the cards that are missed least: no wild, no bomb broken, few ranks broken."""
        cards = min(selections(self.hand, reading), key=self._missed)
        return Option(tuple(sorted(cards)), reading, remove(self.hand.cards, cards) or ())

    def _missed(self, cards: Cards) -> tuple[int, int, int, int]:
        ranks = [RANK_OF[card] for card in cards]
        broken = [self._of_rank[rank] for rank in set(ranks) if ranks.count(rank) != self._of_rank[rank]]
        bombs = sum(count >= 4 for count in broken)
        order = sum(order_of(card, self.level) for card in cards)
        return cards.count(wild(self.level)), bombs, len(broken), order

    def danger(self, reading: Reading) -> float:
        """What the play costs because an opponent may go out on it."""
        if reading.size not in self.opponent_counts:
            return 0.0
        return _DANGER * (1 - strength(reading, self.level))


def careful(view: View, rules: Rules, chance: random.Random) -> Move:
    """The move; it leaves nothing to chance."""
    seat, own, kind = owed(view)
    match kind:
        case DecisionKind.TRIBUTE:
            return PayTribute(seat, _least_missed(own.hand, own.allowed, view.public.level))
        case DecisionKind.GIVE_BACK:
            return GiveBack(seat, _least_missed(own.hand, own.allowed, view.public.level))
    position = Position(seat, own.hand, view.public)
    laid = view.public.table
    option = _led(position) if laid is None else _followed(position, laid)
    return Pass(seat) if option is None else Play(seat, option.cards, option.reading)


def _least_missed(hand: Cards, allowed: Cards, level: Rank) -> Card:
    """The card without which the hand costs least; of equal ones the lowest."""

    def missed(card: Card) -> tuple[float, int]:
        return plan(remove(hand, (card,)) or (), level).cost, order_of(card, level)

    return min(allowed, key=missed)


def _led(position: Position) -> Option:
    """The weakest plays first, unless at most one is left that would be beaten: then that one last."""
    plays = [play for play in position.plan.plays if bomb_class(play) < 0]
    losers = [play for play in plays if strength(play, position.level) < 0.5]
    winners = [play for play in plays if play not in losers]
    first = winners if len(losers) <= 1 and winners else losers or winners or list(position.plan.plays)
    best = max(first, key=lambda play: _worth_leading(position, play))
    return position.option(_as_held(position, best))


def _as_held(position: Position, play: Reading) -> Reading:
    """A run of one suit is a straight flush, which the plan, going by ranks, may not have seen."""
    if play in position.hand.readings:
        return play
    return play._replace(type=PlayType.STRAIGHT_FLUSH)


def _worth_leading(position: Position, play: Reading) -> float:
    worth = 1 - strength(play, position.level) - position.danger(play)
    worth += _SIZE * play.size - _HIGH * power(play, position.level)
    if play.size == position.partner_count and len(position.plan.plays) > 2:
        worth += _FEED
    return worth


def _followed(position: Position, laid: Laid) -> Option | None:
    """The play that is worth most, or None for a pass."""
    best, most = None, _THRESHOLD
    for reading in position.hand.readings_over(laid.reading):
        option = position.option(reading)
        worth = _worth(position, option) - _given_away(position, option, laid)
        if worth > most:
            best, most = option, worth
    return best


def _worth(position: Position, option: Option) -> float:
    """What the play gains by itself."""
    if not option.left:
        return _GOING_OUT
    rest = plan(option.left, position.level)
    gain = position.plan.cost - rest.cost + _LEAD * strength(option.reading, position.level)
    return gain + (_LAST_BUT_ONE if len(rest.plays) == 1 else 0.0)


def _given_away(position: Position, option: Option, laid: Laid) -> float:
    """What the play costs because of who lies before it, and who may be out next."""
    if laid.seat == partner(position.seat):
        near = position.partner_count is not None and position.partner_count <= _ALARM
        bomb = bomb_class(option.reading) >= 0
        return _OVERTAKE + strength(laid.reading, position.level) + near + bomb
    fewest = min(position.opponent_counts, default=_ALARM)
    return position.danger(option.reading) - _STOP * max(0, _ALARM - fewest) * strength(
        option.reading, position.level
    )
