"""What a stream is asked for."""

from __future__ import annotations

from marshmallow import validate
from webargs.fields import DelimitedList

from api.fields import Schema, code

MOST_POOLS = 50


class StreamQuery(Schema):
    """Which pools to follow, by their codes between commas."""

    pools = DelimitedList(
        code(), required=True, validate=validate.Length(1, MOST_POOLS), metadata={"description": "шифры через запятую"}
    )
