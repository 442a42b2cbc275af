"""What a command says where the surroundings are wrong: one line that names the variable, and no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WRONG = {
    "APP_ENV": "prod",
    "DATABASE_URL": "foo",
    "OPERATOR_TIME_ZONE": "Mars/X",
    "THREADS": "x",
    "LOG_FORMAT": "xml",
}


@pytest.mark.parametrize(("variable", "value"), WRONG.items(), ids=WRONG)
def test_a_wrong_variable_is_one_line(variable: str, value: str) -> None:
    command = (sys.executable, "-m", "flask", "--app", "wsgi", "audit")
    ended = subprocess.run(
        command, cwd=ROOT, env={**os.environ, variable: value}, capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == 1
    (line,) = ended.stderr.splitlines()
    assert line.startswith("Error: ") and variable in line
