"""From which amounts, and by which clocks, something is worth being written down: settings of the operator."""

from __future__ import annotations

from office.settings.kinds import Amount, Setting, Switch, WholeNumber

MOST = 10**13
"""The largest amount a threshold may name, in minor units: nobody stakes or wins more, so it turns the event off."""

LARGE_BET_FROM = Setting("large_bet_from", Amount(1, MOST), 1_000_00, "Крупная ставка — от суммы")
LARGE_WIN_FROM = Setting("large_win_from", Amount(1, MOST), 10_000_00, "Крупный выигрыш — от суммы")
SHIFT_DIFFERENCE_FROM = Setting("shift_difference_from", Amount(1, MOST), 10_00, "Расхождение кассы — от суммы")
CLOCK_TOLERANCE = Setting(
    "clock_tolerance", WholeNumber(1, 3600), 5, "Допустимое расхождение часов машины и базы данных, секунд"
)
AUDIT_HOUR = Setting("audit_hour", WholeNumber(0, 23), 4, "Час ежедневной сверки книг, по времени организатора")
ALARM_ON_WARNINGS = Setting("alarm_on_warnings", Switch(), False, "Извещать и о предупреждениях")
