"""Signed acts against the records that they brought about: FORMAT.md, sections 4 and 5."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from typing import Any

from .shapes import ACT, ARGS
from .signatures import ACT as ACT_CONTENT
from .signatures import BadEnvelope, signed_by
from .transcript import Entry, Fault, Header, genesis

SIGNED = {
    "seat_ready": "ready",
    "played": "play",
    "passed": "pass",
    "tribute_paid": "pay_tribute",
    "given_back": "give_back",
    "paused": "hello",
}
"""Records that an act can bring about, and the act's kind."""

DECISIONS = frozenset({"played", "passed", "tribute_paid", "given_back"})
"""Records that only a seat can bring about, or the clock for it."""

_BY_ORDER = {
    "seat_ready": {"seat"},
    "paused": {"seat", "referee", "authority"},
    "resumed": {"referee", "authority"},
    "warned": {"clock", "referee"},
    "infringed": {"clock", "referee"},
    "turn_stopped": {"referee"},
    "deal_lost": {"referee"},
    "leader_named": {"referee"},
    "bell_rung": {"clock", "referee"},
}
"""What may bring about a record that is no decision of a seat; all others are the authority's."""


class Acts:
    """What has to be known to judge the next act; feed it with ``follow``, all records in order."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self.signed = 0
        """Acts that are good."""
        self.past = {0: (self.header.epoch, genesis(self.header))}
        """Epoch and hash of every record."""
        self.keys: dict[str, bytes] = {}
        self.devices: dict[int, str] = {}
        self.opened: dict[int, int] = {}
        """Number of the record that opened what a seat owes."""
        self.deals = 0
        self.sequences: dict[tuple[str, str], int] = {}
        self.ids: set[str] = set()
        self.closed: set[str] = set()
        """Digests of acts that say what is still secret: their envelopes may be held back."""
        self.last: Mapping[str, Any] = {}

    def follow(self, entry: Entry, is_due: bool | None) -> None:
        """Takes one record. ``is_due``: it follows from the one before; None if that is not known.

        ``Fault`` if its act is missing, forged, repeated, or says something else.
        """
        cause = entry.cause
        last, self.last = self.last, {name: value for name, value in cause.items() if name != "used"}
        try:
            self._check_envelope(entry, cause)
            if is_due and cause != last:
                raise Fault("it has another cause than the record that it follows from")
            if is_due is False or entry.kind in SIGNED:
                self._check_cause(entry, cause)
        finally:
            self._note(entry)

    def _note(self, entry: Entry) -> None:
        body = entry.body
        if entry.kind == "seated":
            self.devices[body["seat"]] = body["device"]
            self.keys[body["device"]] = bytes.fromhex(body["signing_key"])
        elif entry.kind == "decision_opened":
            self.opened[body["seat"]] = entry.n
        elif entry.kind == "dealt":
            self.deals += 1
        elif entry.kind in DECISIONS or entry.kind == "turn_stopped":
            self.opened.pop(body["seat"], None)
        elif entry.kind in ("deal_ended", "deal_dropped"):
            self.opened.clear()
        self.past[entry.n] = (entry.record["epoch"], entry.hash)

    def _check_envelope(self, entry: Entry, cause: Mapping[str, Any]) -> None:
        """The envelope of a line is that of the act that the record names."""
        by_seat = cause["by"] == "seat"
        if any((name in cause) != by_seat for name in ("id", "device", "digest")):
            raise Fault("the cause names an act without need, or none")
        if entry.is_closed and by_seat:
            self.closed.add(cause["digest"])
        if entry.envelope is None:
            if by_seat and cause["digest"] not in self.closed:
                raise Fault("the signed act is missing")
            return
        if hashlib.sha256(entry.envelope).hexdigest() != cause.get("digest"):
            raise Fault("another act was signed than the record names")
        if entry.topic != self._topic(cause["device"]):
            raise Fault("the topic is not that of the device")

    def _topic(self, device: str) -> str:
        return f"pz/1/{self.header.venue}/dev/{device}/act"

    def _check_cause(self, entry: Entry, cause: Mapping[str, Any]) -> None:
        if cause["by"] not in self._may_bring_about(entry):
            raise Fault(f"the {cause['by']} does not bring this about")
        if entry.envelope is not None:
            self._check_act(entry, entry.envelope, cause)

    def _may_bring_about(self, entry: Entry) -> Collection[str]:
        if entry.kind not in DECISIONS:
            if entry.kind == "decision_opened" and entry.body["seat"] in self.opened:
                raise Fault("this was open already")
            return _BY_ORDER.get(entry.kind, {"authority"})
        if entry.body["seat"] not in self.opened:
            raise Fault("no decision was open")
        return {"clock" if entry.body["automatic"] else "seat"}

    def _check_act(self, entry: Entry, envelope: bytes, cause: Mapping[str, Any]) -> None:
        device = cause["device"]
        if device not in self.keys:
            raise Fault(f"{device} sits nowhere")
        try:
            act = signed_by(self.keys[device], envelope, ACT_CONTENT, self._topic(device))
        except BadEnvelope as error:
            raise Fault(f"{device}: {error}") from None
        if not (ACT(act) and ARGS.get(act["kind"], _nothing)(act["args"])):
            raise Fault("the act cannot be read")
        self._check_match(act, entry, device)
        self._check_new(act)
        if act["kind"] != "hello":
            self._check_context(act, entry)
        self.signed += 1

    def _check_match(self, act: Mapping[str, Any], entry: Entry, device: str) -> None:
        told = (act["id"], act["device"], act["event"], act["table"], act["kind"])
        header = self.header
        if told != (entry.cause["id"], device, header.event, header.table, SIGNED[entry.kind]):
            raise Fault("the act is another one than the record names")
        seat = entry.body.get("seat")
        if seat is not None and self.devices.get(seat) != device:
            raise Fault("the act was signed at another seat")
        if not entry.is_closed and _said(act) != _done(entry.body):
            raise Fault("the act says something else than the record")

    def _check_new(self, act: Mapping[str, Any]) -> None:
        session = (act["device"], act["session"])
        if act["id"] in self.ids or act["seq"] <= self.sequences.get(session, 0):
            raise Fault("the act was used before")
        self.ids.add(act["id"])
        self.sequences[session] = act["seq"]

    def _check_context(self, act: Mapping[str, Any], entry: Entry) -> None:
        seen = act["seen"]
        if self.past.get(seen["n"]) != (seen["epoch"], bytes.fromhex(seen["hash"])):
            raise Fault("the act was signed on another past")
        answers = 0 if act["kind"] == "ready" else self.opened.get(entry.body["seat"], -1)
        if act["answers"] != answers or act["deal"] != self.deals:
            raise Fault("the act answers another decision")
        if seen["n"] < answers:
            raise Fault("the act was signed before the decision was seen")


def _nothing(_: Any) -> bool:
    return False


def _said(act: Mapping[str, Any]) -> Any:
    args = act["args"]
    match act["kind"]:
        case "ready":
            return args["nonce"]
        case "play":
            cards = sorted(args["cards"].split(" "))
            return cards, args["type"], args["rank"], len(cards)
        case "pay_tribute" | "give_back":
            return args["card"]
    return None


def _done(body: Mapping[str, Any]) -> Any:
    """The same of a record."""
    if "nonce" in body:
        return body["nonce"]
    if "cards" in body:
        reading = body["reading"]
        return sorted(body["cards"].split(" ")), reading["type"], reading["rank"], reading["size"]
    return body.get("card")
