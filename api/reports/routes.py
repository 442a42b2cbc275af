"""Trial balance and cover of funds."""

from __future__ import annotations

from api.auth import allowed
from api.house import house, session
from api.reports.schemas import FundCoverShown, TrialBalanceShown
from api.requests import Blueprint
from db.clock import trade_time
from office.callers import Role
from reports.fund_cover import FundCover, fund_cover
from reports.trial_balance import TrialBalance, trial_balance

reports = Blueprint("reports", __name__, url_prefix="/api/v1/reports", description="Отчёты бухгалтера")


@reports.get("/trial-balance")
@reports.response(200, TrialBalanceShown)
@allowed(Role.ACCOUNTANT, Role.AUDITOR, Role.ORGANIZER)
def show_trial_balance() -> TrialBalance:
    """Every account's turnover and balance, under the accountant's codes."""
    operator = house().operator
    return trial_balance(session(), operator.currency, operator.day_of(trade_time(session())))


@reports.get("/fund-cover")
@reports.response(200, FundCoverShown)
@allowed(Role.ACCOUNTANT, Role.AUDITOR, Role.ORGANIZER)
def show_fund_cover() -> FundCover:
    """What the funds owe, and what the special account and the desks hold."""
    return fund_cover(session(), house().operator.currency)
