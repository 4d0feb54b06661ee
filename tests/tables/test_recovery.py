"""Recovery: a replay is what happened; whatever moment the process is killed at, nothing acknowledged
is lost, nothing counts twice, and the seats go on."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from broker.engine.guandan.rules import HUAIAN, NATIONAL_2017, Rules
from broker.engine.orders import Warn
from broker.protocol.messages import Record
from broker.tables.course import Course
from broker.tables.export import export_transcript
from broker.tables.faults import LogError
from broker.tables.log import Log
from broker.tables.recovery import intact, replay
from broker.tables.rows import Batch, TableKey
from broker.tables.vault import Vault
from broker.verify.audit import check
from tests.tables.house import FAST, VENUE, House, Seat, last_of


def replayed(house: House) -> Course:
    vault = Vault(VENUE, house.keys.store)
    return replay(house.log, house.table.id.key, vault, house.keys.signing).course


STEPS = ("act", "act", "act", "wait", "long wait", "pause", "lose", "find", "restart", "junk")


@pytest.mark.parametrize("rules", [NATIONAL_2017, replace(HUAIAN, deals_per_game=2)])
@given(seed=st.integers(0, 10**6), steps=st.lists(st.sampled_from(STEPS), min_size=5, max_size=40))
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_replay_equals_what_was_lived(
    tmp_path_factory: pytest.TempPathFactory, rules: Rules, seed: int, steps: list[str]
) -> None:
    house = House(tmp_path_factory.mktemp("house"), seed=seed, rules=rules)
    house.begin()
    for step in steps:
        live(house, step)
        assert replayed(house) == house.table.course
    house.stop()


def live(house: House, step: str) -> None:
    seat = next(iter(house.owing()), house.seats[0])
    match step:
        case "act" if seat.owed and not house.table.course.paused:
            house.moment.pass_by(700)
            assert house.ask(seat, seat.choose()).code == "ok"
        case "wait" | "long wait":
            house.moment.pass_by(3_000 if step == "wait" else 41_000)
        case "pause" if house.table.course.paused:
            house.hub.resume("t1")
        case "pause":
            house.hub.pause("t1", "call")
        case "lose" | "find":
            house.say(seat, "lost" if step == "lose" else "ready")
        case "restart":
            house.stop()
            house.moment.pass_by(8_000)
            house.start()
            house.greet()
        case "junk":
            house.post(seat, b"junk")
    house.settle()


def test_a_whole_game_replays_to_its_end(playing: House) -> None:
    playing.play()
    assert replayed(playing) == playing.table.course
    assert playing.table.course.is_closed


def test_authority_downtime_is_a_stoppage(playing: House) -> None:
    (seat,) = playing.owing()
    playing.moment.pass_by(10_000)
    playing.hub.order("t1", Warn(seat.place))
    playing.settle()
    playing.moment.pass_by(5_000)
    playing.stop()
    playing.moment.pass_by(3_600_000)
    playing.start()
    playing.greet()
    rows = playing.log.records(playing.table.id.key)
    records = [msgspec.json.decode(row.public, type=Record) for row in rows]
    (recovered,) = [record for record in records if record.kind == "recovered"]
    assert recovered.body == {"stopped": 3_605_000}, "since the last record"
    assert seat.update is not None
    assert seat.update.clocks[0].remaining == 30_000, "as it was at the last record"
    playing.moment.pass_by(7_000)
    assert playing.ask(seat, seat.choose()).code == "ok"
    assert last_of(playing, "played").cause.used == 17_000


def test_the_grace_of_a_lost_seat_outlives_the_authority(playing: House) -> None:
    (seat,) = playing.owing()
    playing.say(seat, "lost")
    playing.settle()
    playing.stop()
    playing.moment.pass_by(3_600_000)
    playing.start()
    playing.moment.pass_by(FAST.lost_grace - 1)
    playing.settle()
    (held,) = playing.table.course.clocks
    playing.moment.pass_by(1)
    playing.settle()
    (running,) = playing.table.course.clocks
    assert (held.held is None, running.held is None) == (False, True)
    assert running.remaining(0) == 40_000


def test_a_wall_clock_set_back_harms_nothing(playing: House) -> None:
    playing.moment.pass_by(10_000)
    playing.hub.pause("t1", "call")
    playing.settle()
    playing.hub.resume("t1")
    playing.settle()
    playing.stop()
    playing.moment.unix -= 86_400_000
    playing.start()
    playing.greet()
    (seat,) = playing.owing()
    assert seat.update is not None
    assert seat.update.clocks[0].remaining == 30_000
    playing.play()
    assert playing.table.course.is_closed


def test_a_pause_outlives_the_authority(playing: House) -> None:
    playing.hub.pause("t1", "call")
    playing.settle()
    playing.stop()
    playing.start()
    playing.greet()
    assert playing.table.course.paused == "call"
    assert playing.owing()[0].update.clocks[0].running is False  # type: ignore[union-attr]


# --- kills ---------------------------------------------------------------------------------------------


class Killed(BaseException):
    """The process ends here."""


class Reaper:
    """Kills the house at a batch: before it is stored, after that, or after it was told.

    What is on the disk then is copied, with the write-ahead log, sometimes with a torn end.
    """

    def __init__(self, house: House, chance: random.Random) -> None:
        self.house = house
        self.chance = chance
        self.kills = 0

    def arm(self) -> str:
        how = self.chance.choice(("before", "torn", "after", "told"))
        log = self.house.log
        if how in ("before", "torn"):
            log.failures.append(Killed())  # type: ignore[arg-type]
        elif how == "after":
            log.on_commit = self._die
        return how

    def _die(self) -> None:
        raise Killed

    def restart(self, how: str) -> None:
        self.kills += 1
        house = self.house
        disk = house.folder / f"disk-{self.kills}.db"
        shutil.copy(house.path, disk)
        wal = Path(f"{house.path}-wal")
        if wal.exists():
            shutil.copy(wal, f"{disk}-wal")
            if how == "torn":
                with Path(f"{disk}-wal").open("ab") as file:
                    file.write(self.chance.randbytes(self.chance.randrange(1, 9_000)))
        house.stop()
        house.moment.pass_by(self.chance.randrange(10_000))
        house.start(disk)


def resend(house: House, seat: Seat, waiting: bytes) -> None:
    """As a seat does after a new start of the authority: what has no answer, then a hello."""
    before = len(seat.answers)
    house.post(seat, waiting)
    house.settle()
    assert len(seat.answers) == before + 1
    house.greet()


@pytest.mark.parametrize("seed", range(2))
def test_killed_at_random_moments_the_game_goes_on(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    house = House(tmp_path, seed=seed, rules=replace(HUAIAN, deals_per_game=1))
    house.begin()
    reaper = Reaper(house, chance)
    acknowledged: dict[str, bytes] = {}
    while not house.table.course.is_closed:
        seat = house.owing()[0]
        act = seat.choose()
        house.moment.pass_by(500)
        how = reaper.arm() if chance.random() < 0.15 else ""
        house.post(seat, act)
        with suppress(Killed):
            house.settle()
        if how:
            reaper.restart(how)
            resend(house, seat, act)
        assert seat.last_code == "ok"
        acknowledged |= {answer: raw for seat in house.seats for answer, raw in seat.answer_bytes.items()}
    assert reaper.kills >= 5
    check_nothing_lost(house, acknowledged)


def check_nothing_lost(house: House, acknowledged: dict[str, bytes]) -> None:
    records = [msgspec.json.decode(row.public, type=Record) for row in house.log.records(house.table.id.key)]
    plays = [
        record for record in records if record.kind in ("played", "passed") and record.cause.by == "seat"
    ]
    times = Counter(record.cause.id for record in plays)
    assert set(times.values()) == {1}, "applied twice"
    for seat in house.seats:
        for answer in seat.answers:
            if answer.code == "ok":
                assert house.log.answer(seat.device, seat.session, answer.id) == acknowledged[answer.id]
    path = house.folder / "transcript.jsonl"
    export_transcript(house.log, house.table.id.key, house.keys, path)
    report = check(path)
    assert report.problems == []
    assert report.verified
    house.stop()


@given(st.data())
@settings(max_examples=10, deadline=None)
def test_a_write_ahead_log_torn_anywhere_gives_the_last_whole_batch(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    house = House(tmp_path_factory.mktemp("house"))
    sizes: list[int] = []
    courses: list[Course] = []
    house.begin()
    wal = Path(f"{house.path}-wal")
    for _ in range(6):
        sizes.append(wal.stat().st_size)
        courses.append(house.table.course)
        house.play(acts=1)
    cut = data.draw(st.integers(sizes[0], wal.stat().st_size))
    disk = house.folder / "disk.db"
    shutil.copy(house.path, disk)
    Path(f"{disk}-wal").write_bytes(wal.read_bytes()[:cut])
    whole = max(index for index, size in enumerate(sizes) if size <= cut)
    lived = [*courses, house.table.course][whole if cut < wal.stat().st_size else -1]
    house.stop()
    log = type(house.log).at(disk)
    table = replay(log, house.table.id.key, Vault(VENUE, house.keys.store), house.keys.signing)
    assert table.course == lived
    log.close()


# --- a log that is not what was written --------------------------------------------------------------------


@pytest.fixture
def stopped(playing: House) -> Iterator[House]:
    playing.play(acts=4)
    playing.log.close()
    yield playing


def recover(house: House, words: str) -> None:
    before = house.path.read_bytes()
    with pytest.raises(LogError, match=words):
        house.start()
    house.log.close()
    assert house.path.read_bytes() == before


def change(house: House, statement: str, *values: object) -> None:
    with sqlite3.connect(house.path) as connection:
        connection.execute(statement, values)
    connection.close()


def test_a_changed_record_is_named(stopped: House) -> None:
    change(stopped, "UPDATE records SET public = replace(public, 'player-1', 'player-9') WHERE n = 3")
    recover(stopped, r"table t1 of spring-cup, record 3: the hash chain is broken")


def test_a_missing_record_is_named(stopped: House) -> None:
    change(stopped, "DELETE FROM records WHERE n = 8")
    recover(stopped, r"record 8: it is missing")


def test_a_changed_hash_is_named(stopped: House) -> None:
    change(stopped, "UPDATE records SET hash = zeroblob(32) WHERE n = 5")
    recover(stopped, r"record 5: the hash chain")


def test_a_changed_secret_is_named(stopped: House) -> None:
    change(stopped, "UPDATE secrets SET cipher = zeroblob(90) WHERE n = 6")
    recover(stopped, r"record 6: its secret does not open")


def test_a_missing_secret_is_named(stopped: House) -> None:
    change(stopped, "DELETE FROM secrets WHERE n = 6")
    recover(stopped, r"record 6: its secret is another")


def test_another_store_key_is_told(stopped: House) -> None:
    stopped.keys = stopped.keys._replace(store=bytes(32))
    recover(stopped, r"another key")


def test_a_signed_end_that_is_missing_is_noticed(playing: House) -> None:
    playing.play()
    last = last_of(playing, "board_opened").n
    playing.log.close()
    change(playing, "DELETE FROM records WHERE n = ?", last)
    recover(playing, rf"record {last}: it is missing, though the venue has signed it")


def test_a_table_without_records_is_told(stopped: House) -> None:
    stopped.log = type(stopped.log).at(stopped.path)
    stopped.log.append(Batch(opened=[TableKey("spring-cup", "t9")]))
    stopped.log.close()
    recover(stopped, r"table t9 of spring-cup, record 1: it is missing")


def test_without_a_key_the_chain_can_be_read_to_where_it_breaks(stopped: House) -> None:
    def read() -> Iterator[int]:
        log = Log.open(f"sqlite:///{stopped.path}", VENUE, reading=True)
        try:
            yield from (row.n for row in intact(log, TableKey("spring-cup", "t1")))
        finally:
            log.close()

    whole = list(read())
    assert whole == list(range(1, len(whole) + 1)) and len(whole) > 20
    change(stopped, "UPDATE records SET public = 'garbage' WHERE n = 9")
    before: list[int] = []
    with pytest.raises(LogError, match="record 9: the hash chain"):
        before.extend(read())
    assert before == whole[:8]
