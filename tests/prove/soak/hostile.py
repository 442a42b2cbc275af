"""Whoever means harm, with a token of his own and money on his account, so that nothing but his manners is wrong.

Each kind of attempt tells the statuses that it may be answered with; anything else fails the run, success above all.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

from tests.prove.soak.malice import (
    BARE,
    BROKEN_TEXT,
    CHARSETS,
    FRAMES,
    JUNK,
    KEYS,
    LONG,
    MEDIA,
    NUMBERS,
    QUERIES,
    TEXTS,
    TRAVERSAL,
    UNKNOWN,
)
from tests.prove.soak.person import API, Person, Town
from tests.prove.soak.wire import LineBrokenError, Wire, request

REFUSED = frozenset({400, 422})
NOT_LET_IN = frozenset({401, 403})
NOT_FOUND = frozenset({403, 404})
LARGEST_BODY = 4 * 1024 * 1024
FLOOD = 30
"""Requests of a flood, one behind the other on one line without a pause."""
SLOWLY = 0.05


@dataclass(frozen=True)
class Prey:
    """What is gone after: an open pool, somebody's ticket, account and key, tokens that do not hold any more."""

    pool: str
    ticket: int
    player: int
    used_key: str
    """A key of the attacker's own, under which a bet was placed."""
    dead_tokens: Sequence[str]
    cashier: str
    """The token of a cashier who guesses codes, at a terminal nobody else works at."""


