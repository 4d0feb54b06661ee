"""The hub: one thread that owns every table of the process.

Loop: take what came in, let each table decide once at most, store the batch in one transaction,
and only then let it have happened and tell. It sleeps until something arrives or the next moment
of a table comes. Everything else (MQTT, console, service) reaches it through its inbox alone.
"""

from __future__ import annotations

import logging
import os
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any, Final, NamedTuple

from broker.protocol import codec, topics
from broker.protocol.envelope import MAX_BYTES
from broker.protocol.verdict import Malformed, Verdict
from broker.tables.desk import Decision, Desk
from broker.tables.devices import Device
from broker.tables.draft import Step, TableId
from broker.tables.faults import LogError, LogLost, Rejected
from broker.tables.inbox import LARGEST, Inbox
from broker.tables.lanes import Agenda, Command, Incoming, Lane
from broker.tables.log import Log
from broker.tables.plan import SYSTEM_TIME, Arrival, Outbox, Settings, TablePlan, Time, VenueKeys
from broker.tables.recovery import replay
from broker.tables.roster import Roster
from broker.tables.rows import Batch
from broker.tables.table import Table
from broker.tables.telling import EngineState, Teller
from broker.tables.vault import Vault

BATCH: Final = 32
"""Most tables in one transaction, so that no table waits long for the others."""
MAX_WAITING: Final = 8
"""Most acts of one device that wait to be judged; more are dropped, and sent again by a seat that
means them."""
STRANGERS: Final = 2_000
"""Most devices without a seat whose last act is kept for the moment when they get one."""

_log = logging.getLogger(__name__)


class HubStatus(NamedTuple):
    """How the authority is. ``paused``: cause by table. ``dropped``: messages by reason."""

    boot: str
    state: EngineState
    tables: int
    paused: dict[str, str]
    has_room: bool
    dropped: dict[str, int]


