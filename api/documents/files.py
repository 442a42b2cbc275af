"""Files as answers: how they are told and named, and how many are made at once, so that sales never wait for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from errno import ECONNRESET

import structlog
from flask import request
from sqlalchemy.exc import DBAPIError
from werkzeug.wrappers import Response

from api.documents.blueprint import documents
from api.errors import UNAVAILABLE
from api.house import house, let_go
from api.marks import View
from api.watch.request_line import route
from documents.csv import csv_pieces
from documents.form import Form, form_pdf
from documents.pdf import pdf_of
from documents.spool import read_out, size_of, spooled
from documents.table import Table
from documents.xlsx import xlsx_pieces
from ledger.refusals import Refusal

log = structlog.get_logger()
PDF, CSV = "application/pdf", "text/csv"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
FORMATS: dict[str, tuple[str, Callable[[Table], Iterator[bytes]]]] = {
    "pdf": (PDF, lambda table: iter([pdf_of(table)])),
    "xlsx": (XLSX, xlsx_pieces),
    "csv": (CSV, lambda table: csv_pieces(table.titles, table.rows)),
}
"""What a table is called as a file of each format, and how it becomes one. A CSV holds rows only (DESIGN 3.8)."""
FILE = {"schema": {"type": "string", "format": "binary"}}


def gives(status: int, *media_types: str) -> Callable[[View], View]:
    """Tell that a route answers with a file of one of these kinds."""
    told = {"description": "Файл", "content": {media_type: FILE for media_type in media_types}}
    tell: Callable[[View], View] = documents.doc(responses={str(status): told})
    return tell


def paper(form: Form, name: str, status: int = 200) -> Response:
    """A form as PDF."""
    let_go()
    with _take_place():
        made = form_pdf(form)
    return _named(Response(made, status, content_type=PDF), f"{name}.pdf")


def table_file(table: Table, format_: str, name: str, status: int = 200) -> Response:
    """A table in a format; its place among those being made is given back when it has been sent.

    Where the database goes away before the first piece, the answer says so; later the line breaks off. To a client of
    HTTP/1.0 the end of a line is the end of a file, so that it is sent only when it is whole, and its length told.

    Raises:
        Refusal: ``papers_busy``.
        TooManyRowsError: the format cannot hold it.
    """
    media_type, pieces = FORMATS[format_]
    let_go()
    place = _take_place()
    try:
        # What goes wrong with the first piece can still be answered.
        making = pieces(table)
        whole = spooled(making) if request.environ["SERVER_PROTOCOL"] == "HTTP/1.0" else None
        making = making if whole is None else read_out(whole)
        sent = _giving_back(place, next(making), making, route())
    except BaseException:
        place.close()
        raise
    answer = Response(sent, status, content_type=_with_letters(media_type))
    if whole is not None:
        answer.content_length = size_of(whole)
    # Whoever hangs up before the first piece never starts the iterator that would give it back.
    answer.call_on_close(place.close)
    return _named(answer, f"{name}.{format_}")


def _giving_back(place: ExitStack, first: bytes, others: Iterator[bytes], asked: str) -> Iterator[bytes]:
    with place:
        yield first
        try:
            yield from others
        except UNAVAILABLE as error:
            if not _gone(error):
                raise
            # The answer is under way: only a line that breaks off tells that the file is not whole.
            log.warning("file_broken_off", route=asked, error=type(getattr(error, "orig", error)).__name__)
            raise ConnectionResetError(ECONNRESET, "the database went away in the middle of a file") from error


def _gone(error: Exception) -> bool:
    """Whether it was the database that went away: a statement that fails for another reason is a fault to be told."""
    return not isinstance(error, DBAPIError) or error.connection_invalidated


def _take_place() -> ExitStack:
    """A place among the documents this process makes at once, given back when it is closed, once.

    Raises:
        Refusal: ``papers_busy``, at once: who waited would hold a thread that could sell.
    """
    places = house().papers
    if not places.acquire(blocking=False):
        raise Refusal("papers_busy", "Сейчас готовится слишком много документов: повторите через минуту.")
    place = ExitStack()
    place.callback(places.release)
    return place


def _with_letters(media_type: str) -> str:
    return f"{media_type}; charset=utf-8" if media_type == CSV else media_type


def _named(answer: Response, name: str) -> Response:
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    # Persons may be in it: no machine on the way keeps a copy.
    answer.headers["Cache-Control"] = "no-store"
    return answer
