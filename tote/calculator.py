"""What a pool pays, answered without a database: the tote calculator.

A case and its answer are JSON objects as Python reads them. Settlement runs the same division; here are only the
reading of a case, field by field, and the writing of the answer.
"""

from collections.abc import Callable, Iterator, Mapping, Set
from fractions import Fraction
from typing import Any, TypeAlias, TypeVar

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
    parse_exact,
)
from tote.games.register import AnyGame, game
from tote.rules.division import divide
from tote.rules.levels import EmptyLevel, Level
from tote.rules.pool import AnnouncedTerms, BetGroup, LevelDivision, PoolDivision, PoolTerms
from tote.rules.refusal import RuleError

CALCULATOR = "tote"
# Pools take Belarusian money only (T-Rules 9.1, 40).
TOTE_CURRENCY = "BYN"
EVERY_CASE = frozenset({"id", "calculator", "currency", "game", "bets", "result", "jackpot_in"})
LEVEL_FIELDS = frozenset({"from", "to", "share"})
PERCENT_PLACES = 4
COEFFICIENT_PLACES = 3

Read = TypeVar("Read")
Judge: TypeAlias = Callable[[Any], int | None]


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
    judge = played.judge(terms, played.result(_told(told, "result")))
    bets = [*_each(_told(told, "bets"), "bets", lambda bet: _bet(bet, played, judge, terms, paid_in))]
    division = divide(terms, [group for group, _ in bets], [level for _, level in bets])
    _within_range(division, terms)
    return _written(division, terms, paid_in)


def _known_calculator(told: Mapping[str, Any]) -> None:
    if _told(told, "calculator") != CALCULATOR:
        raise RuleError("wrong_calculator", "calculator", f'This is the calculator "{CALCULATOR}".')


def _currency(code: object) -> Currency:
    if code != TOTE_CURRENCY:
        raise RuleError("unsupported_currency", "currency", f"Pools take {TOTE_CURRENCY} only.")
    return currency(code)


def _terms(told: Mapping[str, Any], played: AnyGame, paid_in: Currency) -> PoolTerms:
    def amount(text: object) -> int:
        return parse_amount(text, paid_in)

    announced = AnnouncedTerms(
        fund_percent=_optional(told, "fund_percent", _percent),
        minimum_coefficient=_optional(told, "minimum_coefficient", _coefficient),
        jackpot_in=_optional(told, "jackpot_in", amount) or 0,
        price=_optional(told, "price", amount),
        minimum_win=_optional(told, "minimum_win", amount),
        maximum_win=_optional(told, "maximum_win", amount),
        levels=_optional(told, "levels", _levels),
        empty_level=_optional(told, "empty_level", _empty_level),
    )
    return played.terms(announced)


def _percent(text: object) -> Fraction:
    return parse_decimal(text, PERCENT_PLACES)


def _coefficient(text: object) -> Fraction:
    return parse_decimal(text, COEFFICIENT_PLACES)


def _levels(told: object) -> tuple[Level, ...]:
    return tuple(_each(told, "levels", _level))


def _level(told: object) -> Level:
    level = _object(told, None)
    _only_fields(level, LEVEL_FIELDS)
    lowest, highest, share = (_read(level, field, _exact_percent) for field in ("from", "to", "share"))
    return Level(share / 100, lowest, highest)


def _exact_percent(text: object) -> Fraction:
    return parse_exact(text, PERCENT_PLACES)


def _empty_level(told: object) -> EmptyLevel:
    if isinstance(told, str) and told in list(EmptyLevel):
        return EmptyLevel(told)
    raise RuleError("unknown_choice", "empty_level", f"Expected one of: {', '.join(EmptyLevel)}.")


def _bet(
    bet: object, played: AnyGame, judge: Judge, terms: PoolTerms, paid_in: Currency
) -> tuple[BetGroup[Any], int | None]:
    """A group of alike bets with the level it reached, or None."""
    told = _object(bet, None)
    _only_fields(told, played.bet_fields)
    outcome = played.outcome(_told(told, played.outcome_field))
    stake = _stake(told, paid_in) if terms.price is None else terms.price
    return BetGroup(outcome, stake, _count(told.get("count", 1))), judge(outcome)


def _each(told: object, field: str, read: Callable[[object], Read]) -> Iterator[Read]:
    """A list, member by member; what is refused names its place in it."""
    if not isinstance(told, list):
        raise RuleError("not_a_list", field, f"{field.capitalize()} are a list.")
    for place, member in enumerate(told):
        try:
            yield read(member)
        except RuleError as refused:
            at = f"{field}[{place}]"
            raise RuleError(
                refused.code, f"{at}.{refused.field}" if refused.field else at, refused.message
            ) from refused


def _stake(told: Mapping[str, Any], paid_in: Currency) -> int:
    stake = _read(told, "stake", lambda text: parse_amount(text, paid_in))
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
    return _read(told, field, read) if field in told else None


def _read(told: Mapping[str, Any], field: str, read: Callable[[object], Read]) -> Read:
    try:
        return read(_told(told, field))
    except MoneyError as refused:
        raise RuleError(refused.code, field, refused.message) from refused


def _only_fields(told: Mapping[str, Any], known: Set[str]) -> None:
    if not told.keys() <= known:
        unknown = min(told.keys() - known, key=str)
        raise RuleError("unknown_field", unknown, f"Unknown here; known: {', '.join(sorted(known))}.")


def _written(division: PoolDivision, terms: PoolTerms, paid_in: Currency) -> dict[str, Any]:
    return {
        "pool": format_amount(division.pool, paid_in),
        "withdrawal": format_amount(division.withdrawal, paid_in),
        "fund": format_amount(division.fund, paid_in),
        "minus_pool": division.minus_pool,
        "to_jackpot": format_amount(division.to_jackpot, paid_in),
        "from_organizer": format_amount(division.from_organizer, paid_in),
        "levels": [_written_level(level, terms, paid_in) for level in division.levels],
        "wins": [format_amount(win.due, paid_in) for win in division.wins],
    }


def _written_level(level: LevelDivision, terms: PoolTerms, paid_in: Currency) -> dict[str, Any]:
    unit = 10**paid_in.exponent
    own_share = (
        _exact("coefficient", level.coefficient)
        if terms.price is None
        else _exact("win_per_bet", None if level.win_per_bet is None else level.win_per_bet / unit)
    )
    return {
        "winning_bets": level.winning_bets,
        "winning_stake": format_amount(level.winning_stake, paid_in),
        **_exact("fund", level.fund / unit),
        **own_share,
    }


def _exact(field: str, value: Fraction | None) -> dict[str, str | None]:
    """A field that holds a fraction, with its sibling for the eye."""
    return {
        field: None if value is None else format_fraction(value),
        f"{field}_display": None if value is None else display_fraction(value),
    }
