"""Kills the authority again and again in the middle of games, and holds it to its word.

After every ``kill -9`` it is started again and the seats must go on by themselves. At the end of
each game the seats' own journal of answers is compared with the log: nothing that was acknowledged
is missing, nothing happened twice, and the independent checker finds nothing wrong.

``python tests/e2e/kills.py --kills 500``; runs with the installed project alone.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from broker import config as configuration
from broker.config import Config
from broker.logbook import find_table, reading, venue_keys
from broker.sections import write_toml
from broker.server import last_server, stop_left_over
from broker.tables.export import export_transcript
from broker.verify.audit import check

TABLE = "kills"
DEALS = 8
PATIENCE = 60.0
APPLIES = frozenset({"seat_ready", "played", "passed", "tribute_paid", "given_back"})
"""Records of which each accepted act brings about exactly one."""


@dataclass
class Findings:
    """What was counted and measured. ``faults`` is empty if the authority kept its word."""

    kills: int = 0
    games: int = 0
    acknowledged: int = 0
    going_on: list[float] = field(default_factory=list)
    """Seconds from each new start's "ready" to the next act that was acknowledged."""
    away: list[float] = field(default_factory=list)
    """Seconds from the start of the new process to that act."""
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        lines = [f"{self.kills} kills in {self.games} games, {self.acknowledged} acknowledged acts"]
        for name, values in (("ready → going on", self.going_on), ("start → going on", self.away)):
            if values:
                median, worst = statistics.median(values), max(values)
                lines.append(f"{name}: median {median:.2f} s, longest {worst:.2f} s of {len(values)}")
        return "\n".join([*lines, *(f"FAULT {fault}" for fault in self.faults[:20])])


