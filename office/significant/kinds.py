"""The register of kinds of significant events: what is worth a regulator's or an owner's look (INDUSTRY)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How loud an event is: a notice is kept, a warning is shown, an alarm goes out through the alarm hook."""

    NOTICE = "notice"
    WARNING = "warning"
    ALARM = "alarm"


@dataclass(frozen=True)
class Kind:
    """A kind of event: its stable code, what people read, how loud it is.

    Neither code nor title of a released kind is ever changed: exports of the past must come out the same (DESIGN 3.8).
    """

    code: str
    title: str
    severity: Severity


KINDS: dict[str, Kind] = {}
"""Every kind by its code."""


def _kind(code: str, title: str, severity: Severity) -> Kind:
    if code in KINDS:
        raise ValueError(f"two kinds of significant events are called {code}")
    KINDS[code] = Kind(code, title, severity)
    return KINDS[code]


def title_of(code: str) -> str:
    """What people read for a kind; one that a newer release wrote is shown by its code."""
    return KINDS[code].title if code in KINDS else code


USER_CREATED = _kind("user_created", "Создан логин сотрудника", Severity.NOTICE)
USER_RENAMED = _kind("user_renamed", "Изменено имя сотрудника", Severity.NOTICE)
USER_ROLE_CHANGED = _kind("user_role_changed", "Изменена роль сотрудника", Severity.WARNING)
USER_LOCKED = _kind("user_locked", "Логин сотрудника заблокирован", Severity.WARNING)
USER_UNLOCKED = _kind("user_unlocked", "Логин сотрудника разблокирован", Severity.WARNING)
USER_PASSWORD_RESET = _kind("user_password_reset", "Сотруднику выдан одноразовый пароль", Severity.WARNING)
ADMINISTRATOR_RESCUED = _kind("administrator_rescued", "Пароль администратора сброшен командой", Severity.ALARM)
SESSIONS_ENDED = _kind("sessions_ended", "Завершены все входы сотрудника", Severity.WARNING)
PASSWORD_CHANGED = _kind("password_changed", "Пароль сменён владельцем", Severity.NOTICE)
PLAYER_LOCKED = _kind("player_locked", "Регистрация игрока заблокирована", Severity.WARNING)
PLAYER_UNLOCKED = _kind("player_unlocked", "Регистрация игрока разблокирована", Severity.WARNING)
PLAYER_PASSWORD_RESET = _kind("player_password_reset", "Игроку выдан одноразовый пароль", Severity.WARNING)
REGISTRATION_ENDED = _kind("registration_ended", "Регистрация игрока прекращена организатором", Severity.WARNING)
SELF_EXCLUDED = _kind("self_excluded", "Лицо само ограничило себя в игре", Severity.NOTICE)
BANK_DETAILS_TOLD = _kind("bank_details_told", "Указан банковский счёт игрока", Severity.NOTICE)
WITHDRAWN_OTHERWISE = _kind("withdrawn_otherwise", "Деньги выводятся не тем способом, каким внесены", Severity.NOTICE)
TRANSFER_RETURNED = _kind("transfer_returned", "Перевод игроку возвращён на игровой счёт", Severity.WARNING)
PAYMENT_DIFFERS = _kind("payment_differs", "Платёж сообщён повторно с другой суммой или игроком", Severity.ALARM)
LOGIN_THROTTLED = _kind("login_throttled", "Подбирают пароль к логину", Severity.WARNING)
ADDRESS_THROTTLED = _kind("address_throttled", "С одного адреса слишком много неудачных попыток", Severity.WARNING)
TERMINAL_THROTTLED = _kind("terminal_throttled", "На терминале слишком много неудачных входов", Severity.WARNING)
CODES_GUESSED = _kind("ticket_codes_guessed", "На терминале подбирают коды билетов", Severity.ALARM)
REGISTRY_PROBED = _kind("registry_probed", "Перебирают логины или данные игроков", Severity.ALARM)
GUESSING_FLOOD = _kind("guessing_flood", "Попыток подбора так много, что отмечаются не все", Severity.ALARM)
SETTING_CHANGED = _kind("setting_changed", "Изменена настройка", Severity.WARNING)
DESK_REGISTERED = _kind("desk_registered", "Зарегистрирована касса", Severity.NOTICE)
DESK_WITHDRAWN = _kind("desk_withdrawn", "Касса снята с регистрации", Severity.WARNING)
CERTIFICATE_REGISTERED = _kind("certificate_registered", "Внесено свидетельство о количестве касс", Severity.NOTICE)
CONTRACT_CONCLUDED = _kind("agent_contract_concluded", "Внесён договор агента на кассу", Severity.NOTICE)
CONTRACT_ENDED = _kind("agent_contract_ended", "Прекращён договор агента на кассу", Severity.WARNING)
CASH_LIMIT_SET = _kind("cash_limit_set", "Установлен лимит кассы", Severity.NOTICE)
TERMINAL_INSTALLED = _kind("terminal_installed", "Установлен терминал", Severity.NOTICE)
TERMINAL_SECRET_CHANGED = _kind("terminal_secret_changed", "Терминалу выдан новый ключ", Severity.WARNING)
TERMINAL_WITHDRAWN = _kind("terminal_withdrawn", "Терминал выведен из работы", Severity.WARNING)
CASHIER_ASSIGNED = _kind("cashier_assigned", "Кассир допущен к кассе", Severity.NOTICE)
CASHIER_DISMISSED = _kind("cashier_dismissed", "Допуск кассира к кассе прекращён", Severity.NOTICE)
APPROVAL_GIVEN = _kind("approval_given", "Второй сотрудник подтвердил действие", Severity.NOTICE)
APPROVAL_REFUSED = _kind("approval_refused", "Второй сотрудник отказал в действии", Severity.WARNING)
APPROVAL_WITHDRAWN = _kind("approval_withdrawn", "Предложение отозвано тем, кто его внёс", Severity.NOTICE)
CODE_TOLD_AGAIN = _kind("ticket_code_told_again", "Код билета показан повторно", Severity.WARNING)
TICKET_DUPLICATED = _kind("ticket_duplicated", "Напечатан дубликат билета", Severity.WARNING)
PAYOUT_TYPED = _kind("payout_typed", "Выплата по коду, набранному вручную", Severity.WARNING)
PAYOUTS_HELD = _kind("payouts_held", "Выплаты пула приостановлены", Severity.ALARM)
PAYOUTS_RELEASED = _kind("payouts_released", "Выплаты пула возобновлены", Severity.WARNING)
PROTOCOL_CORRECTED = _kind("protocol_corrected", "Протокол исправлен новым протоколом", Severity.ALARM)
WINS_CLAIMED = _kind("wins_claimed", "Зачисленный выигрыш не удалось вернуть: требование к игроку", Severity.ALARM)
CASH_OVERPAID = _kind("cash_overpaid", "По исправленному протоколу выплачено лишнее наличными", Severity.ALARM)
JACKPOT_SHORT = _kind("jackpot_short", "Джек-пот не смог вернуть деньги пула: их внёс организатор", Severity.ALARM)
BET_CANCELLED = _kind("bet_cancelled", "Ставка отменена организатором", Severity.WARNING)
CLAIM_ENTERED = _kind("claim_entered", "Принята претензия по результату", Severity.WARNING)
CLAIM_DECIDED = _kind("claim_decided", "По претензии принято решение", Severity.WARNING)
DISPUTE_ENTERED = _kind("dispute_entered", "Принят к рассмотрению спор о билете", Severity.WARNING)
DISPUTE_DECIDED = _kind("dispute_decided", "По спору о билете принято решение", Severity.WARNING)
START_CHANGED = _kind("event_start_changed", "Изменено начало события", Severity.WARNING)
BETS_AFTER_START = _kind("bets_after_start", "Есть ставки, принятые после начала события", Severity.ALARM)
RESULT_OVERDUE = _kind("result_overdue", "У события давно нет протокола", Severity.WARNING)
RESULT_ANNULLED = _kind("result_annulled", "Результат отменён позже: действует первый протокол", Severity.WARNING)
SALES_STOPPED = _kind("sales_stopped", "Остановлены продажи", Severity.WARNING)
ALL_SALES_STOPPED = _kind("all_sales_stopped", "Остановлены все продажи", Severity.ALARM)
SALES_RESUMED = _kind("sales_resumed", "Возобновлены продажи", Severity.WARNING)

