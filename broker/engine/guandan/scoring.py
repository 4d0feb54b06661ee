"""How a game ends and what it is worth (guandan: game end; scoring: 26-point score).

National art. 14, 15 and appendices 1 and 4; Huai'an art. 13, 14.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from broker.engine.cards import Rank
from broker.engine.guandan.events import DealEnded, EndCause, GameEnded
from broker.engine.guandan.levels import is_decided
from broker.engine.guandan.state import GameOver, Standing, State
from broker.engine.seats import Side

EVEN: Final = 13
"""What each side gets from a draw; the two scores always make 26."""


@dataclass(frozen=True, slots=True)
class Result:
    """The game so far, or as it ended."""

    deals: tuple[DealEnded, ...]
    levels: tuple[Rank, Rank]
    rises: tuple[int, int]
    winner: Side | None
    """The side that is ahead; None if they are equal."""
    score: tuple[int, int]
    ended: GameEnded | None


def level_score(difference: int) -> tuple[int, int]:
    """The 26-point score by side when side 0 is ahead by ``difference`` levels (13 count at most)."""
    counted = max(-EVEN, min(EVEN, difference))
    return (EVEN + counted, EVEN - counted)


def end_cause(standing: Standing) -> EndCause | None:
    """Why the game ends after the deals so far; None if it goes on."""
    rules = standing.rules
    if is_decided(rules, standing.levels):
        return EndCause.PAST_A
    if rules.deals_per_game is not None and len(standing.results) >= rules.deals_per_game:
        return EndCause.DEALS
    return EndCause.TIME if standing.bell else None


def game_ended(standing: Standing, cause: EndCause) -> GameEnded:
    """The result of the game."""
    lead = _lead(standing)
    return GameEnded(cause=cause, levels=standing.levels, winner=_ahead(lead), score=level_score(lead))


def result(state: State) -> Result:
    """The result so far: as if the game had ended with the last deal that counts."""
    standing = state.standing
    lead = _lead(standing)
    return Result(
        deals=standing.results,
        levels=standing.levels,
        rises=standing.rises,
        winner=_ahead(lead),
        score=level_score(lead),
        ended=state.ended if isinstance(state, GameOver) else None,
    )


def _lead(standing: Standing) -> int:
    """By how much side 0 is ahead: in levels, at a fixed level in summed rises."""
    values = standing.levels if standing.rules.level_fixed is None else standing.rises
    return values[0] - values[1]


def _ahead(lead: int) -> Side | None:
    if lead == 0:
        return None
    return 0 if lead > 0 else 1
