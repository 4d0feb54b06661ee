"""Levels: how the result of a deal moves the two sides (guandan: levels; national art. 4.10, 13).

Levels are ranks 2 … A (0–12); 13 is past A. "Its own A is being played" means that the deal's
level is A because that side won the deal before.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from broker.engine.cards import ACE, Rank
from broker.engine.guandan.events import DealEnded
from broker.engine.guandan.rules import PassA, Rules
from broker.engine.guandan.state import START_LEVEL, Standing
from broker.engine.seats import Seat, Side, partner

PAST_A: Final[Rank] = ACE + 1


def rise_of(rules: Rules, order: tuple[Seat, ...]) -> int:
    """Levels that first place is worth; no places, a deal lost by ruling, count as a double-down."""
    if len(order) < 4:
        return rules.rise_double_down
    return rules.rise_third if order[2] == partner(order[0]) else rules.rise_fourth


def settled(standing: Standing, order: tuple[Seat, ...], winner: Side) -> DealEnded:
    """The result of the deal in play.

    ``rise`` is what the places are worth, whether or not the level moved by as much. At a fixed
    level nothing moves.
    """
    rules = standing.rules
    rise = rise_of(rules, order)
    levels, failed_a, demoted = standing.levels, standing.failed_a, None
    if rules.level_fixed is None:
        levels, failed_a, demoted = _moved(standing, order, winner, rise)
    over = is_decided(rules, levels)
    return DealEnded(
        deal=standing.deal,
        order=order,
        winner=winner,
        rise=rise,
        levels_before=standing.levels,
        levels_after=levels,
        failed_a=failed_a,
        demoted=demoted,
        next_level=None if over else levels[winner],
        next_side=None if over else winner,
    )


def is_decided(rules: Rules, levels: tuple[Rank, Rank]) -> bool:
    """Whether a side has gone past A, or has reached it where A is not played."""
    return rules.level_fixed is None and max(levels) >= (PAST_A if rules.must_play_a else ACE)


def after_deal(standing: Standing, ended: DealEnded) -> Standing:
    """The standing with the result in it."""
    level, side = standing.level, standing.level_side
    if ended.next_level is not None:
        level, side = ended.next_level, ended.next_side
    return replace(
        standing,
        level=level,
        level_side=side,
        levels=ended.levels_after,
        failed_a=ended.failed_a,
        results=(*standing.results, ended),
        named=None,
    )


def _moved(
    standing: Standing, order: tuple[Seat, ...], winner: Side, rise: int
) -> tuple[tuple[Rank, Rank], tuple[int, int], Side | None]:
    """Levels and failed As of a deal that counts for the levels, and the side that is demoted."""
    rules, owner = standing.rules, standing.level_side
    levels, failed_a = list(standing.levels), list(standing.failed_a)
    at_a = owner if owner is not None and levels[owner] == ACE else None
    passed = winner == at_a and _suffices(rules, order)
    demoted = None
    levels[winner] = PAST_A if passed else min(levels[winner] + rise, ACE)
    if at_a is not None and not passed and rules.failed_a_limit is not None:
        failed_a[at_a] += 1
        if failed_a[at_a] >= rules.failed_a_limit:
            levels[at_a], failed_a[at_a], demoted = START_LEVEL, 0, at_a
    return (levels[0], levels[1]), (failed_a[0], failed_a[1]), demoted


def _suffices(rules: Rules, order: tuple[Seat, ...]) -> bool:
    """Whether first place with these places is enough to pass A."""
    if len(order) < 4:
        return True
    return rules.pass_a is PassA.PARTNER_NOT_FOURTH and order[2] == partner(order[0])
