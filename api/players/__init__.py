"""Players, their money and their page: a file of routes for each, under one blueprint."""

from api.players import endings, exclusions, money_in, money_out, page, registrations
from api.players.blueprint import players

__all__ = ["endings", "exclusions", "money_in", "money_out", "page", "players", "registrations"]
