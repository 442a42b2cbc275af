"""A long log as a file: in little memory, and every row of it (FIELD-FAULTS 123)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from db.urls import conninfo
from tests.office import Office
from tests.prove.served import sized
from tests.prove.workers import ROOT
from tests.significant.hooked import seal_all

pytestmark = pytest.mark.prove
MOST = 256 * 1024
"""Kilobytes a process may take (DESIGN 7)."""
# The most the command's own memory came to: what getrusage tells begins with the tests' process it was born of.
MEASURED = """
import wsgi
wsgi.app.cli(standalone_mode=False)
with open("/proc/self/status") as told:
    print(*(line.split()[1] for line in told if line.startswith("VmHWM")))
"""
EVENTS = """
    INSERT INTO significant_events (kind, severity, subject, facts)
    SELECT 'large_bet', 'warning', 'ticket:' || n, jsonb_build_object('pool', 'P1', 'stake', n || '.00')
    FROM generate_series(1, %s) AS n
"""


def test_a_long_log_is_exported_whole_in_little_memory(office: Office, tmp_path: Path) -> None:
    number, file = sized(50_000, 1_000_000), tmp_path / "events.csv"
    with psycopg.connect(conninfo(office.urls.owner)) as owner:
        owner.execute(EVENTS, (number,))
    seal_all(office)

    command = (sys.executable, "-c", MEASURED, "significant-events", "export", str(file), "--kind", "large_bet")
    environment = {**os.environ, **office.urls.environment(), **office.house.keys.environment()}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True, timeout=900)

    assert int(done.stdout.splitlines()[-1]) < MOST
    with file.open("rb") as lines:
        assert sum(1 for _ in lines) == 1 + number
    with file.open(encoding="utf-8-sig", newline="") as lines:
        stakes = sum(int(line.rsplit('""', 2)[-2].removesuffix(".00")) for line in lines if "large_bet" in line)
    # 1 + 2 + … + n, by Gauss.
    assert stakes == number * (number + 1) // 2
