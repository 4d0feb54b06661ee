"""Words: both languages say the same things, and everything that can happen has words."""

from __future__ import annotations

import re
from enum import Enum
from pathlib import Path

import pytest

from broker.engine.guandan.combinations import PlayType, format_type
from broker.engine.guandan.events import EndCause
from broker.engine.refusal import Reason
from broker.protocol.verdict import Verdict
from broker.tables.table import FAULT, NO_BOARD, SEAT_AHEAD, STORAGE
from terminal.faults import Fault
from terminal.i18n import LANGUAGES, load
from terminal.past import Break
from terminal.state import Remark

SOURCE = Path(__file__).resolve().parents[2] / "terminal"
CHINESE, ENGLISH = (load(language) for language in LANGUAGES)

BUILT = {
    "seat.": r"(long\.)?\d",
    "place.": r"\d",
    "play.": "|".join(format_type(kind) for kind in PlayType) + r"|(single|pair)\.joker",
    "link.": "online|connecting|offline",
    "game.cause.": "|".join(cause.value for cause in EndCause),
    "paused.": "call|referee|storage|seat_ahead|no_board|fault|other",
}
"""Keys whose end is put together in the code."""


def test_chinese_is_the_default() -> None:
    assert LANGUAGES[0] == "zh_CN"


def test_both_languages_have_the_same_keys() -> None:
    assert CHINESE.keys == ENGLISH.keys


@pytest.mark.parametrize("key", sorted(CHINESE.keys))
def test_both_languages_fill_in_the_same_fields(key: str) -> None:
    assert CHINESE.fields(key) == ENGLISH.fields(key)
    base = key.removesuffix(".short")
    assert CHINESE.fields(key) <= CHINESE.fields(base)


@pytest.mark.parametrize(
    "code", [*Reason, *Verdict, *Remark, *Fault, *Break, "starting", "stopping"], ids=str
)
def test_every_code_has_words(code: str) -> None:
    assert CHINESE.has(str(code)) and ENGLISH.has(str(code))


@pytest.mark.parametrize("cause", [FAULT, NO_BOARD, SEAT_AHEAD, STORAGE])
def test_every_stoppage_that_the_authority_makes_has_words(cause: str) -> None:
    assert CHINESE.has(f"paused.{cause}") and ENGLISH.has(f"paused.{cause}")


@pytest.mark.parametrize("kind", PlayType)
def test_every_type_of_play_has_a_name(kind: Enum) -> None:
    name = format_type(PlayType(kind))
    for catalogue in (CHINESE, ENGLISH):
        assert catalogue.has(name) and catalogue.has(f"play.{name}")


def _used() -> set[str]:
    text = "\n".join(path.read_text("utf-8") for path in SOURCE.rglob("*.py"))
    return set(re.findall(r'"([a-z_]+\.[a-z_.0-9]+)"', text))


def test_every_key_in_the_code_has_words() -> None:
    prefixes = {key.split(".")[0] for key in CHINESE.keys if "." in key}
    missing = {key for key in _used() if key.split(".")[0] in prefixes} - CHINESE.keys
    assert not {key for key in missing if not key.endswith((".toml", ".crt", ".key"))}


def test_no_words_are_left_over() -> None:
    built = [re.compile(re.escape(prefix) + f"({ends})$") for prefix, ends in BUILT.items()]
    codes = {*Reason, *Verdict, *Remark, *Fault, *Break, "starting", "stopping", "unknown_notice", "article"}
    codes |= {format_type(kind) for kind in PlayType} | {"national-guandan-2017", "huaian-guandan"}
    used = _used() | {str(code) for code in codes}
    rest = {key for key in CHINESE.keys if key.removesuffix(".short") not in used}
    assert not {key for key in rest if not any(form.match(key.removesuffix(".short")) for form in built)}


def test_no_sentence_blames_shouts_or_speaks_of_computers() -> None:
    for catalogue in (CHINESE, ENGLISH):
        for key in catalogue.keys:
            fields = dict.fromkeys(catalogue.fields(key), "1")
            text = catalogue.text(key, **fields).lower()
            assert not re.search(r"[!！]|服务器|签名|错误|server|signature|error|invalid|illegal", text), key


def test_a_language_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="zh_CN, en"):
        load("fr")
