"""A second judge of Guandan: follows a transcript record by record and says what the rules forbid.

It holds its own state, built only from the records, and shares no code with the engine. Every
method named after an event returns nothing and raises ``Fault`` when the record cannot be right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from . import levels, tribute
from .combinations import Reading, beats, readings
from .deals import FACES, Board

Body = Mapping[str, Any]


class Fault(Exception):
    """A record that the rules do not allow; the text says why."""


@dataclass
class Deal:
    """What the judge knows of the deal in play."""

    level: str
    hands: list[list[str]]
    turn: int | None = None
    table: Reading | None = None
    table_seat: int | None = None
    let_go: set[int] = field(default_factory=set)
    """Seats that passed, or were stopped, since the play on the table."""
    board: Board | None = None
    out: list[int] = field(default_factory=list)
    paid: dict[int, str] = field(default_factory=dict)
    transfers: dict[int, int] = field(default_factory=dict)
    returned: dict[int, str] = field(default_factory=dict)
    over: bool = False
    lost_by: int | None = None


class Judge:
    """State of the game as the transcript tells it; feed it with ``follow``."""

    def __init__(self, rules: Mapping[str, Any]) -> None:
        self.rules = rules
        self.standing = levels.Standing()
        self.deals = 0
        self.order: list[int] | None = None
        self.named_leader: int | None = None
        self.lost_before = False
        self.over = False
        self.bell = False
        self.deal = Deal("2", [[], [], [], []])

    def follow(self, kind: str, body: Body, boards: Mapping[str, Board]) -> None:
        """Take one record of the game; ``boards`` are those computed again, by id."""
        handler = getattr(self, "on_" + kind, None)
        if handler is None:
            raise Fault(f"unknown record {kind!r}")
        if self.over:
            raise Fault("the game was over")
        if kind == "dealt":
            self.on_dealt(body, boards)
        else:
            handler(body)

    # --- deal and tribute ------------------------------------------------------------------------

    def on_dealt(self, body: Body, boards: Mapping[str, Board]) -> None:
        """Right number, level and cards."""
        level = levels.TEXT[levels.level_played(self.rules, self.standing)]
        _expect(body["deal"] == self.deals + 1, "the deal has the wrong number")
        _expect(body["level"] == level, f"level {level} was due")
        _expect(body["level_side"] == self.standing.owner, "the wrong side's level is played")
        hands = [hand.split() for hand in body["hands"]]
        board = boards.get(body["board"])
        if board is not None:
            _expect(body["first"] == board.first, "the wrong seat took the first card")
            _expect(_same(hands, board.hands()), "the hands are not those of the board")
        _expect(sorted(chain.from_iterable(hands)) == sorted(FACES * 2), "not two packs of cards")
        self.deals += 1
        self.deal = Deal(level, hands, board=board)

    def on_tribute_due(self, body: Body) -> None:
        """Tribute owed by the right seats, and not resisted."""
        payers = self._payers()
        _expect(set(body["payers"]) == set(payers), "the wrong seats pay")
        _expect(not tribute.is_resisted(self.deal.hands, payers), "the tribute is resisted")

    def on_resisted(self, body: Body) -> None:
        """Both big jokers with the payers."""
        payers = self._payers()
        _expect(tribute.is_resisted(self.deal.hands, payers), "nobody can resist")
        for shown in body["jokers"]:
            held = self.deal.hands[shown["seat"]].count("BJ")
            _expect(shown["held"] == held, "the jokers shown are not held")

    def on_tribute_paid(self, body: Body) -> None:
        """One of the payer's highest cards."""
        seat, card = body["seat"], body["card"]
        _expect(seat in self._payers() and seat not in self.deal.paid, "this seat pays nothing")
        payable = tribute.payable(self.deal.hands[seat], self.deal.level)
        _expect(card in payable, f"{card} is not the highest card")
        self.deal.paid[seat] = card

    def on_tributes_assigned(self, body: Body) -> None:
        """The higher card to place 1; equal cards clockwise."""
        deal = self.deal
        assert self.order is not None
        deal.transfers = tribute.transfers(self.order, deal.paid, deal.level)
        told = dict(body["transfers"])
        _expect(told == deal.transfers, "the tributes go to the wrong seats")
        for payer, receiver in told.items():
            deal.hands[payer].remove(deal.paid[payer])
            deal.hands[receiver].append(deal.paid[payer])

    def on_given_back(self, body: Body) -> None:
        """A card that the limit allows."""
        deal, seat, card = self.deal, body["seat"], body["card"]
        payers = [payer for payer, receiver in deal.transfers.items() if receiver == seat]
        _expect(len(payers) == 1 and seat not in deal.returned, "this seat returns nothing")
        limit = tribute.limit_for(self.rules, payers[0], seat)
        returnable = tribute.returnable(deal.hands[seat], deal.level, limit)
        _expect(card in returnable, f"{card} may not be returned")
        deal.returned[seat] = card

    def on_exchanged(self, body: Body) -> None:
        """All that was paid and returned, as it was."""
        deal = self.deal
        complete = len(body["exchanges"]) == len(deal.transfers) == len(deal.returned)
        _expect(complete, "the exchange is not complete")
        for told in body["exchanges"]:
            payer, receiver = told["payer"], told["receiver"]
            right = (deal.transfers.get(payer), deal.paid.get(payer), deal.returned.get(receiver))
            _expect(right == (receiver, told["paid"], told["returned"]), "other cards were exchanged")
            deal.hands[receiver].remove(told["returned"])
            deal.hands[payer].append(told["returned"])

    def on_lead_given(self, body: Body) -> None:
        """The right seat leads the deal."""
        cause, seat, deal = body["cause"], body["seat"], self.deal
        if cause == "tribute":
            assert self.order is not None
            due = tribute.leader_after(self.order, deal.paid, deal.level)
            _expect(len(deal.returned) == len(deal.paid) > 0, "the exchange is not complete")
        elif cause == "first_place":
            _expect(self.order is not None and not deal.paid, "place 1 does not lead here")
            due = (self.order or [seat])[0]
        elif cause == "named":
            _expect(self.named_leader is not None, "no leader was named")
            due = self.named_leader if self.named_leader is not None else seat
        else:
            due = self._led_by_card(cause, seat)
        _expect(seat == due, f"seat {due} was to lead")
        deal.turn = seat

    # --- play ---------------------------------------------------------------------------------------

    def on_played(self, body: Body) -> None:
        """In turn, cards held, a reading of them that beats the table."""
        deal, seat = self.deal, body["seat"]
        self._in_turn(seat)
        cards = body["cards"].split()
        told = body["reading"]
        reading: Reading = (told["type"], told["rank"], told["size"])
        _expect(not Counter(cards) - Counter(deal.hands[seat]), "cards that are not held")
        _expect(reading in readings(cards, deal.level), "the cards cannot be read so")
        _expect(deal.table is None or beats(reading, deal.table, deal.level), "does not beat the table")
        for card in cards:
            deal.hands[seat].remove(card)
        deal.table, deal.table_seat, deal.let_go = reading, seat, set()
        self._pass_turn(seat)

    def on_passed(self, body: Body) -> None:
        """In turn, with a play on the table."""
        self._in_turn(body["seat"])
        _expect(self.deal.table is not None, "a leader may not pass")
        self.deal.let_go.add(body["seat"])
        self._pass_turn(body["seat"])

    def on_turn_stopped(self, body: Body) -> None:
        """A turn lost by the clock or a ruling."""
        self._in_turn(body["seat"])
        if self.deal.table is not None:
            self.deal.let_go.add(body["seat"])
        self._pass_turn(body["seat"])

    def on_lead_moved(self, body: Body) -> None:
        """The lead goes on to the next seat."""
        _expect(self.deal.table is None and body["seat"] == self.deal.turn, "the lead moves elsewhere")

    def on_count_announced(self, body: Body) -> None:
        """The true number, below the threshold."""
        left = len(self.deal.hands[body["seat"]])
        _expect(body["count"] == left, f"{left} cards are left")
        _expect(left < self.rules["announce_below"], "too many to announce")

    def on_went_out(self, body: Body) -> None:
        """No cards left, and the next place."""
        deal, seat = self.deal, body["seat"]
        _expect(not deal.hands[seat] and seat not in deal.out, "the seat still holds cards")
        deal.out.append(seat)
        _expect(body["place"] == len(deal.out), "the wrong place")

    def on_trick_ended(self, body: Body) -> None:
        """Everybody else let the play stand; its seat leads, or its partner."""
        deal, winner = self.deal, body["winner"]
        active = {0, 1, 2, 3} - set(deal.out)
        _expect(winner == deal.table_seat, "another seat won the trick")
        _expect(active - {winner} <= deal.let_go, "not everybody has let it stand")
        leader = (winner + 2) % 4 if winner in deal.out else winner
        _expect(leader == body["leader"], f"seat {leader} was to lead")
        _expect(body["partner_lead"] == (leader != winner), "partner lead is told wrongly")
        deal.turn, deal.table, deal.table_seat, deal.let_go = leader, None, None, set()

    # --- results ------------------------------------------------------------------------------------

    def on_deal_lost(self, body: Body) -> None:
        """By ruling."""
        self.deal.lost_by = body["side"]

    def on_deal_dropped(self, body: Body) -> None:
        """Only after the bell."""
        _expect(self.bell and self.rules["at_bell"] == "drop", "the deal counts")

    def on_deal_ended(self, body: Body) -> None:
        """Places, rise and levels."""
        order = self._order()
        winner = 1 - self.deal.lost_by if self.deal.lost_by is not None else order[0] % 2
        _expect(list(body["order"]) == order, f"the places are {order}")
        _expect(body["winner"] == winner, "the other side won")
        outcome = levels.after_deal(self.rules, self.standing, winner, order)
        self._compare_levels(body, outcome)
        self.standing, self.order = outcome.standing, order or None
        self.lost_before = not order
        self.named_leader = None
        self.deal.over = True

    def on_leader_named(self, body: Body) -> None:
        """After a lost deal."""
        _expect(self.lost_before, "no deal was lost")
        self.named_leader = body["seat"]

    def on_bell_rung(self, body: Body) -> None:
        """The time of the game is over."""
        self.bell = True

    def on_game_ended(self, body: Body) -> None:
        """Cause, levels, winner and score."""
        now = self.standing.levels
        causes = {
            "past_a": levels.is_over(self.rules, now),
            "deals": self.rules["deals_per_game"] == self.deals and self.deal.over,
            "time": self.bell,
        }
        _expect(causes[body["cause"]], "the game is not over")
        winner = None if now[0] == now[1] else int(now[1] > now[0])
        _expect(body["winner"] == winner, "the wrong winner")
        _expect(tuple(body["score"]) == levels.score(now), f"the score is {levels.score(now)}")
        self.over = True

    def on_warned(self, body: Body) -> None:
        """A warning changes nothing on the table."""

    def on_infringed(self, body: Body) -> None:
        """An infraction by itself changes nothing on the table; the turn stopped is its own record."""

    # --- helpers -------------------------------------------------------------------------------------

    def _payers(self) -> tuple[int, ...]:
        if self.order is None or not self.rules["tribute"]:
            raise Fault("no tribute is due")
        return tribute.payers_of(self.order)

    def _led_by_card(self, cause: str, told: int) -> int:
        """Seat that the first heart three, or the turned-up card, makes the leader."""
        _expect(self.deals == 1 and cause == self.rules["first_lead"], "no card decides who leads here")
        board = self.deal.board
        if board is None:
            return told
        return board.seat_of(board.deck.index("H3") if cause == "heart_three" else board.turned)

    def _in_turn(self, seat: int) -> None:
        _expect(not self.deal.over, "no deal is in play")
        _expect(seat == self.deal.turn, f"seat {self.deal.turn} was to act")

    def _pass_turn(self, seat: int) -> None:
        deal = self.deal
        following = [(seat + step) % 4 for step in (1, 2, 3)]
        deal.turn = next((s for s in following if deal.hands[s]), None)

    def _order(self) -> list[int]:
        deal = self.deal
        if deal.lost_by is not None:
            return []
        if len(deal.out) == 2 and (deal.out[0] - deal.out[1]) % 2 == 0:
            return list(deal.out)
        _expect(len(deal.out) == 3, "the deal is not over")
        return [*deal.out, *({0, 1, 2, 3} - set(deal.out))]

    def _compare_levels(self, body: Body, outcome: levels.Outcome) -> None:
        fixed = self.rules["level_fixed"] is not None
        if not fixed:
            told = [levels.TEXT.index(level) for level in body["levels_after"]]
            _expect(tuple(told) == outcome.standing.levels, "the levels are wrong")
        _expect(body["rise"] == outcome.rise, f"the rise is {outcome.rise}")
        _expect(tuple(body["failed_a"]) == outcome.standing.failed, "the failed As are wrong")
        _expect(body["demoted"] == outcome.demoted, "demotion is told wrongly")


def _same(hands: Sequence[Sequence[str]], others: Sequence[Sequence[str]]) -> bool:
    return [sorted(hand) for hand in hands] == [sorted(hand) for hand in others]


def _expect(right: bool, otherwise: str) -> None:
    if not right:
        raise Fault(otherwise)
