"""Random play: any legal choice, each as likely as another."""

from __future__ import annotations

import random

from broker.engine.game import DecisionKind
from broker.engine.guandan.actions import GiveBack, Pass, PayTribute, Play
from broker.engine.guandan.plays import legal_plays
from broker.engine.guandan.rules import Rules
from broker.engine.guandan.views import View
from broker.players.policy import Move, owed


def random_play(view: View, rules: Rules, chance: random.Random) -> Move:
    """A play, or while following also the pass, out of all that are legal; of cards owed, any allowed."""
    seat, own, kind = owed(view)
    match kind:
        case DecisionKind.TRIBUTE:
            return PayTribute(seat, chance.choice(own.allowed))
        case DecisionKind.GIVE_BACK:
            return GiveBack(seat, chance.choice(own.allowed))
    to_beat = view.public.table.reading if view.public.table else None
    plays = legal_plays(own.hand, view.public.level, to_beat)
    chosen = chance.randrange(len(plays) + (to_beat is not None))
    if chosen == len(plays):
        return Pass(seat)
    play = plays[chosen]
    return Play(seat, play.cards, play.reading)
