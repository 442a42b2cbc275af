"""Events, their starts, results and protocols: a file of routes for each, under one blueprint."""

from api.events import protocols, starts
from api.events.published import published
from api.events.routes import events

__all__ = ["events", "protocols", "published", "starts"]
