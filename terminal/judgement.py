"""Judgement: what a seat may do now, by the rules that the authority applies and nothing else.

Functions of the seat's own view. Hands are kept once they are read, so a screen may ask at every
touch.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from broker.engine.cards import Cards, Rank, wild
from broker.engine.game import DecisionKind
from broker.engine.guandan.combinations import PlayType, Reading
from broker.engine.guandan.hand import Hand
from broker.engine.guandan.plays import check_play
from broker.engine.guandan.readings import readings
from broker.engine.guandan.rules import Rules
from broker.engine.guandan.selections import selections
from broker.engine.guandan.views import OwnView, PublicView
from broker.engine.refusal import Reason, Refused

HANDED_OVER: Final = (DecisionKind.TRIBUTE, DecisionKind.GIVE_BACK)
"""Decisions that are answered by one card."""

_NO_READING: Final = Reading(PlayType.SINGLE, 0, 1)


class Question(NamedTuple):
    """What is asked of the seat, and what it needs to answer."""

    owes: DecisionKind
    public: PublicView
    own: OwnView
    rules: Rules

    @property
    def to_beat(self) -> Reading | None:
        """The reading of the play on the table."""
        return self.public.table.reading if self.public.table else None


def options(question: Question | None, selected: Cards) -> tuple[Reading, ...]:
    """Readings as which the selected cards may be played now, the highest first."""
    if question is None or question.owes in HANDED_OVER or not selected:
        return ()
    possible = readings(selected, question.public.level)
    return tuple(reading for reading in reversed(possible) if _refusal(question, selected, reading) is None)


def problem(question: Question | None, selected: Cards) -> Refused | None:
    """Why the selected cards may not be played, paid or given back now; None if they may.

    None, too, if nothing is selected or nothing is owed.
    """
    if question is None or not selected:
        return None
    if question.owes in HANDED_OVER:
        return _wrong_card(question, selected)
    possible = readings(selected, question.public.level) or (_NO_READING,)
    refusals = [_refusal(question, selected, reading) for reading in possible]
    return None if None in refusals else refusals[-1]


def can_beat(question: Question) -> bool:
    """Whether anything in the hand beats the play on the table."""
    hand = _hand(question.own.hand, question.public.level)
    return question.to_beat is None or bool(hand.readings_over(question.to_beat))


def straight_flushes(hand: Cards, level: Rank, over: Reading | None) -> list[Cards]:
    """Straight flushes in the hand that beat ``over``: the fewest wilds first, then the highest."""
    held = _hand(hand, level)
    found = held.readings if over is None else held.readings_over(over)
    flushes = [reading for reading in reversed(found) if reading.type is PlayType.STRAIGHT_FLUSH]
    cards = [tuple(sorted(cards)) for reading in flushes for cards in selections(held, reading)]
    return sorted(cards, key=lambda chosen: chosen.count(wild(level)))


@lru_cache(maxsize=256)
def _hand(cards: Cards, level: Rank) -> Hand:
    return Hand(cards, level)


def _refusal(question: Question, selected: Cards, reading: Reading) -> Refused | None:
    level, articles = question.public.level, question.rules.articles
    try:
        check_play(question.own.hand, selected, reading, question.to_beat, level, articles)
    except Refused as refused:
        return refused
    return None


def _wrong_card(question: Question, selected: Cards) -> Refused | None:
    if len(selected) == 1 and selected[0] in question.own.allowed:
        return None
    articles = question.rules.articles
    if question.owes is DecisionKind.TRIBUTE:
        return Refused(Reason.WRONG_TRIBUTE, articles.tribute)
    return Refused(Reason.WRONG_RETURN, articles.give_back)
