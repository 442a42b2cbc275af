"""Who plays the demonstration day: the office's logins, the cashier at a terminal, the players on their pages."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property
from itertools import count

import httpx

from api.commands.demonstration.bets import Bet
from api.commands.demonstration.facts import DESK, PASSWORD, STAFF
from api.commands.demonstration.members import Member, RefusedError, sign_in, sign_player_in
from api.commands.demonstration.records import LostSecretError, Records


class Cast:
    """Members signed in when they are first needed; one for each start of the demonstration.

    ``sweep_lapsed`` and ``seal_facts`` are what the task worker does every minute, with wins past their term and with
    what became final; nobody asks for it by the API.
    """

    def __init__(
        self,
        client: httpx.Client,
        records: Records,
        *,
        sweep_lapsed: Callable[[], object],
        seal_facts: Callable[[], object],
    ) -> None:
        self._client = client
        self.records = records
        self.sweep_lapsed = sweep_lapsed
        self.seal_facts = seal_facts
        self.turned_away = cache(self._turned_away)
        self.office = cache(lambda login: sign_in(client, login, PASSWORD))
        self.player = cache(lambda login: sign_player_in(client, login, PASSWORD))

    @property
    def administrator(self) -> Member:
        """Hires, registers desks and terminals."""
        return self.office("administrator")

    @property
    def organizer(self) -> Member:
        """Announces, enters results, closes and settles."""
        return self.office("organizer")

    @property
    def second_organizer(self) -> Member:
        """Confirms what the first one entered."""
        return self.office("second-organizer")

    @property
    def supervisor(self) -> Member:
        """The second person at the desk, who prints duplicates."""
        return self.office("supervisor")

    @property
    def accountant(self) -> Member:
        """Moves the operator's money and reads the books."""
        return self.office("accountant")

    @cached_property
    def cashier(self) -> Member:
        """The cashier at the desk's terminal.

        Raises:
            LostSecretError: the terminal's secret is not remembered, or is another database's.
        """
        member = self._cashier_at(self.records.terminal())
        if member is None:
            raise LostSecretError(
                "День прерван, а ключ терминала потерян (var/demonstration.json): начните заново с `make clean run`."
            )
        return member

    def install_terminal(self) -> None:
        """Put a terminal at the desk and keep its secret, unless the remembered one still works.

        A new terminal in place of one that already took money would take it twice, for keys belong to a terminal.
        """
        works = self._cashier_at(self.records.terminal()) is not None
        if works or self.records.shift_ids(DESK["code"]):
            return
        path = f"/desks/{self.records.desk_id(DESK['code'])}/terminals"
        for number in count(1):
            made = self.administrator.post_unless("code_taken", path, {"code": f"T-{number}"})
            if made:
                self.records.remember_terminal(made["code"], made["secret"])
                return

    def _turned_away(self, login: str) -> str | None:
        """Why somebody cannot sign in as the demonstration left them, in the API's words; None where they can.

        Days after, a demonstration's login may be ended, locked, or have another password: that is its owner's affair.
        """
        try:
            self._enter(login)
        except RefusedError as refused:
            return str(refused.problem["title"])
        except LostSecretError:
            return "Ключ терминала потерян"
        return None

    def bettor(self, bet: Bet) -> Member:
        """Whoever sends a bet: the player, or the cashier for a bettor at the desk."""
        return self.cashier if bet.player is None else self.player(bet.player)

    def _enter(self, login: str) -> Member:
        if login == "cashier":
            return self.cashier
        return self.office(login) if login in STAFF else self.player(login)

    def _cashier_at(self, terminal: dict[str, str] | None) -> Member | None:
        if terminal is None:
            return None
        try:
            return sign_in(self._client, "cashier", PASSWORD, terminal)
        except RefusedError as refused:
            if refused.code != "unknown_terminal":
                raise
            return None
