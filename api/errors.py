"""The one table of errors: every refusal's code with its HTTP status and title, as RFC 9457 problem documents."""

from __future__ import annotations

from typing import Any, TypeVar

import structlog
from flask import Flask, Response, g, json
from marshmallow.exceptions import SCHEMA
from psycopg.errors import NumericValueOutOfRange, UniqueViolation
from sqlalchemy.exc import DataError, IntegrityError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnectionError
from werkzeug.exceptions import HTTPException, UnprocessableEntity

from api.idempotency import REPLAYED, RepeatedRefusal
from api.watch.request_line import request_id, route
from documents.table import TooManyRowsError
from ledger.money import MoneyError
from ledger.refusals import Refusal
from tote.games.register import GAMES
from tote.rules.refusal import RuleError

log = structlog.get_logger()
RULES = {
    "unknown_game": f"Такой игры нет. Проводятся: {', '.join(GAMES)}.",
    "unknown_field": "У этой игры такого условия нет: не называйте его.",
    "missing_field": "Без этого условия пул этой игры не объявить: назовите его.",
    "fund_percent_fixed": "Часть пула, идущую на выигрыши, задают правила этой игры: не называйте её.",
    "fund_percent_out_of_range": "Выигрышный фонд Спортлото — от 70 до 100 %.",
    "minimum_over_maximum": "Наименьший выигрыш больше наибольшего.",
    "level_out_of_range": "Уровень — от меньшего процента к большему, не выше 100.",
    "levels_overlap": "Уровни пересекаются: ставка бывает не больше чем на одном.",
    "shares_not_whole": "Доли уровней вместе составляют ровно 100 % фонда.",
}
"""What is said where somebody announces against a rule that no field's check knows before.

The calculators answer for themselves, in English.
"""
CONTENT_TYPE = "application/problem+json"
HEADERS = {401: {"WWW-Authenticate": 'Bearer realm="totalizator"'}, 503: {"Retry-After": "1"}}
"""What the standard wants beside a status (RFC 9110)."""

