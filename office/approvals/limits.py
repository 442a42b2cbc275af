"""What needs a second person, from which amount, and how long a proposal stands: settings of the operator."""

from __future__ import annotations

from office.settings.kinds import Amount, Setting, Switch, WholeNumber

LARGEST = 10**13
A_DAY = 24 * 60
THIRTY_DAYS = 30 * A_DAY

SECOND_PERSON_FROM = Setting(
    "payout_second_person_from", Amount(1, LARGEST), 5000_00, "Выплата от этой суммы требует второго сотрудника"
)
TYPED_NEEDS_SECOND_PERSON = Setting(
    "typed_code_needs_second_person", Switch(), True, "Выплата по коду, набранному вручную, требует второго сотрудника"
)
TYPED_FROM = Setting(
    "typed_code_second_person_from",
    Amount(0, LARGEST),
    0,
    "С какой суммы выплата по набранному коду требует второго сотрудника",
)
NEAR_EXPIRY_DAYS = Setting(
    "payout_near_expiry_days", WholeNumber(0, 90), 7, "За сколько дней до конца срока выплата считается поздней"
)
PAYOUT_LIFE = Setting(
    "payout_approval_minutes", WholeNumber(1, A_DAY), 60, "Сколько минут действует предложение выплаты"
)
RESULT_LIFE = Setting(
    "result_approval_minutes", WholeNumber(1, THIRTY_DAYS), 7 * A_DAY, "Сколько минут ждёт подтверждения результат"
)
CORRECTION_LIFE = Setting(
    "correction_approval_minutes",
    WholeNumber(1, THIRTY_DAYS),
    7 * A_DAY,
    "Сколько минут ждёт подтверждения исправление протокола",
)
CANCELLATION_LIFE = Setting(
    "cancellation_approval_minutes",
    WholeNumber(1, THIRTY_DAYS),
    7 * A_DAY,
    "Сколько минут ждёт подтверждения отмена выплаченной ставки",
)

LIMITS = (
    SECOND_PERSON_FROM,
    TYPED_NEEDS_SECOND_PERSON,
    TYPED_FROM,
    NEAR_EXPIRY_DAYS,
    PAYOUT_LIFE,
    RESULT_LIFE,
    CORRECTION_LIFE,
    CANCELLATION_LIFE,
)
