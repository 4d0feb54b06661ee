"""A table: judges what its seats ask for, and says what becomes of it.

Nothing here changes the table but ``apply``, which takes a step that is stored. A refusal is
caught once, in ``answer_act``, and leaves the very same course. Which game is played the table
does not know.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from broker.engine import shuffle
from broker.engine.orders import OpenDeal, RingBell
from broker.engine.refusal import Refused
from broker.engine.seats import Seat
from broker.protocol import chain, codec
from broker.protocol.checkpoint import sign_checkpoint
from broker.protocol.happenings import (
    BeaconDrawn,
    BoardCommitment,
    BoardOpened,
    BoardsCommitted,
    Paused,
    Recovered,
    Resumed,
    Seated,
    SeatFound,
    SeatLost,
    SeatReady,
    TableOpened,
)
from broker.protocol.messages import Action, Cause
from broker.protocol.verdict import Malformed, Stale, Verdict
from broker.tables.clocks import Clock
from broker.tables.course import Course
from broker.tables.draft import Chain, Draft, Step, TableId
from broker.tables.faults import Rejected
from broker.tables.plan import TablePlan
from broker.tables.rows import CheckpointRow
from broker.tables.vault import Vault

AUTHORITY: Final = Cause(by="authority")
REFEREE: Final = Cause(by="referee")

SEAT_AHEAD: Final = "seat_ahead"
"""Pause: a seat holds signed records that this log does not have, so the log was restored."""
STORAGE: Final = "storage"
"""Pause: nothing could be stored."""
FAULT: Final = "fault"
"""Pause: the authority itself failed at this table."""
NO_BOARD: Final = "no_board"
"""Pause: the game wants another board and none is left."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Act:
    """An act that has been read and is known to be its device's own.

    ``digest`` is the SHA-256 of its envelope (hex); ``arrived`` the moment when it came in.
    """

    action: Action
    digest: str
    seat: Seat
    arrived: int

    def cause(self, used: int | None = None) -> Cause:
        """What the records say that this act brings about."""
        action = self.action
        return Cause(by="seat", id=action.id, device=action.device, digest=self.digest, used=used)