PROBLEMS: dict[str, tuple[int, str]] = {
    # The request itself.
    "invalid_json": (400, "Запрос не является правильным JSON"),
    "bad_request": (400, "Неправильный запрос"),
    "validation_failed": (422, "Поля запроса заполнены неправильно"),
    "rule_broken": (422, "Условия противоречат правилам"),
    "unauthenticated": (401, "Нужно войти"),
    "forbidden": (403, "Нет права на это действие"),
    "not_found": (404, "Не найдено"),
    "method_not_allowed": (405, "Такого действия здесь нет"),
    "length_required": (411, "Не указана длина запроса"),
    "payload_too_large": (413, "Запрос слишком велик"),
    "unsupported_media_type": (415, "Нужен запрос в формате JSON"),
    "too_many_attempts": (429, "Слишком много попыток"),
    "too_busy": (503, "Система перегружена: повторите с тем же ключом"),
    "internal_error": (500, "Внутренняя ошибка: повторите с тем же ключом"),
    "streams_full": (503, "Все места для потоков заняты"),
    "database_unavailable": (503, "База данных не отвечает"),
    "database_read_only": (503, "База данных не принимает записей"),
    "wrong_revision": (503, "База данных другой версии"),
    "clock_shifted": (503, "Часы базы данных переводились"),
    "two_databases": (503, "Запросы идут в другую базу данных"),
    "amount_out_of_range": (422, "Сумма больше, чем можно учесть"),
    "idempotency_key_reused": (422, "Ключ уже использован для другого запроса"),
    # The office.
    "wrong_login_or_password": (401, "Неверный логин или пароль"),
    "wrong_password": (403, "Прежний пароль неверен"),
    "password_change_needed": (403, "Нужно сменить одноразовый пароль"),
    "password_refused": (422, "Пароль не подходит"),
    "own_login": (409, "Это собственный логин"),
    "second_person_needed": (403, "Нужен второй сотрудник"),
    "approval_waiting": (409, "Второй сотрудник ещё не решил"),
    "approval_refused": (409, "Второй сотрудник отказал"),
    "approval_lapsed": (409, "Срок предложения истёк"),
    "approval_used": (409, "Подтверждение уже использовано"),
    "approval_differs": (409, "Подтверждено другое"),
    "approval_already_decided": (409, "Решение уже принято"),
    "approved_by_protocol": (409, "Результат подтверждается протоколом"),
    "proposer_not_entitled": (409, "Предложивший больше не имеет права"),
    "approver_not_entitled": (409, "Подтвердивший больше не имеет права"),
    "login_taken": (409, "Логин занят"),
    "code_taken": (409, "Код занят"),
    "setting_value_wrong": (422, "Настройка не может иметь такого значения"),
    "setting_unchanged": (409, "Настройка и так имеет это значение"),
    "effective_from_too_early": (422, "Слишком ранний момент вступления в силу"),
    "sales_stopped": (409, "Продажи остановлены"),
    "sales_already_stopped": (409, "Продажи уже остановлены"),
    "sales_already_resumed": (409, "Остановка продаж уже снята"),
    "too_many_rows": (422, "Строк больше, чем вмещает этот формат"),
    "papers_busy": (503, "Готовится слишком много документов"),
    "instant_in_future": (422, "Момент ещё не наступил"),
    "nothing_sealed": (409, "Печатей ещё нет"),
    # The desk.
    "unknown_terminal": (401, "Терминал не опознан"),
    "terminal_withdrawn": (409, "Терминал выведен из работы"),
    "desk_withdrawn": (409, "Касса снята с регистрации"),
    "not_assigned": (403, "Кассир не допущен к этой кассе"),
    "already_assigned": (409, "Кассир уже допущен к этой кассе"),
    "assignment_ended": (409, "Допуск уже прекращён"),
    "no_open_shift": (409, "Смена не открыта"),
    "shift_still_open": (409, "Смена ещё не закрыта"),
    "shift_already_open": (409, "Смена уже открыта"),
    "shift_already_closed": (409, "Смена уже закрыта"),
    "counted_cash_differs": (409, "Наличные расходятся с учётом"),
    "certificate_needed": (409, "Нет свидетельства о количестве касс"),
    "certificate_known": (409, "Свидетельство уже внесено"),
    "certificate_out_of_order": (422, "Дата свидетельства неправильна"),
    "certificate_exceeded": (409, "Касс больше, чем в свидетельстве"),
    "contract_term_wrong": (422, "Срок договора неправилен"),
    "contract_ended": (409, "Договор уже прекращён"),
    "unsent_bets": (409, "Есть неотправленные ставки"),
    "reason_needed": (422, "Не указана причина"),
    "receipts_missing": (409, "Не внесены фискальные чеки"),
    "fiscal_report_missing": (409, "Не внесён фискальный отчёт"),
    "fiscal_number_entered": (409, "Номер уже внесён"),
    "fiscal_number_taken": (409, "Номер занят"),
    "nothing_to_correct": (409, "Исправлять нечего"),
    "sender_receives": (403, "Нужен другой сотрудник"),
    "already_received": (409, "Передача уже принята"),
    "more_than_sent": (409, "Принято больше, чем передано"),
    "delivery_cleared": (409, "Остаток передачи уже закрыт"),
    "nothing_in_transit": (409, "В пути ничего нет"),
    "not_enough_money": (409, "Здесь нет столько денег"),
    "not_sold_here": (409, "Билет продан на другом терминале"),
    "selling_shift_over": (409, "Смена, в которую билет продан, закрыта"),
    "ticket_cancelled": (409, "Ставка отменена"),
    "already_printed": (409, "Билет уже напечатан"),
    "ticket_not_found": (404, "Билет не найден"),
    "ticket_is_online": (409, "Выигрыш зачисляется на игровой счёт"),
    "ticket_lost": (409, "Билет не выиграл"),
    "not_settled": (409, "Пари ещё не рассчитано"),
    "payout_held": (409, "Выплаты приостановлены"),
    "payouts_already_held": (409, "Выплаты уже приостановлены"),
    "payouts_not_held": (409, "Приостановка уже снята"),
    "held_by_claim": (409, "Выплаты ждут решения по претензии или спору"),
    "already_cancelled": (409, "Ставка уже отменена"),
    "second_person_not_needed": (409, "Второй сотрудник не нужен"),
    "settlement_under_way": (409, "Пул рассчитывается"),
    "claim_too_late": (409, "Срок подачи претензии истёк"),
    "claim_already_decided": (409, "По претензии решение уже принято"),
    "dispute_too_late": (409, "Срок рассмотрения споров истёк"),
    "dispute_already_decided": (409, "По спору решение уже принято"),
    "already_paid": (409, "Уже выплачено"),
    "not_payable_yet": (409, "Срок выплаты ещё не начался"),
    "payment_term_over": (409, "Срок выплаты истёк"),
    # Players.
    "identity_not_proven": (409, "Личность не подтверждена"),
    "under_age": (422, "Игрок моложе 18 лет"),
    "player_blocked": (409, "Регистрация игрока прекращена"),
    "registration_ended": (409, "Регистрация прекращена навсегда"),
    "self_excluded": (409, "Игрок сам ограничил себя"),
    "exclusion_too_short": (422, "Срок самоограничения слишком мал"),
    "exclusion_stands": (409, "Самоограничение уже действует дольше"),
    "bank_details_needed": (409, "Банковский счёт игрока не указан"),
    "card_first": (409, "Сначала возвращается внесённое с карты"),
    "payment_differs": (409, "Платёж уже зачислен иначе"),
    "withdrawal_ended": (409, "По этому переводу решение уже принято"),
    "insufficient_funds": (409, "Недостаточно денег на игровом счёте"),
    # Persons.
    "person_already_registered": (409, "Регистрация этого лица невозможна"),
    "person_kind_differs": (409, "Вид лица не меняется"),
    "nothing_to_search_by": (422, "Не указано, кого искать"),
    "unmasked_view_not_granted": (403, "Просмотр без маски не разрешён"),
    "registration_stands": (409, "Регистрация не прекращена"),
    "nothing_to_erase": (409, "Удалять нечего"),
    # Events.
    "event_not_started": (409, "Событие ещё не началось"),
    "event_started": (409, "Событие началось"),
    "start_unchanged": (409, "Этот момент уже записан"),
    "end_before_start": (422, "Окончание раньше начала"),
    "scores_wrong": (422, "Счёт по периодам не сходится"),
    "result_already_fixed": (409, "Результат уже зафиксирован"),
    "protocol_superseded": (409, "Протокол уже исправлен другим"),
    "result_not_confirmed": (409, "Результат не подтверждён"),
    "result_names_no_outcome": (409, "Результат не называет исхода этого пула"),
    # Pools.
    "unknown_pool": (404, "Пул не найден"),
    "unknown_outcome": (422, "Исход не найден"),
    "special_account_not_open": (409, "Специальный счёт не открыт"),
    "pool_terms_wrong": (422, "Условия пула неправильны"),
    "pool_not_open": (409, "Приём ставок не начался"),
    "pool_closed": (409, "Приём ставок окончен"),
    "pool_already_closed": (409, "Приём ставок уже окончен"),
    "pool_not_closed": (409, "Приём ставок ещё не окончен"),
    "stake_under_minimum": (422, "Ставка меньше минимальной"),
    "stake_over_maximum": (422, "Ставка больше максимальной"),
    "stake_is_not_the_price": (422, "Ставка не равна цене"),
    "stake_is_not_divisible": (422, "Сумма не делится на ставки билета"),
    "marks_wrong": (422, "Отметки не подходят пулу"),
    "rows_unreadable": (422, "Ставки билета не читаются"),
    "ticket_too_large": (422, "В билете слишком много ставок"),
    "rows_not_uploaded": (409, "Ставки билета не загружались по одной"),
}
BY_STATUS = {
    400: "bad_request",
    401: "unauthenticated",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    411: "length_required",
    413: "payload_too_large",
    415: "unsupported_media_type",
    422: "validation_failed",
}
UNAVAILABLE = (NoConnectionError, OperationalError)
"""What is raised while the database is away, has no connection left, or breaks one off."""

