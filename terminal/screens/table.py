"""The table: everything from tribute to the last play of a deal."""

from __future__ import annotations

from broker.engine.cards import Cards
from broker.engine.game import DecisionKind
from broker.engine.guandan.combinations import Reading
from broker.engine.seats import after, before, partner
from terminal.layout import Rect, laid_size, margin, stations, zones
from terminal.picture.actions import play_actions
from terminal.picture.bar import table_bar
from terminal.picture.choice import choice
from terminal.picture.exchange import chosen_card, exchange, exchange_commit, exchange_note
from terminal.picture.glance import Glance, Glances
from terminal.picture.hand import hand
from terminal.picture.note import choice_note, note, strip_note
from terminal.picture.panel import panel
from terminal.picture.stations import station
from terminal.picture.turn import decision_time, edge, turn
from terminal.screens.controls import Acts, Controls
from terminal.screens.page import Page, Seat
from terminal.theme import Palette
from terminal.widgets.alert_panel import AlertPanel
from terminal.widgets.choice_panel import ChoicePanel
from terminal.widgets.exchange_panel import ExchangePanel
from terminal.widgets.floor import Floor
from terminal.widgets.hand import Hand
from terminal.widgets.laid import LaidCards
from terminal.widgets.plate import Plate
from terminal.widgets.top_bar import TopBar
from terminal.widgets.turn_block import LargeNumeral, TurnBlock, TurnStrip, edge_rect
from terminal.wording import Note

_NOWHERE = Rect(0, 0, 0, 0)
_SIDES = {"right": (1, 0), "opposite": (0, 1), "left": (-1, 0), "own": (0, -1)}
"""Places on the screen, and the direction from which cards come."""
_EDGES = ("bottom", "right", "top", "left")


