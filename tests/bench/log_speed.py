"""Speed of the log: batches of a real game appended beside bare sqlite3 storing the same bytes.

Both write to the same disk with the same pragmas and tables, turn by turn, so that whatever else the
machine does hits both alike. ``--json`` prints one object.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from sqlalchemy.schema import CreateTable

from broker.tables import schema
from broker.tables.log import Log
from broker.tables.rows import Batch, TableKey
from tests.tables.house import VENUE, House

TABLES = (1, 8, 32)
"""How many tables share a transaction."""
ROUNDS = 100


class Bare:
    """sqlite3 with nothing around it."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path)
        self._connection.execute("PRAGMA journal_mode=WAL")
        self._connection.execute("PRAGMA synchronous=FULL")
        self._connection.execute("PRAGMA foreign_keys=ON")
        for table in schema.metadata.sorted_tables:
            self._connection.execute(str(CreateTable(table)))
        self._tables = "INSERT INTO tables VALUES (?, ?, ?, 0)"
        self._records = "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?)"
        self._secrets = "INSERT INTO secrets VALUES (?, ?, ?, ?, ?, ?)"
        self._acts = "INSERT INTO acts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

    def append(self, batch: Batch) -> None:
        self._connection.executemany(self._tables, [(VENUE, *key) for key in batch.opened])
        self._connection.executemany(self._records, [(VENUE, *row) for row in batch.records])
        if batch.secrets:
            self._connection.executemany(self._secrets, [(VENUE, *row) for row in batch.secrets])
        self._connection.executemany(self._acts, [(VENUE, *row) for row in batch.acts])
        self._connection.commit()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    as_json = parser.parse_args().json
    with tempfile.TemporaryDirectory() as folder:
        lines = list(measured(Path(folder)))
    if as_json:
        print(json.dumps({"log": lines}))
        return
    for line in lines:
        print(
            "{tables:3} tables a batch: {commits_per_second:6} commits/s (bare {bare_commits_per_second:6}),"
            " {us_per_record:7} µs a record (bare {bare_us_per_record:7}), {times_bare}×".format(**line)
        )


def measured(folder: Path) -> Iterator[dict[str, float]]:
    """One line for each number of tables that share a transaction."""
    played = acts_of_a_game(folder / "game")
    for tables in TABLES:
        here = folder / str(tables)
        here.mkdir()
        log, bare = Log.open(f"sqlite:///{here / 'log.db'}", VENUE), Bare(here / "bare.db")
        batches = [merged(played, tables, turn) for turn in range(ROUNDS)]
        keys = {TableKey(row.event, row.table) for batch in batches for row in batch.records}
        log.append(Batch(opened=sorted(keys)))
        bare.append(Batch(opened=sorted(keys)))
        times = [(timed(log.append, batch), timed(bare.append, batch)) for batch in batches]
        log.close()
        records = sum(len(batch.records) for batch in batches) / ROUNDS
        yield figures(tables, records, median(one for one, _ in times), median(two for _, two in times))


def acts_of_a_game(folder: Path) -> list[Batch]:
    """What was stored for the acts of a game, one batch an act."""
    folder.mkdir()
    house = House(folder)
    house.begin()
    house.play()
    house.stop()
    return [batch for batch in house.log.appended if batch.acts and batch.records]


def merged(played: list[Batch], tables: int, turn: int) -> Batch:
    """The same act at so many tables; every turn has keys of its own."""
    act = played[turn % len(played)]
    batch = Batch()
    for table in range(tables):
        key = TableKey(f"e{turn}", f"t{table}")
        batch.records += [row._replace(event=key.event, table=key.table) for row in act.records]
        batch.secrets += [row._replace(event=key.event, table=key.table) for row in act.secrets]
        batch.acts += [row._replace(session=f"{turn}-{table}", event=key.event) for row in act.acts]
    return batch


def timed(append: Callable[[Batch], None], batch: Batch) -> float:
    start = perf_counter()
    append(batch)
    return perf_counter() - start


def figures(tables: int, records: float, ours: float, bare: float) -> dict[str, float]:
    """Medians of one transaction, in seconds, as figures for people."""
    return {
        "tables": tables,
        "commits_per_second": round(1 / ours),
        "bare_commits_per_second": round(1 / bare),
        "us_per_record": round(ours / records * 1e6, 1),
        "bare_us_per_record": round(bare / records * 1e6, 1),
        "times_bare": round(ours / bare, 2),
    }


if __name__ == "__main__":
    main()
