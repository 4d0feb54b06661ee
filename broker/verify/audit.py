"""The audit of a transcript: chain, commitments, signatures, boards, and every rule of the game.

``check`` reports every fault with the number of its record. What it cannot judge any more after
one (the game after a play that the rules forbid) it leaves, and the transcript is not verified.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .acts import Acts
from .judge import Judge
from .shapes import GUANDAN, misfits
from .signatures import CHECKPOINT, BadEnvelope, signed_by
from .table import Table, boards_of
from .transcript import Entry, Fault, Transcript, genesis, read


@dataclass
class Report:
    """What was checked, and what was found wrong (record number, text)."""

    table: str
    authority_key: str
    """The venue's key (hex) under which all this is right: to be compared with the published one."""
    records: int = 0
    signed: int = 0
    boards: int = 0
    deals: int = 0
    sealed: int = 0
    """Secrets not opened yet: the boards have not closed everywhere."""
    problems: list[tuple[int, str]] = field(default_factory=list)

    @property
    def verified(self) -> bool:
        """Whether nothing is wrong and nothing is still closed."""
        return not self.problems and not self.sealed


def check(path: Path) -> Report:
    """The report on a transcript file; ``Unreadable`` if it is none."""
    transcript = read(path)
    entries, header = transcript.entries, transcript.header
    report = Report(header.table, header.authority_key.hex(), records=len(entries))
    _check_chain(transcript, report)
    shapeless = [(entry.n, text) for entry in entries for text in misfits(entry)]
    report.problems += shapeless
    if not shapeless:
        _check_secrets(entries, report)
        _check_checkpoint(transcript, report)
        _Audit(transcript, report).run()
    report.problems.sort(key=lambda problem: problem[0])
    return report


def _check_chain(transcript: Transcript, report: Report) -> None:
    previous = genesis(transcript.header)
    for number, entry in enumerate(transcript.entries, start=1):
        told = entry.record.get("n") if isinstance(entry.record, dict) else number
        if (entry.n, told) != (number, number):
            report.problems.append((number, f"record {entry.n} stands in place {number}"))
        if hashlib.sha256(b"paizhuo/1 record" + previous + entry.public).digest() != entry.hash:
            report.problems.append((number, "the hash chain is broken"))
        previous = entry.hash


def _check_secrets(entries: Sequence[Entry], report: Report) -> None:
    for entry in entries:
        report.sealed += entry.is_closed
        if entry.secret is not None:
            digest = hashlib.sha256(b"paizhuo/1 secret" + entry.salt + entry.secret).hexdigest()
            if digest != entry.record.get("commit"):
                report.problems.append((entry.n, "the opened secret is not the one committed to"))


def _check_checkpoint(transcript: Transcript, report: Report) -> None:
    header, entries = transcript.header, transcript.entries
    if transcript.checkpoint is None or not entries:
        report.problems.append((len(entries), "the venue's signed checkpoint is missing"))
        return
    last = entries[-1]
    right = {
        "venue": header.venue,
        "event": header.event,
        "table": header.table,
        "epoch": last.record["epoch"],
        "n": last.n,
        "hash": last.hash.hex(),
    }
    topic = f"pz/1/{header.venue}/audit/checkpoint"
    try:
        if signed_by(header.authority_key, transcript.checkpoint, CHECKPOINT, topic) != right:
            report.problems.append((last.n, "the checkpoint was signed for another state of the log"))
    except BadEnvelope as error:
        report.problems.append((last.n, f"checkpoint: {error}"))


class _Audit:
    """One way through all records, with everything that has to be known on it."""

    def __init__(self, transcript: Transcript, report: Report) -> None:
        self.entries = transcript.entries
        self.report = report
        self.table = Table(transcript.header)
        self.acts = Acts(transcript.header)
        self.boards = boards_of(transcript.entries)
        self.judge = self._seat_judge()
        """None once it cannot follow any more, and while secrets are closed."""

    def run(self) -> None:
        """Fills the report."""
        report, judge = self.report, self.judge
        for entry in self.entries:
            for follow in (self._follow_table, self._follow_acts, self._follow_game):
                try:
                    follow(entry)
                except Fault as fault:
                    report.problems.append((entry.n, f"{entry.kind}: {fault}"))
        if self.judge and not self.table.is_closed:
            report.problems.append((len(self.entries), "the game has no end, or not all boards are opened"))
        report.boards, report.signed = self.table.opened, self.acts.signed
        report.deals = judge.deals if judge else 0

    def _seat_judge(self) -> Judge | None:
        first = next(iter(self.entries), None)
        if first is None or first.kind != "table_opened" or self.report.sealed:
            return None
        return Judge(first.body["rules"])

    def _follow_table(self, entry: Entry) -> None:
        self.table.follow(entry, self.judge is None or (self.judge.over and not self.judge.due))

    def _follow_acts(self, entry: Entry) -> None:
        self.acts.follow(entry, bool(self.judge.due) if self.judge else None)

    def _follow_game(self, entry: Entry) -> None:
        if self.judge is not None:
            try:
                self._judge(entry, self.judge)
            except Fault:
                self.judge = None
                raise

    def _judge(self, entry: Entry, judge: Judge) -> None:
        body = entry.body
        if entry.kind in GUANDAN:
            owed = judge.owed.get(body["seat"]) if body.get("automatic") else None
            if owed and entry.cause.get("used") != judge.limit(owed):
                raise Fault(f"time is over after {judge.limit(owed)} ms, and counts as that")
            judge.follow(entry.kind, body, self.boards.get(body.get("board", "")))
        elif judge.due:
            raise Fault(f"{judge.due[0][0]} was due")
        elif entry.kind == "decision_opened":
            if judge.owed.get(body["seat"]) != body["decision"]:
                raise Fault(f"the seat owes no {body['decision']}")
            if body["limit"] != judge.limit(body["decision"]):
                raise Fault(f"the limit is {judge.limit(body['decision'])}")
