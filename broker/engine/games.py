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


def by_wire_name(*records: type[Any]) -> Mapping[str, type[Any]]:
    """Records by their names on the wire: of ``TributePaid``, ``tribute_paid``."""
    return MappingProxyType({_snake(kind.__name__): kind for kind in records})


def _snake(name: str) -> str:
    return "".join("_" + sign.lower() if sign.isupper() else sign for sign in name).lstrip("_")


GUANDAN: Final = Package(
    name="guandan",
    play=phases,
    rules=rules.Rules,
    events=by_wire_name(
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
    actions=by_wire_name(actions.Play, actions.Pass, actions.PayTribute, actions.GiveBack),
    public_view=views.PublicView,
    own_view=views.OwnView,
)

GAMES: Final[Mapping[str, Package]] = MappingProxyType({GUANDAN.name: GUANDAN})
"""Every game by the name that a regulation gives."""
