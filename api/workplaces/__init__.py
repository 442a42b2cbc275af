"""The register of desks, their terminals, and who works where: a file of routes for each, under one blueprint."""

from api.workplaces import assignments, cash_limits, certificates, contracts, desks, terminals
from api.workplaces.blueprint import workplaces

__all__ = ["assignments", "cash_limits", "certificates", "contracts", "desks", "terminals", "workplaces"]
