"""The games there are: what every other layer needs to know of a game, as data.

Nothing outside ``engine``, ``players`` and a game's own widgets asks which game is played; they
look up its ``Package`` here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from broker.engine.game import Game
from broker.engine.guandan import actions, events, phases, rules, views


@dataclass(frozen=True, slots=True)
class Package:
    """A game: its contract, and the records that travel.

    ``events`` by wire name; ``actions`` are those that a seat may send, by wire name.
    """

    name: str
    play: Game[Any]
    rules: type[Any]
    events: Mapping[str, type[Any]]
    actions: Mapping[str, type[Any]]
    public_view: type[Any]
    own_view: type[Any]


def _snake(name: str) -> str:
    return "".join("_" + c.lower() if c.isupper() else c for c in name).lstrip("_")


def _by_name(*classes: type[Any]) -> Mapping[str, type[Any]]:
    return MappingProxyType({_snake(cls.__name__): cls for cls in classes})


GUANDAN: Final = Package(
    name="guandan",
    play=phases,
    rules=rules.Rules,
    events=_by_name(
        events.Dealt,
        events.TributeDue,
        events.Resisted,
        events.TributePaid,
        events.TributesAssigned,
        events.GivenBack,
        events.Exchanged,
        events.LeadGiven,
        events.Played,
        events.Passed,
        events.Warned,
        events.Infringed,
        events.TurnStopped,
        events.CountAnnounced,
        events.WentOut,
        events.TrickEnded,
        events.LeadMoved,
        events.DealLost,
        events.DealDropped,
        events.DealEnded,
        events.LeaderNamed,
        events.BellRung,
        events.GameEnded,
    ),
    actions=_by_name(actions.Play, actions.Pass, actions.PayTribute, actions.GiveBack),
    public_view=views.PublicView,
    own_view=views.OwnView,
)

GAMES: Final[Mapping[str, Package]] = MappingProxyType({GUANDAN.name: GUANDAN})
"""Every game by the name that a regulation gives."""
