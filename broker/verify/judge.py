"""A second judge of Guandan: follows a game record by record and says what the rules forbid.

It holds its own state, built from the records alone, and shares no code with the engine. What
somebody chose (a deal, a play, a ruling) is judged; everything that must follow from it is worked
out at once and then *due*: the next records have to say exactly that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from . import levels, tribute
from .boards import Board
from .combinations import Reading, beats, readings, smallest_single
from .deal import EVERYBODY, Deal
from .transcript import Fault

Body = Mapping[str, Any]


class Judge:
    """State of the game as the records tell it; feed it with ``follow``."""

    def __init__(self, rules: Mapping[str, Any]) -> None:
        self.rules = rules
        self.standing = levels.start(rules)
        self.deals = 0
        """Deals dealt."""
        self.counted = 0
        """Deals that have a result."""
        self.deal: Deal | None = None
        self.order: list[int] | None = None
        """Places of the last deal; empty if it was lost by ruling."""
        self.named: int | None = None
        self.bell = False
        self.over = False
        self.due: list[tuple[str, Body]] = []
        """Records that must come next."""

    def follow(self, kind: str, body: Body, board: Board | None = None) -> None:
        """Takes one record, of the right shape. ``board``: the one that a ``dealt`` record names.

        ``Fault`` if the record cannot be right; nothing that comes after it can be judged then.
        """
        if self.due:
            self._take_due(kind, body)
        elif self.over:
            raise Fault("the game was over")
        elif kind == "dealt":
            self._dealt(body, board)
        elif kind in _CHOSEN:
            _CHOSEN[kind](self, body)
        else:
            raise Fault("nothing has brought it about")

    @property
    def owed(self) -> dict[int, str]:
        """What each seat owes now: ``lead``, ``follow``, ``tribute`` or ``give_back``."""
        deal = self.deal
        if deal is None:
            return {}
        if deal.turn is not None:
            return {deal.turn: "lead" if deal.table is None else "follow"}
        if deal.transfers:
            return {seat: "give_back" for _, seat in deal.transfers if seat not in deal.returned}
        return {seat: "tribute" for seat in deal.payers if seat not in deal.paid}

    def limit(self, decision: str) -> int:
        """Milliseconds that a seat has for what it owes now."""
        clock = self.rules["clock"]
        if decision in ("tribute", "give_back"):
            return int(clock[decision])
        return int(clock["play" if self._in_play().begun else "first_lead"])

    # --- deal and tribute ------------------------------------------------------------------------

    def _dealt(self, body: Body, board: Board | None) -> None:
        level = levels.TEXT[levels.level_played(self.standing)]
        _expect(self.deal is None, "a deal is in play")
        _expect(self.order != [] or self.named is not None, "nobody was named to lead")
        _expect(body["deal"] == self.deals + 1, f"deal {self.deals + 1} was next")
        _expect(body["level"] == level, f"level {level} was due")
        _expect(body["level_side"] == self.standing.owner, "the wrong side's level is played")
        if board is None:
            raise Fault(f"board {body['board']} was never opened")
        hands = [hand.split() for hand in body["hands"]]
        _expect(body["first"] == board.first, "the wrong seat took the first card")
        _expect(_sorted(hands) == _sorted(board.hands()), "these are not the hands of the board")
        turned = board.deck[board.turned] if self._shows_card() else None
        _expect(body["turned"] == turned, f"the card turned up is {turned}")
        self.deals += 1
        self.deal = Deal(level, hands)
        self._open(self.deal, board)

    def _shows_card(self) -> bool:
        return self.order is None and self.rules["first_lead"] == "turned_card"

    def _open(self, deal: Deal, board: Board) -> None:
        """Who pays, or who leads."""
        if self.order is None:
            place = board.turned if self._shows_card() else board.deck.index("H3")
            self._lead(board.seat_of(place), self.rules["first_lead"])
        elif self.named is not None:
            self._lead(self.named, "named")
        elif not self.rules["tribute"]:
            self._lead(self.order[0], "first_place")
        else:
            self._demand(deal, self.order)

    def _demand(self, deal: Deal, order: list[int]) -> None:
        payers = tribute.payers_of(order)
        if not tribute.is_resisted(deal.hands, payers):
            deal.payers = payers
            self._owe("tribute_due", payers=list(payers), receivers=order[: len(payers)])
            return
        held = {seat: deal.hands[seat].count("BJ") for seat in payers}
        self._owe("resisted", jokers=[{"seat": seat, "held": held[seat]} for seat in payers if held[seat]])
        self._lead(order[0], "first_place")

    def _lead(self, seat: int, cause: str) -> None:
        self._in_play().turn = seat
        self._owe("lead_given", seat=seat, cause=cause)

    def _tribute_paid(self, body: Body) -> None:
        deal, seat, card = self._owing("tribute", body), body["seat"], body["card"]
        faces = tribute.payable(deal.hands[seat], deal.level)
        _expect(card in faces, f"{card} is not the highest card")
        self._check_automatic(body, card == tribute.at_time_out(faces, deal.level))
        deal.paid[seat] = card
        if len(deal.paid) == len(deal.payers):
            deal.transfers = tribute.transfers(self.order or [], deal.paid, deal.level)
            for payer, receiver in deal.transfers:
                deal.move(deal.paid[payer], payer, receiver)
            self._owe("tributes_assigned", transfers=[list(pair) for pair in deal.transfers])

    def _given_back(self, body: Body) -> None:
        deal, seat, card = self._owing("give_back", body), body["seat"], body["card"]
        payer = next(payer for payer, receiver in deal.transfers if receiver == seat)
        faces = tribute.returnable(deal.hands[seat], deal.level, tribute.limit_for(self.rules, payer, seat))
        _expect(card in faces, f"{card} may not be returned")
        self._check_automatic(body, card == tribute.at_time_out(faces, deal.level))
        deal.returned[seat] = card
        if len(deal.returned) == len(deal.transfers):
            self._exchange(deal)

    def _exchange(self, deal: Deal) -> None:
        for payer, receiver in deal.transfers:
            deal.move(deal.returned[receiver], receiver, payer)
        shown = [
            {"payer": payer, "receiver": to, "paid": deal.paid[payer], "returned": deal.returned[to]}
            for payer, to in deal.transfers
        ]
        self._owe("exchanged", exchanges=shown)
        self._lead(tribute.leader_after(self.order or [], deal.paid, deal.level), "tribute")

    # --- play ---------------------------------------------------------------------------------------

    def _played(self, body: Body) -> None:
        seat, cards, told = body["seat"], body["cards"].split(), body["reading"]
        deal = self._in_turn(seat)
        hand = deal.hands[seat]
        reading: Reading = (told["type"], told["rank"], told["size"])
        _expect(not Counter(cards) - Counter(hand), "cards that are not held")
        _expect(reading in readings(cards, deal.level), "the cards cannot be read so")
        _expect(deal.table is None or beats(reading, deal.table, deal.level), "does not beat the table")
        self._check_automatic(body, deal.table is None and cards == [smallest_single(hand, deal.level)])
        before = len(hand)
        deal.lay(seat, cards, reading)
        if not hand:
            self._go_out(deal, seat)
        elif len(hand) < self.rules["announce_below"] and self._is_told_again(before):
            self._owe("count_announced", seat=seat, count=len(hand))

    def _is_told_again(self, before: int) -> bool:
        return bool(self.rules["announce"] == "current" or before >= self.rules["announce_below"])

    def _go_out(self, deal: Deal, seat: int) -> None:
        deal.out.append(seat)
        self._owe("went_out", seat=seat, place=len(deal.out))
        if len(deal.out) == 2 and (deal.out[0] - deal.out[1]) % 2 == 0:
            self._end_deal(deal.out[0] % 2, list(deal.out))
        elif len(deal.out) == 3:
            self._end_deal(deal.out[0] % 2, [*deal.out, *EVERYBODY.difference(deal.out)])

    def _passed(self, body: Body) -> None:
        deal = self._in_turn(body["seat"])
        _expect(deal.table is not None, "a leader may not pass")
        self._check_automatic(body, True)
        self._let_go(deal, body["seat"])

    def _turn_stopped(self, body: Body) -> None:
        deal = self._in_turn(body["seat"])
        if deal.table is not None:
            self._let_go(deal, body["seat"])
        else:
            deal.turn = deal.next_after(body["seat"])
            self._owe("lead_moved", seat=deal.turn)

    def _infringed(self, body: Body) -> None:
        """With it, the seat that owes a play loses its turn."""
        if self.deal is not None and self.deal.turn == body["seat"]:
            self._owe("turn_stopped", seat=body["seat"])
            self._turn_stopped(body)

    def _let_go(self, deal: Deal, seat: int) -> None:
        """The seat does not beat the play; the trick ends when nobody is left who could."""
        winner = deal.let_go(seat)
        if winner is not None:
            leader = (winner + 2) % 4 if winner in deal.out else winner
            deal.turn = leader
            self._owe("trick_ended", winner=winner, leader=leader, partner_lead=leader != winner)

    # --- rulings and results ------------------------------------------------------------------------

    def _warned(self, body: Body) -> None:
        """A warning changes nothing."""

    def _deal_lost(self, body: Body) -> None:
        self._in_play()
        self._end_deal(1 - body["side"], [])

    def _leader_named(self, body: Body) -> None:
        _expect(self.deal is None and self.order == [] and self.named is None, "no leader is to be named")
        self.named = body["seat"]

    def _bell_rung(self, body: Body) -> None:
        _expect(self.rules["game_minutes"] is not None and not self.bell, "there is no bell to ring")
        self.bell = True
        if self.deal is not None and self.rules["at_bell"] == "finish":
            return
        if self.deal is not None:
            self.deal = None
            self._owe("deal_dropped", deal=self.deals)
        self._end_game("time")

    def _end_deal(self, winner: int, order: list[int]) -> None:
        before = self.standing
        outcome = levels.after_deal(self.rules, before, winner, order)
        self.standing, self.order, self.named, self.deal = outcome.standing, order, None, None
        self.counted += 1
        cause = levels.end_of(self.rules, self.standing, self.counted, self.bell)
        self._owe(
            "deal_ended",
            deal=self.deals,
            order=order,
            winner=winner,
            rise=outcome.rise,
            levels_before=levels.texts(before.levels),
            levels_after=levels.texts(self.standing.levels),
            failed_a=list(self.standing.failed),
            demoted=outcome.demoted,
            next_level=None if cause else levels.TEXT[self.standing.levels[winner]],
            next_side=None if cause else winner,
        )
        if cause:
            self._end_game(cause)

    def _end_game(self, cause: str) -> None:
        winner, score = levels.score(self.rules, self.standing)
        told = levels.texts(self.standing.levels)
        self._owe("game_ended", cause=cause, levels=told, winner=winner, score=score)
        self.over = True

    # --- helpers -------------------------------------------------------------------------------------

    def _owe(self, kind: str, **body: Any) -> None:
        self.due.append((kind, body))

    def _take_due(self, kind: str, body: Body) -> None:
        due, right = self.due.pop(0)
        if kind != due:
            raise Fault(f"{due} was due: {_shown(right)}")
        wrong = [name for name in right if body.get(name) != right[name]]
        if wrong:
            raise Fault(f"it should say {_shown({name: right[name] for name in wrong})}")

    def _in_play(self) -> Deal:
        if self.deal is None:
            raise Fault("no deal is in play")
        return self.deal

    def _in_turn(self, seat: int) -> Deal:
        deal = self._in_play()
        _expect(deal.turn is not None, "nobody leads yet")
        _expect(seat == deal.turn, f"seat {deal.turn} was to act")
        return deal

    def _owing(self, decision: str, body: Body) -> Deal:
        _expect(self.owed.get(body["seat"]) == decision, f"this seat owes no {decision}")
        return self._in_play()

    def _check_automatic(self, body: Body, is_default: bool) -> None:
        """What is done for a seat is what the rules say, where they let time run out so."""
        if body["automatic"]:
            _expect(self.rules["clock"]["overtime"] == "automatic", "here nothing is done for a seat")
            _expect(is_default, "something else is done when time is over")


_CHOSEN: Mapping[str, Callable[[Judge, Body], None]] = {
    "tribute_paid": Judge._tribute_paid,
    "given_back": Judge._given_back,
    "played": Judge._played,
    "passed": Judge._passed,
    "warned": Judge._warned,
    "infringed": Judge._infringed,
    "turn_stopped": Judge._turn_stopped,
    "deal_lost": Judge._deal_lost,
    "leader_named": Judge._leader_named,
    "bell_rung": Judge._bell_rung,
}
"""Records that do not follow from others, besides ``dealt``."""


def _sorted(hands: list[list[str]]) -> list[list[str]]:
    return [sorted(hand) for hand in hands]


def _shown(body: Body) -> str:
    return ", ".join(f"{name} {value}" for name, value in body.items()) or "nothing more"


def _expect(right: bool, otherwise: str) -> None:
    if not right:
        raise Fault(otherwise)
