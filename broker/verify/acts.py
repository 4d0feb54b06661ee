"""Signed acts against the records that they brought about."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .signatures import ACT, BadEnvelope, parse, payload_of
from .transcript import Entry, Transcript

if TYPE_CHECKING:
    from .audit import Report

SIGNED = {
    "seat_ready": "ready",
    "played": "play",
    "passed": "pass",
    "tribute_paid": "pay_tribute",
    "given_back": "give_back",
}
"""Records that only a seat can bring about (or the clock, marked ``automatic``), and the act's kind."""


class _Desk:
    """What has to be known to judge the next act."""

    def __init__(self, transcript: Transcript) -> None:
        self.header = transcript.header
        self.past = {
            entry.n: (entry.record.get("epoch"), entry.hash.hex()) for entry in transcript.entries
        }
        self.keys: dict[str, bytes] = {}
        self.devices: dict[int, str] = {}
        self.opened: dict[int, int] = {}
        self.sequences: dict[tuple[str, str], int] = {}
        self.ids: set[str] = set()


def check_acts(transcript: Transcript, report: Report) -> None:
    """Add to the report every act that is missing, forged, repeated, or says something else."""
    desk = _Desk(transcript)
    for entry in transcript.entries:
        try:
            _follow(entry, desk, report)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            report.problems.append((entry.n, f"{entry.kind}: the record cannot be read ({error!r})"))


def _follow(entry: Entry, desk: _Desk, report: Report) -> None:
    if entry.kind == "seated":
        desk.devices[entry.body["seat"]] = entry.body["device"]
        desk.keys[entry.body["device"]] = bytes.fromhex(entry.body["signing_key"])
    elif entry.kind == "decision_opened":
        desk.opened[entry.body["seat"]] = entry.n
    elif entry.kind in SIGNED:
        _check_cause(entry, desk, report)


def _check_cause(entry: Entry, desk: _Desk, report: Report) -> None:
    if entry.body.get("automatic"):
        if entry.cause.get("by") != "clock":
            report.problems.append((entry.n, "done for the seat, but not by the clock"))
        return
    problem = _problem(entry, desk)
    if problem:
        report.problems.append((entry.n, problem))
    else:
        report.signed += 1


def _problem(entry: Entry, desk: _Desk) -> str:
    """What is wrong with the act behind a record; empty if nothing."""
    seat = entry.body["seat"]
    device = desk.devices[seat]
    if entry.envelope is None:
        return "no signed act stands behind it"
    if hashlib.sha256(entry.envelope).hexdigest() != entry.cause.get("digest"):
        return "another act was signed than the record names"
    topic = f"pz/1/{desk.header.venue}/dev/{device}/act"
    try:
        act = payload_of(parse(entry.envelope, ACT), desk.keys[device], topic)
    except BadEnvelope as error:
        return f"{device}: {error}"
    return _mismatch(act, entry, desk, device) or _replay(act, desk) or _context(act, entry, desk, seat)


def _mismatch(act: Mapping[str, Any], entry: Entry, desk: _Desk, device: str) -> str:
    told = (act["id"], act["device"], act["event"], act["table"], act["kind"])
    right = (entry.cause.get("id"), device, desk.header.event, desk.header.table, SIGNED[entry.kind])
    if told != right:
        return "the act is another one than the record names"
    if _said(act) != _done(entry.body):
        return "the act says something else than the record"
    return ""


def _replay(act: Mapping[str, Any], desk: _Desk) -> str:
    key = (act["device"], act["session"])
    if act["id"] in desk.ids or act["seq"] <= desk.sequences.get(key, 0):
        return "the act was used before"
    desk.ids.add(act["id"])
    desk.sequences[key] = act["seq"]
    return ""


def _context(act: Mapping[str, Any], entry: Entry, desk: _Desk, seat: int) -> str:
    seen = act["seen"]
    known = seen["n"] == 0 or desk.past.get(seen["n"]) == (seen["epoch"], seen["hash"])
    if seen["n"] >= entry.n or not known:
        return "the act was signed on another past"
    if act["kind"] != "ready" and act["answers"] != desk.opened.get(seat):
        return "the act answers another decision"
    if act["kind"] != "ready" and seen["n"] < act["answers"]:
        return "the act was signed before the decision was seen"
    return ""


def _said(act: Mapping[str, Any]) -> Any:
    args = act["args"]
    match act["kind"]:
        case "ready":
            return args["nonce"]
        case "play":
            return sorted(args["cards"].split()), args["type"], args["rank"]
        case "pay_tribute" | "give_back":
            return args["card"]
    return None


def _done(body: Mapping[str, Any]) -> Any:
    if "nonce" in body:
        return body["nonce"]
    if "cards" in body:
        return sorted(body["cards"].split()), body["reading"]["type"], body["reading"]["rank"]
    return body.get("card")
