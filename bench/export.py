"""How long a long register takes as CSV over HTTP, beside `COPY` of the same query (DESIGN 7, last row).

Run from the checkout: `.venv/bin/python -m bench.export [TICKETS]`. Both in turn on the same settled pool: the file as
a client downloads it, with the process's own memory, and the rows as PostgreSQL alone writes them.
"""

import resource
import sys
import time

import psycopg
from sqlalchemy import Select

from bench.ground import compared, office_at_work
from db.session import transaction
from db.urls import conninfo
from reports.registers.cut import sealed_now
from reports.registers.register import REPORTS
from reports.registers.report import Wanted
from tests.office import Office
from tests.prove.many_tickets import write_many
from tests.significant.hooked import seal_all

TARGET = 0.2
REGISTER = REPORTS["ticket-register"]


def downloaded(office: Office, tickets: int) -> float:
    """Rows a second of the file."""
    began = time.perf_counter()
    path = f"/api/v1/reports/{REGISTER.code}/export"
    answer = office.client.get(path, headers=office.auditor.headers, buffered=False)
    lines = sum(piece.count(b"\r\n") for piece in answer.response)
    assert lines == tickets + 1
    return tickets / (time.perf_counter() - began)


def copied(office: Office, query: str, tickets: int) -> float:
    """Rows a second of the same query by COPY, ordered as the file is."""
    began = time.perf_counter()
    copy = f"COPY ({query}) TO STDOUT WITH (FORMAT csv)"
    with psycopg.connect(conninfo(office.urls.app)) as connection, connection.cursor().copy(copy) as rows:
        lines = sum(bytes(piece).count(b"\n") for piece in rows)
    assert lines == tickets
    return tickets / (time.perf_counter() - began)


def sql_of(office: Office) -> str:
    """The register's query as text, at the last seal."""
    with transaction(office.house.sessions) as session:
        cut = sealed_now(session, office.house.operator, None)
        query: Select = REGISTER.query(cut, Wanted()).order_by("fact")
        return str(query.compile(session.get_bind(), compile_kwargs={"literal_binds": True}))


def main(tickets: int) -> None:
    with office_at_work() as office:
        write_many(office, tickets)
        seal_all(office)
        query = sql_of(office)
        sides = {"file": lambda: downloaded(office, tickets), "copy": lambda: copied(office, query, tickets)}
        compared("export", sides, TARGET, "rows a second")
        # In kilobytes on Linux; the office that wrote the tickets is part of it.
        print(f"  memory   {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MiB at the most")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
