"""Presets are data: they equal the engine's records, and every mistake in one is named."""

from __future__ import annotations

import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

import broker.regulations
from broker.engine.guandan import rules
from broker.presets import load_preset, preset_names, read_preset, read_rules
from broker.sections import ConfigError, Mistake, Section

FOLDER = Path(broker.regulations.__path__[0])


def contents(name: str = "national-guandan-2017") -> dict[str, Any]:
    return tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))


def mistakes(table: dict[str, Any]) -> dict[str, Mistake]:
    with pytest.raises(ConfigError) as caught:
        read_preset("cup", table)
    return {mistake.key: mistake for mistake in caught.value.mistakes}


@pytest.mark.parametrize("expected", [rules.NATIONAL_2017, rules.HUAIAN], ids=lambda r: r.name)
def test_a_preset_equals_the_record_of_the_engine(expected: rules.Rules) -> None:
    assert load_preset(expected.name).rules == expected


def test_every_file_is_a_preset() -> None:
    assert set(preset_names()) == {file.stem for file in FOLDER.glob("*.toml")}
    for name in preset_names():
        assert load_preset(name).rules.name == name


@pytest.mark.parametrize(
    "field", [f.name for f in fields(rules.Rules) if f.name not in ("name", "clock", "articles")]
)
def test_every_setting_must_be_there_and_is_named(field: str) -> None:
    table = contents()
    del table[field]
    assert "is missing" in mistakes(table)[field].en


@pytest.mark.parametrize("field", [f.name for f in fields(rules.Articles)])
def test_every_article_must_be_there_and_is_named(field: str) -> None:
    table = contents()
    del table["articles"][field]
    assert f"articles.{field}" in mistakes(table)


@pytest.mark.parametrize("field", [f.name for f in fields(rules.Clock) if f.name != "overtime"])
def test_every_duration_carries_its_unit(field: str) -> None:
    table = contents("huaian-guandan")
    table["clock"][field] = 25
    assert set(mistakes(table)) == {f"clock.{field}"}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("rise_third", -1),
        ("rise_third", 13),
        ("rise_third", "2"),
        ("rise_third", True),
        ("must_play_a", 1),
        ("pass_a", "sometimes"),
        ("failed_a_limit", 0),
        ("deals_per_game", "three"),
        ("game_minutes", 1441),
        ("level_fixed", "LJ"),
        ("level_fixed", 2),
        ("announce_below", 29),
    ],
)
def test_a_value_out_of_range_is_named(key: str, value: object) -> None:
    assert set(mistakes({**contents(), key: value})) == {key}


@pytest.mark.parametrize("value", ["25 sec", "25", "0 s", "11 min", "-5 s", "1.5 s", "", "s"])
def test_a_duration_out_of_range_is_named(value: str) -> None:
    table = contents()
    table["clock"]["play"] = value
    assert "1 s" in mistakes(table)["clock.play"].en


def test_an_unknown_key_brings_what_was_meant() -> None:
    found = mistakes({**contents(), "rise_tird": 2, "must_play_as": True})
    assert 'did you mean "rise_third"?' in found["rise_tird"].en
    assert 'did you mean "must_play_a"?' in found["must_play_as"].en


def test_an_unknown_preset_brings_what_was_meant() -> None:
    with pytest.raises(ConfigError, match='did you mean "huaian-guandan"'):
        load_preset("huaian-guandang")


def test_all_mistakes_come_at_once() -> None:
    table = contents()
    table["rise_third"], table["clock"]["play"], table["spare"] = 99, "long", 1
    assert set(mistakes(table)) == {"rise_third", "clock.play", "spare"}


def test_steps_of_a_ladder_are_for_a_ladder() -> None:
    table = contents()
    table["clock"]["repeat_every"] = "15 s"
    assert set(mistakes(table)) == {"clock.repeat_every"}


def test_a_game_must_end() -> None:
    found = mistakes({**contents(), "level_fixed": "2", "deals_per_game": "none"})
    assert "never end" in found["level_fixed"].en


def test_the_ladder_ascends() -> None:
    table = contents("huaian-guandan")
    table["clock"]["infraction_after"] = "20 s"
    assert set(mistakes(table)) == {"clock.infraction_after"}


def override(table: dict[str, Any], base: rules.Rules) -> rules.Rules:
    noted: list[Mistake] = []
    result = read_rules(Section(table, noted), "cup", base)
    assert not noted
    return result


def test_an_override_changes_what_it_names_and_nothing_else() -> None:
    changed = override(
        {"deals_per_game": "none", "level_fixed": "7", "game_minutes": 40, "clock": {"play": "15 s"}},
        rules.HUAIAN,
    )
    assert (changed.deals_per_game, changed.level_fixed, changed.game_minutes) == (None, 5, 40)
    assert changed.clock.play == 15_000
    assert changed.clock.repeat_every == rules.HUAIAN.clock.repeat_every
    assert changed.articles == rules.HUAIAN.articles
    assert changed.name == "cup"


def test_nothing_overridden_leaves_the_preset() -> None:
    for base in (rules.NATIONAL_2017, rules.HUAIAN):
        assert override({}, base).clock == base.clock


def test_a_ladder_can_be_switched_off() -> None:
    clock = override({"clock": {"overtime": "automatic"}}, rules.HUAIAN).clock
    assert (clock.infraction_after, clock.repeat_every) == (0, 0)


def test_a_ladder_switched_on_needs_its_steps() -> None:
    noted: list[Mistake] = []
    read_rules(Section({"clock": {"overtime": "ladder"}}, noted), "cup", rules.NATIONAL_2017)
    assert {mistake.key for mistake in noted} >= {"clock.infraction_after", "clock.repeat_every"}
