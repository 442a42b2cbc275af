"""People of the demonstration as the API sees them: signed in by HTTP, each request with their own token."""

from __future__ import annotations

from typing import Any

import httpx

API = "/api/v1"


class RefusedError(Exception):
    """The API refused a request, by a problem document."""

    def __init__(self, problem: dict[str, Any]) -> None:
        super().__init__(f"{problem['code']}: {problem['detail']}")
        self.problem = problem
        self.code: str = problem["code"]
        self.detail: str = problem["detail"]


class Member:
    """Somebody who talks to the API; without a token only signing in is open."""

    def __init__(self, client: httpx.Client, token: str | None = None) -> None:
        self._client = client
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}

    def get(self, path: str, **query: Any) -> dict[str, Any]:
        """What stands at a path.

        Raises:
            RefusedError: the API's refusal.
        """
        return _read(self._client.get(API + path, params=query, headers=self._headers))

    def file(self, path: str, **query: Any) -> bytes:
        """The file a path gives.

        Raises:
            RefusedError: the API's refusal.
        """
        answer = self._client.get(API + path, params=query, headers=self._headers)
        if answer.is_error:
            raise RefusedError(answer.json())
        return answer.content

    def post(self, path: str, body: dict[str, Any] | None = None, key: str | None = None) -> dict[str, Any]:
        """Do something, under an idempotency key where it moves money; the same key never does it twice.

        Raises:
            RefusedError: the API's refusal.
        """
        headers = {**self._headers, **({"Idempotency-Key": key} if key else {})}
        return _read(self._client.post(API + path, json=body, headers=headers))

    def post_unless(
        self, done: str, path: str, body: dict[str, Any] | None = None, key: str | None = None
    ) -> dict[str, Any] | None:
        """Do something that an earlier run may have done: then the API refuses with the code ``done``, and all is well.

        Raises:
            RefusedError: any other refusal.
        """
        try:
            return self.post(path, body, key)
        except RefusedError as refused:
            if refused.code != done:
                raise
            return None

    def refusal_of(self, path: str, body: dict[str, Any], key: str) -> RefusedError:
        """Ask for what must be refused, and say how it was."""
        try:
            self.post(path, body, key)
        except RefusedError as refused:
            return refused
        raise AssertionError(f"{path} must have been refused")


def sign_in(client: httpx.Client, login: str, password: str, terminal: dict[str, str] | None = None) -> Member:
    """A member of the office; a cashier names the terminal.

    Raises:
        RefusedError: wrong login, password or terminal.
    """
    body: dict[str, Any] = {"login": login, "password": password, **({"terminal": terminal} if terminal else {})}
    return Member(client, Member(client).post("/sessions", body)["token"])


def sign_player_in(client: httpx.Client, login: str, password: str) -> Member:
    """A player on a page of their own.

    Raises:
        RefusedError: wrong login or password.
    """
    return Member(client, Member(client).post("/player-sessions", {"login": login, "password": password})["token"])


def _read(answer: httpx.Response) -> dict[str, Any]:
    told: dict[str, Any] = answer.json()
    if answer.is_error:
        raise RefusedError(told)
    return told
