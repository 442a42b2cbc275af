"""What a password must be, wherever one is made: long enough, no login, no name, none that everybody tries first.

Length and a list of what is tried first, and no rules on the kinds of signs: those make passwords that are hard to
keep in mind and easy to guess (NIST SP 800-63B).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from sqlalchemy.orm import Session

from ledger.refusals import Refusal
from office.common_passwords import is_common, without_ornament
from office.settings.kinds import Setting, WholeNumber
from office.settings.versions import value_of

LONGEST = 200
OFFICE_LENGTH = Setting("office_password_length", WholeNumber(10, 64), 12, "Наименьшая длина пароля сотрудника, знаков")
PLAYER_LENGTH = Setting("player_password_length", WholeNumber(10, 64), 10, "Наименьшая длина пароля игрока, знаков")


def check_password(session: Session, password: str, least: Setting[int], login: str, names: Iterable[str]) -> None:
    """Let nobody choose a password others would guess; ``least`` is the setting that holds for this sort of login.

    Raises:
        Refusal: ``password_refused``, with what to do about it.
    """
    folded = _folded(password)
    shortest = value_of(session, least)
    if len(folded) < shortest:
        raise _refused(f"Пароль короче {shortest} знаков: придумайте длиннее, можно несколько слов.", minimum=shortest)
    if len(folded) > LONGEST:
        raise _refused(f"Пароль длиннее {LONGEST} знаков: придумайте короче.", maximum=LONGEST)
    if _is_about(folded, login, names):
        raise _refused("Пароль — это логин или имя: придумайте другой.")
    if is_common(folded):
        raise _refused("Такой пароль пробуют первым: придумайте другой, можно несколько слов.")


def _is_about(folded: str, login: str, names: Iterable[str]) -> bool:
    """Whether the password is the login, the name or a word of it, with digits and signs around or without."""
    known = {_folded(text) for name in names for text in (name, name.replace(" ", ""), *name.split())}
    known |= {_folded(login), without_ornament(_folded(login))} - {""}
    return bool({folded, folded[::-1], without_ornament(folded)} & known)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _refused(detail: str, **facts: object) -> Refusal:
    return Refusal("password_refused", detail, field="password", **facts)
