"""What reports of rows are asked and what they show: a schema for each, made from the columns it declares."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, fields, validate, validates_schema

from api.documents.files import FORMATS
from api.fields import Day, Instant, Money, Number, PageQuery, Schema, code
from documents.columns import Column
from documents.table import Kind
from ledger.tickets import Status
from reports.registers.report import Ask, Report

ASKED: dict[Ask, dict[str, Any]] = {
    Ask.PERIOD: {
        "first": Day(data_key="from", metadata={"description": "первый день по часам организатора"}),
        "last": Day(data_key="to", metadata={"description": "последний день, включительно"}),
    },
    Ask.POOL: {"pool": code(metadata={"description": "шифр пула"})},
    Ask.DESK: {"desk_id": Number()},
    Ask.STATUS: {"status": fields.Enum(Status, by_value=True)},
    Ask.ACCOUNT: {"account_id": Number()},
}
AS_OF = {"description": "по состоянию на последнюю печать к этому моменту"}


class RegisterAsked(Schema):
    """What every report of rows can be asked: how it stood at the last seal at or before ``as_of``."""

    as_of = Instant(load_default=None, metadata=AS_OF)

    @validates_schema
    def _in_order(self, asked: dict[str, Any], **_told: Any) -> None:
        first, last = asked.get("first"), asked.get("last")
        if first is not None and last is not None and last < first:
            raise ValidationError("Последний день раньше первого.", "to")


class RegisterFileAsked(RegisterAsked):
    """What every file of a report can be asked: a CSV of rows alone, or with the head as XLSX or PDF."""

    format = fields.String(load_default="csv", validate=validate.OneOf(list(FORMATS)))


class ReportHeader(Schema):
    """The head of a report; ``as_of`` and ``seal`` say what it holds, ``note`` that it has no rows."""

    code = fields.String(required=True)
    title = fields.String(required=True)
    operator = fields.String(required=True)
    first = fields.Date(required=True, allow_none=True, data_key="from")
    last = fields.Date(required=True, allow_none=True, data_key="to")
    as_of = Instant(required=True, allow_none=True)
    seal = fields.Integer(required=True, allow_none=True)
    generated_at = Instant(required=True)
    zone = fields.String(required=True, metadata={"example": "Europe/Minsk"})
    filters = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    note = fields.String(required=True, allow_none=True, metadata={"example": "Нет операций"})
    software = fields.String(required=True, metadata={"example": "totalizator 0.1.0"})


class ReportSums(Schema):
    """How many rows, and what their columns come to."""

    rows = fields.Integer(required=True)
    money = fields.Dict(keys=fields.String(), values=Money(signed=True), required=True)
    numbers = fields.Dict(keys=fields.String(), values=fields.Integer(), required=True)


class ReportTotals(Schema):
    """The sums of the whole report, and of its parts by their names."""

    whole = fields.Nested(ReportSums, required=True)
    parts = fields.Dict(keys=fields.String(), values=fields.Nested(ReportSums), required=True)


def query_of(report: Report) -> type[Schema]:
    """What a page of a report is asked by."""
    return _schema(report, "Query", _asked(report), RegisterAsked, PageQuery)


def export_of(report: Report) -> type[Schema]:
    """What the file of a report is asked by."""
    return _schema(report, "Export", _asked(report), RegisterFileAsked)


def page_of(report: Report) -> type[Schema]:
    """A page of a report. ``totals`` stand on the first page: they are those of the whole."""
    rows = {column.key: _field(column) for column in report.columns}
    provisional = fields.Boolean(required=True, metadata={"description": "not sealed yet"})
    row = _schema(report, "Row", {**rows, "provisional": provisional})
    page = {
        "header": fields.Nested(ReportHeader, required=True),
        "items": fields.List(fields.Nested(row), required=True),
        "totals": fields.Nested(ReportTotals, required=True, allow_none=True),
        "next_cursor": fields.Integer(allow_none=True),
    }
    return _schema(report, "Page", page)


def _asked(report: Report) -> dict[str, Any]:
    return {name: field for ask in report.asks for name, field in ASKED[ask].items()}


def _schema(report: Report, form: str, declared: dict[str, Any], *bases: type[Schema]) -> type[Schema]:
    """A schema named for the report, with its title as what it is."""
    name = "".join(word.capitalize() for word in report.code.split("-")) + form
    return type(name, bases or (Schema,), {**declared, "__doc__": report.about, "__module__": __name__})


def _field(column: Column) -> fields.Field[Any]:
    told: dict[str, Any] = {"required": True, "allow_none": True}
    about: dict[str, Any] = {"description": column.title}
    if column.kind is Kind.MONEY:
        return Money(signed=True, metadata=about, **told)
    if column.kind is Kind.INSTANT:
        return Instant(metadata=about, **told)
    if column.words:
        words = ", ".join(f"{word} ({said})" for word, said in column.words.items())
        about = {"description": f"{column.title}: {words}"}
        about |= {"enum": [*column.words, None]} if column.closed else {}
    kinds: dict[Kind, Any] = {Kind.NUMBER: fields.Integer, Kind.DATE: fields.Date, Kind.TEXT: fields.String}
    made: fields.Field[Any] = kinds[column.kind](metadata=about, **told)
    return made
