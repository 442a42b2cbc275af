"""Every kind of transfer has a word for whoever reads of it: the office, the player whose account it is, the desk.

Which kinds there are, and between which accounts, tells the table "How money flows" of ARCHITECTURE; that it tells all
of them is held against the code here too.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from desk.carrying import CLEARED
from desk.carrying import KINDS as CARRIED
from desk.cash import TreasuryAct
from desk.payouts import PAYOUT
from desk.shift_report import TITLES as OF_A_SHIFT
from desk.shift_report import title_of as of_a_shift
from desk.shifts import SHIFT_DIFFERENCE
from reports.statements import TITLES as OF_A_PLAYER
from reports.transfer_words import KINDS, WORDS

ROOT = Path(__file__).parents[2]
ROOMS = ("ledger", "players", "desk", "tote")


def told() -> dict[str, tuple[str, str]]:
    """The kinds of the table, each with its debit and its credit."""
    table = (ROOT / "ARCHITECTURE.md").read_text("utf-8").split("## How money flows")[1].split("\n## ")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines() if line.startswith("| `")]
    flows: dict[str, tuple[str, str]] = {}
    for kinds, debit, credit, _ in rows:
        names = list(_names(kinds))
        for place, name in enumerate(names):
            flows[name] = (_side(debit, place, len(names)), _side(credit, place, len(names)))
    return flows


def _names(cell: str) -> Iterator[str]:
    """The kinds of a row; ``_out`` behind ``safe_in`` is short for ``safe_out``."""
    before = ""
    for name in re.findall("`([a-z_]+)`", cell):
        before = before.rpartition("_")[0] + name if name.startswith("_") else name
        yield before


def _side(cell: str, place: int, of: int) -> str:
    """Where a row has several kinds and as many accounts, each kind has its own."""
    accounts = re.split(", | / ", cell)
    return accounts[place] if len(accounts) == of else cell


def written() -> set[str]:
    """The kinds that acts give to the movements they book, found in the text of the rooms that book."""
    kinds = {*TreasuryAct, *CLEARED.values(), *(kind for legs in CARRIED.values() for kind in legs)}
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.py"):
            module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
            kinds.update(_given(ast.parse(path.read_text("utf-8")), vars(module)))
    return {str(kind) for kind in kinds}


def _given(tree: ast.Module, names: dict[str, Any]) -> Iterator[str]:
    """The kinds, literal or named, of the calls that make a movement."""
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        if isinstance(call.func, ast.Name) and call.func.id in ("Movement", "_onto_wins"):
            for kind in (*call.args[3:4], *(word.value for word in call.keywords if word.arg == "kind")):
                value = names.get(kind.id) if isinstance(kind, ast.Name) else getattr(kind, "value", None)
                if isinstance(value, str):
                    yield value


def test_every_kind_that_is_booked_is_told_and_has_a_word() -> None:
    found = written()
    assert {"stake", "payout", "wins", "cancelled_win", "safe_in", "win_claimed"} & found >= {
        "payout",
        "wins",
        "safe_in",
    }
    assert found <= set(told())
    assert set(KINDS) == set(told())
    assert set(WORDS) == {word for kind in told() for word in (kind, f"{kind}_reversed")}
    assert all(word and not word.isascii() for word in WORDS.values())


def test_t_rules_35_a_player_reads_a_title_for_every_movement_of_the_account() -> None:
    of_players = {kind for kind, sides in told().items() if any("player 76.1" in side for side in sides)}
    assert "stake" in of_players and "win_claimed" not in of_players
    assert set(OF_A_PLAYER) == of_players


def test_b_prov_17_a_shifts_report_has_a_title_for_every_movement_of_its_cash() -> None:
    """A payout is told in its parts; a difference is booked on the desk, not on the shift that is over."""
    of_desks = {kind for kind, sides in told().items() if any("cash 50" in side for side in sides)}
    assert {PAYOUT, SHIFT_DIFFERENCE} <= of_desks
    assert of_desks - {PAYOUT, SHIFT_DIFFERENCE} <= set(OF_A_SHIFT)


def test_a_shifts_report_never_shows_a_movements_code() -> None:
    assert of_a_shift("deposit_reversed") == "Исправлено: Внесено на игровые счета"
    assert of_a_shift("unheard_of") == "Прочее движение"
    assert all(not of_a_shift(kind).isascii() for kind in WORDS)