Wrong = TypeVar("Wrong", bound=HTTPException)


def invalid(place: str, messages: list[Any] | dict[Any, Any]) -> UnprocessableEntity:
    """A validation that failed at a place of the request (``json``, ``query``), to be raised."""
    return with_data(UnprocessableEntity(), messages={place: messages})


def with_data(error: Wrong, **data: Any) -> Wrong:
    """An error with what webargs tells beside one, which `http_problem` reads."""
    error.__dict__["data"] = data
    return error


def problem(code: str, detail: str, /, **members: object) -> Response:
    """A problem document. A code that the table lacks is a fault of the program, so it raises ``KeyError``.

    A fault of ours names the request, so that whoever reports it names the lines of the log.
    """
    status, title = PROBLEMS[code]
    g.problem = code
    if status >= 500:
        members["request_id"] = request_id()
    body = {"type": "about:blank", "title": title, "status": status, "code": code, "detail": detail, **members}
    return Response(json.dumps(body), status, headers=HEADERS.get(status), content_type=CONTENT_TYPE)


def install(app: Flask) -> None:
    """Let every error of the application leave as a problem document."""
    app.register_error_handler(Refusal, _refused)
    app.register_error_handler(RuleError, _rule_broken)
    app.register_error_handler(MoneyError, _money_wrong)
    app.register_error_handler(TooManyRowsError, _too_many_rows)
    app.register_error_handler(HTTPException, http_problem)
    for unavailable in UNAVAILABLE:
        app.register_error_handler(unavailable, _busy)
    app.register_error_handler(DataError, _cannot_be_kept)
    app.register_error_handler(IntegrityError, _clashed)
    app.register_error_handler(Exception, _unexpected)


