"""Levels after a deal, the end of a game and its score: the checker's own reading of the rule book.

Levels are numbers here: 0 is the 2, 12 the ace, 13 past A. ``rules`` is the mapping that the
transcript's ``table_opened`` record carries.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

ACE, PAST = 12, 13
TEXT = (*"23456789TJQKA", "A+")

Pair = tuple[int, int]
"""One number a side."""


@dataclass(frozen=True)
class Standing:
    """Levels, summed rises and failed As by side; ``owner`` is the side that won the last deal."""

    levels: Pair
    owner: int | None = None
    failed: Pair = (0, 0)
    rises: Pair = (0, 0)


@dataclass(frozen=True)
class Outcome:
    """What a deal led to."""

    standing: Standing
    rise: int
    demoted: int | None


def start(rules: Mapping[str, Any]) -> Standing:
    """The standing before the first deal: both sides at 2, or at the level that every deal plays."""
    fixed = rules["level_fixed"]
    level = 0 if fixed is None else TEXT.index(fixed)
    return Standing((level, level))


def level_played(standing: Standing) -> int:
    """Level of the next deal: that of the side that won the last one."""
    return standing.levels[standing.owner or 0]


def rise_of(rules: Mapping[str, Any], order: Sequence[int]) -> int:
    """How far place 1 rises; an empty order is a deal lost by ruling, as a double-down."""
    if len(order) < 4:
        return int(rules["rise_double_down"])
    partner_third = order[2] == (order[0] + 2) % 4
    return int(rules["rise_third" if partner_third else "rise_fourth"])


def after_deal(rules: Mapping[str, Any], before: Standing, winner: int, order: Sequence[int]) -> Outcome:
    """Levels, failed As and demotion after a deal that ``winner`` (a side) won."""
    rise = rise_of(rules, order)
    now = replace(before, owner=winner, rises=_with(before.rises, winner, before.rises[winner] + rise))
    if rules["level_fixed"] is not None:
        return Outcome(now, rise, None)
    ace = before.owner if before.owner is not None and before.levels[before.owner] == ACE else None
    passed = ace == winner and _passes(rules, order)
    level = PAST if passed else min(before.levels[winner] + rise, ACE)
    now = replace(now, levels=_with(now.levels, winner, level))
    if ace is None or passed or rules["failed_a_limit"] is None:
        return Outcome(now, rise, None)
    count = now.failed[ace] + 1
    if count < rules["failed_a_limit"]:
        return Outcome(replace(now, failed=_with(now.failed, ace, count)), rise, None)
    fallen = replace(now, levels=_with(now.levels, ace, 0), failed=_with(now.failed, ace, 0))
    return Outcome(fallen, rise, ace)


def end_of(rules: Mapping[str, Any], standing: Standing, deals: int, bell: bool) -> str | None:
    """Why the game is over after so many results: the first cause that applies; None if it goes on."""
    goal = PAST if rules["must_play_a"] else ACE
    if rules["level_fixed"] is None and max(standing.levels) >= goal:
        return "past_a"
    if rules["deals_per_game"] is not None and deals >= rules["deals_per_game"]:
        return "deals"
    return "time" if bell else None


def score(rules: Mapping[str, Any], standing: Standing) -> tuple[int | None, list[int]]:
    """The side that is ahead (None: neither), and 13 plus and minus the difference, 13 at the most."""
    one, two = standing.levels if rules["level_fixed"] is None else standing.rises
    difference = max(-13, min(13, one - two))
    winner = None if one == two else int(two > one)
    return winner, [13 + difference, 13 - difference]


def texts(levels: Pair) -> list[str]:
    """The levels as a record tells them."""
    return [TEXT[level] for level in levels]


def _passes(rules: Mapping[str, Any], order: Sequence[int]) -> bool:
    if len(order) < 4:
        return True
    return rules["pass_a"] == "partner_not_fourth" and order[3] != (order[0] + 2) % 4


def _with(pair: Pair, side: int, value: int) -> Pair:
    return (value, pair[1]) if side == 0 else (pair[0], value)