class TablePage(Page):
    """The table of one seat."""

    def __init__(self, seat: Seat) -> None:
        super().__init__("table", seat)
        theme, words = seat.theme, seat.card_words
        self.glances = Glances(seat.session, seat.words)
        self.zones, self.stations = zones(theme), stations(theme)
        spots = {name: getattr(self.stations, name) for name in _SIDES}
        self.spots = {name: spot for name, spot in spots.items() if spot is not None}
        self.bar = TopBar(theme)
        self.plates = {name: Plate(theme) for name in self.spots}
        self.laid = {name: LaidCards(theme, spot, words, _SIDES[name]) for name, spot in self.spots.items()}
        self.turn = TurnStrip(theme) if theme.compact else TurnBlock(theme)
        self.hand = Hand(theme, words, self._choose_cards)
        self.controls = Controls(
            theme,
            Acts(
                self._let_pass,
                self._set_aside,
                self._next_flush,
                self._restore,
                self._commit,
                self._close_choice,
            ),
        )
        self.exchange = ExchangePanel(theme, words)
        self.choice = ChoicePanel(theme, words, self._play_option)
        self.alert = AlertPanel(theme)
        self.numeral = LargeNumeral(theme)
        self.edge = Floor(theme)
        self._choosing: tuple[Cards, tuple[Reading, ...]] | None = None
        self.put(*self.plates.values(), *self.laid.values(), self.bar, self.turn, self.controls, self.hand)
        self.put(self.exchange, self.numeral, self.alert, self.choice, self.edge)

    # --- drawing -------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Draws the table as the session has it now."""
        now = self.glances.now()
        if now is None:
            return
        palette = self.seat.theme.palette(now.stale)
        self.ground(palette)
        self._keep_choice(now)
        self.bar.show(table_bar(now, self.seat.theme.compact), self.zones.bar, palette)
        self.hand.show(hand(now), self.zones.hand, palette)
        covered = self._draw_panels(now, palette)
        self._draw_stations(now, palette, covered)
        self._draw_turn(now, palette, covered)
        self._draw_controls(now, palette)
        self._draw_edge(now, palette)

    def _draw_panels(self, now: Glance, palette: Palette) -> bool:
        """Choice or exchange take the others' zone; whether one is open."""
        theme = self.seat.theme
        rect = self.zones.panel.inset(margin(theme), theme.dp(4))
        choosing = self._choosing is not None
        self.choice.show(choice(now, theme.tight) if choosing else None, rect, palette)
        swap = None if choosing else exchange(now, theme.compact)
        self.exchange.show(swap, rect, palette)
        return choosing or swap is not None

    def _draw_stations(self, now: Glance, palette: Palette, covered: bool) -> None:
        seats = (after(now.own), partner(now.own), before(now.own), now.own)
        own_hidden = panel(now) is not None or now.own in now.acting
        for name, seat in zip(_SIDES, seats, strict=True):
            spot = self.spots.get(name)
            if spot is None:
                continue
            face = None if covered else station(now, seat, timed=not self.seat.theme.compact)
            self.plates[name].show(face.plate if face else None, spot.plate, palette)
            laid = face.laid if face and not (name == "own" and own_hidden) else None
            self.laid[name].show(laid, spot.laid, palette)

    def _draw_turn(self, now: Glance, palette: Palette, covered: bool) -> None:
        theme, alert = self.seat.theme, panel(now)
        self.alert.show(alert, self._alert_rect(), palette)
        face = None if covered or alert else turn(now)
        if face is not None and theme.compact:
            self.turn.show((face, strip_note(now, face.yours)), self.stations.turn, palette)
        else:
            shown = None if face and not face.yours and self._lies("own") else face
            self.turn.show(shown, self.stations.turn, palette)
        self._draw_numeral(now, palette, face is not None and face.yours and face.last)

    def _alert_rect(self) -> Rect:
        """Where the turn stands, so that no card is covered; wider where there is room."""
        theme, place = self.seat.theme, self.stations.turn
        if theme.compact:
            return place
        width = theme.dp(602)
        return Rect(round((theme.width - width) / 2), place.y, width, place.h)

    def _draw_numeral(self, now: Glance, palette: Palette, last: bool) -> None:
        """On compact screens the last seconds grow beside the player opposite, if no cards lie there."""
        theme, spot = self.seat.theme, self.stations.opposite
        large = theme.compact and last and not self._lies("opposite")
        rect = spot.laid.from_right(round(laid_size(theme)[0] * 1.7))
        self.numeral.show(now.seconds(now.own) if large else None, rect, palette)

    def _lies(self, name: str) -> bool:
        """Whether anything lies before a player."""
        face = self.laid[name].face if name in self.laid else None
        return bool(face and (face.cards or (face.word and name == "own")))

    def _draw_controls(self, now: Glance, palette: Palette) -> None:
        words = self.seat.words.text
        self.controls.show_floor(self.zones.actions, palette)
        if self._choosing is not None:
            self.controls.show_choice(
                Note(choice_note(now)), words("action.back"), decision_time(now), palette
            )
        elif exchange(now) is not None:
            self.controls.show_exchange(exchange_note(now), decision_time(now), exchange_commit(now), palette)
        elif now.is_out:
            self.controls.show_exchange(note(now), None, None, palette)
        else:
            chosen = words("note.chosen", count=len(now.selected)) if now.selected else ""
            face = play_actions(now, bool(self.hand.groups), brief=self.seat.theme.compact)
            self.controls.show_play(face, chosen, palette)

    def _draw_edge(self, now: Glance, palette: Palette) -> None:
        seat = edge(now)
        place = None if seat is None else _EDGES[(seat - now.own) % 4]
        rect = edge_rect(self.seat.theme, place) if place else _NOWHERE
        self.edge.show("accent" if place else None, rect, palette)

    # --- what a touch does ---------------------------------------------------------------------

    def _choose_cards(self, cards: Cards) -> None:
        if self.seat.session.notice is not None:
            self.seat.session.dismiss()
        self.seat.session.choose(cards)
        self.seat.redraw()

    def _let_pass(self) -> None:
        self.seat.session.pass_turn()
        self.seat.redraw()

    def _set_aside(self) -> None:
        self.hand.set_aside(self.seat.session.selected)
        self.seat.session.clear()
        self.seat.redraw()

    def _restore(self) -> None:
        self.hand.restore()
        self.seat.session.clear()
        self.seat.redraw()

    def _next_flush(self) -> None:
        """Selects the straight flush after the one that is selected, else the best."""
        now = self.glances.now()
        if now is None or not now.flushes:
            return
        at = now.flushes.index(now.selected) + 1 if now.selected in now.flushes else 0
        self._choose_cards(now.flushes[at % len(now.flushes)])

    def _commit(self) -> None:
        session, now = self.seat.session, self.glances.now()
        if now is None:
            return
        card = chosen_card(now)
        if now.owes is DecisionKind.TRIBUTE and card is not None:
            session.pay_tribute(card)
        elif now.owes is DecisionKind.GIVE_BACK and card is not None:
            session.give_back(card)
        elif len(now.options) > 1:
            self._choosing = (now.selected, now.options)
        elif now.options:
            session.play(now.options[0])
        self.seat.redraw()

    # --- the choice of a reading ---------------------------------------------------------------

    def _play_option(self, place: int) -> None:
        if self._choosing is not None:
            _, options = self._choosing
            self._choosing = None
            self.seat.session.play(options[place])
        self.seat.redraw()

    def _close_choice(self) -> None:
        self._choosing = None
        self.seat.redraw()

    def _keep_choice(self, now: Glance) -> None:
        """The panel closes by itself once its readings are no longer those of the selection."""
        if now.pending is not None or self._choosing != (now.selected, now.options):
            self._choosing = None
