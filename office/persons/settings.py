"""What an operator may set about persons: who sees them unmasked, how long they are kept, and keep from betting."""

from __future__ import annotations

from office.callers import Role
from office.settings.kinds import Setting, WholeNumber, Words

VIEWERS = frozenset({Role.SUPERVISOR.value, Role.ACCOUNTANT.value, Role.AUDITOR.value})
"""The roles that may be let see a person unmasked."""

UNMASKED_ROLES = Setting(
    "persons_unmasked_roles",
    Words(VIEWERS),
    VIEWERS - {Role.AUDITOR.value},
    "Роли, которым можно смотреть персональные данные без маски",
)
"""An auditor reads everything, personal data only where it was granted (INDUSTRY: replay)."""

JOURNAL_YEARS = Setting(
    "journal_retention_years",
    WholeNumber(5, 75),
    5,
    "Сколько лет хранится журнал выплат с данными получателей",
)
"""Five years, or longer while an audit is not finished: then the operator sets more (B-Prov 17)."""

SELF_EXCLUSION_DAYS = Setting(
    "self_exclusion_minimum_days", WholeNumber(1, 3650), 180, "Наименьший срок самоограничения, дней"
)
