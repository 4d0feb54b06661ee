"""Vectors of readings, comparison and plays."""

from __future__ import annotations

from typing import Any

import pytest

from broker.engine.cards import parse_cards, parse_rank
from broker.engine.guandan.combinations import (
    Reading,
    format_reading_rank,
    format_type,
    parse_reading_rank,
    parse_type,
)
from broker.engine.guandan.compare import beats
from broker.engine.guandan.plays import legal_plays
from broker.engine.guandan.readings import readings

Case = dict[str, Any]


def declared(play: Case) -> Reading:
    size = len(parse_cards(play["cards"]))
    return Reading(parse_type(play["type"]), parse_reading_rank(play["rank"]), size)


@pytest.mark.vectors("guandan/readings.json")
def test_readings(case: Case) -> None:
    found = readings(parse_cards(case["cards"]), parse_rank(case["level"]))
    told = {(format_type(each.type), format_reading_rank(each), each.size) for each in found}
    assert len(found) == len(told)
    assert told == {(each["type"], each["rank"], each["size"]) for each in case["expect"]}


@pytest.mark.vectors("guandan/beats.json")
def test_beats(case: Case) -> None:
    level = parse_rank(case["level"])
    assert beats(declared(case["b"]), declared(case["a"]), level) is case["expect"]
    for play in (case["a"], case["b"]):
        assert declared(play) in readings(parse_cards(play["cards"]), level)


@pytest.mark.vectors("guandan/plays.json")
def test_plays(case: Case) -> None:
    table = None if case["table"] is None else declared(case["table"])
    plays = list(legal_plays(parse_cards(case["hand"]), parse_rank(case["level"]), table))
    counted = {"plays": len(set(plays)), "readings": len({play.reading for play in plays})}
    assert counted == case["expect"]
    assert len(plays) == len(set(plays))
