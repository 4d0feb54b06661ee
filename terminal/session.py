"""The session: everything a seat knows, has selected and has asked for. No Kivy, no MQTT.

The owner's thread feeds it (``online``, ``offline``, ``receive``, ``engine_state``), publishes
what ``outgoing`` hands out, and draws from it whenever ``version`` has moved. It never shows as
done what the authority has not answered, nor as current what does not continue the table's chain.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from broker.engine.cards import Card, Cards
from broker.engine.game import DecisionKind
from broker.engine.guandan.actions import GiveBack, Pass, PayTribute, Play
from broker.engine.guandan.combinations import Reading
from broker.engine.guandan.rules import Rules
from broker.engine.guandan.views import View
from broker.engine.refusal import Refused
from broker.engine.seats import Seat
from broker.protocol import codec
from broker.protocol.chain import NONCE_BYTES
from broker.protocol.messages import Answer, EngineStatus, Seating, Told
from broker.protocol.verdict import Verdict
from provisioning.identity import DeviceIdentity
from terminal import judgement, selection
from terminal.dialogue import Dialogue
from terminal.judgement import Question
from terminal.outbox import Signed
from terminal.state import Answered, ClockFace, LinkState, Notice, Pending, Remark

__all__ = ["Answered", "ClockFace", "LinkState", "Notice", "Pending", "Remark", "Session"]


class Session:
    """One seat's side of its table. All methods belong to one thread.

    ``now`` gives monotonic milliseconds. ``chance`` makes the nonce of ``ready`` repeatable, for
    demonstrations; ids never are, since a log may outlive a process. ``heard`` is told every
    answer to an act of this session.

    To draw from: ``notice``, ``selected``, ``pending`` and the questions below; ``version`` grows
    with every change of their answers, except that clocks and ages move by themselves.
    """

    def __init__(
        self,
        identity: DeviceIdentity,
        software: str,
        now: Callable[[], int],
        chance: random.Random | None = None,
        heard: Callable[[Answered], None] | None = None,
    ) -> None:
        self.identity = identity
        self.notice: Notice | None = None
        self.selected: Cards = ()
        self.pending: Pending | None = None
        self.version = 0
        self._now = now
        self._chance = chance
        self._heard = heard
        self._dialogue = Dialogue(identity, software, now, self)
        self._mirror = self._dialogue.mirror

    # --- what comes in and goes out ------------------------------------------------------------

    def online(self, boot: str) -> None:
        """Connected, subscribed, and an authority with that boot is there: it is greeted."""
        self._dialogue.online(boot)

    def offline(self, cause: str = "") -> None:
        """The connection is lost, or cannot be made; ``cause`` is a code for words."""
        self._dialogue.offline(cause)

    def engine_state(self, status: EngineStatus) -> None:
        """A beat of the authority, or a change of its state."""
        self._dialogue.engine_state(status)

    def receive(self, told: Told) -> None:
        """Something from the device's ``in`` topic."""
        self._dialogue.receive(told)

    def outgoing(self) -> list[bytes]:
        """Envelopes to publish now on the act topic, in order; each call hands them out once."""
        return self._dialogue.outgoing()

    # --- what is so ----------------------------------------------------------------------------

    @property
    def id(self) -> str:
        """The id of this session, for the device's status and will."""
        return self._dialogue.outbox.session

    @property
    def link(self) -> LinkState:
        """Whether what is shown is current."""
        return self._dialogue.link

    @property
    def seating(self) -> Seating | None:
        """Where this device sits, with the names of the players; None before it is told."""
        return self._mirror.seating

    @property
    def seat(self) -> Seat | None:
        """The own seat; None before it is told."""
        return self._mirror.seating.seat if self._mirror.seating else None

    @property
    def rules(self) -> Rules | None:
        """The rules of the table."""
        return self._mirror.rules

    @property
    def view(self) -> View | None:
        """What the seat may know of the game. It stays, growing old, while the link is not online."""
        return self._mirror.view

    @property
    def decision(self) -> int:
        """Number of the record that opened the own decision; 0 if the seat owes none."""
        return self._mirror.place().answers

    @property
    def paused(self) -> str:
        """Code of the stoppage; empty while play goes on."""
        return self._mirror.paused

    @property
    def ready_seats(self) -> tuple[Seat, ...]:
        """Seats that have said they are ready."""
        return self._mirror.ready_seats

    def age(self) -> int:
        """Milliseconds since the authority was last heard of."""
        return self._dialogue.age()

    def clock_of(self, seat: Seat) -> ClockFace | None:
        """The clock of the decision that the seat owes; None if it owes none."""
        return self._mirror.clock_of(seat)

    # --- the selection -------------------------------------------------------------------------

    def toggle(self, card: Card) -> None:
        """Selects one copy more of a face; from the last copy held, none of it."""
        self._select(selection.toggled(self.selected, card, self._hand()))

    def add(self, card: Card) -> None:
        """Selects one copy more of a face, if the hand holds it."""
        self._select(selection.added(self.selected, card, self._hand()))

    def drop(self, card: Card) -> None:
        """Selects one copy less of a face."""
        self._select(selection.dropped(self.selected, card))

    def choose(self, cards: Cards) -> None:
        """Selects exactly these cards, as far as the hand holds them."""
        self._select(selection.held(cards, self._hand()))

    def clear(self) -> None:
        """Selects nothing."""
        self._select(())

    # --- judgement -----------------------------------------------------------------------------

    def owes(self) -> DecisionKind | None:
        """The own open decision; None once the authority has taken an act for it."""
        if self.pending and self.pending.upto is not None:
            return None
        return self._mirror.owes()

    def options(self) -> tuple[Reading, ...]:
        """Readings as which the selection may be played now, the highest first."""
        return judgement.options(self._question(), self.selected)

    def problem(self) -> Refused | None:
        """Why the selection may not be played, paid or given back now.

        None if it may, if nothing is selected, or if nothing is owed.
        """
        return judgement.problem(self._question(), self.selected)

    def can_pass(self) -> bool:
        """Whether passing is possible now."""
        return self.owes() is DecisionKind.FOLLOW

    def must_pass(self) -> bool:
        """Whether nothing in the hand beats the play on the table."""
        question = self._question()
        return self.can_pass() and question is not None and not judgement.can_beat(question)

    def allowed(self) -> Cards:
        """Faces that may be paid or given back now."""
        question = self._question()
        return question.own.allowed if question and question.owes in judgement.HANDED_OVER else ()

    def straight_flushes(self) -> list[Cards]:
        """Straight flushes in the hand, best first; while following, those that beat the table."""
        view, question = self.view, self._question()
        if view is None:
            return []
        over = question.to_beat if question else None
        return judgement.straight_flushes(self._hand(), view.public.level, over)

    # --- acts: each makes one pending act, or a notice and False -------------------------------

    def ready(self) -> bool:
        """Tells that the player sits and play may begin."""
        if self.seat is None or self.seat in self.ready_seats:
            return self._refuse(Remark.NOTHING_OWED)
        nonce = self._chance.randbytes(NONCE_BYTES) if self._chance else secrets.token_bytes(NONCE_BYTES)
        return self._send("ready", {"nonce": nonce.hex()})

    def play(self, reading: Reading) -> bool:
        """Plays the selection as that reading."""
        if reading not in self.options():
            return self._refuse_selection()
        return self._act(lambda seat: Play(seat, self.selected, reading), self.selected, reading)

    def pass_turn(self) -> bool:
        """Lets the play on the table stand."""
        return self._act(Pass) if self.can_pass() else self._refuse(Remark.NOTHING_OWED)

    def pay_tribute(self, card: Card) -> bool:
        """Pays that card."""
        return self._hand_over(DecisionKind.TRIBUTE, PayTribute, card)

    def give_back(self, card: Card) -> bool:
        """Gives that card back."""
        return self._hand_over(DecisionKind.GIVE_BACK, GiveBack, card)

    def dismiss(self) -> None:
        """Puts the notice away."""
        self.notice = None
        self.changed()

    # --- what the dialogue tells (``dialogue.Listener``) ---------------------------------------

    def followed(self, before: View | None) -> None:
        """Drops what the table has overtaken: selected cards that are gone, an act that is shown."""
        same_deal = before and self.view and before.public.deal == self.view.public.deal
        self.selected = selection.held(self.selected, self._hand()) if same_deal else ()
        pending = self.pending
        if pending and pending.upto is not None and self._mirror.n >= pending.upto:
            self.selected = () if pending.cards else self.selected
            self.pending = None

    def answered(self, signed: Signed, answer: Answer) -> None:
        """The pending act counts, or is dropped with the reason. A late choice is never made again."""
        resent = signed.sent > 1
        if self._heard:
            self._heard(Answered(signed.id, signed.kind, answer.code, resent))
        pending, fields = self.pending, {"kind": signed.kind}
        if answer.code != Verdict.OK:
            self.pending = None if pending and pending.id == signed.id else pending
            self.notify(answer.code, fields, answer.article)
        elif pending and pending.id == signed.id:
            self.pending = replace(pending, upto=answer.n)
            if resent:
                self.notify(Remark.CONFIRMED, fields)
            self.followed(self.view)

    def given_up(self) -> None:
        """The pending act will never be answered."""
        if self.pending:
            self.notify(Remark.GIVEN_UP, {"kind": self.pending.kind})
            self.pending = None

    def notify(self, key: str, fields: Mapping[str, str] | None = None, article: str = "") -> None:
        """Sets the notice."""
        self.notice = Notice(str(key), self._now(), fields or {}, article)
        self.changed()

    def changed(self) -> None:
        """Counts a change."""
        self.version += 1

    # --- parts ---------------------------------------------------------------------------------

    def _hand_over(self, kind: DecisionKind, action: Callable[[Seat, Card], Any], card: Card) -> bool:
        if self.owes() is not kind:
            return self._refuse(Remark.NOTHING_OWED)
        self.choose((card,))
        if self.selected != (card,) or self.problem():
            return self._refuse_selection()
        return self._act(lambda seat: action(seat, card), (card,))

    def _act(self, action: Callable[[Seat], Any], cards: Cards = (), reading: Reading | None = None) -> bool:
        if self.seat is None:
            return self._refuse(Remark.NOTHING_OWED)
        return self._send(*codec.encode_act(action(self.seat)), cards, reading)

    def _send(
        self, kind: str, args: dict[str, Any], cards: Cards = (), reading: Reading | None = None
    ) -> bool:
        """Signs the act and makes it the pending one, unless another waits or nothing can be sent."""
        if obstacle := self._obstacle():
            return self._refuse(obstacle)
        signed = self._dialogue.say(kind, args)
        self.pending = Pending(signed.id, kind, cards, reading, signed.at)
        self.notice = None
        self.changed()
        return True

    def _obstacle(self) -> str:
        if self.pending:
            return Remark.PENDING
        if not self._dialogue.is_current:
            return Remark.OFFLINE
        return Verdict.PAUSED if self.paused else ""

    def _refuse_selection(self) -> bool:
        problem = self.problem()
        return self._refuse(problem.reason, problem.article) if problem else self._refuse(Remark.NOTHING_OWED)

    def _refuse(self, key: str, article: str = "") -> bool:
        self.notify(key, article=article)
        return False

    def _select(self, cards: Cards) -> None:
        """The cards of a pending act stay as they are until it is answered."""
        if self.pending is None or not self.pending.cards:
            self.selected = cards
            self.changed()

    def _hand(self) -> Cards:
        return self.view.own.hand if self.view and self.view.own else ()

    def _question(self) -> Question | None:
        owes, view, rules = self.owes(), self.view, self.rules
        if owes is None or view is None or view.own is None or rules is None:
            return None
        return Question(owes, view.public, view.own, rules)