def http_problem(error: HTTPException) -> Response:
    """What the web server's own errors become; the fields of a failed validation are named."""
    code = BY_STATUS.get(error.code or 500, "internal_error")
    data = getattr(error, "data", None) or {}
    errors = data.get("messages") or data.get("errors")
    members = {"errors": errors} if errors else {}
    answer = problem(data.get("code", code), _said(error, errors), **members)
    # Allow of a 405, which only the web server knows.
    answer.headers.extend((name, value) for name, value in error.get_headers() if name.lower() != "content-type")
    return answer


def _said(error: HTTPException, errors: dict[str, Any] | None) -> str:
    """What to do, in Russian: the fields to mend, our own words, or in place of the web server's English the title."""
    if errors:
        fields = sorted({name for place in errors.values() if isinstance(place, dict) for name in map(str, place)})
        if fields == [SCHEMA]:
            # Of the body as a whole, as when it is a list or a number: no field is to be mended.
            return " ".join(text for place in errors.values() for text in place[SCHEMA])
        return f"Исправьте поля: {', '.join(fields)}." if fields else "Исправьте запрос."
    if error.description and error.description != type(error).description:
        return error.description
    return PROBLEMS[BY_STATUS.get(error.code or 500, "internal_error")][1] + "."


def _refused(refusal: Refusal) -> Response:
    answer = problem(refusal.code, refusal.detail, **refusal.facts)
    if isinstance(refusal, RepeatedRefusal):
        answer.headers.extend(REPLAYED)
    if "retry_after" in refusal.facts:
        answer.headers["Retry-After"] = str(refusal.facts["retry_after"])
    return answer


def _rule_broken(error: RuleError) -> Response:
    said = RULES.get(error.code, PROBLEMS["rule_broken"][1] + ".")
    return problem("rule_broken", said, rule=error.code, field=error.field)


def _money_wrong(error: MoneyError) -> Response:
    return problem("validation_failed", str(error))


def _too_many_rows(error: TooManyRowsError) -> Response:
    said = f"Здесь помещается не больше {error.limit} строк: сузьте период или выгрузите CSV."
    return problem("too_many_rows", said, limit=error.limit)


def _busy(error: Exception) -> Response:
    log.error("database_unavailable", route=route(), error=type(error).__name__)
    return problem("too_busy", "Ответа базы данных нет: повторите запрос с тем же ключом.")


def _cannot_be_kept(error: DataError) -> Response:
    if isinstance(error.orig, NumericValueOutOfRange):
        return problem("amount_out_of_range", "Сумма вместе с уже учтёнными больше, чем можно учесть.")
    if "NUL" in str(error.orig):
        # PostgreSQL keeps no such text, and the driver refuses it before it is sent: no field need think of it.
        return problem("validation_failed", "Уберите из текста знак с кодом 0.", errors={"json": {}})
    return _unexpected(error)


def _clashed(error: IntegrityError) -> Response:
    # Two announced the same code at one moment: the second one's check came before the first one's commit.
    if isinstance(error.orig, UniqueViolation) and (error.orig.diag.constraint_name or "").endswith("_code"):
        return problem("code_taken", "Этот код только что занял другой запрос.", field="code")
    return _unexpected(error)


def _unexpected(error: Exception) -> Response:
    # The traceback goes to the log; the request's body does not, for it may hold a ticket's code or a document.
    log.error("unexpected_error", route=route(), exc_info=error)
    return problem("internal_error", "Ошибка записана. Повторите запрос с тем же ключом.")
