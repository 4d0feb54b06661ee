"""The audit of a transcript: chain, commitments, signatures, boards, and every rule of the game.

``check`` never stops at the first fault of a kind that leaves the rest meaningful: it reports
them all, each with the number of its record.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

from . import acts, deals
from .judge import Fault, Judge
from .signatures import CHECKPOINT, BadEnvelope, parse, payload_of
from .transcript import Entry, Header, Transcript, read

HAPPENINGS = frozenset(
    {
        "table_opened",
        "seated",
        "boards_committed",
        "seat_ready",
        "beacon_drawn",
        "decision_opened",
        "paused",
        "resumed",
        "recovered",
        "seat_lost",
        "seat_found",
        "board_opened",
    }
)
"""Records of the table itself; all others belong to the game and go to the judge."""


@dataclass
class Report:
    """What was checked, and what was found wrong (record number, text)."""

    table: str
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
    report = Report(transcript.header.table, records=len(transcript.entries))
    _check_chain(transcript, report)
    _check_secrets(transcript, report)
    acts.check_acts(transcript, report)
    boards = _check_boards(transcript, report)
    _check_play(transcript, boards, report)
    _check_checkpoint(transcript, report)
    report.problems.sort(key=lambda problem: problem[0])
    return report


def genesis(header: Header) -> bytes:
    """Hash before the first record."""
    parts = (header.venue, header.event, header.table, str(header.epoch))
    return hashlib.sha256(b"paizhuo/1 genesis" + b"\0".join(part.encode() for part in parts)).digest()


def _check_chain(transcript: Transcript, report: Report) -> None:
    header = transcript.header
    previous, epoch = genesis(header), header.epoch
    here = (header.venue, header.event, header.table)
    for number, entry in enumerate(transcript.entries, start=1):
        record = entry.record
        if (entry.n, record.get("n")) != (number, number):
            report.problems.append((number, f"record {entry.n} stands in place {number}"))
        if tuple(record.get(name) for name in ("venue", "event", "table")) != here:
            report.problems.append((number, "the record belongs to another table"))
        if record.get("epoch") not in (epoch, epoch + (entry.kind == "resumed")):
            report.problems.append((number, "the epoch is wrong"))
        epoch = record.get("epoch", epoch)
        if hashlib.sha256(b"paizhuo/1 record" + previous + entry.public).digest() != entry.hash:
            report.problems.append((number, "the hash chain is broken"))
        previous = entry.hash


def _check_secrets(transcript: Transcript, report: Report) -> None:
    for entry in transcript.entries:
        commit = entry.record.get("commit", "")
        if entry.secret is None:
            report.sealed += bool(commit)
            continue
        digest = hashlib.sha256(b"paizhuo/1 secret" + entry.salt + entry.secret).hexdigest()
        if digest != commit:
            report.problems.append((entry.n, "the opened secret is not the one committed to"))


def _check_boards(transcript: Transcript, report: Report) -> dict[str, deals.Board]:
    """Boards computed again from their seeds, by id."""
    committed: dict[str, str] = {}
    nonces: dict[int, bytes] = {}
    beacon = ""
    boards: dict[str, deals.Board] = {}
    for entry in transcript.entries:
        match entry.kind:
            case "boards_committed":
                committed.update(_pairs(entry))
            case "seat_ready":
                nonces[entry.body["seat"]] = bytes.fromhex(entry.body["nonce"])
            case "beacon_drawn":
                beacon = entry.body["beacon"]
                if deals.beacon([nonces[seat] for seat in sorted(nonces)]) != beacon or len(nonces) != 4:
                    report.problems.append((entry.n, "the beacon is not that of the four nonces"))
            case "board_opened":
                seed, name = bytes.fromhex(entry.body["seed"]), entry.body["board"]
                if deals.commitment(seed, name) != committed.get(name):
                    report.problems.append((entry.n, f"board {name} was committed to with another seed"))
                elif beacon:
                    boards[name] = deals.board_of(seed, bytes.fromhex(beacon), name)
    report.boards = len(boards)
    return boards


def _pairs(entry: Entry) -> list[tuple[str, str]]:
    return [(told["board"], told["commitment"]) for told in entry.body["boards"]]


def _check_play(transcript: Transcript, boards: dict[str, deals.Board], report: Report) -> None:
    """Every record of the game under the rules; stops at the first fault, since nothing after it counts."""
    opened = next((entry for entry in transcript.entries if entry.kind == "table_opened"), None)
    if opened is None or report.sealed:
        return
    judge = Judge(opened.body["rules"])
    for entry in transcript.entries:
        if entry.kind in HAPPENINGS:
            continue
        try:
            judge.follow(entry.kind, entry.body, boards)
        except Fault as fault:
            report.problems.append((entry.n, f"{entry.kind}: {fault}"))
            return
        except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
            report.problems.append((entry.n, f"{entry.kind}: the record cannot be read ({error!r})"))
            return
        if entry.kind == "dealt" and entry.body["board"] not in boards:
            report.problems.append((entry.n, f"board {entry.body['board']} was never opened"))
    report.deals = judge.deals


def _check_checkpoint(transcript: Transcript, report: Report) -> None:
    if transcript.checkpoint is None or not transcript.entries:
        report.problems.append((len(transcript.entries), "the venue's signed checkpoint is missing"))
        return
    header, last = transcript.header, transcript.entries[-1]
    topic = f"pz/1/{header.venue}/audit/checkpoint"
    try:
        told = payload_of(parse(transcript.checkpoint, CHECKPOINT), header.authority_key, topic)
    except BadEnvelope as error:
        report.problems.append((last.n, f"checkpoint: {error}"))
        return
    right = {
        "venue": header.venue,
        "event": header.event,
        "table": header.table,
        "epoch": last.record.get("epoch"),
        "n": last.n,
        "hash": last.hash.hex(),
    }
    if told != right:
        report.problems.append((last.n, "the checkpoint was signed for another state of the log"))