class Hostile(Person):
    """Attempts of every kind, at random."""

    def __init__(self, town: Town, name: str, token: str, chance: Random, prey: Prey) -> None:
        super().__init__(town, name, token, chance)
        self._prey = prey

    def acts(self) -> Sequence[tuple[float, Callable[[], object]]]:
        """What costs the house much, or holds a thread of it, comes seldom."""
        return (
            *((10, partial(self._body, *one)) for one in self._bodies()),
            (6, self.numbers),
            (4, self.other_media),
            (4, self.wrong_method),
            (6, self.unknown_path),
            (8, self.wrong_query),
            (6, self.wrong_key),
            (8, self.no_token),
            (8, self.strangers_things),
            (4, self.not_his_role),
            (6, self.one_key_for_two),
            (6, self.broken_frame),
            (2, self.too_large),
            (4, self.hang_up_half_way),
            (0.3, self.slowly),
            (1, self.flood),
            (0.5, self.wrong_sign_in),
            (0.1, self.guess_a_code),
        )

    def _bodies(self) -> Sequence[tuple[str, Callable[[], bytes], frozenset[int]]]:
        """Bodies of a bet that is none: what is wrong, how it is made, what may be answered."""
        return (
            ("truncated JSON", self._truncated, frozenset({400})),
            ("no JSON", lambda: self.chance.choice(JUNK), REFUSED),
            ("broken UTF-8", lambda: self.chance.choice(BROKEN_TEXT), frozenset({400})),
            ("deep nesting", self._deep, frozenset({400})),
            ("a field too many", lambda: self._bet(**{self.chance.choice(("id", "__proto__", "Stake")): 1}), REFUSED),
            ("a field too few", self._lacking, REFUSED),
            ("a field twice", lambda: self._bet()[:-1] + b', "stake": "2.00"}', frozenset({400})),
            ("NUL and half pairs", lambda: self._bet(**{self._field(): self.chance.choice(TEXTS)}), REFUSED | {404}),
            ("overlong text", lambda: self._bet(**{self._field(): self.chance.choice(LONG)}), REFUSED),
        )

    def numbers(self) -> None:
        """Stakes that are none, as text, as JSON's numbers and as what JSON does not know."""
        if self.chance.random() < 0.7:
            body = self._bet(stake=self.chance.choice(NUMBERS))
        else:
            body = self._bet()[:-1].replace(b'"1.00"', self.chance.choice(BARE)) + b"}"
        self._send("stake that is none", self._posted(body), REFUSED)

    def other_media(self) -> None:
        """A body that is not called JSON."""
        media = self.chance.choice((*MEDIA, *CHARSETS, ""))
        headers = [("Content-Type", media)] if media else []
        if not media and self.chance.random() < 0.5:
            headers = [("Content-Type", "application/json"), ("Content-Encoding", "gzip")]
        self._send("other media type", self._posted(self._bet(), headers), frozenset({415}))

    def wrong_method(self) -> None:
        """A method that is not there."""
        method, path = (
            self.chance.choice(("PUT", "DELETE", "PATCH", "BREW")),
            self.chance.choice(("/pools", "/tickets/1")),
        )
        sent = request(method, API + path, self._headers(), b"")
        self._send("wrong method", sent, frozenset({405}), method)

    def unknown_path(self) -> None:
        """What is not there, and what lies outside."""
        path = self.chance.choice((*UNKNOWN, *TRAVERSAL))
        sent = request("GET", path, self._headers())
        self._send("path of nothing", sent, frozenset({302, 308, 400, 404, 422}), "GET")

    def wrong_query(self) -> None:
        """Numbers, days and names that are none."""
        query = self.chance.choice(QUERIES)
        allowed = REFUSED | {404} | ({200} if query in ("day=9999-12-31",) else set())
        self._send("wrong query", request("GET", f"{API}/tickets?{query}", self._headers()), allowed, "GET")

    def wrong_key(self) -> None:
        """A key that is none, at a bet and where a key is asked after."""
        key = self.chance.choice(KEYS)
        headers = [("Content-Type", "application/json"), ("Idempotency-Key", key)]
        self._send("key that is none", self._posted(self._bet(), headers), REFUSED)

    def no_token(self) -> None:
        """Nobody, somebody made up, somebody whose session is over."""
        dead = (f"Bearer {token}" for token in self._prey.dead_tokens)
        token = self.chance.choice(
            (
                "",
                "Bearer",
                "Bearer ",
                "Bearer x",
                f"Bearer {'A' * 4000}",
                "Basic YTpi",
                "Bearer \x01",
                "Bearer тайна",
                *dead,
            )
        )
        headers = [("Authorization", token), ("Content-Type", "application/json"), ("Idempotency-Key", self.key())]
        self._send("no token", request("POST", f"{API}/pool-bets", headers, self._bet()), frozenset({400, 401}))

    def strangers_things(self) -> None:
        """Another one's ticket, account, statement and print."""
        ticket, player = self._prey.ticket, self._prey.player
        path = self.chance.choice(
            (f"/tickets/{ticket}", f"/tickets/{ticket}/decisions", f"/players/{player}", f"/players/{player}/statement")
        )
        if self.chance.random() < 0.8:
            self._send("strangers' things", request("GET", API + path, self._headers()), NOT_FOUND, "GET")
        else:
            sent = self.sent("POST", f"/tickets/{ticket}/prints", {"format": "pdf"}, self.key())
            self._send("strangers' things", sent, NOT_FOUND)

    def not_his_role(self) -> None:
        """What others may do."""
        path = self.chance.choice(("/users", "/payouts", "/pools", "/sales-stops", "/treasury-movements", "/deposits"))
        self._send("another's role", self.sent("POST", path, {}, self.key()), frozenset({403}))

    def one_key_for_two(self) -> None:
        """The key of a bet that was placed, for another bet."""
        stake = f"{self.chance.randint(2, 900)}.00"
        body = {"pool": self._prey.pool, "outcome": "1", "stake": stake}
        sent = self.sent("POST", "/pool-bets", body, self._prey.used_key)
        self._send("one key for two bets", sent, frozenset({422}))

    def broken_frame(self) -> None:
        """What is no HTTP, or two things at once. Whoever sends it is answered and cut off."""
        line, sent = Wire(self.town.url), self.chance.choice(FRAMES)
        self._send("no HTTP", sent, frozenset({400, 404, 411, 414, 431}), "GET", line)
        line.hang_up()

    def too_large(self) -> None:
        """More than is read, by what its length says; or of no length."""
        line, json_body = Wire(self.town.url), ("Content-Type", "application/json")
        lengths = (
            ("Content-Length", str(LARGEST_BODY + self.chance.randint(1, 10**12))),
            ("Transfer-Encoding", "chunked"),
        )
        length = self.chance.choice(lengths)
        body = b"0\r\n\r\n" if length[1] == "chunked" else b"{"
        headers = [*self._headers(), json_body, ("Idempotency-Key", self.key()), length]
        self._send("too large", request("POST", f"{API}/pool-bets", headers, body), frozenset({411, 413}), wire=line)
        line.hang_up()

    def hang_up_half_way(self) -> None:
        """Part of a request, and gone."""
        sent = self._posted(self._bet())
        self.town.tally.turn()
        line = Wire(self.town.url)
        try:
            line.put(sent[: self.chance.randint(1, len(sent) - 1)])
        except LineBrokenError as broken:
            self.town.tally.lose(line.used_at, "line broken", f"half a request: {broken}")
        line.hang_up()
        self.town.tally.answered("hostile: half a request", 0, "no answer awaited", 0.0)

    def slowly(self) -> None:
        """A request in small pieces; whoever is slow is served all the same."""
        line, sent = Wire(self.town.url), request("GET", f"{API}/pools?limit=1", self._headers())
        self.town.tally.turn()
        began = time.monotonic()
        try:
            line.put(sent, len(sent) // 20, SLOWLY)
        except LineBrokenError as broken:
            self.town.tally.lose(began, "line broken", f"a slow request: {broken}")
            return
        self._take("slow request", line, "GET", frozenset({200}), began)
        line.hang_up()

    def flood(self) -> None:
        """Many on one line, as fast as it takes them."""
        for _ in range(FLOOD):
            self._send("flood", request("GET", f"{API}/pools"), frozenset({401}), "GET")

    def wrong_sign_in(self) -> None:
        """Passwords tried from many addresses, on logins that are nobody's who works here."""
        address = f"203.0.113.{self.chance.randint(1, 254)}"
        body = {"login": self.chance.choice(("root", "admin", "victim")), "password": f"guess-{self.chance.random()}"}
        path = self.chance.choice(("/sessions", "/player-sessions"))
        headers = [("X-Forwarded-For", address), ("Content-Type", "application/json")]
        sent = request("POST", API + path, headers, json.dumps(body).encode())
        self._send("wrong sign-in", sent, frozenset({401, 429}))

    def guess_a_code(self) -> None:
        """A cashier who tries codes."""
        body = {"code": "".join(self.chance.choices("ABCDEFGHJKLMNPQRSTUVWXYZ23456789", k=16)), "code_entry": "typed"}
        sent = self.sent("POST", "/ticket-checks", body, token=self._prey.cashier)
        self._send("guessed code", sent, frozenset({404, 429}))

    def _body(self, kind: str, made: Callable[[], bytes], allowed: frozenset[int]) -> None:
        self._send(kind, self._posted(made()), allowed)

    def _posted(self, body: bytes, headers: Sequence[tuple[str, str]] | None = None) -> bytes:
        """A bet's request with a body as it is."""
        told = [("Content-Type", "application/json"), ("Idempotency-Key", self.key())] if headers is None else headers
        if not any(name == "Idempotency-Key" for name, _ in told):
            told = [*told, ("Idempotency-Key", self.key())]
        return request("POST", f"{API}/pool-bets", [*self._headers(), *told], body)

    def _headers(self) -> list[tuple[str, str]]:
        return [("Authorization", f"Bearer {self.token}")]

    def _bet(self, **changed: Any) -> bytes:
        return json.dumps({"pool": self._prey.pool, "outcome": "1", "stake": "1.00", **changed}).encode()

    def _field(self) -> str:
        return self.chance.choice(("pool", "outcome", "stake"))

    def _truncated(self) -> bytes:
        whole = self._bet()
        return whole[: self.chance.randint(1, len(whole) - 1)]

    def _lacking(self) -> bytes:
        bet = json.loads(self._bet())
        del bet[self._field()]
        return json.dumps(bet).encode()

    def _deep(self) -> bytes:
        depth = self.chance.choice((33, 1_000, 100_000))
        opening, ending = self.chance.choice(((b"[", b"]"), (b'{"a":', b"}")))
        return opening * depth + b"1" + ending * depth

    def _send(
        self, kind: str, sent: bytes, allowed: frozenset[int], method: str = "POST", wire: Wire | None = None
    ) -> None:
        """Send an attempt when its turn has come, and look at what it is answered."""
        self.town.tally.turn()
        line = wire or self.wire
        began = line.used_at
        try:
            line.put(sent)
        except LineBrokenError as broken:
            self.town.tally.lose(began, "line broken", f"{kind}: {broken}: {sent[:300]!r}")
            return
        self._take(kind, line, method, allowed, min(began, line.used_at), sent)

    def _take(
        self, kind: str, line: Wire, method: str, allowed: frozenset[int], since: float, sent: bytes = b""
    ) -> None:
        tally, began = self.town.tally, time.monotonic()
        try:
            answer = line.answer(method)
        except LineBrokenError as broken:
            tally.lose(since, "line broken", f"{kind}: {broken}: {sent[:600]!r}")
            return
        tally.answered(f"hostile: {kind}", answer.status, answer.code, time.monotonic() - began)
        if "x-injected" in answer.headers:
            tally.fail(f"{kind}: a header got through: {sent[:600]!r}")
        elif answer.status >= 500 and answer.status not in allowed:
            tally.lose(began, f"{answer.status} {answer.code}", f"{kind}: {answer.text}: {sent[:600]!r}")
        elif answer.status not in allowed:
            tally.fail(f"{kind}: {answer.status} {answer.text}: {sent[:600]!r}")
