"""Certificates of the number of desks (T-Prov 4): each one replaces the last, and says how many desks there may be."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from sqlalchemy import CheckConstraint, ForeignKey, func, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from db.base import Fact
from db.clock import trade_time
from db.pages import newest_first
from desk.models import Desk, DeskWithdrawal
from ledger.amount_in_words import counted
from ledger.refusals import Refusal
from office.callers import Caller
from office.operator import Operator
from office.significant.kinds import CERTIFICATE_REGISTERED
from office.significant.log import note

DESKS = ("кассу", "кассы", "касс")


class DeskCertificate(Fact):
    """A certificate of the tax inspectorate for so many desks, issued on a day; the last one registered holds."""

    __tablename__ = "desk_certificates"
    __table_args__ = (CheckConstraint("desks > 0", name="desks_positive"),)

    number: Mapped[str] = mapped_column(unique=True)
    desks: Mapped[int]
    issued_on: Mapped[date]
    registered_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    registered_at: Mapped[datetime]


def register_certificate(
    session: Session, operator: Operator, number: str, desks: int, issued_on: date, by: Caller
) -> DeskCertificate:
    """Let a new certificate take the place of the one in force: from now on it says how many desks there may be.

    Raises:
        Refusal: ``certificate_known``, one with this number is on record; ``certificate_out_of_order``, it is dated
            before the one it would replace, or after today; ``certificate_exceeded``, more desks stand in the register
            than it counts: withdraw the others first.
    """
    assert by.user_id is not None, "a user of the office keeps the register"
    hold_register(session)
    at = trade_time(session)
    if session.scalar(select(DeskCertificate.id).where(DeskCertificate.number == number)) is not None:
        raise Refusal("certificate_known", "Свидетельство с этим номером уже внесено.", field="number")
    _refuse_out_of_order(session, issued_on, operator.day_of(at))
    _refuse_exceeded(registered_desks(session), desks)
    certificate = DeskCertificate(
        number=number, desks=desks, issued_on=issued_on, registered_by=by.user_id, registered_at=at
    )
    session.add(certificate)
    session.flush()
    told = {"number": number, "desks": desks, "issued_on": issued_on.isoformat()}
    note(session, CERTIFICATE_REGISTERED, f"desk_certificate:{certificate.id}", by, **told)
    return certificate


def make_room(session: Session) -> DeskCertificate:
    """The certificate under which one desk more may be registered; nobody else registers one meanwhile.

    Raises:
        Refusal: ``certificate_needed``, none is on record; ``certificate_exceeded``, it counts no desk more.
    """
    hold_register(session)
    certificate = certificate_in_force(session)
    if certificate is None:
        said = "Сначала внесите свидетельство о регистрации общего количества касс."
        raise Refusal("certificate_needed", said)
    _refuse_exceeded(registered_desks(session) + 1, certificate.desks)
    return certificate


def certificate_in_force(session: Session) -> DeskCertificate | None:
    """The last certificate, or none while none was registered."""
    return session.scalar(select(DeskCertificate).order_by(DeskCertificate.id.desc()).limit(1))


def certificates(session: Session, before: int, limit: int) -> Sequence[DeskCertificate]:
    """The certificates, the one in force first."""
    return session.scalars(newest_first(select(DeskCertificate), DeskCertificate.id, before, limit)).all()


def registered_desks(session: Session) -> int:
    """How many desks stand in the register."""
    gone = select(DeskWithdrawal.id).where(DeskWithdrawal.desk_id == Desk.id).exists()
    return session.scalars(select(func.count(Desk.id)).where(~gone)).one()


def hold_register(session: Session) -> None:
    """Let nobody else count desks against a certificate before this transaction ends."""
    session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended("register of desks", 0))))


def _refuse_out_of_order(session: Session, issued_on: date, today: date) -> None:
    replaced = certificate_in_force(session)
    if issued_on > today:
        raise Refusal("certificate_out_of_order", "Дата выдачи ещё не наступила.", field="issued_on")
    if replaced is not None and issued_on < replaced.issued_on:
        said = f"Действующее свидетельство выдано позже, {replaced.issued_on:%d.%m.%Y}."
        raise Refusal("certificate_out_of_order", said, field="issued_on")


def _refuse_exceeded(desks: int, certified: int) -> None:
    if desks > certified:
        said = f"Свидетельство выдано на {certified} {counted(certified, DESKS)}, а было бы {desks}: "
        advice = "получите новое или снимите лишние с учёта."
        raise Refusal("certificate_exceeded", said + advice, certified=certified, desks=desks)
