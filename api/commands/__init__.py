"""What an operator types: flask --app wsgi COMMAND."""

from api.commands.audit import audit_books
from api.commands.calculate import calculate
from api.commands.database import migrate
from api.commands.pools import pools, settle
from api.commands.seals import seal, verify

COMMANDS = (migrate, pools, settle, seal, verify, audit_books, calculate)
