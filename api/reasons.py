"""Why somebody does a thing: told with every act that a later reader will ask about."""

from __future__ import annotations

from marshmallow import fields

from api.fields import Schema, line

SAID = {"description": "зачем; видна в журналах, поэтому без персональных данных"}


def reason() -> fields.String:
    """Why somebody does it: it stays on record, so no personal data belong here."""
    return line(required=True, metadata=SAID)


class Reason(Schema):
    """Why something is stopped, withdrawn, locked, erased or let go on, for whoever reads it years later."""

    reason = reason()
