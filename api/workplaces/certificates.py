"""Certificates of the number of desks: registered, and listed with those they took the place of."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import Any

from api.answers import refuses
from api.auth import allowed
from api.fields import PageQuery
from api.house import caller, house, session
from api.pages import page_of
from api.workplaces.blueprint import WATCHERS, workplaces
from api.workplaces.schemas import CertificatePage, CertificateShown, NewCertificate
from desk.certificates import DeskCertificate, certificates, register_certificate
from office.callers import Role


@workplaces.post("/desk-certificates")
@workplaces.doc(operationId="register_certificate")
@workplaces.arguments(NewCertificate)
@workplaces.response(201, CertificateShown)
@allowed(Role.ADMINISTRATOR)
@refuses("certificate_known", "certificate_out_of_order", "certificate_exceeded")
def renew_certificate(told: dict[str, Any]) -> DeskCertificate:
    """Register a certificate: it says from now on how many desks there may be (T-Prov 4)."""
    certificate = register_certificate(session(), house().operator, **told, by=caller())
    session().commit()
    return certificate


@workplaces.get("/desk-certificates")
@workplaces.arguments(PageQuery, location="query")
@workplaces.response(200, CertificatePage)
@allowed(*WATCHERS)
def list_certificates(page: dict[str, Any]) -> dict[str, Any]:
    """The certificates, the one in force first."""
    found, following = page_of(page, partial(certificates, session()), attrgetter("id"))
    return {"items": found, "next_cursor": following}
