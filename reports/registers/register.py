"""Every report of rows by its code. A new one is a file with its `REPORT`, and a name here."""

from __future__ import annotations

from reports.registers import cover, expired, intake, levels, liability, movement, pools, returned, tickets
from reports.registers.report import Report

REPORTS: dict[str, Report] = {
    report.code: report
    for report in (
        tickets.REPORT,
        pools.REPORT,
        levels.REPORT,
        liability.REPORT,
        returned.REPORT,
        expired.REPORT,
        cover.REPORT,
        movement.REPORT,
        intake.REPORT,
    )
}