class Game:
    """One game: its venue, its authority, its seats."""

    def __init__(self, folder: Path, server: str, chance: random.Random) -> None:
        self.config = _configure(folder, server)
        self.journal = folder / "journal.jsonl"
        self._folder = folder
        self._chance = chance
        self._authority = self._start()
        self._await(self._is_ready, "the first start")
        self._seats = self._start_seats()

    def is_over(self) -> bool:
        return self._seats.poll() is not None

    def kill(self, findings: Findings) -> None:
        """Lets the game go on for a moment, kills the authority, starts it again, and waits for the
        seats. One time in five the new one is killed too before it is up."""
        time.sleep(self._chance.uniform(0.0, 0.5))
        self._slay(findings)
        while self._chance.random() < 0.2:
            self._authority = self._start()
            time.sleep(self._chance.uniform(0.0, 1.2))
            self._slay(findings)
        begun = time.time()
        self._authority = self._start()
        self._await(self._is_ready, "the start after a kill")
        ready = time.time()
        self._await(lambda: self.is_over() or self._answers_since(ready), "an answer after a kill")
        if self._answers_since(ready):
            at = self._answers_since(ready)[0]
            findings.going_on.append(at - ready)
            findings.away.append(at - begun)

    def finish(self, findings: Findings) -> None:
        """Plays to the end without further kills, then compares."""
        self._await(self.is_over, "the end of the game")
        if self._seats.returncode != 0:
            findings.faults.append(f"the seats ended with {self._seats.returncode}")
        self._authority.terminate()
        if self._authority.wait(PATIENCE) != 0:
            findings.faults.append(f"the authority ended with {self._authority.returncode}")
        findings.games += 1
        findings.faults += compare(self.config, self.journal, self._folder / "transcript.jsonl")
        findings.acknowledged += sum(answer["code"] == "ok" for answer in answers(self.journal))

    def end(self) -> None:
        for process in (self._seats, self._authority):
            if process.poll() is None:
                process.terminate()
                process.wait(PATIENCE)
        stop_left_over(self.config.runtime)

    def _slay(self, findings: Findings) -> None:
        self._authority.kill()
        self._authority.wait()
        findings.kills += 1

    def _start(self) -> subprocess.Popen[bytes]:
        with (
            (self._folder / "authority.out").open("wb") as out,
            (self._folder / "authority.err").open("ab") as err,
        ):
            words = [sys.executable, "-m", "broker", "serve", "--config", str(self._folder / "venue.toml")]
            return subprocess.Popen(words, stdout=out, stderr=err, stdin=subprocess.DEVNULL)

    def _start_seats(self) -> subprocess.Popen[bytes]:
        seats = sorted(map(str, self.config.devices.iterdir()))
        port = last_server(self.config.runtime).port
        write_toml(
            self._folder / "seats.toml", {"host": "127.0.0.1", "port": port, "seats": seats, "think_ms": 5}
        )
        words = [sys.executable, "-m", "terminal", "--headless", "--seats", str(self._folder / "seats.toml")]
        with (self._folder / "seats.err").open("wb") as err:
            return subprocess.Popen(
                [*words, "--journal", str(self.journal)], stderr=err, stdin=subprocess.DEVNULL
            )

    def _is_ready(self) -> bool:
        if self._authority.poll() is not None:
            raise RuntimeError(f"the authority ended: {(self._folder / 'authority.err').read_text()[-2000:]}")
        return b"Ready, venue" in (self._folder / "authority.out").read_bytes()

    def _answers_since(self, moment: float) -> list[float]:
        """Moments of the acts of play that were acknowledged since then."""
        found = (
            answer for answer in answers(self.journal) if answer["code"] == "ok" and answer["kind"] != "hello"
        )
        return [answer["at"] / 1000 for answer in found if answer["at"] / 1000 >= moment]

    def _await(self, condition: Callable[[], object], what: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > deadline:
                raise TimeoutError(f"{what} did not come within {PATIENCE:g} s; see {self._folder}")
            time.sleep(0.01)


def answers(journal: Path) -> list[dict[str, str]]:
    """The answers that came in at the seats; a line that is being written is left out."""
    text = journal.read_text() if journal.exists() else ""
    return [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]


def compare(config: Config, journal: Path, transcript: Path) -> list[str]:
    """Everything in which the log differs from what the seats were told."""
    with reading(config) as log:
        key = find_table(log, TABLE)
        records = [json.loads(row.public) for row in log.records(key)]
        export_transcript(log, key, venue_keys(config), transcript)
    applied = Counter(
        r["cause"]["id"] for r in records if r["kind"] in APPLIES and r["cause"]["by"] == "seat"
    )
    faults = [f"act {act} was applied {times} times" for act, times in applied.items() if times > 1]
    told: dict[str, str] = {}
    for answer in answers(journal):
        if told.setdefault(answer["id"], answer["code"]) != answer["code"]:
            faults.append(f"act {answer['id']} was answered {told[answer['id']]} and {answer['code']}")
        if answer["code"] == "ok" and answer["kind"] != "hello" and not applied[answer["id"]]:
            faults.append(f"act {answer['id']} ({answer['kind']}) was acknowledged and is lost")
        if answer["code"] != "ok" and applied[answer["id"]]:
            faults.append(f"act {answer['id']} was refused ({answer['code']}) and applied")
    report = check(transcript)
    faults += [f"the checker, record {n}: {text}" for n, text in report.problems]
    return faults if report.verified or faults else [*faults, "the log is not verified"]


def run(kills: int, server: str, seed: int, say: Callable[[str], None] = lambda _text: None) -> Findings:
    """Plays games until the authority has been killed so many times."""
    chance, findings = random.Random(seed), Findings()
    while findings.kills < kills and not findings.faults:
        with _folder() as folder:
            game = Game(folder, server, chance)
            try:
                while findings.kills < kills and not game.is_over():
                    game.kill(findings)
                    say(f"{findings.kills}/{kills}")
                game.finish(findings)
            finally:
                game.end()
    return findings


def _configure(folder: Path, server: str) -> Config:
    seats = [{"device": f"seat-{n}", "player": f"P{n}"} for n in (1, 2, 3, 4)]
    table = {"id": TABLE, "preset": "huaian-guandan", "rules": {"deals_per_game": DEALS}, "seats": seats}
    pace = {"deal_pause": "20 ms"}
    contents = {
        "venue": {"id": "kills"},
        "mqtt": {"server": server, "port": 0},
        "pace": pace,
        "table": [table],
    }
    write_toml(folder / "venue.toml", contents)
    return configuration.load(folder / "venue.toml")


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="paizhuo-kills-") as name:
        yield Path(name)


def main() -> int:
    """Exit code 0 if the authority kept its word."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mqtt-server", default="auto", choices=["auto", "mosquitto", "embedded"])
    options = parser.parse_args()
    findings = run(
        options.kills, options.mqtt_server, options.seed, lambda text: print(text, file=sys.stderr)
    )
    print(findings)
    return 1 if findings.faults else 0


if __name__ == "__main__":
    sys.exit(main())
