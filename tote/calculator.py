"""What a pool pays, answered without a database: the tote calculator.

A case and its answer are JSON objects as Python reads them. Settlement runs the same division; here are only the
reading of a case, field by field, and the writing of the answer.
"""

from collections.abc import Callable, Mapping, Set
from fractions import Fraction
from typing import Any, TypeVar

from ledger.money import (
    LARGEST_AMOUNT,
    Currency,
    MoneyError,
    currency,
    display_fraction,
    format_amount,
    format_fraction,
    parse_amount,
    parse_decimal,
)
from tote.games.game import Game
from tote.games.register import game
from tote.rules.pool import AnnouncedTerms, BetGroup, LevelDivision, PoolDivision, PoolTerms
from tote.rules.refusal import RuleError

CALCULATOR = "tote"
# Pools take Belarusian money only (T-Rules 9.1, 40).
TOTE_CURRENCY = "BYN"
EVERY_CASE = frozenset({"id", "calculator", "currency", "game", "bets", "result", "jackpot_in"})
PERCENT_PLACES = 4
COEFFICIENT_PLACES = 3

Read = TypeVar("Read")


def calculate(case: object) -> dict[str, Any]:
    """The division of the pool the case tells of, or `{"error": {"code", "field", "message"}}`; its `id` echoed.

    Everything the case may break is an answer, nothing is raised. `levels` show the coefficient before any
    `minimum_coefficient`; `wins` are what is paid.
    """
    try:
        answer = _answer(case)
    except RuleError as refused:
        answer = {"error": {"code": refused.code, "field": refused.field, "message": refused.message}}
    return {"id": case["id"], **answer} if isinstance(case, dict) and "id" in case else answer


def _answer(case: object) -> dict[str, Any]:
    told = _object(case, None)
    _known_calculator(told)
    played = game(_told(told, "game"))
    _only_fields(told, EVERY_CASE | played.terms_fields)
    paid_in = _currency(_told(told, "currency"))
    terms = _terms(told, played, paid_in)
    result = played.result(_told(told, "result"))
    groups = _groups(_told(told, "bets"), played, paid_in)
    division = played.divide(terms, groups, result)
    _within_range(division, terms)
    return _written(division, paid_in)


def _known_calculator(told: Mapping[str, Any]) -> None:
    if _told(told, "calculator") != CALCULATOR:
        raise RuleError("wrong_calculator", "calculator", f'This is the calculator "{CALCULATOR}".')


def _currency(code: object) -> Currency:
    if code != TOTE_CURRENCY:
        raise RuleError("unsupported_currency", "currency", f"Pools take {TOTE_CURRENCY} only.")
    return currency(code)


def _terms(told: Mapping[str, Any], played: Game, paid_in: Currency) -> PoolTerms:
    announced = AnnouncedTerms(
        fund_percent=_optional(told, "fund_percent", _percent),
        minimum_coefficient=_optional(told, "minimum_coefficient", _coefficient),
        jackpot_in=_optional(told, "jackpot_in", lambda text: parse_amount(text, paid_in)) or 0,
    )
    return played.terms(announced)


def _percent(text: object) -> Fraction:
    return parse_decimal(text, PERCENT_PLACES)


def _coefficient(text: object) -> Fraction:
    return parse_decimal(text, COEFFICIENT_PLACES)


def _groups(bets: object, played: Game, paid_in: Currency) -> list[BetGroup]:
    if not isinstance(bets, list):
        raise RuleError("not_a_list", "bets", "Bets are a list.")
    groups = []
    for place, bet in enumerate(bets):
        try:
            groups.append(_group(bet, played, paid_in))
        except RuleError as refused:
            at = f"bets[{place}]"
            raise RuleError(
                refused.code, f"{at}.{refused.field}" if refused.field else at, refused.message
            ) from refused
    return groups


def _group(bet: object, played: Game, paid_in: Currency) -> BetGroup:
    told = _object(bet, None)
    _only_fields(told, played.bet_fields)
    return BetGroup(played.outcome(_told(told, "outcome")), _stake(told, paid_in), _count(told.get("count", 1)))


def _stake(told: Mapping[str, Any], paid_in: Currency) -> int:
    try:
        stake = parse_amount(_told(told, "stake"), paid_in)
    except MoneyError as refused:
        raise RuleError(refused.code, "stake", refused.message) from refused
    if not stake:
        raise RuleError("not_positive", "stake", "A stake is more than nothing.")
    return stake


def _count(told: object) -> int:
    # JSON's true is a Python int; it is no number of bets.
    if type(told) is int and 1 <= told <= LARGEST_AMOUNT:
        return told
    raise RuleError("invalid_count", "count", f"A count is a whole number from 1 to {LARGEST_AMOUNT}.")


def _within_range(division: PoolDivision, terms: PoolTerms) -> None:
    if division.pool + terms.jackpot_in + division.from_organizer > LARGEST_AMOUNT:
        raise RuleError("out_of_range", "bets", "The pool comes to more money than can be kept.")


def _object(told: object, field: str | None) -> Mapping[str, Any]:
    if not isinstance(told, dict):
        raise RuleError("not_an_object", field, "Expected a JSON object.")
    return told


def _told(told: Mapping[str, Any], field: str) -> Any:
    if field not in told:
        raise RuleError("missing_field", field, "This field is required.")
    return told[field]


def _optional(told: Mapping[str, Any], field: str, read: Callable[[object], Read]) -> Read | None:
    if field not in told:
        return None
    try:
        return read(told[field])
    except MoneyError as refused:
        raise RuleError(refused.code, field, refused.message) from refused


def _only_fields(told: Mapping[str, Any], known: Set[str]) -> None:
    if not told.keys() <= known:
        unknown = min(told.keys() - known, key=str)
        raise RuleError("unknown_field", unknown, f"Unknown here; known: {', '.join(sorted(known))}.")


def _written(division: PoolDivision, paid_in: Currency) -> dict[str, Any]:
    return {
        "pool": format_amount(division.pool, paid_in),
        "withdrawal": format_amount(division.withdrawal, paid_in),
        "fund": format_amount(division.fund, paid_in),
        "minus_pool": division.minus_pool,
        "to_jackpot": format_amount(division.to_jackpot, paid_in),
        "from_organizer": format_amount(division.from_organizer, paid_in),
        "levels": [_written_level(level, paid_in) for level in division.levels],
        "wins": [format_amount(win.due, paid_in) for win in division.wins],
    }


def _written_level(level: LevelDivision, paid_in: Currency) -> dict[str, Any]:
    fund = level.fund / 10**paid_in.exponent
    coefficient = level.coefficient
    return {
        "winning_bets": level.winning_bets,
        "winning_stake": format_amount(level.winning_stake, paid_in),
        "fund": format_fraction(fund),
        "fund_display": display_fraction(fund),
        "coefficient": None if coefficient is None else format_fraction(coefficient),
        "coefficient_display": None if coefficient is None else display_fraction(coefficient),
    }
