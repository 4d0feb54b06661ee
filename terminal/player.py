"""The player: plays a session by a policy, as a hand on the screen would."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable
from typing import Final

from broker.engine.guandan.actions import GiveBack, Pass, PayTribute, Play
from broker.engine.guandan.views import Phase
from broker.players import Move, Policy
from terminal.session import Session

TRIES: Final = 3
"""Refused moves of one decision after which it is left to the clock."""

_log: Final = logging.getLogger(__name__)


class Player:
    """Says ready, and answers every decision that its session owes.

    ``later`` calls back after ``think`` seconds; ``acted`` is told the id of every act.
    """

    def __init__(
        self,
        session: Session,
        policy: Policy,
        chance: random.Random,
        think: float,
        later: Callable[[float, Callable[[], None]], None],
        acted: Callable[[str], None],
    ) -> None:
        self._session = session
        self._policy = policy
        self._chance = chance
        self._think = think
        self._later = later
        self._acted = acted
        self._decision = 0
        self._tries = 0

    def look(self) -> None:
        """Does what the session's state asks for; to be called whenever that may have changed."""
        session = self._session
        if not self._may_act():
            return
        if session.seat not in session.ready_seats and self._may_begin():
            self._tell(session.ready())
        elif session.decision != self._decision:
            self._decision, self._tries = session.decision, 0
            self._consider()
        elif session.decision and 0 < self._tries < TRIES:
            self._act(session.decision)

    @property
    def is_done(self) -> bool:
        """Whether the game of this seat is over."""
        view = self._session.view
        return view is not None and view.public.game is not None

    def _may_act(self) -> bool:
        session = self._session
        return session.pending is None and session.link.state == "online" and not session.paused

    def _may_begin(self) -> bool:
        return self._session.view is not None and self._session.view.public.phase is Phase.WAITING

    def _consider(self) -> None:
        decision = self._decision
        if decision and self._think:
            self._later(self._think, lambda: self._act(decision))
        elif decision:
            self._act(decision)

    def _act(self, decision: int) -> None:
        session = self._session
        if session.decision != decision or session.view is None or session.rules is None:
            return
        if not self._may_act():
            self._decision = 0
            return
        self._tries += 1
        move = self._policy(session.view, session.rules, self._chance)
        if not self._tell(self._make(move)) and session.notice:
            _log.warning("%s: a move was refused: %s", session.identity.device, session.notice.key)

    def _make(self, move: Move) -> bool:
        match move:
            case Play():
                self._session.choose(move.cards)
                return self._session.play(move.reading)
            case Pass():
                return self._session.pass_turn()
            case PayTribute():
                return self._session.pay_tribute(move.card)
            case GiveBack():
                return self._session.give_back(move.card)

    def _tell(self, acted: bool) -> bool:
        if acted and self._session.pending:
            self._acted(self._session.pending.id)
        return acted
