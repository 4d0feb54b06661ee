"""What a game came to: deals, levels, score, answer times, and the independent checker's word."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from math import ceil
from pathlib import Path
from typing import Any

from broker.config import Config
from broker.logbook import find_table, reading, venue_keys
from broker.replay import Language
from broker.server import last_server
from broker.tables.export import export_transcript
from broker.verify.audit import check


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal: seats by place (two after a double-down), levels by side as text."""

    order: list[int]
    levels_before: list[str]
    levels_after: list[str]


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds from an act to its answer, as the seats measured it; None without a measurement."""

    p50: float | None
    p99: float | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """A game and its log. ``actions`` are the signed acts that were accepted."""

    deals: list[Deal]
    score: list[int]
    actions: int
    verified: bool
    ack_ms: Latency
    mqtt_server: str

    def to_json(self) -> str:
        """One JSON object, on one line."""
        return json.dumps(asdict(self), ensure_ascii=False)


def outcome_of(config: Config, table: str, stats: Path, transcript: Path) -> Outcome:
    """The outcome of a table whose authority has ended; writes its transcript.

    ``stats`` is the file of answer times that the seats wrote, if there is one.
    """
    with reading(config) as log:
        key = find_table(log, table)
        records = [json.loads(row.public) for row in log.records(key)]
        export_transcript(log, key, venue_keys(config), transcript)
    return Outcome(
        deals=[_deal(body) for body in _bodies(records, "deal_ended")],
        score=next((list(body["score"]) for body in _bodies(records, "game_ended")), []),
        actions=len({record["cause"]["id"] for record in records if record["cause"]["by"] == "seat"}),
        verified=check(transcript).verified,
        ack_ms=_latency(stats),
        mqtt_server=last_server(config.runtime).kind,
    )


def describe(outcome: Outcome, language: Language) -> str:
    """The outcome as text."""
    chinese = language is Language.CHINESE
    lines = [_describe_deal(number, deal, chinese) for number, deal in enumerate(outcome.deals, start=1)]
    score = " : ".join(map(str, outcome.score)) or "-"
    ack = outcome.ack_ms
    times = "-" if ack.p50 is None else f"p50 {ack.p50:g} ms, p99 {ack.p99:g} ms"
    if chinese:
        lines += [
            f"得分（26 分制）{score}",
            f"签名动作 {outcome.actions} 个，应答 {times}（{outcome.mqtt_server}）",
        ]
        lines += ["记录核对无误" if outcome.verified else "记录核对未通过"]
    else:
        lines += [f"Score (of 26) {score}"]
        lines += [f"{outcome.actions} signed acts, answered in {times} ({outcome.mqtt_server})"]
        lines += ["The log is verified" if outcome.verified else "The log is NOT verified"]
    return "\n".join(lines)


def percentile(values: list[float], share: float) -> float | None:
    """The smallest value that at least ``share`` of the values do not exceed; None of none."""
    ordered = sorted(values)
    return ordered[max(0, ceil(share * len(ordered)) - 1)] if ordered else None


def _describe_deal(number: int, deal: Deal, chinese: bool) -> str:
    places = " ".join(str(seat + 1) for seat in deal.order)
    before, after = " : ".join(deal.levels_before), " : ".join(deal.levels_after)
    if chinese:
        return f"第 {number} 副：名次（座位）{places}，级数 {before} → {after}"
    return f"Deal {number}: seats by place {places}, levels {before} → {after}"


def _bodies(records: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [record["body"] for record in records if record["kind"] == kind]


def _deal(body: dict[str, Any]) -> Deal:
    return Deal(list(body["order"]), list(body["levels_before"]), list(body["levels_after"]))


def _latency(stats: Path) -> Latency:
    values = json.loads(stats.read_text("utf-8"))["ack_ms"] if stats.exists() else []
    return Latency(percentile(values, 0.5), percentile(values, 0.99))
