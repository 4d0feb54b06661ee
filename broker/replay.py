"""A table's log as text for people: one line a record, Chinese or English.

Only public parts are shown, so a replay gives nothing away while boards are still closed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, Final


class Language(StrEnum):
    """Language of the text."""

    CHINESE = "zh"
    ENGLISH = "en"


Pair = tuple[str, str]
"""A text in Chinese and in English."""

_TEXTS: Final[Mapping[str, Pair]] = {
    "table_opened": ("开台，规程 {rules}", "table opened, rules {rules}"),
    "seated": ("{seat}号位 {player}（{device}）", "seat {seat}: {player} ({device})"),
    "boards_committed": ("{boards} 份牌的承诺已公布", "commitments of {boards} boards published"),
    "seat_ready": ("{name} 已就绪", "{name} is ready"),
    "beacon_drawn": ("信标 {beacon}", "beacon {beacon}"),
    "decision_opened": ("轮到 {name}：{decision}，{limit} 秒", "{name} to {decision}, {limit} s"),
    "paused": ("暂停（{cause}）", "paused ({cause})"),
    "resumed": ("继续，停了 {stopped} 秒", "resumed after {stopped} s"),
    "recovered": ("裁判系统恢复，停了 {stopped} 秒", "authority recovered after {stopped} s"),
    "seat_lost": ("{name} 断线，停表至多 {grace} 秒", "{name} lost, clock held for at most {grace} s"),
    "seat_found": ("{name} 恢复", "{name} is back"),
    "board_opened": ("公开 {board} 的种子 {seed}", "seed of {board} opened: {seed}"),
    "dealt": ("── 第 {deal} 副，打 {level}（{board}）──", "── deal {deal}, level {level} ({board}) ──"),
    "tribute_due": ("{payers} 向 {receivers} 进贡", "{payers} owe tribute to {receivers}"),
    "resisted": ("抗贡：{jokers}", "tribute resisted by {jokers}"),
    "tribute_paid": ("{name} 选定贡牌", "{name} chose the tribute"),
    "tributes_assigned": ("贡牌分定", "tributes assigned"),
    "given_back": ("{name} 选定还牌", "{name} chose the return"),
    "exchanged": ("{exchanges}", "{exchanges}"),
    "lead_given": ("{name} 先出（{cause}）", "{name} leads ({cause})"),
    "played": ("{name}：{cards}  {reading}{automatic}", "{name}: {cards}  {reading}{automatic}"),
    "passed": ("{name}：不出{automatic}", "{name}: pass{automatic}"),
    "warned": ("{name} 受警告", "{name} is warned"),
    "infringed": ("{name} 违例", "infraction by {name}"),
    "turn_stopped": ("{name} 停出一轮", "{name} loses the turn"),
    "count_announced": ("{name} 报牌 {count}", "{name} has {count} left"),
    "went_out": ("{name} 出完，第 {place} 名", "{name} is out, place {place}"),
    "trick_ended": ("本圈归 {winner}，{leader} 出牌", "trick to {winner}, {leader} leads"),
    "lead_moved": ("出牌权转给 {name}", "the lead moves to {name}"),
    "deal_lost": ("{side} 本副判负", "the deal is lost by {side}"),
    "deal_dropped": ("第 {deal} 副不计", "deal {deal} does not count"),
    "deal_ended": (
        "第 {deal} 副：{order}；级数 {levels_before} → {levels_after}",
        "deal {deal}: {order}; levels {levels_before} → {levels_after}",
    ),
    "leader_named": ("指定 {name} 先出", "{name} is named to lead"),
    "bell_rung": ("时间到", "time is over"),
    "game_ended": ("本局结束：级数 {levels}，得分 {score}", "game over: levels {levels}, score {score}"),
}
_WORDS: Final[Mapping[str, Pair]] = {
    "lead": ("领出", "lead"),
    "follow": ("跟牌", "follow"),
    "tribute": ("进贡", "pay tribute"),
    "give_back": ("还牌", "give back"),
    "single": ("单张", "single"),
    "pair": ("对子", "pair"),
    "triple": ("三张", "triple"),
    "full_house": ("三带二", "full house"),
    "straight": ("顺子", "straight"),
    "tube": ("三连对", "tube"),
    "plate": ("钢板", "plate"),
    "bomb": ("炸弹", "bomb"),
    "straight_flush": ("同花顺", "straight flush"),
    "joker_bomb": ("四王", "joker bomb"),
    "heart_three": ("红桃3", "heart three"),
    "turned_card": ("翻牌", "turned card"),
    "first_place": ("头游", "first place"),
    "named": ("指定", "named"),
}
_SIGNS: Final = str.maketrans({"S": "♠", "H": "♥", "C": "♣", "D": "♦"})
_SECONDS: Final = frozenset({"limit", "stopped", "grace"})
_SEATS: Final = frozenset({"payers", "receivers", "order"})
_PAIRS: Final = frozenset({"levels", "levels_before", "levels_after", "score"})


def lines(publics: Iterable[bytes], language: Language) -> Iterator[str]:
    """One line for each record, from the public parts as they are stored."""
    speaker = _Speaker(language)
    for public in publics:
        record = json.loads(public)
        moment = datetime.fromtimestamp(record["at"] / 1000).strftime("%H:%M:%S")
        yield f"{record['n']:>5}  {moment}  {speaker.say(record['kind'], record['body'])}"


class _Speaker:
    """Puts events into words; learns the names of the players as they are seated."""

    def __init__(self, language: Language) -> None:
        self._column = 0 if language is Language.CHINESE else 1
        self._names: dict[int, str] = {}

    def say(self, kind: str, body: Mapping[str, Any]) -> str:
        if kind == "seated":
            self._names[body["seat"]] = body["player"]
        text = _TEXTS.get(kind)
        if text is None:
            return f"{kind} {json.dumps(body, ensure_ascii=False)}"
        return text[self._column].format_map(self._fields(kind, body))

    def _fields(self, kind: str, body: Mapping[str, Any]) -> dict[str, str]:
        fields = {name: self._field(name, value) for name, value in body.items()}
        if "seat" in body:
            fields["name"] = self._name(body["seat"])
            fields["seat"] = str(body["seat"] + 1)
        if kind == "trick_ended":
            fields |= {name: self._name(body[name]) for name in ("winner", "leader")}
        return fields

    def _field(self, name: str, value: Any) -> str:
        special = self._SPECIAL.get(name)
        if special is not None:
            return special(self, value)
        if name in _SECONDS:
            return f"{value / 1000:g}"
        if name in _SEATS:
            return " ".join(self._name(seat) for seat in value)
        if name in _PAIRS:
            return " : ".join(map(str, value))
        return self._word(value) if isinstance(value, str) else str(value)

    def _name(self, seat: int) -> str:
        return self._names.get(seat, f"#{seat + 1}")

    def _word(self, word: str) -> str:
        return _WORDS[word][self._column] if word in _WORDS else word

    def _cards(self, cards: str) -> str:
        return " ".join(self._card(card) for card in cards.split())

    def _card(self, card: str) -> str:
        if card in ("LJ", "BJ"):
            return {"LJ": ("小王", "SJ"), "BJ": ("大王", "BJ")}[card][self._column]
        return card[0].translate(_SIGNS) + card[1:].replace("T", "10")

    def _reading(self, reading: Mapping[str, Any]) -> str:
        rank = str(reading["rank"] or "").replace("T", "10")
        return f"{self._word(reading['type'])} {rank}".strip()

    def _exchanges(self, exchanges: Iterable[Mapping[str, Any]]) -> str:
        verb = ("贡", "还") if self._column == 0 else ("pays", "gets back")
        return "; ".join(
            f"{self._name(one['payer'])} → {self._name(one['receiver'])} "
            f"{verb[0]} {self._card(one['paid'])}, {verb[1]} {self._card(one['returned'])}"
            for one in exchanges
        )

    def _jokers(self, jokers: Iterable[Mapping[str, Any]]) -> str:
        return ", ".join(f"{self._name(one['seat'])} {self._card('BJ')} × {one['held']}" for one in jokers)

    def _automatic(self, automatic: bool) -> str:
        return ("（超时自动）", " (time over)")[self._column] if automatic else ""

    def _side(self, side: int) -> str:
        return f"{self._name(side)}/{self._name(side + 2)}"

    _SPECIAL: Final[Mapping[str, Callable[[Any, Any], str]]] = {
        "cards": _cards,
        "reading": _reading,
        "exchanges": _exchanges,
        "jokers": _jokers,
        "automatic": _automatic,
        "side": _side,
        "boards": lambda _self, boards: str(len(boards)),
        "rules": lambda _self, rules: str(rules["name"]),
        "beacon": lambda _self, beacon: f"{beacon[:16]}…",
        "seed": lambda _self, seed: f"{seed[:16]}…",
    }
