"""The stage: holds the screens, shows the one that fits the session, and lets touches in once."""

from __future__ import annotations

from collections.abc import Callable

from kivy.input.motionevent import MotionEvent
from kivy.uix.screenmanager import NoTransition, ScreenManager
from kivy.uix.widget import Widget

from broker.engine.guandan.views import Phase
from terminal.i18n import LANGUAGES, load
from terminal.screens.hall import HallPage
from terminal.screens.page import Page, Seat
from terminal.screens.result import ResultPage
from terminal.screens.table import TablePage
from terminal.session import Session
from terminal.theme import Theme
from terminal.touches import Twins
from terminal.wording import Wording

NOTICE_MS = 8000
"""A notice is put away after so long, or with the next card touched."""


class Stage(Widget):
    """The root widget. ``refresh`` draws what has changed; ``now`` gives milliseconds."""

    def __init__(self, session: Session, theme: Theme, language: str, now: Callable[[], int]) -> None:
        super().__init__(size_hint=(None, None), size=(theme.width, theme.height))
        self.session = session
        self.theme = theme
        self.language = language
        self._now = now
        self._twins = Twins()
        self._notice: tuple[object, int] | None = None
        self.manager = self._build()

    @property
    def page(self) -> Page:
        """The screen that is shown."""
        return self.manager.current_screen

    def refresh(self) -> None:
        """Chooses the screen and draws it."""
        self._age_notice()
        name = page_name(self.session)
        if self.manager.current != name:
            self.manager.current = name
        self.page.refresh()

    def on_touch_down(self, touch: MotionEvent) -> bool:
        """Passes a touch on, unless it is the echo of one by another input provider."""
        if self._twins.is_twin(touch.device, touch.pos, self._now()):
            return True
        return super().on_touch_down(touch)

    def use(self, theme: Theme, language: str) -> None:
        """Builds the screens anew for other looks or another language."""
        self.theme, self.language = theme, language
        self.size = (theme.width, theme.height)
        self.remove_widget(self.manager)
        self.manager = self._build()
        self.refresh()

    def _build(self) -> ScreenManager:
        theme = self.theme
        seat = Seat(self.session, Wording(load(self.language)), theme, self.refresh, self._next_language)
        size = (theme.width, theme.height)
        manager = ScreenManager(transition=NoTransition(), size_hint=(None, None), size=size)
        for page in (
            HallPage(seat),
            TablePage(seat),
            ResultPage("deal", seat, of_game=False),
            ResultPage("game", seat, of_game=True),
        ):
            manager.add_widget(page)
        self.add_widget(manager)
        return manager

    def _next_language(self) -> None:
        at = LANGUAGES.index(self.language)
        self.use(self.theme, LANGUAGES[(at + 1) % len(LANGUAGES)])

    def _age_notice(self) -> None:
        notice = self.session.notice
        if notice is None:
            self._notice = None
        elif self._notice is None or self._notice[0] is not notice:
            self._notice = (notice, self._now())
        elif self._now() - self._notice[1] > NOTICE_MS:
            self.session.dismiss()


def page_name(session: Session) -> str:
    """The screen that fits the session."""
    view = session.view
    if session.seating is None or view is None:
        return "hall"
    match view.public.phase:
        case Phase.WAITING:
            return "hall"
        case Phase.BETWEEN_DEALS:
            return "deal"
        case Phase.GAME_OVER:
            return "game"
        case _:
            return "table"
