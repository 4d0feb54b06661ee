"""Rules of a Guandan event: one frozen record, every field a place where the documents differ.

The values of a preset are data (``broker/regulations``); ``NATIONAL_2017`` and ``HUAIAN`` here
are the two records that the presets must equal (a test compares them), so the engine can be
used without reading a file.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from broker.engine.cards import Rank


class PassA(StrEnum):
    """What a first place at the own A needs to pass it (guandan: levels)."""

    PARTNER_NOT_FOURTH = "partner_not_fourth"
    DOUBLE_DOWN = "double_down"


class ReturnLimit(StrEnum):
    """Which cards may be returned for a tribute (guandan: tribute)."""

    ANY = "any"
    BELOW_A = "below_a"
    TEN_OR_LOWER = "ten_or_lower"


class FirstLead(StrEnum):
    """Who leads the first deal of a game (guandan: deal)."""

    HEART_THREE = "heart_three"
    TURNED_CARD = "turned_card"


class Announce(StrEnum):
    """How often a count of cards is announced (guandan: announcement)."""

    CURRENT = "current"
    ONCE = "once"


class Overtime(StrEnum):
    """What happens when a player's time is over (conduct: clocks)."""

    AUTOMATIC = "automatic"
    LADDER = "ladder"


class AtBell(StrEnum):
    """What becomes of the deal in play when the game's time is over."""

    FINISH = "finish"
    DROP = "drop"


@dataclass(frozen=True, slots=True)
class Clock:
    """Limits in milliseconds from the moment a decision opens (conduct: clocks).

    With ``AUTOMATIC`` the action of time-out follows at the limit. With ``LADDER`` the play
    limits are those of the warning, ``infraction_after`` those of the infraction; a tribute or
    return is warned at its limit, an infraction follows ``repeat_every`` later, and so on.
    """

    overtime: Overtime
    play: int
    first_lead: int
    tribute: int
    give_back: int
    infraction_after: int
    repeat_every: int


@dataclass(frozen=True, slots=True)
class Articles:
    """Article of the preset's document for each kind of refusal; ``-`` where it has none."""

    turn: str
    lead: str
    held: str
    types: str
    reading: str
    comparison: str
    tribute: str
    give_back: str
    clock: str
    game: str


@dataclass(frozen=True, slots=True)
class Rules:
    """Everything that decides how a game of Guandan goes."""

    name: str
    rise_double_down: int
    rise_third: int
    rise_fourth: int
    must_play_a: bool
    """False: reaching A ends the game, as passing it does otherwise."""
    pass_a: PassA
    failed_a_limit: int | None
    """Deals at the own A that may fail before the side goes back to 2; None: never."""
    tribute: bool
    return_to_partner: ReturnLimit
    return_to_opponent: ReturnLimit
    first_lead: FirstLead
    announce_below: int
    """A count is announced once it is below this."""
    announce: Announce
    level_fixed: Rank | None
    """The one rank that every deal plays; None: levels rise."""
    deals_per_game: int | None
    """Number of deals after which the game ends, if no side has passed A before; None: no such limit."""
    game_minutes: int | None
    """Length of the game; None: no bell."""
    at_bell: AtBell
    clock: Clock
    articles: Articles


NATIONAL_2017: Final = Rules(
    name="national-guandan-2017",
    rise_double_down=4,
    rise_third=2,
    rise_fourth=1,
    must_play_a=True,
    pass_a=PassA.PARTNER_NOT_FOURTH,
    failed_a_limit=None,
    tribute=True,
    return_to_partner=ReturnLimit.BELOW_A,
    return_to_opponent=ReturnLimit.ANY,
    first_lead=FirstLead.HEART_THREE,
    announce_below=10,
    announce=Announce.CURRENT,
    level_fixed=None,
    deals_per_game=3,
    game_minutes=None,
    at_bell=AtBell.FINISH,
    clock=Clock(
        overtime=Overtime.AUTOMATIC,
        play=25_000,
        first_lead=40_000,
        tribute=15_000,
        give_back=30_000,
        infraction_after=0,
        repeat_every=0,
    ),
    articles=Articles(
        turn="6",
        lead="6",
        held="6",
        types="8",
        reading="7",
        comparison="9",
        tribute="11",
        give_back="11",
        clock="6",
        game="15",
    ),
)

HUAIAN: Final = replace(
    NATIONAL_2017,
    name="huaian-guandan",
    rise_double_down=3,
    return_to_partner=ReturnLimit.TEN_OR_LOWER,
    first_lead=FirstLead.TURNED_CARD,
    announce_below=11,
    announce=Announce.ONCE,
    deals_per_game=None,
    at_bell=AtBell.DROP,
    clock=Clock(
        overtime=Overtime.LADDER,
        play=20_000,
        first_lead=20_000,
        tribute=15_000,
        give_back=30_000,
        infraction_after=30_000,
        repeat_every=15_000,
    ),
    articles=Articles(
        turn="6",
        lead="6",
        held="6",
        types="4",
        reading="7",
        comparison="8",
        tribute="10",
        give_back="10",
        clock="-",
        game="14",
    ),
)
