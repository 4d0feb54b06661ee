"""Refusals: why an action is against the rules.

The engine holds no sentence in any language: a refusal is a code, which is also the
translation key, plus the article of the preset's own document.
"""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    """Every way in which an action can be against the rules."""

    NOT_YOUR_TURN = "not_your_turn"
    LEADER_MUST_PLAY = "leader_must_play"
    CARDS_NOT_HELD = "cards_not_held"
    NOT_A_PLAY = "not_a_play"
    READING_NOT_POSSIBLE = "reading_not_possible"
    DOES_NOT_BEAT = "does_not_beat"
    WRONG_TRIBUTE = "wrong_tribute"
    WRONG_RETURN = "wrong_return"
    NOT_NOW = "not_now"
    LEADER_NOT_NAMED = "leader_not_named"
    BAD_BOARD = "bad_board"
    GAME_OVER = "game_over"


class Refused(Exception):
    """The action is against the rules; nothing has changed."""

    def __init__(self, reason: Reason, article: str) -> None:
        super().__init__(f"{reason.value} (art. {article})")
        self.reason = reason
        self.article = article