class Hub:
    """The authority over the tables of a venue. All but the public methods belongs to its thread.

    ``chance(n)`` gives n random bytes. Moments inside are Unix milliseconds that never jump: the
    wall clock at the start, and the monotonic clock from there.
    """

    def __init__(
        self,
        venue: str,
        log: Log,
        keys: VenueKeys,
        outbox: Outbox,
        time: Time = SYSTEM_TIME,
        settings: Settings | None = None,
        chance: Callable[[int], bytes] = os.urandom,
    ) -> None:
        self._venue = venue
        self._log = log
        self._keys = keys
        self._time = time
        self._settings = settings or Settings()
        self._anchor = time.unix_ms() - time.monotonic_ms()
        self._boot = chance(8).hex()
        self._vault = Vault(venue, keys.store, chance)
        self._tell = Teller(venue, self._boot, keys.signing, outbox)
        self._dropped: Counter[str] = Counter()
        self._desk = Desk(log, self._boot, self._vault, self._tell, self._plan, self._drop)
        self._roster = Roster()
        self._strangers: dict[str, Arrival] = {}
        self._inbox = Inbox()
        self._moved: dict[Lane, None] = {}
        """Lanes whose devices came or went, of which nobody has been told yet."""
        self._used = set(log.tables(closed=True))
        self._active: dict[Lane, None] = {}
        self._agenda = Agenda()
        self._state: EngineState = "ready"
        self._halted_at = 0
        self._has_room = log.has_room()
        self._beats = 0
        self._next_beat = self._now()
        self._stopping = False

    # --- from any thread ---------------------------------------------------------------------------

    def post(self, arrival: Arrival) -> None:
        """Takes in a message. Stamp it where it was received; one thread posts all of them."""
        self._inbox.post(arrival)

    def open_table(self, plan: TablePlan) -> Future[None]:
        """Opens a table in the next batch. ``ValueError`` at once if the plan is faulty, or through
        the future if the table or one of its devices is in use."""
        if faults := plan.faults():
            raise ValueError(f"table {plan.table}: " + "; ".join(faults))
        done: Future[None] = Future()
        self._inbox.call(lambda: self._open(plan, done))
        return done

    def close_table(self, table: str) -> Future[None]:
        """Lets go of a table whose game is over; its log stays."""
        return self._call(lambda: self._close(table))

    def order(self, table: str, order: Any) -> Future[None]:
        """An order of the engine (``StopTurn``, ``LoseDeal``, ``RingBell`` …) at a table. Through the
        future: ``Refused``, or ``LookupError`` if there is no such table."""
        return self._command(table, lambda live, at: live.order(order, at))

    def pause(self, table: str, cause: str) -> Future[None]:
        """Stops play and clocks of a table."""
        return self._command(table, lambda live, at: live.pause(cause, at))

    def resume(self, table: str) -> Future[None]:
        """Lets play at a table go on."""
        return self._command(table, lambda live, at: live.resume(at))

    def resume_storage(self) -> Future[None]:
        """Tries to go on after nothing could be stored. By the future ``LogError`` if it still fails."""
        return self._call(self._go_on)

    def refresh(self) -> None:
        """Publishes all retained state again: the MQTT server may have lost it."""
        self._inbox.call(self._publish)

    def stop(self) -> None:
        """Ends ``run`` after the batch under way."""
        self._stopping = True
        self._inbox.call(lambda: None)

    def status(self) -> HubStatus:
        """How the authority is, at a glance."""
        tables = [table for _, table in self._roster.tables]
        paused = {table.id.table: table.course.paused for table in tables if table.course.paused}
        dropped = {"overflow": self._inbox.dropped, **self._dropped}
        return HubStatus(self._boot, self._state, len(tables), paused, self._has_room, dropped)

    # --- the loop ----------------------------------------------------------------------------------

    def recover(self) -> None:
        """Replays every live table of the log. Call it first, once. ``LogError`` if one is damaged."""
        for key in self._log.tables():
            self._roster.take_seats(replay(self._log, key, self._vault, self._keys.signing))
        self._roster.restore_sessions(self._log)
        now = self._now()
        back = [Decision(lane, table.recover(now)) for lane, table in self._roster.tables]
        self._store(decisions := [decision for decision in back if decision.adds])
        self._happen(decisions)

    def run(self) -> None:
        """Works until ``stop``. ``LogLost`` if the process must end and recover."""
        self._publish()
        while not self._stopping:
            self.step(wait=True)
        self._tell.status("stopping", self._beats)

    def step(self, wait: bool = False) -> bool:
        """One round: whether anything was decided. With ``wait`` it sleeps until there is something to do."""
        self._take_in(wait)
        decisions = [] if self._state == "storage" else self._decide()
        if decisions:
            self._settle(decisions)
        self._beat()
        return bool(decisions)

    def _now(self) -> int:
        return self._anchor + self._time.monotonic_ms()

    def _take_in(self, wait: bool) -> None:
        item, taken = self._inbox.next(self._idle_ms() if wait else 0), 0
        while item is not None:
            self._take(item)
            taken += 1
            item = self._inbox.next(0) if taken < LARGEST else None

    def _take(self, item: Arrival | Callable[[], None]) -> None:
        try:
            self._arrived(item) if isinstance(item, Arrival) else item()
        except LogLost:
            raise
        except Exception:
            _log.exception("fault while taking something in")

    def _idle_ms(self) -> int:
        if self._active and self._state != "storage":
            return 0
        moment = self._agenda.next_moment() if self._state != "storage" else None
        wake = self._next_beat if moment is None else min(moment, self._next_beat)
        return max(0, wake - self._now())

    def _decide(self) -> list[Decision]:
        now = self._now()
        for lane in self._agenda.take_due(now):
            self._active[lane] = None
        decisions = []
        for lane in list(self._active)[:BATCH]:
            del self._active[lane]
            decision = self._desk.decide(lane, now)
            if decision:
                decisions.append(decision)
            else:
                self._look_again(lane)
        return decisions

    def _settle(self, decisions: list[Decision]) -> None:
        try:
            self._store(decisions)
        except LogLost:
            raise
        except LogError as error:
            self._halt(decisions, error)
        else:
            self._happen(decisions)

    def _store(self, decisions: list[Decision]) -> None:
        batch = Batch()
        for decision in decisions:
            self._desk.write(decision, batch)
        self._log.append(batch)

    def _happen(self, decisions: list[Decision]) -> None:
        """The decisions are stored: every actor is answered before anything else is told."""
        stored_at = self._now()
        for decision in decisions:
            self._move(decision, stored_at)
            self._desk.answer(decision)
        for decision in decisions:
            try:
                self._desk.tell(decision, self._now())
            except Exception:  # must not keep the others from being told
                _log.exception("fault while telling of a decision")
            self._look_again(decision.lane)

    def _move(self, decision: Decision, stored_at: int) -> None:
        table, step = decision.lane.table, decision.step
        if table is None or step is None or not step.records:
            return
        table.apply(step, stored_at)
        if not decision.lane.devices:
            self._seat(table)

    def _halt(self, decisions: list[Decision], error: LogError) -> None:
        """Nothing of the batch has happened. All tables stand still until the order to go on."""
        _log.error("%s", error)
        self._state = "storage"
        self._halted_at = self._now()
        for decision in reversed(decisions):
            self._desk.undo(decision)
            self._active[decision.lane] = None
        self._tell.status(self._state, self._beats)

    def _go_on(self) -> None:
        if self._state != "storage":
            return
        now = self._now()
        stops = [(lane, table.stop_for_storage(self._halted_at, now)) for lane, table in self._roster.tables]
        decisions = [Decision(lane, step) for lane, step in stops if step.records]
        self._store(decisions)
        self._state = "ready"
        self._happen(decisions)
        self._tell.status(self._state, self._beats)

    def _look_again(self, lane: Lane) -> None:
        """Puts the lane where it belongs after a change: among those to work on, or on the agenda."""
        self._plan(lane)
        if lane.is_due(self._now()):
            self._active[lane] = None
        else:
            self._agenda.put(lane)

    def _plan(self, lane: Lane) -> None:
        lane.plan(self._settings, self._has_room)

    def _drop(self, reason: str) -> None:
        self._dropped[reason] += 1

    def _beat(self) -> None:
        now = self._now()
        if now < self._next_beat:
            return
        self._next_beat = now + self._settings.heartbeat
        self._beats += 1
        self._tell.status(self._state, self._beats)
        self._look_at_disk()
        self._inbox.name_flooders()

    def _look_at_disk(self) -> None:
        has_room = self._log.has_room()
        if has_room is self._has_room:
            return
        self._has_room = has_room
        if has_room:
            _log.warning("there is room on the disk again")
        else:
            _log.error("the disk is nearly full: no new deal is opened")
        for lane in self._roster.lanes:
            self._look_again(lane)

    # --- what came in ------------------------------------------------------------------------------

    def _arrived(self, arrival: Arrival) -> None:
        try:
            venue, name, leaf = topics.parse_device_topic(arrival.topic)
        except Malformed:
            venue = name = leaf = ""
        device = self._roster.device(name)
        if venue != self._venue or leaf not in ("act", "status"):
            self._drop("foreign")
        elif device is None:
            self._strange(name, leaf, arrival)
        elif leaf == "status":
            self._heard(device, arrival)
        else:
            self._asked(device, arrival)

    def _strange(self, name: str, leaf: str, arrival: Arrival) -> None:
        """A device without a seat: its last act is kept, for it may be seated any moment."""
        self._drop("unknown_device")
        room = name in self._strangers or len(self._strangers) < STRANGERS
        if leaf == "act" and len(arrival.payload) <= MAX_BYTES and room:
            self._strangers[name] = arrival

    def _heard(self, device: Device, arrival: Arrival) -> None:
        try:
            status = codec.decode_status(arrival.payload)
        except Malformed:
            self._drop(Verdict.MALFORMED)
            return
        if device.heard(status, self._anchor + arrival.at_ms):
            if not self._moved:
                self._inbox.call(self._tell_presence)
            self._moved[self._roster.lane_of(device)] = None

    def _tell_presence(self) -> None:
        """Devices came or went: once for each table, however often they did."""
        moved, self._moved = self._moved, {}
        for lane in moved:
            if lane.table and (seated := lane.seated()):
                self._tell.state(lane.table, seated, self._now())
                self._look_again(lane)

    def _asked(self, device: Device, arrival: Arrival) -> None:
        if len(arrival.payload) > MAX_BYTES:
            self._desk.reject(device, Rejected(Verdict.MALFORMED), self._now())
        elif device.waiting >= MAX_WAITING:
            self._drop("too_many")
            self._inbox.note_flood(arrival.topic)
        else:
            device.waiting += 1
            at = self._anchor + arrival.at_ms
            self._put(self._roster.lane_of(device), Incoming(at, device, arrival.payload, arrival.topic))

    def _put(self, lane: Lane, work: Incoming | Command) -> None:
        lane.add(work)
        self._active[lane] = None

    # --- commands ----------------------------------------------------------------------------------

    def _call(self, run: Callable[[], None]) -> Future[None]:
        done: Future[None] = Future()
        self._inbox.call(partial(_resolve, run, done))
        return done

    def _command(self, table: str, run: Callable[[Table, int], Step]) -> Future[None]:
        done: Future[None] = Future()
        self._inbox.call(partial(self._enqueue, table, run, done))
        return done

    def _enqueue(self, name: str, run: Callable[[Table, int], Step], done: Future[None]) -> None:
        lane = self._roster.lane(name)
        if lane is None or lane.table is None:
            done.set_exception(LookupError(f"there is no table {name}"))
        else:
            self._put(lane, Command(self._now(), partial(run, lane.table), done))

    def _open(self, plan: TablePlan, done: Future[None]) -> None:
        name = TableId(self._venue, plan.event, plan.stage, plan.round, plan.table)
        devices = [seat.device for seat in plan.seats]
        if name.key in self._used or self._roster.lane(plan.table):
            done.set_exception(ValueError(f"a table {plan.table} has been opened before"))
        elif busy := self._roster.in_game(devices):
            done.set_exception(ValueError(f"in a game at another table: {', '.join(busy)}"))
        else:
            self._used.add(name.key)
            table = Table(name, self._vault, self._keys.signing)
            lane = self._roster.reserve(table, devices)
            self._put(lane, Command(self._now(), partial(table.open, plan), done))

    def _seat(self, table: Table) -> None:
        """The devices of a table that was opened; what they asked for before counts now."""
        for device in self._roster.take_seats(table).devices:
            asked = self._strangers.pop(device.id, None)
            if asked:
                self._asked(device, asked)

    def _close(self, name: str) -> None:
        lane = self._roster.lane(name)
        if lane is None or lane.table is None:
            raise LookupError(f"there is no table {name}")
        if not lane.table.course.is_closed:
            raise ValueError(f"the game at table {name} is not over")
        self._log.append(Batch(closed=[lane.table.id.key]))
        self._roster.leave(lane)
        self._active.pop(lane, None)
        self._tell.no_state(name)

    def _publish(self) -> None:
        self._tell.status(self._state, self._beats)
        for lane, table in self._roster.tables:
            self._tell.state(table, lane.seated(), self._now())


def _resolve(run: Callable[[], None], done: Future[None]) -> None:
    try:
        run()
    except LogLost as error:
        done.set_exception(error)
        raise
    except Exception as error:
        done.set_exception(error)
    else:
        done.set_result(None)