LARGE_BET = _kind("large_bet", "Крупная ставка", Severity.WARNING)
LARGE_WIN = _kind("large_win", "Крупный выигрыш", Severity.WARNING)
CASH_DIFFERS = _kind("cash_differs", "Расхождение наличных при закрытии смены", Severity.WARNING)
OPENING_DIFFERS = _kind("opening_cash_differs", "Расхождение наличных при открытии смены", Severity.WARNING)
SHIFT_CLOSED_FOR_ANOTHER = _kind("shift_closed_for_another", "Смену закрыл старший смены", Severity.WARNING)
CASH_OVER_LIMIT = _kind("cash_over_limit", "В кассе больше лимита, установленного банком", Severity.ALARM)
CASH_WITHIN_LIMIT = _kind("cash_within_limit", "Наличные в кассе снова в пределах лимита", Severity.NOTICE)
DELIVERY_SHORT = _kind("cash_delivery_short", "Принято меньше наличных, чем передано", Severity.WARNING)
DELIVERY_CLEARED = _kind("cash_delivery_cleared", "Остаток наличных в пути списан или возвращён", Severity.WARNING)
RECEIPT_CORRECTED = _kind("fiscal_number_corrected", "Исправлен номер фискального документа", Severity.WARNING)

SWEEP_FAILED = _kind("sweep_failed", "Плановая работа не выполняется", Severity.ALARM)
SWEEP_RECOVERED = _kind("sweep_recovered", "Плановая работа снова выполняется", Severity.NOTICE)
SEAL_FAILED = _kind("seal_failed", "Записи не опечатываются", Severity.ALARM)
SEAL_RECOVERED = _kind("seal_recovered", "Записи снова опечатываются", Severity.NOTICE)
CLOCK_DIFFERS = _kind("clock_differs", "Часы машины расходятся с часами базы данных", Severity.ALARM)
CLOCK_AGREES = _kind("clock_agrees", "Часы машины снова верны", Severity.NOTICE)

