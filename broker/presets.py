"""Presets: a regulation as data, read into the ``Rules`` of its game.

A preset is one TOML file in ``regulations/``. An event may override any setting of it by the same
keys. Every setting has a unit and a range; a mistake names both.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final, TypeAlias

from broker.engine.cards import ACE, RANKS
from broker.engine.guandan.rules import (
    Announce,
    Articles,
    AtBell,
    Clock,
    FirstLead,
    Overtime,
    PassA,
    ReturnLimit,
    Rules,
)
from broker.sections import REQUIRED, ConfigError, Mistake, Section, suggestion

DEFAULT: Final = "national-guandan-2017"
"""The preset of a table that names none."""

OFF: Final = "none"
"""Word for a limit that there is not."""

_Reader: TypeAlias = Callable[[Section, str, Any], Any]
"""Reads the value of a key; the third argument is the default or ``REQUIRED``."""


@dataclass(frozen=True, slots=True)
class Preset:
    """A regulation: its name, its titles, its game, its rules."""

    name: str
    title_zh: str
    title_en: str
    game: str
    rules: Rules


def preset_names() -> tuple[str, ...]:
    """Names of all presets, in order."""
    names = (file.name for file in _folder().iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


def load_preset(name: str) -> Preset:
    """The preset of that name; ``ConfigError`` says what there is, or all that is wrong in it."""
    if name not in preset_names():
        zh, en = suggestion(name, preset_names())
        raise ConfigError("preset", [Mistake(name, f"没有这个规程，{zh}", f"no such preset, {en}")])
    return read_preset(name, tomllib.loads((_folder() / f"{name}.toml").read_text("utf-8")))


def read_preset(name: str, table: Mapping[str, Any]) -> Preset:
    """The preset that a parsed file holds; ``ConfigError`` with all its mistakes."""
    mistakes: list[Mistake] = []
    section = Section(table, mistakes)
    preset = Preset(
        name=name,
        title_zh=section.text("title_zh"),
        title_en=section.text("title_en"),
        game=section.text("game", form="guandan", zh="guandan", en="guandan"),
        rules=read_rules(section, name),
    )
    if mistakes:
        raise ConfigError(name, mistakes)
    return preset


def read_rules(section: Section, name: str, base: Rules | None = None) -> Rules:
    """Rules of that name from a table of settings; what it leaves out is as in ``base``.

    Mistakes are noted in the section.
    """
    values = _read(section, _RULES, base)
    clock = section.section("clock")
    articles = section.section("articles")
    rules = Rules(
        name=name,
        **values,
        clock=_read_clock(clock, base.clock if base else None),
        articles=Articles(**_read(articles, _ARTICLES, base.articles if base else None)),
    )
    for part in (articles, section):
        part.done()
    if not (rules.level_fixed is None or rules.deals_per_game or rules.game_minutes):
        section.mistake(
            "level_fixed",
            "级数固定时此局没有终止条件：请设 deals_per_game 或 game_minutes",
            "at a fixed level the game would never end: set deals_per_game or game_minutes",
        )
    return rules


def _read_clock(section: Section, base: Clock | None) -> Clock:
    """The clock; the two steps of the ladder are asked for only where it is one."""
    values = _read(section, _CLOCK, base)
    ladder = values["overtime"] is Overtime.LADDER
    kept = base if base and base.overtime is Overtime.LADDER else None
    steps = _read(section, _LADDER, kept) if ladder else dict.fromkeys(_LADDER, 0)
    for key in (key for key in _LADDER if not ladder and key in section):
        section.mistake(key, '只用于 overtime = "ladder"', 'is for overtime = "ladder" only')
    section.done()
    if ladder and steps["infraction_after"] <= max(values["play"], values["first_lead"]):
        section.mistake("infraction_after", "应长于 play、first_lead", "must be longer than play, first_lead")
    return Clock(**values, **steps)


def _read(section: Section, readers: Mapping[str, _Reader], base: Any) -> dict[str, Any]:
    return {key: reader(section, key, getattr(base, key, REQUIRED)) for key, reader in readers.items()}


def _folder() -> Traversable:
    return files("broker") / "regulations"


def _flag(section: Section, key: str, default: Any) -> Any:
    return section.flag(key, default)


def _article(section: Section, key: str, default: Any) -> Any:
    return section.text(key, default, form=r"\S{1,20}", zh="条款号或 -", en="an article's number or -")


def _rank(section: Section, key: str, default: Any) -> Any:
    text = section.text(
        key, default, form=f"[{RANKS}]", zh=f'{RANKS} 之一或 "{OFF}"', en=f'one of {RANKS} or "{OFF}"'
    )
    return RANKS.index(text) if text else 0


def _whole(low: int, high: int, word: str = "") -> _Reader:
    return lambda section, key, default: section.integer(key, default, low=low, high=high, word=word)


def _choice(kind: type[StrEnum]) -> _Reader:
    return lambda section, key, default: section.choice(key, kind, default)


def _seconds(high: int) -> _Reader:
    return lambda section, key, default: section.duration(key, default, low=1000, high=high * 1000)


def _or_off(reader: _Reader) -> _Reader:
    """Reads None for ``"none"``; the default may be None too."""

    def read(section: Section, key: str, default: Any) -> Any:
        if key not in section and default is not REQUIRED:
            return default
        return None if section.is_text(key, OFF) else reader(section, key, REQUIRED)

    return read


_RULES: Final[Mapping[str, _Reader]] = {
    "rise_double_down": _whole(1, ACE),
    "rise_third": _whole(1, ACE),
    "rise_fourth": _whole(1, ACE),
    "must_play_a": _flag,
    "pass_a": _choice(PassA),
    "failed_a_limit": _or_off(_whole(1, 99, OFF)),
    "tribute": _flag,
    "return_to_partner": _choice(ReturnLimit),
    "return_to_opponent": _choice(ReturnLimit),
    "first_lead": _choice(FirstLead),
    "announce_below": _whole(1, 28),
    "announce": _choice(Announce),
    "level_fixed": _or_off(_rank),
    "deals_per_game": _or_off(_whole(1, 99, OFF)),
    "game_minutes": _or_off(_whole(1, 24 * 60, OFF)),
    "at_bell": _choice(AtBell),
}
_CLOCK: Final[Mapping[str, _Reader]] = {
    "overtime": _choice(Overtime),
    "play": _seconds(600),
    "first_lead": _seconds(600),
    "tribute": _seconds(600),
    "give_back": _seconds(600),
}
_LADDER: Final[Mapping[str, _Reader]] = {"infraction_after": _seconds(1200), "repeat_every": _seconds(600)}
_ARTICLES: Final[Mapping[str, _Reader]] = {field.name: _article for field in fields(Articles)}
