"""create_app: the API, its description and its commands, on a house."""

from __future__ import annotations

from collections.abc import Iterable

from flask import Blueprint, Flask, redirect
from flask.json.provider import DefaultJSONProvider
from flask_smorest import Api
from flask_swagger_ui import get_swaggerui_blueprint
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response

from api import auth, errors, logs, strictness
from api.about import ABOUT
from api.alarms.routes import alarms
from api.answers import Answers
from api.approvals.routes import approvals
from api.boards.routes import boards
from api.calculators.routes import calculators
from api.claims.routes import claims
from api.commands import COMMANDS
from api.desk import desk
from api.documents import documents
from api.events import events, published
from api.holds.routes import holds
from api.house import House, end_session
from api.keys.routes import keys
from api.ledger.routes import ledger
from api.office.routes import office
from api.paths import CONVERTERS
from api.persons.routes import persons
from api.players import players
from api.problem import Problem
from api.reports.registers import registers
from api.reports.routes import reports
from api.sessions.routes import sessions
from api.settings.routes import settings
from api.significant.routes import significant
from api.stops.routes import sales_stops
from api.tote.batches import batches
from api.tote.cancellations import cancellations
from api.tote.decisions import decisions
from api.tote.routes import tote
from api.tote.uploaded_rows import uploaded_rows
from api.watch import request_line
from api.watch.routes import watch
from api.workplaces import workplaces

BLUEPRINTS = (
    sessions,
    office,
    approvals,
    settings,
    sales_stops,
    workplaces,
    desk,
    players,
    persons,
    events,
    published,
    tote,
    uploaded_rows,
    boards,
    batches,
    decisions,
    cancellations,
    holds,
    claims,
    ledger,
    reports,
    registers,
    significant,
    alarms,
    calculators,
    documents,
    keys,
)
LARGEST_BODY = 4 * 1024 * 1024


class ProblemApi(Api):
    """flask-smorest's API, with its errors as problem documents."""

    ERROR_SCHEMA = Problem
    # Every answer is told by its own status: what is not told is a fault (api/answers.py).
    DEFAULT_ERROR_RESPONSE_NAME = None

    def handle_http_exception(self, error: HTTPException) -> Response:
        return errors.http_problem(error)


def _page_of_api() -> Blueprint:
    # Without this the page asks a validator in the internet for a badge.
    page: Blueprint = get_swaggerui_blueprint("/api/docs", "/api/openapi.json", config={"validatorUrl": None})
    return page


def create_app(house: House, blueprints: Iterable[Blueprint] = BLUEPRINTS) -> Flask:
    """The application of a house, with the routes of these folders; it opens no connection before the first request."""
    logs.configure()
    app = Flask("api")
    app.url_map.converters.update(CONVERTERS)
    app.config.update(
        MAX_CONTENT_LENGTH=LARGEST_BODY,
        API_TITLE="Тотализатор и букмекерская контора",
        API_VERSION="v1",
        OPENAPI_VERSION="3.1.0",
        OPENAPI_URL_PREFIX="/api",
        OPENAPI_JSON_PATH="openapi.json",
        API_SPEC_OPTIONS={
            "info": {"description": ABOUT},
            "components": {"securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}}},
            "security": [{"bearer": []}],
        },
    )
    assert isinstance(app.json, DefaultJSONProvider)
    app.json.ensure_ascii = False
    app.extensions["house"] = house
    api = ProblemApi(app, spec_kwargs={"extra_plugins": [Answers(app)]})
    for converter in CONVERTERS.values():
        api.register_converter(converter, converter.described)
    for blueprint in blueprints:
        api.register_blueprint(blueprint)
    app.register_blueprint(_page_of_api())
    app.register_blueprint(watch)
    app.add_url_rule("/", "front_door", lambda: redirect("/api/docs/"))
    request_line.install(app)
    app.before_request(auth.check)
    app.before_request(strictness.check)
    app.teardown_appcontext(end_session)
    errors.install(app)
    for command in COMMANDS:
        app.cli.add_command(command)
    return app
