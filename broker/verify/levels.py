"""Levels after a deal and the score of a game: the checker's own reading of the rule book.

Levels are numbers here: 0 is the 2, 12 the ace, 13 past A. ``rules`` is the mapping that the
transcript's ``table_opened`` record carries.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

ACE, PAST = 12, 13
TEXT = (*"23456789TJQKA", "A+")


@dataclass(frozen=True)
class Standing:
    """Levels by side, the side whose level is played (None in the first deal), failed As."""

    levels: tuple[int, int] = (0, 0)
    owner: int | None = None
    failed: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Outcome:
    """What a deal led to."""

    standing: Standing
    rise: int
    demoted: int | None


def level_played(rules: Mapping[str, Any], standing: Standing) -> int:
    """Level of the next deal."""
    fixed = rules["level_fixed"]
    if fixed is not None:
        return TEXT.index(fixed)
    return 0 if standing.owner is None else standing.levels[standing.owner]


def rise_of(rules: Mapping[str, Any], order: Sequence[int]) -> int:
    """How far place 1 rises; an empty order is a deal lost by ruling, as a double-down."""
    if len(order) < 4:
        return int(rules["rise_double_down"])
    partner_third = order[2] == (order[0] + 2) % 4
    return int(rules["rise_third" if partner_third else "rise_fourth"])


def after_deal(rules: Mapping[str, Any], before: Standing, winner: int, order: Sequence[int]) -> Outcome:
    """Levels, failed As and demotion after a deal that ``winner`` (a side) won."""
    rise = rise_of(rules, order)
    if rules["level_fixed"] is not None:
        levels = _with(before.levels, winner, before.levels[winner] + rise)
        return Outcome(Standing(levels, winner, before.failed), rise, None)
    own_ace = before.owner is not None and before.levels[before.owner] == ACE
    passed = own_ace and before.owner == winner and _passes(rules, order)
    levels = _with(before.levels, winner, _risen(before.levels[winner], rise, passed))
    if not own_ace or passed or before.owner is None:
        return Outcome(Standing(levels, winner, before.failed), rise, None)
    return _failed_ace(rules, Standing(levels, winner, before.failed), before.owner, rise)


def is_over(rules: Mapping[str, Any], levels: Sequence[int]) -> bool:
    """Whether a side is past A, or at it where A need not be played."""
    goal = PAST if rules["must_play_a"] else ACE
    return rules["level_fixed"] is None and bool(rules["ends_past_a"]) and max(levels) >= goal


def score(levels: Sequence[int]) -> tuple[int, int]:
    """26-point score by side: 13 plus and minus the difference, 13 at the most."""
    difference = max(-13, min(13, levels[0] - levels[1]))
    return 13 + difference, 13 - difference


def _passes(rules: Mapping[str, Any], order: Sequence[int]) -> bool:
    if len(order) < 4:
        return True
    return rules["pass_a"] == "partner_not_fourth" and order[3] != (order[0] + 2) % 4


def _risen(level: int, rise: int, passed: bool) -> int:
    return PAST if passed else min(level + rise, ACE)


def _failed_ace(rules: Mapping[str, Any], now: Standing, side: int, rise: int) -> Outcome:
    limit = rules["failed_a_limit"]
    if limit is None:
        return Outcome(now, rise, None)
    count = now.failed[side] + 1
    if count < limit:
        return Outcome(Standing(now.levels, now.owner, _with(now.failed, side, count)), rise, None)
    levels = _with(now.levels, side, 0)
    return Outcome(Standing(levels, now.owner, _with(now.failed, side, 0)), rise, side)


def _with(pair: tuple[int, int], side: int, value: int) -> tuple[int, int]:
    return (value, pair[1]) if side == 0 else (pair[0], value)
