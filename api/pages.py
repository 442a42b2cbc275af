"""Lists read page by page: an item more than the page holds is asked for, and tells whether a page follows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from api.house import session
from db.session import plan_each_by_itself

Item = TypeVar("Item")


def page_of(
    page: dict[str, int], read: Callable[[int, int], Sequence[Item]], place: Callable[[Item], int]
) -> tuple[Sequence[Item], int | None]:
    """The items of a page and the cursor of the next one, None on the last.

    ``page`` is what `PageQuery` read; ``read`` takes a cursor and a limit; ``place`` is an item's own cursor. From here
    on the request's transaction plans its statements each by itself.
    """
    plan_each_by_itself(session())
    found = read(page["cursor"], page["limit"] + 1)
    shown = found[: page["limit"]]
    return shown, place(shown[-1]) if len(found) > len(shown) else None
