"""The progress of a game in lines for people, from the public records as they come over MQTT."""

from __future__ import annotations

import json
import threading
from typing import Any, Final, TextIO

from broker.replay import Language

_BAR: Final = 30
_CARDS: Final = 108


class Progress:
    """Prints what happens at one table. ``heard`` is what a ``Monitor`` calls.

    ``over`` is set once the game has ended and all its boards have been opened.
    """

    def __init__(self, table: str, players: tuple[str, ...], language: Language, out: TextIO) -> None:
        self.over = threading.Event()
        self._topic = f"tbl/{table}/ev"
        self._players = players
        self._column = 0 if language is Language.CHINESE else 1
        self._out = out
        self._bar_shown = False
        self._deal = 0
        self._played = 0
        self._boards: set[str] = set()

    def heard(self, leaf: str, payload: bytes) -> None:
        """Takes in a message of the venue; others than the table's records are ignored."""
        if leaf == self._topic:
            for text in json.loads(payload)["records"]:
                record = json.loads(text)
                self._take(record["kind"], record["body"])

    def _take(self, kind: str, body: dict[str, Any]) -> None:
        take = getattr(self, f"_on_{kind}", None)
        if take:
            take(body)

    def _on_boards_committed(self, body: dict[str, Any]) -> None:
        self._boards = {board["board"] for board in body["boards"]}

    def _on_dealt(self, body: dict[str, Any]) -> None:
        self._deal, self._played = body["deal"], 0
        level = body["level"].replace("T", "10")
        self._say(f"第 {self._deal} 副，打 {level}", f"Deal {self._deal}, level {level}")

    def _on_played(self, body: dict[str, Any]) -> None:
        self._played += len(body["cards"].split())
        self._draw_bar()

    def _on_went_out(self, body: dict[str, Any]) -> None:
        name = self._players[body["seat"]]
        self._say(f"  {name} 出完，第 {body['place']} 名", f"  {name} is out, place {body['place']}")

    def _on_deal_ended(self, body: dict[str, Any]) -> None:
        before, after = (" : ".join(body[key]) for key in ("levels_before", "levels_after"))
        self._say(f"  级数 {before} → {after}", f"  levels {before} → {after}")

    def _on_game_ended(self, body: dict[str, Any]) -> None:
        first, second = body["score"]
        self._say(f"本局结束，26 分制 {first} : {second}", f"Game over, 26-point score {first} : {second}")

    def _on_board_opened(self, body: dict[str, Any]) -> None:
        self._boards.discard(body["board"])
        if not self._boards:
            self.over.set()

    def _say(self, zh: str, en: str) -> None:
        self._clear_bar()
        print((zh, en)[self._column], file=self._out, flush=True)

    def _draw_bar(self) -> None:
        if not self._out.isatty():
            return
        full = self._played * _BAR // _CARDS
        self._out.write(f"\r  [{'█' * full}{'·' * (_BAR - full)}] {self._played}/{_CARDS}")
        self._out.flush()
        self._bar_shown = True

    def _clear_bar(self) -> None:
        if self._bar_shown:
            self._out.write("\r\033[K")
            self._bar_shown = False
