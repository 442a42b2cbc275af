"""Settings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from functools import partial
from operator import attrgetter
from typing import Any

from api.answers import refuses
from api.auth import allowed
from api.fields import PageQuery
from api.house import caller, house, session
from api.pages import page_of
from api.requests import Blueprint
from api.settings.schemas import (
    AtQuery,
    NewSettingVersion,
    SettingList,
    SettingShown,
    SettingVersionPage,
    SettingVersionShown,
)
from db.clock import trade_time
from ledger.refusals import Refusal
from office.callers import Role
from office.settings.book import Settings
from office.settings.changes import history, planned_after, set_value
from office.settings.kinds import Amount, Setting
from office.settings.register import REGISTER
from office.settings.versions import SettingVersion

settings = Blueprint("settings", __name__, url_prefix="/api/v1/settings", description="Настройки")
READERS = frozenset(Role) - {Role.PLAYER, Role.CASHIER}


@settings.get("")
@settings.arguments(AtQuery, location="query")
@settings.response(200, SettingList)
@allowed(*READERS)
def list_settings(asked: dict[str, Any]) -> dict[str, Any]:
    """All settings by name, as they are now or at an instant."""
    at = asked["at"] or trade_time(session())
    return {"items": _shown([REGISTER[name] for name in sorted(REGISTER)], at)}


@settings.get("/<code:name>")
@settings.arguments(AtQuery, location="query")
@settings.response(200, SettingShown)
@allowed(*READERS)
def show_setting(asked: dict[str, Any], name: str) -> dict[str, Any]:
    """A setting as it is now or at an instant."""
    at = asked["at"] or trade_time(session())
    return _shown([_named(name)], at)[0]


@settings.get("/<code:name>/versions")
@settings.doc(operationId="list_setting_versions")
@settings.arguments(PageQuery, location="query")
@settings.response(200, SettingVersionPage)
@allowed(*READERS)
def list_versions(page: dict[str, Any], name: str) -> dict[str, Any]:
    """Who changed a setting, when, why, from what to what, and from which instant; the latest change first."""
    found, following = page_of(page, partial(history, session(), _named(name).name), attrgetter("id"))
    return {"items": found, "next_cursor": following}


@settings.post("/<code:name>/versions")
@settings.arguments(NewSettingVersion)
@settings.response(201, SettingVersionShown)
@allowed(Role.ADMINISTRATOR)
@refuses("setting_value_wrong", "setting_unchanged", "effective_from_too_early")
def change_setting(told: dict[str, Any], name: str) -> SettingVersion:
    """Give a setting another value, from an instant on or as soon as it can be."""
    setting = _named(name)
    unset = house().unset_operator.unset(setting)
    version = set_value(session(), setting, told.pop("value"), by=caller(), unset=unset, **told)
    session().commit()
    return version


def _named(name: str) -> Setting[Any]:
    if name not in REGISTER:
        raise Refusal("not_found", f"Такой настройки нет. Есть: {', '.join(sorted(REGISTER))}.")
    return REGISTER[name]


def _shown(wanted: Sequence[Setting[Any]], at: datetime) -> list[dict[str, Any]]:
    known, planned = house().settings.read(session()), planned_after(session(), at)
    return [
        _setting(setting, known, at, [version for version in planned if version.name == setting.name])
        for setting in wanted
    ]


def _setting(setting: Setting[Any], known: Settings, at: datetime, planned: list[SettingVersion]) -> dict[str, Any]:
    kind, unset = setting.kind, house().unset_operator.unset(setting)
    return {
        "name": setting.name,
        "title": setting.title,
        "kind": re.sub(r"(?<!^)(?=[A-Z])", "_", type(kind).__name__).lower(),
        "bounds": _bounds(kind),
        "value": kind.write(known.value_or(setting, at, kind.read(unset))),
        "unset": unset,
        "notice_seconds": int(setting.notice.total_seconds()),
        "at": at,
        "planned": planned,
    }


def _bounds(kind: Any) -> dict[str, Any]:
    """What a kind allows, in JSON: amounts as money, sets of words in order."""
    shown = kind.write if isinstance(kind, Amount) else lambda bound: bound
    return {name: sorted(of) if isinstance(of, frozenset) else shown(of) for name, of in asdict(kind).items()}
