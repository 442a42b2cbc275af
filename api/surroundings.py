"""All that the environment must say, looked at together: whoever sets up a machine is told once, not ten times."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from functools import partial

import structlog

from api.logs import form_of_lines
from api.proxies import VARIABLE as PROXIES
from api.proxies import trusted_proxies
from db.addresses import ADDRESSES, urls_of_environment
from db.environment import in_production, refuse_all_wrong, whole_number
from db.keys import NAMES as KEYS
from db.keys import keys_of_environment
from office.alarms.channels import channels_from_environment
from office.operator import name_of_environment, zone_of_environment

log = structlog.get_logger()

SIZES = {"THREADS": 8, "WORKERS": 2, "STREAM_CLIENTS": 100, "STREAM_WORKERS": 1}
"""How much of everything, if nothing else is said."""
ALARMS = ("ALARM_FILE", "ALARM_WEBHOOK_URL", "ALARM_WEBHOOK_SECRET")
READ_AS_THEY_ARE = ("SEAL_DIGESTS", "METRICS_TOKEN", "ADMINISTRATOR_PASSWORD")
"""Variables in which nothing can be malformed."""

Look = Callable[[], object]

LOOKS: Mapping[tuple[str, ...], Look] = {
    ("APP_ENV",): in_production,
    ("OPERATOR_NAME",): name_of_environment,
    ("OPERATOR_TIME_ZONE",): zone_of_environment,
    **{(name,): partial(whole_number, name, unset) for name, unset in SIZES.items()},
    ("LOG_FORMAT",): form_of_lines,
    (PROXIES,): trusted_proxies,
    ALARMS: channels_from_environment,
}
"""What every process looks at before it begins; each raises a SetupError that names its variable."""
NEEDED_TO_SERVE: Mapping[tuple[str, ...], Look] = {ADDRESSES: urls_of_environment, KEYS: keys_of_environment}
"""What else API, streams and worker look at; under APP_ENV=production its absence is refused."""
VARIABLES = frozenset(name for names in (*LOOKS, *NEEDED_TO_SERVE, READ_AS_THEY_ARE) for name in names)
"""Every variable of ours; README tells what each means."""
LIKENESS = 0.85
"""From this likeness on a foreign name is taken for one of ours misspelled: TRUSTED_PROXY is, DATABASE is not."""


def refuse_malformed() -> None:
    """Refuse what no process can work with.

    Raises:
        SetupError: naming all of it.
    """
    refuse_all_wrong(LOOKS.values())


def refuse_incomplete() -> None:
    """Refuse what no process can serve with.

    Raises:
        SetupError: naming all that is malformed, and in production all that is missing.
    """
    refuse_all_wrong([*LOOKS.values(), *NEEDED_TO_SERVE.values()])


def warn_of_misspelled() -> None:
    """Say in the log which names look like ours and are not; nobody reads them."""
    for name, meant in misspelled(os.environ):
        log.warning("variable_unknown", variable=name, perhaps=meant)


def misspelled(names: Iterable[str]) -> list[tuple[str, str]]:
    """Names that are none of ours but nearly so, each with the one that was perhaps meant."""
    near = ((name, get_close_matches(name, sorted(VARIABLES), 1, LIKENESS)) for name in sorted(names))
    return [(name, meant[0]) for name, meant in near if meant and name not in VARIABLES]