class Table:
    """One game with its log. ``at`` is always the present moment, on the scale of the records."""

    def __init__(self, table: TableId, vault: Vault, signing: Ed25519PrivateKey) -> None:
        self.id = table
        self.chain = Chain(table)
        self.bell_rung = False
        self._course: Course | None = None
        self._vault = vault
        self._signing = signing

    @property
    def is_open(self) -> bool:
        """Whether it has its first records."""
        return self._course is not None

    @property
    def course(self) -> Course:
        """How things stand. The same object until something has happened."""
        if self._course is None:
            raise ValueError(f"table {self.id.table} has not been opened")
        return self._course

    def apply(self, step: Step, stored_at: int) -> None:
        """The step has happened. Decisions that it opened count from the moment it was stored."""
        first = self.chain.n + 1
        self.chain.extend(step.records)
        self._course = step.course
        if step.records and any(clock.answers >= first for clock in step.course.clocks):
            clocks = tuple(
                clock.shifted(stored_at) if clock.answers >= first else clock for clock in step.course.clocks
            )
            self._course = replace(step.course, clocks=clocks)

    def restore(self, course: Course, past: Chain) -> None:
        """Takes over what a replay of the log came to."""
        self._course = course
        self.chain = past

    # --- acts of a seat --------------------------------------------------------------------------

    def answer_act(self, act: Act, at: int) -> Step:
        """What becomes of the act: records, or a code and nothing else."""
        try:
            return self._greeted(act, at) if act.action.kind == "hello" else self._accepted(act, at)
        except Rejected as rejected:
            return self._unchanged(rejected.verdict)
        except Stale as stale:
            return self._unchanged(stale.verdict)
        except Malformed:
            return self._unchanged(Verdict.MALFORMED)
        except Refused as refused:
            return self._unchanged(refused.reason, refused.article)

    def _unchanged(self, code: str, article: str = "") -> Step:
        return Step(self.course, self.chain.n, self.chain.head, code=code, article=article)

    def _greeted(self, act: Act, at: int) -> Step:
        """A hello changes nothing, unless the seat knows more of this table than we do."""
        codec.decode_hello(act.action.args)
        if self._is_ahead(act.action) and self.course.paused != SEAT_AHEAD and not self.course.is_closed:
            return self._draft(at).add(act.cause(), Paused(SEAT_AHEAD)).step()
        return self._unchanged(Verdict.OK)

    def _is_ahead(self, action: Action) -> bool:
        """Whether it has seen what is not on our chain, other than an end that we have given up."""
        here = (action.event, action.table) == self.id.key
        known = action.seen.n == 0 or action.seen.epoch < self.chain.epoch or self.chain.has(action.seen)
        return here and not known

    def _accepted(self, act: Act, at: int) -> Step:
        self._check_place(act.action)
        if act.action.kind == "ready":
            return self._readied(act, at)
        clock = self._answered(act)
        package, play = self.course.package, self.course.play
        action = codec.decode_act(package.name, act.action.kind, act.action.args, act.seat)
        events = package.play.decide(play, action)
        return self._draft(at).add(act.cause(clock.used(act.arrived)), *events).open_decisions().step()

    def _check_place(self, action: Action) -> None:
        if (action.event, action.table) != self.id.key:
            raise Rejected(Verdict.WRONG_TABLE)
        if action.seen.n < action.answers or not self.chain.has(action.seen):
            raise Rejected(Verdict.UNKNOWN_PAST)
        if self.course.paused:
            raise Rejected(Verdict.PAUSED)

    def _answered(self, act: Act) -> Clock:
        """The clock of the decision that the act answers, still open and this seat's own."""
        answers, course = act.action.answers, self.course
        if answers in course.timed_out:
            raise Stale(Verdict.TIMED_OUT)
        clock = course.clock_of(act.seat)
        if clock is None or clock.answers != answers or act.action.deal != course.dealt:
            raise Stale(Verdict.STALE)
        return clock

    def _readied(self, act: Act, at: int) -> Step:
        nonce = codec.decode_ready(act.action.args).nonce
        if self.course.nonces[act.seat]:
            raise Stale(Verdict.STALE)
        draft = self._draft(at).add(act.cause(), SeatReady(act.seat, nonce))
        if all(draft.course.nonces):
            nonces = [bytes.fromhex(nonce) for nonce in draft.course.nonces]
            draft.add(AUTHORITY, BeaconDrawn(chain.beacon_of(nonces).hex()))
        return draft.step()

    # --- what a referee orders -------------------------------------------------------------------

    def order(self, order: Any, at: int) -> Step:
        """An order of the engine. ``Refused`` if the rules do not allow it now."""
        events = self.course.package.play.decide(self.course.play, order)
        return self._draft(at).add(REFEREE, *events).open_decisions().step()

    def pause(self, cause: str, at: int, by: Cause = REFEREE) -> Step:
        """Play and clocks stand still; nothing changes if they do already."""
        if self.course.paused or self.course.is_closed:
            return self._unchanged(Verdict.OK)
        return self._draft(at).add(by, Paused(cause)).step()

    def resume(self, at: int, by: Cause = REFEREE) -> Step:
        """Play goes on. After ``SEAT_AHEAD`` in a new epoch: what the seats had seen beyond is given up."""
        if not self.course.paused:
            return self._unchanged(Verdict.OK)
        draft = self._draft(at)
        if self.course.paused == SEAT_AHEAD:
            draft.begin_epoch()
        return draft.add(by, Resumed(max(0, at - self.course.paused_at))).step()

    def stop_for_storage(self, since: int, at: int) -> Step:
        """The stoppage while nothing could be stored, written down afterwards."""
        if self.course.paused or self.course.is_closed:
            return self._unchanged(Verdict.OK)
        stopped = self._draft(max(since, self.course.at)).add(AUTHORITY, Paused(STORAGE))
        return stopped.move_to(at).add(AUTHORITY, Resumed(max(0, at - since))).step()

    # --- what the authority does by itself -------------------------------------------------------

    def open(self, plan: TablePlan, at: int) -> Step:
        """The first records: table, seats, commitments to all boards."""
        draft = Draft(self.id, self.chain, None, self._vault, at)
        draft.add(AUTHORITY, TableOpened(plan.game, codec.encode_rules(plan.rules)))
        draft.add(AUTHORITY, *(Seated(seat, *told) for seat, told in enumerate(plan.seats)))
        commitments = tuple(
            BoardCommitment(board, shuffle.commitment(seed, board).hex()) for board, seed in plan.boards
        )
        seeds = tuple(board.seed.hex() for board in plan.boards)
        return draft.add(AUTHORITY, BoardsCommitted(commitments, seeds)).step()

    def recover(self, at: int) -> Step:
        """The authority is back; what remained on the clocks remains."""
        if self.course.is_closed:
            return self._unchanged(Verdict.OK)
        return self._draft(at).add(AUTHORITY, Recovered(max(0, at - self.course.at))).step()

    def deal(self, at: int) -> Step:
        """The next board is dealt."""
        course = self.course
        name = course.boards[course.dealt].board
        seed = bytes.fromhex(course.seeds[course.dealt])
        board = shuffle.board_from(seed, bytes.fromhex(course.beacon), name)
        events = course.package.play.decide(course.play, OpenDeal(board))
        return self._draft(at).add(AUTHORITY, *events).open_decisions().step()

    def ring_bell(self, at: int) -> Step:
        """The time of the game is over; nothing changes if that has been said."""
        course = self.course
        try:
            events = course.package.play.decide(course.play, RingBell())
        except Refused:
            self.bell_rung = True
            return self._unchanged(Verdict.OK)
        cause = Cause(by="clock", used=course.game_clock.read(at))
        return self._draft(at).add(cause, *events).open_decisions().step()

    def tick(self, clock: Clock, at: int) -> Step:
        """The next step of a clock that has come to it."""
        step, course = clock.step, self.course
        if step is None:
            return self._unchanged(Verdict.OK)
        play = course.package.play
        action = play.clock_action(course.play, clock.seat, step.consequence)
        events = play.decide(course.play, action)
        cause = Cause(by="clock", used=step.after)
        return self._draft(at).add(cause, *events).open_decisions().step()

    def hold(self, seat: Seat, grace: int, lost: int, at: int) -> Step:
        """The clock of a seat that was lost at ``lost`` stands still from then on."""
        return self._draft(self._not_before(lost, at)).add(AUTHORITY, SeatLost(seat, grace)).step()

    def release(self, clock: Clock, back: int, at: int) -> Step:
        """The seat is back since ``back``, or its grace was used up then."""
        moment = self._not_before(back, at)
        stopped = clock.held.read(moment) if clock.held else 0
        return self._draft(moment).add(AUTHORITY, SeatFound(clock.seat, stopped)).step()

    def _not_before(self, moment: int, at: int) -> int:
        """The moment, as far as it does not lie before the last record."""
        return min(at, max(moment, self.course.at))

    def close(self, at: int) -> Step:
        """The game is over: every board is opened, and the venue signs the whole."""
        course = self.course
        opened = [
            BoardOpened(told.board, seed) for told, seed in zip(course.boards, course.seeds, strict=True)
        ]
        step = self._draft(at).add(AUTHORITY, *opened[course.opened :]).step()
        last = step.records[-1]
        signed = sign_checkpoint(
            self._signing,
            venue=self.id.venue,
            event=last.event,
            table=last.table,
            epoch=last.epoch,
            n=last.n,
            head=last.hash,
        )
        return replace(step, checkpoint=CheckpointRow(*last[:4], signed))

    def _draft(self, at: int) -> Draft:
        return Draft(self.id, self.chain, self.course, self._vault, at)