BOOKS_AUDITED = _kind("books_audited", "Сверка книг: расхождений нет", Severity.NOTICE)
BOOKS_BROKEN = _kind("books_broken", "Сверка книг: найдены расхождения", Severity.ALARM)
SEALS_BROKEN = _kind("seals_broken", "Проверка печатей: записи изменены", Severity.ALARM)

EVENTS_EXPORTED = _kind("events_exported", "Выгружен журнал значимых событий", Severity.NOTICE)
CHANNEL_FAILED = _kind("alarm_channel_failed", "Канал тревог не доставляет извещения", Severity.ALARM)
CHANNEL_RECOVERED = _kind("alarm_channel_recovered", "Канал тревог снова доставляет извещения", Severity.NOTICE)
PERSON_VIEWED = _kind("person_viewed", "Персональные данные показаны без маски", Severity.NOTICE)
PERSONS_EXPORTED = _kind("persons_exported", "Персональные данные выгружены списком без маски", Severity.WARNING)
PERSONS_SEARCHED = _kind("persons_searched", "Поиск лица по персональным данным", Severity.NOTICE)
PERSON_AMENDED = _kind("person_amended", "Данные лица дополнены или исправлены", Severity.NOTICE)
PERSON_ERASED = _kind("person_erased", "Персональные данные удалены", Severity.WARNING)
KEYS_ROTATED = _kind("keys_rotated", "Ключи данных перевёрнуты на новый главный ключ", Severity.WARNING)
