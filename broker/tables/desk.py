"""The desk: where a table's next decision is made, written down, and, once stored, told.

A ``Decision`` changes nothing by itself. ``write`` puts its rows into a batch; once that is stored
and the table has moved, ``answer`` and then ``tell`` say what happened.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from broker.protocol import codec
from broker.protocol.messages import Answer
from broker.protocol.verdict import Verdict
from broker.tables.devices import Device, Known, Limiter, Received, Reception, Session
from broker.tables.draft import Step
from broker.tables.duties import Duty
from broker.tables.faults import Rejected
from broker.tables.lanes import Command, Incoming, Lane
from broker.tables.log import Log
from broker.tables.rows import ActRow, Batch, SessionRow
from broker.tables.table import AUTHORITY, FAULT, Act, Table
from broker.tables.telling import Teller
from broker.tables.vault import Vault

UNREADABLE_PER_SECOND: Final = 5
"""Most answers a second to a device whose acts cannot be read or are not its own."""

IDLE_PER_SECOND: Final = 20
"""Most acts a second of one device that are answered though they move nothing: greetings, repeated
and refused ones. More than a seat ever needs are dropped, so that they neither fill the disk nor
hold up other tables."""

_UNREADABLE: Final = frozenset({Verdict.MALFORMED, Verdict.BAD_SIGNATURE})

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Judged:
    """An act with its verdict: the code, and the answer as bytes."""

    received: Received
    code: str
    answer: bytes


@dataclass(frozen=True, slots=True)
class Decision:
    """What one lane decided: a step of its table, or the verdict on an act, or both.

    ``work`` is what brought it about; None for the table's own duty.
    """

    lane: Lane
    step: Step | None
    work: Incoming | Command | None = None
    judged: Judged | None = None

    @property
    def adds(self) -> bool:
        """Whether the table moves by it."""
        return self.step is not None and bool(self.step.records)


class Desk:
    """Decides for lanes. ``plan`` finds a lane's next duty anew; ``drop`` counts what is let go."""

    def __init__(
        self,
        log: Log,
        boot: str,
        vault: Vault,
        teller: Teller,
        plan: Callable[[Lane], None],
        drop: Callable[[str], None],
    ) -> None:
        self._reception = Reception(log, boot)
        self._vault = vault
        self._teller = teller
        self._plan = plan
        self._drop = drop
        self._unreadable = Limiter(UNREADABLE_PER_SECOND)
        self._idle = Limiter(IDLE_PER_SECOND)

    # --- deciding ----------------------------------------------------------------------------------

    def decide(self, lane: Lane, now: int) -> Decision | None:
        """The next decision of the lane that must be stored; None if nothing is to be decided now.

        What needs no storing on the way (acts known, unreadable, not their device's) is answered.
        """
        while True:
            duty = lane.duty_first(now)
            if duty is not None:
                decision = self._guarded(lane, now, partial(self._perform, lane, duty, now))
                if decision and decision.adds:
                    return decision
                self._plan(lane)
            elif lane.waiting:
                decision = self._guarded(lane, now, partial(self._take, lane, lane.waiting.pop(0), now))
                if decision:
                    return decision
            else:
                return None

    def _guarded(self, lane: Lane, now: int, decide: Callable[[], Decision | None]) -> Decision | None:
        """The one place where a fault of ours is caught: the table stands still, the others go on."""
        try:
            return decide()
        except Exception:
            _log.exception("fault at table %s", lane.table.id.table if lane.table else "(none)")
            return Decision(lane, lane.table.pause(FAULT, now, AUTHORITY)) if lane.table else None

    def _perform(self, lane: Lane, duty: Duty, now: int) -> Decision:
        return Decision(lane, duty.perform(now))

    def _take(self, lane: Lane, work: Incoming | Command, now: int) -> Decision | None:
        if isinstance(work, Incoming):
            work.device.waiting -= 1
            return self._judge(lane, work, now)
        try:
            step = work.run(now)
        except Exception as error:
            work.done.set_exception(error)
            return None
        if not step.records:
            work.done.set_result(None)
            return None
        return Decision(lane, step, work)

    def _judge(self, lane: Lane, act: Incoming, now: int) -> Decision | None:
        device = act.device
        try:
            received = self._reception.receive(device, act.payload, act.topic)
        except Rejected as rejected:
            self.reject(device, rejected, now)
            return None
        if isinstance(received, Known):
            self._repeat(device, received, now)
            return None
        decision = self._decided(lane, act, received, now)
        return decision if decision.adds or self._may_idle(device, now) else None

    def _decided(self, lane: Lane, act: Incoming, received: Received, now: int) -> Decision:
        action = received.action
        if lane.table is None:
            return Decision(lane, None, act, _judged(received, Answer(id=action.id, code=Verdict.NOT_SEATED)))
        step = lane.table.answer_act(Act(action, received.digest, act.device.seat, act.at), now)
        answer = Answer(
            id=action.id,
            code=step.code,
            article=step.article,
            table=lane.table.id.table,
            n=step.n,
            hash=step.head.hex(),
        )
        return Decision(lane, step, act, _judged(received, answer))

    def reject(self, device: Device, rejected: Rejected, now: int) -> None:
        """Answers an act that is not stored; only so many a second."""
        self._drop(rejected.verdict)
        limiter = self._unreadable if rejected.verdict in _UNREADABLE else self._idle
        if limiter.allows(device.id, now):
            self._teller.answer(device, codec.encode_told(Answer(id=rejected.act, code=rejected.verdict)))

    def _repeat(self, device: Device, known: Known, now: int) -> None:
        """The same answer again, and to a hello all that belongs to it."""
        if not self._may_idle(device, now):
            return
        self._teller.answer(device, known.answer)
        current = device.session is not None and device.session.id == known.action.session
        if known.action.kind == "hello" and current and device.table:
            device.greeted = True
            self._teller.welcome(device, device.table, now)

    def _may_idle(self, device: Device, now: int) -> bool:
        """Whether one more act of the device that moves nothing is answered; what is not, is dropped
        without a trace and can be sent again."""
        allowed = self._idle.allows(device.id, now)
        if not allowed:
            self._drop("too_many")
        return allowed

    # --- writing -----------------------------------------------------------------------------------

    def write(self, decision: Decision, batch: Batch) -> None:
        """Puts everything that the decision stores into the batch."""
        step, lane = decision.step, decision.lane
        if step and lane.table:
            batch.opened.extend([lane.table.id.key] if not lane.table.is_open else [])
            batch.records.extend(step.records)
            batch.secrets.extend(step.secrets)
            batch.checkpoints.extend([step.checkpoint] if step.checkpoint else [])
        if decision.judged and isinstance(decision.work, Incoming):
            action = decision.judged.received.action
            if decision.judged.received.begins:
                batch.sessions.append(SessionRow(action.device, action.session))
            key = lane.table.id.key if lane.table else ("", "")
            batch.acts.append(
                ActRow(
                    *(action.device, action.session, action.id, action.seq, *key),
                    self._vault.seal_act(action.device, action.id, decision.judged.received.envelope),
                    decision.judged.answer,
                    decision.work.at,
                )
            )

    def undo(self, decision: Decision) -> None:
        """The decision could not be stored: what brought it about waits again, in its place."""
        if decision.work:
            decision.lane.put_back(decision.work)
            if isinstance(decision.work, Incoming):
                decision.work.device.waiting += 1

    # --- telling -----------------------------------------------------------------------------------

    def answer(self, decision: Decision) -> None:
        """The decision has happened: its act has taken its place, and the actor has its answer."""
        judged, work = decision.judged, decision.work
        if judged is None or not isinstance(work, Incoming):
            return
        device, action = work.device, judged.received.action
        if judged.received.begins:
            device.session = Session(action.session)
        if device.session:
            device.session.take(action.id, action.seq)
        self._teller.answer(device, judged.answer)

    def tell(self, decision: Decision, now: int) -> None:
        """After the answer: who has greeted is welcomed, then everybody at the table is told."""
        greeted = self._welcome(decision, now)
        table = decision.lane.table
        if table and decision.step and decision.adds:
            self._tell_table(table, decision.step, decision.lane, greeted, now)
        elif table and greeted:
            self._teller.state(table, decision.lane.seated(), now)
        if isinstance(decision.work, Command):
            decision.work.done.set_result(None)

    def _welcome(self, decision: Decision, now: int) -> Device | None:
        """The device that has greeted by this decision, if it has a seat."""
        judged, work = decision.judged, decision.work
        if judged is None or not isinstance(work, Incoming) or judged.received.action.kind != "hello":
            return None
        device = work.device
        device.greeted = True
        device.announced = judged.received.action.session
        device.is_there(True, work.at)
        if judged.code != Verdict.OK or decision.lane.table is None:
            return None
        self._teller.welcome(device, decision.lane.table, now)
        return device

    def _tell_table(self, table: Table, step: Step, lane: Lane, greeted: Device | None, now: int) -> None:
        seated = lane.seated()
        others = [device for device in seated if device.greeted and device is not greeted]
        if step.renews:
            for device in others:
                self._teller.welcome(device, table, now)
        self._teller.records(table, step.records, [] if step.renews else others, seated, now)
        if step.checkpoint:
            self._teller.checkpoint(step.checkpoint.envelope)


def _judged(received: Received, answer: Answer) -> Judged:
    return Judged(received, answer.code, codec.encode_told(answer))
