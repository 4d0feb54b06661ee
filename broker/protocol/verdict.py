"""Verdicts: answers to an act that never reached the rules, or came too late."""

from __future__ import annotations

from enum import StrEnum


class Verdict(StrEnum):
    """Codes of an answer besides ``ok`` and the engine's refusals."""

    OK = "ok"
    MALFORMED = "malformed"
    BAD_SIGNATURE = "bad_signature"
    NOT_SEATED = "not_seated"
    WRONG_TABLE = "wrong_table"
    WRONG_SESSION = "wrong_session"
    OUT_OF_SEQUENCE = "out_of_sequence"
    UNKNOWN_PAST = "unknown_past"
    STALE = "stale"
    TIMED_OUT = "timed_out"
    PAUSED = "paused"
    STORAGE = "storage"


class Malformed(Exception):
    """Something that cannot be read; the message says what is wrong with it."""


class Stale(Exception):
    """Right, but late: the decision has closed. ``verdict`` says by what."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(verdict.value)
        self.verdict = verdict
