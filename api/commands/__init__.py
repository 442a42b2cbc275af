"""What an operator types: flask --app wsgi COMMAND."""

from api.commands.administrator import create_administrator, reset_administrator
from api.commands.audit import audit_books
from api.commands.calculate import calculate
from api.commands.database import migrate
from api.commands.persons import retention, rotate_keys
from api.commands.plainly import told_plainly
from api.commands.pools import pools, settle
from api.commands.seals import seal, verify
from api.commands.serve import serve
from api.commands.significant import alarms, significant_events
from api.commands.stops import resume, stop
from api.commands.worker import worker

COMMANDS = tuple(
    told_plainly(command)
    for command in (
        serve,
        worker,
        migrate,
        create_administrator,
        reset_administrator,
        pools,
        settle,
        seal,
        verify,
        audit_books,
        rotate_keys,
        retention,
        calculate,
        stop,
        resume,
        significant_events,
        alarms,
    )
)
